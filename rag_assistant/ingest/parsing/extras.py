"""Parsers that a light installation leaves out: they are asked for by name when a file needs one,
and a person is told how to get them.
"""

from importlib import import_module
from typing import Any

from rag_assistant.errors import LoadError


def require(module: str, extra: str) -> Any:
    """Import a module that the optional dependencies `extra` of pyproject.toml bring.

    Raises LoadError with the command that installs them when it is absent.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError:
        # Loads what opens connections: every process of an indexing run would have it.
        from rag_assistant.config.installation import how_to_add  # noqa: PLC0415

        raise LoadError(f"needs the extra '{extra}'", hint=how_to_add(extra)) from None
