"""Words of an entry that bear on a query, with their place and how they were found there."""

from dataclasses import dataclass
from enum import Enum

from rag_assistant.values.documents import Location


class QuoteMatch(Enum):
    """How a quote was found in its entry's text when it was taken."""

    EXACT = "exact"
    """To the letter."""
    LEVELLED = "levelled"
    """Word for word; layout, case, hyphens or punctuation differ."""
    ALIGNED = "aligned"
    """Nearly: the same claim with slips, or with words left out by an ellipsis."""
    MISSING = "missing"


class QuoteState(Enum):
    """How a quote stands to its source, or to whom it was shown: a person may hold it for wrong.

    Each has a sign for its mark and words for a person.
    """

    FOUND = ("", "✓ quote found")
    CLOSE = ("~", "~ close match")
    STALE = ("!", "! file changed since indexing (F5)")
    CHANGED = ("!", "! source changed since it was cited")
    MISSING = ("!", "! not found")
    WRONG = ("✗", "✗ marked wrong")

    def __init__(self, sign: str, words: str) -> None:
        self.sign = sign
        self.words = words


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """Words of an entry that bear on a query.

    `verified` means that the words were found in the entry's text; `quote` is then that text to
    the letter and `location` its place. Otherwise `quote` is what the model wrote, and `location`
    spans the whole entry. `text_hash` is the version of the entry's text that was read, empty where
    that is not known. `match` says how they were found; where they were aligned, `written` is what
    the model wrote. One that `is_passage` was shown as it is, and is narrowed to the words that an
    answer rests on (`claims.spans`).
    """

    database: str
    entry_id: int
    title: str
    path: str
    quote: str
    location: Location
    verified: bool
    text_hash: str = ""
    match: QuoteMatch = QuoteMatch.EXACT
    written: str = ""
    is_passage: bool = False

    def __post_init__(self) -> None:
        if not self.verified:
            object.__setattr__(self, "match", QuoteMatch.MISSING)

    def holds(self, other: "EvidenceItem") -> bool:
        """Whether other words are within these, in the same version of the same entry."""
        mine, place = self.location, other.location
        same = (self.database, self.entry_id, self.text_hash)
        return (
            same == (other.database, other.entry_id, other.text_hash)
            and mine.start <= place.start
            and place.end <= mine.end
        )

    @property
    def state(self) -> QuoteState:
        """How the quote stood to its source when it was taken."""
        return _STATES[self.match]


_STATES = {
    QuoteMatch.EXACT: QuoteState.FOUND,
    QuoteMatch.LEVELLED: QuoteState.FOUND,
    QuoteMatch.ALIGNED: QuoteState.CLOSE,
    QuoteMatch.MISSING: QuoteState.MISSING,
}
