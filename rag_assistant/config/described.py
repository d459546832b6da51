"""Every setting with its default, its value and its explanation, read from the settings themselves.

The explanation is the docstring below each attribute, which Python does not keep: it is read from
the source, so that there is no second copy of it.
"""

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

from rag_assistant.config import settings as source
from rag_assistant.config.settings import (
    Config,
    DatabaseSettings,
    EmbedderSettings,
    McpSettings,
    ModelSettings,
    RerankerSettings,
    StoreSettings,
)
from rag_assistant.errors import ConfigError

Scalar = str | int | float | bool

_TABLES = {
    "models": ModelSettings,
    "embedders": EmbedderSettings,
    "rerankers": RerankerSettings,
    "mcp": McpSettings,
    "databases": DatabaseSettings,
    "stores": StoreSettings,
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its place in the file, its value, its default (None: it has none), its choices.

    `kind` is the type of its value; only the scalar ones can be changed one at a time.
    """

    key: tuple[str, ...]
    value: Any
    default: Any
    kind: type
    choices: tuple[str, ...]
    help: str

    @property
    def name(self) -> str:
        """The name as the file has it."""
        return ".".join(self.key)

    @property
    def is_scalar(self) -> bool:
        """Whether it is a text, a number or a switch."""
        return self.kind in (str, int, float, bool)


def described(config: Config) -> tuple[Setting, ...]:
    """Give all settings in the order of the file's tables."""
    return tuple(_described(config, ()))


def _described(values: Any, place: tuple[str, ...]) -> Iterator[Setting]:
    hints = get_type_hints(type(values))
    helps = _docstrings(type(values).__name__)
    nested: list[tuple[tuple[str, ...], Any]] = []
    for field in fields(values):
        value, key = getattr(values, field.name), (*place, field.name)
        if is_dataclass(value):
            nested.append((key, value))
        elif field.name in _TABLES and not place:
            nested += [((*key, name), table) for name, table in value.items()]
        else:
            choices = tuple(map(str, get_args(hints[field.name]))) if isinstance(value, str) else ()
            yield Setting(key, value, _default(field), type(value), choices, helps[field.name])
    for key, table in nested:
        yield from _described(table, key)


def _default(field: "Field[Any]") -> Any:
    if field.default is not MISSING:
        return field.default
    return None if field.default_factory is MISSING else field.default_factory()


@cache
def _docstrings(kind: str) -> Mapping[str, str]:
    """Give what stands below each attribute of a class of settings, on one line."""
    module = ast.parse(inspect.getsource(source))
    body = next(n.body for n in module.body if isinstance(n, ast.ClassDef) and n.name == kind)
    found: dict[str, str] = {}
    for attribute, below in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(attribute, ast.AnnAssign) and isinstance(attribute.target, ast.Name):
            text = ast.literal_eval(below.value) if isinstance(below, ast.Expr) else ""
            found[attribute.target.id] = " ".join(text.split())
    return found


def read_value(setting: Setting, written: str) -> Scalar:
    """Read what a person typed for a setting. Raises ConfigError saying what it must be."""
    written = written.strip()
    if setting.choices and written not in setting.choices:
        listed = " or ".join(setting.choices)
        raise ConfigError(f"{setting.name} cannot be {written!r}.", hint=f"Write {listed}.")
    if setting.kind is bool:
        switches = {
            "true": True,
            "yes": True,
            "on": True,
            "false": False,
            "no": False,
            "off": False,
        }
        if written.lower() not in switches:
            raise ConfigError(f"{written!r} is no switch.", hint="Write true or false.")
        return switches[written.lower()]
    if setting.kind in (int, float):
        try:
            number = setting.kind(written.replace(",", "").replace("_", ""))
        except ValueError:
            what = "a whole number" if setting.kind is int else "a number"
            raise ConfigError(f"{written!r} is not {what}.", hint="Write digits.") from None
        if not 0 <= number < 10**12:
            raise ConfigError(f"{written} is out of range.", hint="Write a number from 0 on.")
        return number
    return written
