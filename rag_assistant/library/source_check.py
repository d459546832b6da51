"""What became of the source of a kept citation since: the same, changed, gone or unreadable.

The version of the text that was cited decides (`text_hash`), then the words themselves; what stands
in their place now is told beside what stood there.
"""

from dataclasses import dataclass
from enum import Enum
from itertools import chain

from rag_assistant.errors import EntryNotFound, IndexDamaged, LibraryError, RagError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.quote_state import standing
from rag_assistant.text.sentences import sentences_of
from rag_assistant.values.documents import Entry
from rag_assistant.values.evidence import EvidenceItem
from rag_assistant.values.ledger import Listed

LIKE, LIKE_IN_PLACE = 60.0, 40.0
"""Least likeness, from 0 to 100, of words that count as what became of others; less is enough
where they stand in the very place."""

ROOM_TOKENS = 6_000
"""Tokens of an entry that are looked through for them."""

MOST_GROWTH = 4
"""How many times as long as the old words the changed part of a text may be to stand for them."""


class SourceState(Enum):
    """What became of a source. The words of the value are for a person; names go into JSON."""

    SAME = "unchanged"
    KEPT = "the text has changed, these words have not"
    REWORDED = "the words have changed"
    TAKEN_OUT = "the words are gone from the text"
    STALE = "the file has changed since it was indexed"
    GONE = "gone"
    UNREADABLE = "it cannot be read"
    UNFOUND = "the words were never found there"

    @property
    def stands(self) -> bool:
        """Whether the answer may rest on it as it did."""
        return self in (SourceState.SAME, SourceState.KEPT, SourceState.UNFOUND)


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """A citation's source as it is now.

    `span` is where the words, or what became of them, stand in the entry's text; `now` is what
    became of words that have changed. `path` is the entry's present one.
    `why` says what else there is to know: why it is gone, or where it went.
    """

    state: SourceState
    span: tuple[int, int] | None = None
    now: str = ""
    path: str = ""
    why: str = ""


def check_source(library: Library, item: EvidenceItem) -> SourceCheck:
    """Say what became of the source of a kept citation. It blocks."""
    try:
        database = library.database(item.database)
    except LibraryError as error:
        return SourceCheck(SourceState.GONE, why=f"the database was removed: {error.message}")
    try:
        return _of_entry(library, database, item)
    except EntryNotFound:
        return _without_entry(database, item)
    except (IndexDamaged, LibraryError) as error:
        return SourceCheck(SourceState.UNREADABLE, why=str(error))


def _of_entry(library: Library, database: Database, item: EvidenceItem) -> SourceCheck:
    entry = database.entry(item.entry_id)
    why = f"it was {item.path}" if entry.path != item.path else ""
    found = standing(library, item)
    if not item.verified:
        state = SourceState.STALE if found.stale else SourceState.UNFOUND
        return SourceCheck(state, found.span, path=entry.path, why=why)
    if found.span is None:
        span = _place_now(database, entry, item)
        if span is None:
            return SourceCheck(SourceState.TAKEN_OUT, path=entry.path, why=why)
        now = database.text(entry.id, *span)
        return SourceCheck(SourceState.REWORDED, span, now, entry.path, why)
    if found.stale:
        return SourceCheck(SourceState.STALE, found.span, path=entry.path, why=why)
    is_same = found.span[0] == item.location.start and not found.changed
    state = SourceState.SAME if is_same else SourceState.KEPT
    return SourceCheck(state, found.span, path=entry.path, why=why)


def _without_entry(database: Database, item: EvidenceItem) -> SourceCheck:
    """Say why an entry is not there: its file cannot be read any more, or it was deleted."""
    try:
        kinds: tuple[Listed, ...] = ("withheld", "failed", "skipped")
        for line in chain.from_iterable(map(database.ledger, kinds)):
            if line.path == item.path:
                return SourceCheck(SourceState.UNREADABLE, path=line.path, why=line.reason)
        copies = [e for e in database.entries() if item.text_hash and e.text_hash == item.text_hash]
    except RagError as error:
        return SourceCheck(SourceState.UNREADABLE, why=str(error))
    why = "the entry was deleted"
    if copies:
        why += f"; the same text is {item.database} {copies[0].id}: {copies[0].path}"
    return SourceCheck(SourceState.GONE, why=why)


def _place_now(database: Database, entry: Entry, item: EvidenceItem) -> tuple[int, int] | None:
    """Give the place of what became of words that are not there any more; None for nothing."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - only words that have changed need it

    former = database.previous_text(entry.id)
    if former and former[0] == item.text_hash:
        text = database.text(entry.id)
        place = item.location
        changed = _changed_part(former[1], text, place.start, place.end)
        if changed and changed[1] - changed[0] <= MOST_GROWTH * len(item.quote):
            start, end = _sentences_round(text, *changed)
            if fuzz.ratio(item.quote, text[start:end]) >= LIKE_IN_PLACE:
                return start, end
    return _likest(database, entry, item.quote)


def _changed_part(before: str, now: str, start: int, end: int) -> tuple[int, int] | None:
    """Give what stands now where `start` to `end` stood, where one part of a text has changed."""
    from rapidfuzz.distance import Postfix, Prefix  # noqa: PLC0415

    same = Prefix.similarity(before, now)
    tail = Postfix.similarity(before[same:], now[same:])
    first = min(start, same)
    last = len(now) - (len(before) - end) if end > len(before) - tail else len(now) - tail
    return (first, last) if last > first else None


def _sentences_round(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span to whole sentences."""
    met = [span for span in sentences_of(text) if span[0] < end and span[1] > start]
    return (met[0][0], met[-1][1]) if met else (start, end)


def _likest(database: Database, entry: Entry, quote: str) -> tuple[int, int] | None:
    """Give the sentences that are most like a quote."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - only words that have changed need it

    best: tuple[float, int, int] = (LIKE, 0, 0)
    for passage in database.read_for(entry.id, quote, ROOM_TOKENS).passages:
        found = fuzz.partial_ratio_alignment(quote, passage.text, score_cutoff=best[0])
        if found and found.score >= best[0] and found.dest_end > found.dest_start:
            start, end = _sentences_round(passage.text, found.dest_start, found.dest_end)
            at = passage.location.start
            best = (found.score, at + start, at + end)
    return best[1:] if best[2] else None
