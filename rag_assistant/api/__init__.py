"""What other programs in Python build on, each name imported when it is first asked for.

The names of `__all__`, their arguments and the fields of their values stay within a major version;
new ones may be added. Everything else of the package may change in any version.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag_assistant.api.asking import RunStopped
    from rag_assistant.api.async_library import AsyncLibrary, open_async_library
    from rag_assistant.api.sync_library import OpenLibrary, open_library
    from rag_assistant.config import Config, load_config
    from rag_assistant.errors import RagError
    from rag_assistant.search.ranking import SearchResult
    from rag_assistant.values.documents import Entry, Hit, Location
    from rag_assistant.values.entry_span import EntrySpan
    from rag_assistant.values.events import (
        Answered,
        CitationResolved,
        Event,
        EvidenceFound,
        Note,
        RunStarted,
        Stopped,
        TextDelta,
        ToolFinished,
        ToolStarted,
    )
    from rag_assistant.values.evidence import Answer, Citation, EvidenceItem, Refusal
    from rag_assistant.values.scope import Scope

_PLACES = {
    "api.asking": ("RunStopped",),
    "api.async_library": ("AsyncLibrary", "open_async_library"),
    "api.sync_library": ("OpenLibrary", "open_library"),
    "config": ("Config", "load_config"),
    "errors": ("RagError",),
    "search.ranking": ("SearchResult",),
    "values.documents": ("Entry", "Hit", "Location"),
    "values.entry_span": ("EntrySpan",),
    "values.events": (
        "Answered",
        "CitationResolved",
        "Event",
        "EvidenceFound",
        "Note",
        "RunStarted",
        "Stopped",
        "TextDelta",
        "ToolFinished",
        "ToolStarted",
    ),
    "values.evidence": ("Answer", "Citation", "EvidenceItem", "Refusal"),
    "values.scope": ("Scope",),
}

__all__ = [
    "Answer",
    "Answered",
    "AsyncLibrary",
    "Citation",
    "CitationResolved",
    "Config",
    "Entry",
    "EntrySpan",
    "Event",
    "EvidenceFound",
    "EvidenceItem",
    "Hit",
    "Location",
    "Note",
    "OpenLibrary",
    "RagError",
    "Refusal",
    "RunStarted",
    "RunStopped",
    "Scope",
    "SearchResult",
    "Stopped",
    "TextDelta",
    "ToolFinished",
    "ToolStarted",
    "load_config",
    "open_async_library",
    "open_library",
]


def __getattr__(name: str) -> Any:
    for place, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"rag_assistant.{place}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
