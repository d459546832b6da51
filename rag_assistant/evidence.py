"""What an answer rests on: evidence, citations, coverage, and the answer that carries them."""

from dataclasses import dataclass
from enum import Enum

from rag_assistant.documents import Location
from rag_assistant.messages import Usage


class QuoteState(Enum):
    """How a quote stands to its source; each has a sign for its mark and words for a person."""

    FOUND = ("", "✓ quote found")
    CLOSE = ("~", "~ close match")
    STALE = ("!", "! file changed since indexing (F5)")
    CHANGED = ("!", "! source changed since it was cited")
    MISSING = ("!", "! not found")

    def __init__(self, sign: str, words: str) -> None:
        self.sign = sign
        self.words = words


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """Words of an entry that bear on a query.

    `verified` means that the words were found in the entry's text; `quote` is then that text to
    the letter and `location` its place. Otherwise `quote` is what the model wrote, and `location`
    spans the whole entry.
    """

    database: str
    entry_id: int
    title: str
    path: str
    quote: str
    location: Location
    verified: bool

    @property
    def state(self) -> QuoteState:
        """How the quote stood to its source when it was taken."""
        return QuoteState.FOUND if self.verified else QuoteState.MISSING


@dataclass(frozen=True, slots=True)
class StageRank:
    """How high an entry stood by one stage of ranking, from 1."""

    stage: str
    rank: int


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Why an entry was read: the search that found it, and its ranks there, that of all first."""

    entry_id: int
    keyword: str
    ranks: tuple[StageRank, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the RetrievalAgent found for one query in some entries of one database.

    `confidence` runs from 1 to 10. `notes` say what a reader must know: parts of entries that were
    left out, or that another helper had to take over. `retrieved` says why entries were read, of
    those that a search had found.
    """

    database: str
    query: str
    items: tuple[EvidenceItem, ...]
    confidence: int
    entries_read: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    retrieved: tuple[Retrieved, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A claim's link to the words it rests on; `marker` is its number in the answer's text."""

    marker: int
    item: EvidenceItem


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the databases an answer saw."""

    databases: tuple[str, ...] = ()
    entries_indexed: int = 0
    entries_failed: int = 0
    searches: int = 0
    entries_read: int = 0


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What a run used of one model.

    `role` is "main" (it answered), "helper" (it condensed entries), "tool" (a tool asked it) or
    "fallback" (it took over). `cost` is in the currency of its prices, None where it has none.
    """

    model: str
    role: str
    usage: Usage
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of one run. `answered` is true when the answer cites at least one source.

    `model` wrote the text. When that is not the model that was asked, `fallback` names that one and
    says what was wrong with it. `usage` and `cost` are of all models together; the cost is that of
    the models that have prices, None when none has.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    evidence: tuple[Evidence, ...]
    coverage: Coverage
    model: str
    usage: Usage
    elapsed_ms: int
    usage_by_model: tuple[ModelUsage, ...] = ()
    cost: float | None = None
    fallback: str = ""

    @property
    def answered(self) -> bool:
        """Whether the documents held the answer, as far as the citations show."""
        return bool(self.citations)

    @property
    def unsupported(self) -> bool:
        """Whether it was searched for, and nothing that was found is cited."""
        return not self.citations and self.coverage.searches > 0
