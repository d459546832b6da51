"""A local assistant for a person's own documents: index folders, ask, get cited answers.

`from rag_assistant import open_library` is where programs in Python begin; see docs/python.md. The
names that it gives are those of `rag_assistant.api`, as `__init__.pyi` says.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Give what `rag_assistant.api` has, imported when it is first asked for."""
    if name == "__all__" or not name.startswith("_"):
        found = import_module("rag_assistant.api")
        if name == "__all__" or name in found.__all__:
            return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*import_module("rag_assistant.api").__all__, "__version__"]
