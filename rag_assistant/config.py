"""What a person can set, read from `config.toml` in the home directory.

Unknown keys are refused by name, so that a misspelt setting is never silently without effect.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from rag_assistant.errors import ConfigError

EXTRACTIVE = "extractive"
"""The name of the built-in model that needs no key, no network and no download."""

Wire = Literal["responses", "chat"]
EmbedderKind = Literal["endpoint", "local"]
Settings = TypeVar("Settings")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How one model is reached and what it can do; a table `[models.NAME]` of the file."""

    model: str
    """The name by which the endpoint knows the model."""
    base_url: str = "https://api.openai.com/v1"
    """The endpoint's address, usually ending in /v1."""
    wire: Wire = "chat"
    """`responses` (OpenAI's own) or `chat` (Chat Completions, which every server speaks)."""
    api_key_env: str = ""
    """The environment variable that holds the key; at api.openai.com OPENAI_API_KEY when empty,
    elsewhere none. A key never goes to a host that it was not meant for."""
    native_tools: bool = True
    """Whether the endpoint takes tools in the request."""
    timeout_seconds: float = 120.0
    """How long the endpoint may stay silent."""
    max_output_tokens: int = 4_096
    """The longest reply asked for."""


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """How passages and questions become vectors; a table `[embedders.NAME]` of the file."""

    kind: EmbedderKind = "endpoint"
    """`endpoint` (any OpenAI-compatible /v1/embeddings) or `local` (an ONNX model, run here)."""
    model: str = ""
    """The name by which the endpoint knows the model; of a local one, its name in fastembed."""
    folder: str = ""
    """The folder of a local model: model.onnx, tokenizer.json, tokenizer_config.json."""
    base_url: str = "https://api.openai.com/v1"
    """The endpoint's address, usually ending in /v1."""
    api_key_env: str = ""
    """The environment variable that holds the key, as for a model."""
    batch: int = 64
    """Passages sent at once; what is done of a database survives in steps of so many."""
    dimensions: int = 0
    """Numbers in a vector, for endpoints that can shorten theirs; 0 leaves it to the model."""
    query_prefix: str = ""
    """What the model wants before a question, such as query: (with the space after it)."""
    passage_prefix: str = ""
    """What the model wants before a passage."""
    max_characters: int = 8_000
    """How much of a passage is sent at most."""
    timeout_seconds: float = 120.0
    """How long the endpoint may stay silent."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one question may go; the table `[limits]`."""

    steps: int = 10
    """Requests to the main model."""
    tokens: int = 200_000
    """Tokens of all requests together, as the endpoint counts them."""
    seconds: float = 300.0
    """Time from the question on."""
    evidence_tokens: int = 6_000
    """Tokens of entries' text handed to the helper model at once."""


@dataclass(frozen=True, slots=True)
class Config:
    """All settings."""

    model: str = EXTRACTIVE
    """The model that answers: a name from `[models.NAME]`, or `extractive`."""
    helper: str = ""
    """The model that condenses entries; the same as `model` when empty."""
    models: Mapping[str, ModelSettings] = field(default_factory=dict)
    limits: Limits = Limits()
    embedder: str = ""
    """What makes vectors: a name from `[embedders.NAME]`; none when empty."""
    embedders: Mapping[str, EmbedderSettings] = field(default_factory=dict)


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
    _check_keys(values, Config, path, "")
    tables = _table(values, "models", path)
    models = {
        name: _read(ModelSettings, _table(tables, name, path), path, f"models.{name}")
        for name in tables
    }
    for name, settings in models.items():
        if settings.wire not in ("responses", "chat"):
            raise ConfigError(
                f"{path}: models.{name}.wire is {settings.wire!r}.",
                hint='Write "responses" or "chat".',
            )
    limits = _read(Limits, _table(values, "limits", path), path, "limits")
    names = ("model", "helper", "embedder")
    chosen: dict[str, Any] = {k: v for k, v in values.items() if k in names}
    config = _read(Config, chosen, path, "")
    embedders = _embedders(values, path)
    if config.embedder and config.embedder not in embedders:
        raise ConfigError(
            f"{path}: there is no embedder {config.embedder!r}.",
            hint=f"Add a table [embedders.{config.embedder}].",
        )
    return replace(config, models=models, limits=limits, embedders=embedders)


def _embedders(values: Mapping[str, Any], path: Path) -> dict[str, EmbedderSettings]:
    tables = _table(values, "embedders", path)
    found = {
        name: _read(EmbedderSettings, _table(tables, name, path), path, f"embedders.{name}")
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
        if settings.kind == "local" and bool(settings.folder) == bool(settings.model):
            raise ConfigError(f"{what}: a local embedder needs a folder or a model.", hint=_LOCAL)
        if settings.batch < 1 or settings.max_characters < 1 or settings.dimensions < 0:
            raise ConfigError(
                f"{what}: batch, max_characters and dimensions count something.",
                hint="Leave them out for the usual values.",
            )
    return found


_LOCAL = 'Write kind = "local" with folder = "…", or kind = "endpoint" with model = "…".'


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


def _read(kind: type[Settings], values: Mapping[str, Any], path: Path, where: str) -> Settings:
    """Build a settings value, checking each key and the type of each value."""
    _check_keys(values, kind, path, where)
    checked: dict[str, Any] = {}
    defaults: dict[str, Any] = {f.name: f.default for f in fields(kind)}  # type: ignore[arg-type]
    for key, value in values.items():
        wanted = type(defaults[key]) if isinstance(defaults[key], bool | int | float) else str
        number = wanted is float and type(value) is int
        if type(value) is not wanted and not number:
            name = f"{where}.{key}" if where else key
            raise ConfigError(
                f"{path}: {name} is {value!r}.", hint=f"It must be a {wanted.__name__}."
            )
        checked[key] = wanted(value)
    try:
        return kind(**checked)
    except TypeError as error:
        raise ConfigError(f"{path}: [{where}] lacks a setting: {error}.", hint="") from error
