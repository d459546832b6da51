"""Changing `config.toml` for a person, who wrote it: comments, order and spacing stay theirs.

A change is checked before it takes the file's place in one step; a file that is broken, or that
would be after the change, is left as it is.
"""

import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_assistant.config.reading import check_config, load_config
from rag_assistant.errors import ConfigError
from rag_assistant.files.moving import move

if TYPE_CHECKING:
    from tomlkit.items import AbstractTable

Value = str | int | float | bool


def write_config(
    path: Path,
    settings: Mapping[str, Value] | None = None,
    models: Mapping[str, Mapping[str, Value]] | None = None,
) -> None:
    """Set settings of the file itself, and settings of its `[models.NAME]` tables.

    What is new goes on top, below a table's last setting, or into a table at the end. Raises
    ConfigError when the file cannot be read, changed or written.
    """
    place = path.resolve()  # a link to a file of settings kept elsewhere stays a link
    load_config(place)
    written = _read(place)
    changed = changed_text(written, settings or {}, models or {})
    if changed == written:
        return
    _replace(place, changed)


def set_value(path: Path, key: tuple[str, ...], value: Value) -> None:
    """Set one setting, such as `("limits", "steps")`; see `set_values`."""
    set_values(path, {key: value})


def set_values(path: Path, values: Mapping[tuple[str, ...], Value]) -> None:
    """Set settings by their keys, all or none; the whole file is checked before.

    Raises ConfigError, and leaves the file as it was, when a value is not one that it can have.
    """
    place = path.resolve()
    load_config(place)
    text = _read(place)
    for key, value in values.items():
        if len(key) == 1:
            text = changed_text(text, {key[0]: value}, {})
        else:
            text = _with_nested(text, key, value)
    check_config(text, path)
    _replace(place, text)


def remove_table(path: Path, kind: str, name: str) -> None:
    """Take the table `[kind.name]` out of the file, where it has one. Raises ConfigError."""
    place = path.resolve()
    load_config(place)
    written = _read(place)
    wanted = tomllib.loads(written)
    if name not in wanted.get(kind, {}):
        return
    del wanted[kind][name]
    if not wanted[kind]:
        del wanted[kind]
    for text in _without_one_table(written):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(text) == wanted:
                check_config(text, path)
                _replace(place, text)
                return
    raise ConfigError(
        "config.toml is written in a form that cannot be changed safely.",
        hint=f"Take [{kind}.{name}] out by hand.",
    )


def _without_one_table(written: str) -> Iterator[str]:
    """Give a file's text without one table after the other, up to the last setting of each.

    What follows its settings are the comments of the next table, which stay.
    """
    lines = written.splitlines(keepends=True)
    heads = [number for number, line in enumerate(lines) if line.lstrip().startswith("[")]
    for head, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        last = end
        while last > head + 1 and lines[last - 1].lstrip()[:1] in ("", "#"):
            last -= 1
        while last < end and not lines[last].strip():
            last += 1
        yield "".join(lines[:head] + lines[last:])


def _with_nested(written: str, key: tuple[str, ...], value: Value) -> str:
    """Give a file's text with a setting of a table, which is made at the end if there is none."""
    import tomlkit  # noqa: PLC0415 - see _edited

    wanted = tomllib.loads(written)
    inner = wanted
    for part in key[:-1]:
        inner = inner.setdefault(part, {})
    inner[key[-1]] = value
    document = tomlkit.parse(written)
    table: Any = document
    for part in key[:-1]:
        table = table.get(part)
        if table is None:
            break
    if table is None:
        nested: Any = {key[-1]: value}
        for part in reversed(key[:-1]):
            nested = {part: nested}
        text = f"{written.rstrip()}\n\n".lstrip() + tomlkit.dumps(nested)
    else:
        _set(table, {key[-1]: value})
        text = tomlkit.dumps(document)
    try:
        fits = tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        fits = False
    if not fits:
        raise ConfigError(
            "config.toml is written in a form that cannot be changed safely.",
            hint=f"Write [{'.'.join(key[:-1])}] as a table of its own, or change it by hand.",
        )
    return text


def changed_text(
    written: str, settings: Mapping[str, Value], models: Mapping[str, Mapping[str, Value]]
) -> str:
    """Give a file's text with the changes. Raises ConfigError when they do not fit its form."""
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - see _edited

    wanted = _merged(tomllib.loads(written), settings, models)
    try:
        text = _edited(written, settings, models)
        if "\r\n" in written and written.count("\n") == written.count("\r\n"):
            text = text.replace("\r\n", "\n").replace("\n", "\r\n")
        fits = tomllib.loads(text) == wanted
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError, ValueError):
        fits = False
    if not fits:
        raise ConfigError(
            "config.toml is written in a form that cannot be changed safely.",
            hint="Write [models.NAME] as a table of its own, or make the change by hand.",
        )
    return text


def _edited(
    written: str, settings: Mapping[str, Value], models: Mapping[str, Mapping[str, Value]]
) -> str:
    import tomlkit  # noqa: PLC0415 - 60 ms, only a change of the settings needs it

    document = tomlkit.parse(written)
    on_top = {key: value for key, value in settings.items() if key not in document}
    for key in settings.keys() - on_top.keys():
        document[key] = settings[key]
    tables = document.get("models", {})
    for name in models.keys() & tables.keys():
        _set(tables[name], models[name])
    text = tomlkit.dumps(document)
    if on_top:
        # A comment, or a table, keeps a blank line above it.
        text = tomlkit.dumps(on_top) + "\n" * text.startswith(("#", "[")) + text
    for name, values in models.items():
        if name not in tables:
            text = f"{text.rstrip()}\n\n".lstrip() + tomlkit.dumps({"models": {name: values}})
    return text


def _merged(
    values: dict[str, Any],
    settings: Mapping[str, Value],
    models: Mapping[str, Mapping[str, Value]],
) -> dict[str, Any]:
    merged = {**values, **settings}
    if models:
        before = values.get("models", {})
        after = {name: {**before.get(name, {}), **models[name]} for name in models}
        merged["models"] = {**before, **after}
    return merged


def _set(table: "AbstractTable", values: Mapping[str, Value]) -> None:
    """Set values of a table. Comments at its end are those of the next table, and stay there."""
    end: list[Any] = []
    body = table.value.body
    while body and body[-1][0] is None:
        end.insert(0, body.pop()[1])
    for key, value in values.items():
        table[key] = value
    for item in end:
        table.value.append(None, item)


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except FileNotFoundError:
        return ""


def _replace(path: Path, text: str) -> None:
    """Put a whole new file in the place of the old one. Raises ConfigError."""
    try:
        _put(path, text)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error.strerror}.", hint="Check the rights of its folder."
        ) from error


def _put(path: Path, text: str) -> None:
    """Put a file in another one's place in one step, with the rights of the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".config-", suffix=".toml")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            if path.exists():
                Path(name).chmod(path.stat().st_mode & 0o777)
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        move(Path(name), path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
