"""How the words of a citation stand to their source now: to the database, and to the file.

Nothing is taken for the source's own words that is not there to the letter, and nobody takes old
words for new ones.
"""

from dataclasses import dataclass, replace

from rag_assistant.errors import RagError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.source_files import is_changed
from rag_assistant.values.evidence import EvidenceItem, QuoteState

ROOM_TOKENS = 6_000
"""Tokens of an entry that are looked through for words that were not found: those like them."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a quote, and the span of the entry that has its words, if one has.

    `stale` says that the file has changed since it was indexed, and `changed` that the text is of
    another version than the one that was cited, whatever became of the words.
    """

    state: QuoteState
    span: tuple[int, int] | None = None
    stale: bool = False
    changed: bool = False


def standing(library: Library, item: EvidenceItem) -> Standing:
    """Say how a quote stands to its source. It blocks; what cannot be read counts as missing."""
    try:
        database = library.database(item.database)
        entry = database.entry(item.entry_id)
        stale = is_changed(database, entry.path)
        changed = item.text_hash not in ("", entry.text_hash)
        if not item.verified:
            return replace(_looked_for_again(database, item, stale), changed=changed)
        span = _words(database, item)
    except RagError:
        return Standing(QuoteState.MISSING)
    if span is None:
        return Standing(QuoteState.CHANGED, None, stale, changed)
    return Standing(QuoteState.STALE if stale else item.state, span, stale, changed)


def _looked_for_again(database: Database, item: EvidenceItem, stale: bool) -> Standing:
    """Look for words that were not found when they were cited, by the rule that was used then.

    Even to the letter they are a close match only: the answer was given without them.
    """
    from rag_assistant.claims.quotes import find_quote  # noqa: PLC0415 - 70 ms of patterns

    passages = database.read_for(item.entry_id, item.quote, ROOM_TOKENS).passages
    found = find_quote(item.quote, passages)
    if found is None:
        return Standing(QuoteState.MISSING, None, stale)
    return Standing(QuoteState.CLOSE, (found.location.start, found.location.end), stale)


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
