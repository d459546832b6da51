"""What the find screen asks for in its threads, as values: a search, and the text round a hit."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message

from rag_assistant.documents import Hit
from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.library.searching import open_databases, search_databases
from rag_assistant.search.matching_words import matching_words
from rag_assistant.search.ranking import Profile

MOST_ROWS = 30
"""Documents that are listed; who wants others types another word."""

CONTEXT = 1_200
"""Characters shown before and after the best words of a document."""

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search to be made; `number` tells it from those before it."""

    number: int
    query: str
    profile: Profile


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to; `reason` and `hint` say why it came to nothing.

    `words` has, for each hit, where its snippet holds words that were looked for.
    """

    wanted: Wanted
    hits: tuple[Hit, ...] = ()
    words: tuple[Spans, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    by_meaning: bool = False
    reason: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """A hit with the text round it; `words` are places in `text`, `start` is that of the text."""

    hit: Hit
    text: str = ""
    start: int = 0
    words: Spans = ()
    reason: str = ""


class SearchDone(Message):
    """A search has come to an end."""

    def __init__(self, found: Found) -> None:
        super().__init__()
        self.found = found


class PreviewRead(Message):
    """The text round a hit was read."""

    def __init__(self, preview: Preview) -> None:
        super().__init__()
        self.preview = preview


def search_now(library: Library, names: Sequence[str], wanted: Wanted) -> Found:
    """Search; it blocks: call it in a thread. No reranker is asked: text stays where it is."""
    started = time.perf_counter()
    try:
        databases, missing = open_databases(library, names or None)
        result = search_databases(
            databases, wanted.query, MOST_ROWS, profile=wanted.profile, rerank=False
        )
    except RagError as error:
        return Found(wanted, reason=error.message, hint=error.hint)
    except Exception as error:  # noqa: BLE001 - a defect must not stop the next search
        reason = f"{type(error).__name__}: {error}"
        return Found(wanted, reason=reason, hint="Try other words.")
    words = tuple(tuple(matching_words(hit.snippet, wanted.query)) for hit in result.hits)
    return Found(
        wanted,
        result.hits,
        words,
        (*missing, *result.notes),
        time.perf_counter() - started,
        result.by_meaning,
    )


def read_preview(library: Library, hit: Hit, query: str) -> Preview:
    """Read the text round a hit. It blocks: call it in a thread."""
    place = hit.location
    start = max(0, place.start - CONTEXT)
    try:
        text = library.database(hit.database).text(hit.entry_id, start, place.end + CONTEXT)
    except RagError as error:
        return Preview(hit, reason=str(error))
    return Preview(hit, text, start, tuple(matching_words(text, query)))
