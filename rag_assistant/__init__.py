"""A local assistant for a person's own documents: index folders, ask, get cited answers."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Give what `rag_assistant.api` has, imported when it is first asked for."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("rag_assistant.api"), name)
