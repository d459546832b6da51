"""What condenses entries for a tool: the RetrievalAgent, which tools are handed and do not know."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from rag_assistant.values.documents import EntryText
from rag_assistant.values.evidence import Evidence

Retrieve = Callable[[str, Sequence[EntryText], str], Awaitable[Evidence]]
"""Condenses entries: (database, entries, query) to evidence."""


@dataclass(frozen=True, slots=True)
class ReadingBy:
    """Who condenses entries, and the name of the model that does."""

    retrieve: Retrieve
    helper: str
