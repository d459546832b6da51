"""The findings of injection in a database: each with its place, and how many there are."""

from dataclasses import dataclass

from rag_assistant.values.documents import Suspicion


@dataclass(frozen=True, slots=True)
class SuspicionRow:
    """A suspicious span with the entry it is in; `text` is the beginning of its words."""

    entry_id: int
    title: str
    path: str
    suspicion: Suspicion
    page: int | None
    line: int | None
    text: str


@dataclass(frozen=True, slots=True)
class SuspicionCounts:
    """How many places there are, in how many entries, and how many of them models may read.

    `unseen` of the places are told for being hidden from readers, the others for what they say.
    """

    places: int = 0
    entries: int = 0
    allowed: int = 0
    unseen: int = 0
