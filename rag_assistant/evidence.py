"""What an answer rests on: evidence, citations, coverage, and the answer that carries them."""

from dataclasses import dataclass

from rag_assistant.documents import Location
from rag_assistant.messages import Usage


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


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the RetrievalAgent found for one query in some entries of one database.

    `confidence` runs from 1 to 10. `notes` say what a reader must know: parts of entries that were
    left out, or that another helper had to take over.
    """

    database: str
    query: str
    items: tuple[EvidenceItem, ...]
    confidence: int
    entries_read: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()


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
