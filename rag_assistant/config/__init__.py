"""What a person can set, and the file it is read from."""

from rag_assistant.config.reading import load_config
from rag_assistant.config.settings import (
    EXTRACTIVE,
    CallForm,
    Config,
    ContextPolicy,
    ContextSettings,
    EmbedderKind,
    EmbedderSettings,
    Limits,
    McpSettings,
    McpTransport,
    ModelSettings,
    RerankerKind,
    RerankerSettings,
    RerankerWire,
    ToolSettings,
    Wire,
)

__all__ = [
    "EXTRACTIVE",
    "CallForm",
    "Config",
    "ContextPolicy",
    "ContextSettings",
    "EmbedderKind",
    "EmbedderSettings",
    "Limits",
    "McpSettings",
    "McpTransport",
    "ModelSettings",
    "RerankerKind",
    "RerankerSettings",
    "RerankerWire",
    "ToolSettings",
    "Wire",
    "load_config",
]
