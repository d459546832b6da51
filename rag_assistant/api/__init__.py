"""What other programs build on, each name imported when it is first asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag_assistant.api.opening import open_assistant, open_library
    from rag_assistant.assistant.assistant import Assistant
    from rag_assistant.assistant.conversation import Conversation
    from rag_assistant.config import Config, load_config
    from rag_assistant.errors import RagError
    from rag_assistant.library.library import Library

_PLACES = {
    "Assistant": "assistant.assistant",
    "Config": "config",
    "Conversation": "assistant.conversation",
    "Library": "library.library",
    "RagError": "errors",
    "load_config": "config",
    "open_assistant": "api.opening",
    "open_library": "api.opening",
}

__all__ = [
    "Assistant",
    "Config",
    "Conversation",
    "Library",
    "RagError",
    "load_config",
    "open_assistant",
    "open_library",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"rag_assistant.{_PLACES[name]}"), name)
