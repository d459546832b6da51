"""Reading `config.toml` in the home directory.

Unknown keys are refused by name, so that a misspelt setting is never silently without effect.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar, get_args

from rag_assistant.config.settings import (
    CallForm,
    Config,
    ContextPolicy,
    ContextSettings,
    DatabaseSettings,
    EgressPolicy,
    EmbedderSettings,
    HelperMode,
    Limits,
    McpSettings,
    McpTransport,
    ModelSettings,
    RerankerKind,
    RerankerSettings,
    RerankerWire,
    StoreSettings,
    ToolSettings,
    Wire,
)
from rag_assistant.errors import ConfigError

Settings = TypeVar("Settings")


def load_config(path: Path) -> Config:
    """Read the configuration; a file that does not exist is all defaults.

    Raises ConfigError naming the file and the key at fault.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.", hint="Mend or remove it.") from error
    return _config_of(values, path)


def dead_link(path: Path) -> str:
    """Say that a configuration is a link to a file that is not there, "" where it is none."""
    if path.is_symlink() and not path.exists():
        return f"{path} is a link to {path.readlink()}, which is not there"
    return ""


def check_config(text: str, path: Path) -> None:
    """Check what is to be written to `path`. Raises ConfigError as reading it would."""
    _config_of(tomllib.loads(text), path)


def _config_of(values: Mapping[str, Any], path: Path) -> Config:
    _check_keys(values, Config, path, "")
    tables = _table(values, "models", path)
    models = {
        name: read_settings(ModelSettings, _table(tables, name, path), path, f"models.{name}")
        for name in tables
    }
    for name, settings in models.items():
        _check_choice(f"{path}: models.{name}.wire", settings.wire, get_args(Wire))
        _check_choice(f"{path}: models.{name}.call_form", settings.call_form, get_args(CallForm))
        _check_choice(f"{path}: models.{name}.helper", settings.helper, get_args(HelperMode))
    limits = read_settings(Limits, _table(values, "limits", path), path, "limits")
    context = read_settings(ContextSettings, _table(values, "context", path), path, "context")
    _check_choice(f"{path}: context.policy", context.policy, get_args(ContextPolicy))
    tools = read_settings(ToolSettings, _table(values, "tools", path), path, "tools")
    names = ["model", "helper", "judge", "fallback", "embedder", "reranker", "persona", "history"]
    names += ["egress", "theme", "mouse", "ascii", "animations"]
    chosen: dict[str, Any] = {k: v for k, v in values.items() if k in names}
    config = read_settings(Config, chosen, path, "")
    _check_choice(f"{path}: egress", config.egress, get_args(EgressPolicy))
    embedders = _embedders(values, path)
    if config.embedder and config.embedder not in embedders:
        raise ConfigError(
            f"{path}: there is no embedder {config.embedder!r}.",
            hint=f"Add a table [embedders.{config.embedder}].",
        )
    return replace(
        config,
        models=models,
        limits=limits,
        embedders=embedders,
        rerankers=_rerankers(values, config.reranker, models, path),
        context=context,
        tools=tools,
        mcp=_mcp_servers(values, path),
        databases=_databases(values, path),
        stores=_stores(values, path),
    )


def _databases(values: Mapping[str, Any], path: Path) -> dict[str, DatabaseSettings]:
    tables = _table(values, "databases", path)
    found: dict[str, DatabaseSettings] = {}
    for name in tables:
        table, where = _table(tables, name, path), f"databases.{name}"
        found[name] = read_settings(DatabaseSettings, table, path, where)
        _check_choice(f"{path}: {where}.egress", found[name].egress, get_args(EgressPolicy))
    return found


def _stores(values: Mapping[str, Any], path: Path) -> dict[str, StoreSettings]:
    tables = _table(values, "stores", path)
    found: dict[str, StoreSettings] = {}
    for name in tables:
        table = _table(tables, name, path)
        found[name] = read_settings(StoreSettings, table, path, f"stores.{name}")
        if not found[name].urls:
            raise ConfigError(
                f"{path}: stores.{name} needs urls.",
                hint='Write urls = ["https://search.example:9200"].',
            )
    return found


def _mcp_servers(values: Mapping[str, Any], path: Path) -> dict[str, McpSettings]:
    tables = _table(values, "mcp", path)
    found: dict[str, McpSettings] = {}
    for name in tables:
        table = _table(tables, name, path)
        what = f"{path}: mcp.{name}"
        settings = read_settings(McpSettings, table, path, f"mcp.{name}")
        if bool(settings.command) == bool(settings.url):
            raise ConfigError(f"{what} needs a command or a url.", hint="Give one of them.")
        if settings.command:
            settings = replace(settings, transport="stdio")
        _check_choice(f"{what}.transport", settings.transport, get_args(McpTransport))
        found[name] = settings
    return found


def _check_choice(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        listed = " or ".join(f'"{choice}"' for choice in choices)
        raise ConfigError(f"{what} is {value!r}.", hint=f"Write {listed}.")


def _embedders(values: Mapping[str, Any], path: Path) -> dict[str, EmbedderSettings]:
    tables = _table(values, "embedders", path)
    found = {
        name: read_settings(EmbedderSettings, _table(tables, name, path), path, f"embedders.{name}")
        for name in tables
    }
    for name, settings in found.items():
        what = f"{path}: embedders.{name}"
        if settings.kind not in ("endpoint", "local"):
            raise ConfigError(
                f"{what}.kind is {settings.kind!r}.", hint='Write "endpoint" or "local".'
            )
        if settings.kind == "endpoint" and (settings.folder or not settings.model):
            raise ConfigError(f"{what}: an endpoint needs a model and no folder.", hint=_LOCAL)
        if settings.kind == "local" and (settings.model or not settings.folder):
            raise ConfigError(
                f"{what}: a local embedder has a folder, and no model.", hint=f"{_LOCAL} {_GET}"
            )
        if settings.batch < 1 or settings.max_characters < 1 or settings.dimensions < 0:
            raise ConfigError(
                f"{what}: batch, max_characters and dimensions count something.",
                hint="Leave them out for the usual values.",
            )
    return found


_LOCAL = 'Write kind = "local" with folder = "…", or kind = "endpoint" with model = "…".'
_GET = "A folder is fetched by `rag-assistant model get small`."


def _rerankers(
    values: Mapping[str, Any], chosen: str, models: Mapping[str, ModelSettings], path: Path
) -> dict[str, RerankerSettings]:
    tables = _table(values, "rerankers", path)
    found = {
        name: read_settings(RerankerSettings, _table(tables, name, path), path, f"rerankers.{name}")
        for name in tables
    }
    for name, settings in found.items():
        what = f"{path}: rerankers.{name}"
        _check_choice(f"{what}.kind", settings.kind, get_args(RerankerKind))
        _check_choice(f"{what}.wire", settings.wire, get_args(RerankerWire))
        if settings.kind == "model" and settings.model not in models:
            raise ConfigError(
                f"{what}: there is no model {settings.model!r}.",
                hint="Name one of the [models.NAME] tables.",
            )
        if (settings.kind == "local") != bool(settings.folder) or (
            settings.folder and (settings.model or settings.base_url)
        ):
            raise ConfigError(
                f"{what}: a local reranker has a folder, and nothing else has one.",
                hint='Write kind = "local" with folder = "…", without model and base_url.',
            )
        needs_model = settings.wire == "documents" and not settings.model
        if settings.kind == "endpoint" and (not settings.base_url or needs_model):
            raise ConfigError(
                f"{what}: an endpoint needs a base_url and a model.",
                hint='Write both; only with wire = "texts" the model may be left out.',
            )
        if settings.passages < 2 or settings.timeout_seconds <= 0:
            raise ConfigError(
                f"{what}: it takes 2 passages or more, and some time.",
                hint="Leave passages and timeout_seconds out for the usual values.",
            )
    if chosen and chosen not in found:
        raise ConfigError(
            f"{path}: there is no reranker {chosen!r}.", hint=f"Add a table [rerankers.{chosen}]."
        )
    return found


def _table(values: Mapping[str, Any], key: str, path: Path) -> Mapping[str, Any]:
    table = values.get(key, {})
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: {key!r} must be a table.", hint=f"Write it as [{key}].")
    return table


def _check_keys(values: Mapping[str, Any], kind: type, path: Path, where: str) -> None:
    known = [f.name for f in fields(kind)]
    if values.keys() <= set(known):
        return
    from rapidfuzz import process  # noqa: PLC0415 - only a mistake needs it

    for key in values:
        if key not in known:
            place = f" in [{where}]" if where else ""
            nearest = process.extractOne(key, known)
            hint = f"Did you mean {nearest[0]!r}?" if nearest else ""
            raise ConfigError(f"{path}: unknown setting {key!r}{place}.", hint=hint)


def read_settings(
    kind: type[Settings], values: Mapping[str, Any], path: Path, where: str
) -> Settings:
    """Build a settings value, checking each key and the type of each value."""
    _check_keys(values, kind, path, where)
    checked: dict[str, Any] = {}
    defaults: dict[str, Any] = {
        f.name: {} if f.default_factory is dict else f.default
        for f in fields(kind)  # type: ignore[arg-type]
    }
    for key, value in values.items():
        name = f"{where}.{key}" if where else key
        checked[key] = _checked(value, defaults[key], f"{path}: {name}")
    try:
        return kind(**checked)
    except TypeError as error:
        raise ConfigError(f"{path}: [{where}] lacks a setting: {error}.", hint="") from error


def _checked(value: Any, default: object, what: str) -> object:
    """Give a value of the kind that its default has; texts where there is no default."""
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise ConfigError(f"{what} is {value!r}.", hint='It must be a list: ["one", "two"].')
    if isinstance(default, Mapping):
        if isinstance(value, dict) and all(isinstance(item, str) for item in value.values()):
            return dict(value)
        raise ConfigError(f"{what} is {value!r}.", hint='It must be a table: { name = "text" }.')
    wanted = type(default) if isinstance(default, bool | int | float) else str
    number = wanted is float and type(value) is int
    if type(value) is not wanted and not number:
        raise ConfigError(f"{what} is {value!r}.", hint=f"It must be a {wanted.__name__}.")
    return wanted(value)
