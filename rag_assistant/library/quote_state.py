"""How the words of a citation stand to their source now: to the database, and to the file.

Nothing is taken for the source's own words that is not there to the letter, and nobody takes old
words for new ones.
"""

from dataclasses import dataclass

from rag_assistant.errors import RagError
from rag_assistant.evidence import EvidenceItem, QuoteState
from rag_assistant.library.close_words import close_words
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.source_files import is_changed


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a quote, and the span of the entry that has its words, if one has.

    `stale` says that the file has changed since it was indexed, whatever became of the words.
    """

    state: QuoteState
    span: tuple[int, int] | None = None
    stale: bool = False


def standing(library: Library, item: EvidenceItem) -> Standing:
    """Say how a quote stands to its source. It blocks; what cannot be read counts as missing."""
    try:
        database = library.database(item.database)
        stale = is_changed(database, database.entry(item.entry_id).path)
        if not item.verified:
            close = close_words(database, item.entry_id, item.quote)
            return Standing(QuoteState.CLOSE if close else QuoteState.MISSING, close, stale)
        span = _words(database, item)
    except RagError:
        return Standing(QuoteState.MISSING)
    if span is None:
        return Standing(QuoteState.CHANGED, None, stale)
    return Standing(QuoteState.STALE if stale else QuoteState.FOUND, span, stale)


def _words(database: Database, item: EvidenceItem) -> tuple[int, int] | None:
    """Give where a quote stands: at its place, or where that is in a text that has changed."""
    place, quote = item.location, item.quote
    if database.text(item.entry_id, place.start, place.end) == quote:
        return place.start, place.end
    text = database.text(item.entry_id)
    before = text.rfind(quote, 0, place.start + len(quote))
    after = text.find(quote, place.start)
    found = [at for at in (before, after) if at >= 0]
    if not found or not quote.strip():
        return None
    start = min(found, key=lambda at: abs(at - place.start))
    return start, start + len(quote)
