"""What condenses entries for a tool: the RetrievalAgent, which tools are handed and do not know."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from rag_assistant.library.database import CHARACTERS_PER_TOKEN
from rag_assistant.tools.exact_words import passage_items
from rag_assistant.values.documents import EntryText
from rag_assistant.values.evidence import Evidence

Retrieve = Callable[[str, Sequence[EntryText], str], Awaitable[Evidence]]
"""Condenses entries: (database, entries, query) to evidence."""


def unless_short(retrieve: Retrieve, tokens: int) -> Retrieve:
    """Hand over as they are entries that were read in at most so many tokens of words.

    Their passages can be cited, and nobody condenses them; longer ones `retrieve` does.
    """

    async def reading(database: str, entries: Sequence[EntryText], query: str) -> Evidence:
        if sum(len(p.text) for text in entries for p in text.passages) > (
            tokens * CHARACTERS_PER_TOKEN
        ):
            return await retrieve(database, entries, query)
        items = tuple(passage_items(database, entries))
        read = tuple(text.entry.id for text in entries)
        return Evidence(database, query, items, confidence=0, entries_read=read)

    return reading


@dataclass(frozen=True, slots=True)
class ReadingBudgets:
    """Tokens of documents' words that one call hands over.

    `search` are those of passages, to the model that answers; `entries` those of entries, to what
    condenses them.
    """

    search: int
    entries: int


@dataclass(frozen=True, slots=True)
class ReadingBy:
    """Who condenses entries, and the name of the model that does."""

    retrieve: Retrieve
    helper: str
