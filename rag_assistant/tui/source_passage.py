"""The words a citation rests on, read from its database with the text around them.

What was cited is compared with what the database and the file hold now, so that nothing is
highlighted that is not there, and nobody takes old words for new ones.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from rag_assistant.errors import RagError
from rag_assistant.evidence import Citation, EvidenceItem
from rag_assistant.library.close_words import close_words
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.source_files import is_changed

CONTEXT = 6_000
"""Characters shown before and after the quote."""

CHANGED_FILE = "The file has changed since it was indexed."
CHANGED_TEXT = "The source has changed since it was cited."
NOT_FOUND = "These words were not found in the source."


class QuoteState(Enum):
    """How a quote stands to its source now; the value is the sign in its mark."""

    FOUND = ""
    CLOSE = "~"
    CHANGED = "!"
    MISSING = "! "

    @property
    def sign(self) -> str:
        """What stands behind the number in the mark."""
        return self.value.strip()

    @property
    def words(self) -> str:
        """What the state means, in a word or two."""
        return {
            QuoteState.FOUND: "✓ quote found",
            QuoteState.CLOSE: "~ close match",
            QuoteState.CHANGED: "! source changed",
            QuoteState.MISSING: "! not found",
        }[self]


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A citation with its surroundings; `problem` says what is wrong with it.

    `quote` holds the source's own words and is empty where they are not there; `start` is its place
    in the entry.
    """

    citation: Citation
    before: str = ""
    quote: str = ""
    after: str = ""
    problem: str = ""
    cut_before: bool = False
    cut_after: bool = False
    state: QuoteState = QuoteState.FOUND
    start: int = 0


def check_citations(library: Library, citations: Iterable[Citation]) -> dict[int, QuoteState]:
    """Say how each citation stands to its source, by marker. It blocks: call it in a thread."""
    return {citation.marker: _checked(library, citation.item)[0] for citation in citations}


def _checked(library: Library, item: EvidenceItem) -> tuple[QuoteState, tuple[int, int] | None]:
    """Give the state of a quote, and the span of the source that has its words, if one has."""
    try:
        database = library.database(item.database)
        if not item.verified:
            span = close_words(database, item.entry_id, item.quote)
            return (QuoteState.CLOSE if span else QuoteState.MISSING), span
        span = (item.location.start, item.location.end)
        if database.text(item.entry_id, *span) != item.quote:
            return QuoteState.CHANGED, None
        changed = is_changed(database, item.path)
        return (QuoteState.CHANGED if changed else QuoteState.FOUND), span
    except RagError:
        return QuoteState.MISSING, None


def read_passage(library: Library, citation: Citation) -> SourcePassage:
    """Read the passage of a citation. It blocks: call it in a thread."""
    item = citation.item
    try:
        database = library.database(item.database)
        length = database.entry(item.entry_id).length
        state, span = _checked(library, item)
        if span is None:
            return _without_quote(database, citation, state, length)
        first, last = max(0, span[0] - CONTEXT), min(length, span[1] + CONTEXT)
        text = database.text(item.entry_id, first, last)
    except RagError as error:
        return SourcePassage(citation, problem=str(error), state=QuoteState.MISSING)
    start, end = span[0] - first, span[1] - first
    return SourcePassage(
        citation,
        text[:start],
        text[start:end],
        text[end:],
        CHANGED_FILE if state is QuoteState.CHANGED else "",
        first > 0,
        last < length,
        state,
        span[0],
    )


def _without_quote(
    database: Database, citation: Citation, state: QuoteState, length: int
) -> SourcePassage:
    """Show where the words should be, or the beginning: nothing there is marked."""
    place = citation.item.location
    changed = state is QuoteState.CHANGED
    first = max(0, min(place.start, length) - CONTEXT) if changed else 0
    text = database.text(citation.item.entry_id, first, first + 2 * CONTEXT)
    return SourcePassage(
        citation,
        after=text,
        problem=CHANGED_TEXT if changed else NOT_FOUND,
        cut_before=first > 0,
        cut_after=first + len(text) < length,
        state=state,
        start=first,
    )
