"""What search asks of a database: candidates, vocabulary, vectors. Any engine promises this.

All methods read the one snapshot that the reader was opened for, and only what is in its scope
unless they say otherwise. Ids are those of the database; they stay as long as their text does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from rag_assistant.values.term_records import PassageRecord

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from rag_assistant.values.embeddings import EmbeddingCoverage, PassageWords, VectorKind
    from rag_assistant.values.search_plan import AllOf, Candidate, EntryPlace, Filter, Plan
    from rag_assistant.values.term_records import EntryTerms, TermTotals

PASSAGES_PER_ENTRY = 3
"""Passages of an entry that count: more would let long entries win by their length."""

PASSAGES = 80
"""Passages that are ranked at most, unless more entries are asked for. Of 200, the first ten were
no better on four collections, for twice the time."""

LOOKED_AT = 150
"""Passages looked at to choose these from; more where they come from too few entries."""

Judge = Callable[[Sequence[tuple[PassageRecord, float]]], Sequence[float]]
"""Scores passages by their terms, given with the summed weights of what they were found by."""


class Candidates(Protocol):
    """Finds entries by what their passages hold, and by what is known of them."""

    def best(
        self,
        plan: Plan,
        entries: int,
        *,
        passages: int = PASSAGES,
        looked_at: int = LOOKED_AT,
        judge: Judge | None = None,
    ) -> list[Candidate]:
        """Give the entries that hold the best passages for a plan with words, best first.

        `entries` or more if there are: as long as their passages, PASSAGES_PER_ENTRY of each at
        most, come to no more than `passages`, or than that many for each entry asked for. Scores
        are above zero, higher for better, and compare within one answer; equals go by id.
        `looked_at` is how many passages are looked at before those of an entry are put together:
        fewer are faster, and more are looked at where they come from too few entries. A `judge`
        puts these in its own order, and the candidates come with the records of their passages.
        """
        ...

    def passages(self, plan: Plan, limit: int) -> list[int]:
        """Give the passages that hold the rarest words of a plan, `limit` at most, best first.

        As many of an entry as there are; equals by id.
        """
        ...

    @property
    def is_cut(self) -> bool:
        """Whether more passages were found since it was opened than are looked at."""
        ...

    def newest(self, plan: Plan, limit: int) -> list[Candidate]:
        """Give the entries of a plan without words, newest first, equals by id, the highest first.

        Each by its first passage, with its date: a text in ISO 8601 that sorts by time. Entries
        without text are left out.
        """
        ...

    def hold(self, phrases: AllOf, entries: Collection[int] | None = None) -> bool:
        """Say whether a passage, of some entries or of any, holds all of some phrases.

        Of any is of any in the database, in scope or not.
        """
        ...

    def entries_with(self, phrases: AllOf, limit: int) -> list[int]:
        """Give entries of which a passage holds all of some phrases, `limit` at most, by id."""
        ...

    def let_through(
        self, filters: Sequence[Filter], entries: Collection[int] | None = None
    ) -> list[int]:
        """Give the entries, of some or of all, that all filters let through, by id."""
        ...

    def lets_any_through(self, filters: Sequence[Filter]) -> bool:
        """Say whether all filters let an entry through."""
        ...

    def passages_let_through(self, filters: Sequence[Filter]) -> Collection[int] | None:
        """Give the passages of such entries; None where that is every passage of the database.

        To give these to `Vectors.nearest` may be less than to read them.
        """
        ...

    def place_of(
        self, plan: Plan, entries: Collection[int], judge: Judge | None = None
    ) -> EntryPlace | None:
        """Say where the best passage of some entries stands among all that a plan's words find.

        In the order of `best`, with the same judge.

        None where its words find none of theirs, or its filters let none through.
        """
        ...


class Vocabulary(Protocol):
    """Says which terms the passages of the whole database hold, in scope or not.

    A term is what a word is compared by (`text.terms`): its stem, without accents.
    """

    def expect(self, words: Mapping[str, str], prefixes: Mapping[str, int]) -> None:
        """Hear which terms will be asked for, so that an engine elsewhere may ask for all at once.

        And which prefixes, with how many of their terms. It changes nothing of what is given.
        """
        ...

    def passages(self) -> int:
        """Count the passages; in scope only."""
        ...

    def frequencies(self, words: Mapping[str, str]) -> dict[str, int]:
        """Count the passages that hold each term, given with a word for it; absent where none does.

        Exact for terms that few passages hold; an estimate may do for others while many are
        written.
        """
        ...

    def beginning_with(self, prefix: str, limit: int) -> Iterator[tuple[str, int]]:
        """Give the first `limit` terms, in order, that begin with `prefix`, with their passages."""
        ...

    def listed(self, prefix: str, limit: int) -> Sequence[str]:
        """Give the first `limit` terms, in order, that begin with `prefix`; some that no passage
        holds any more may be among them."""
        ...

    def like(self, terms: Iterable[str]) -> dict[str, Sequence[int]]:
        """Give the terms that share letters with some terms, by number, for each run of letters.

        A run is of four letters, the blank before a word being one. Of words of letters only.
        """
        ...

    def words_of(self, terms: Collection[str]) -> dict[str, set[str]]:
        """Give the words, in lower case, that a few passages have for each term.

        Terms are stems, which nobody wants to read: for "polici" it gives "policy", "policies".
        """
        ...


class Records(Protocol):
    """Gives what ranking knows of the words of passages and entries; absent ids are left out."""

    def passages(self, ids: Iterable[int]) -> dict[int, PassageRecord]:
        """Give the terms of passages, by id."""
        ...

    def of_entry(self, entry_id: int) -> list[PassageRecord]:
        """Give the terms of the passages of an entry, in order of start."""
        ...

    def entries(self, ids: Collection[int]) -> dict[int, EntryTerms]:
        """Give the terms that place entries, by id."""
        ...

    def totals(self) -> TermTotals:
        """Count the passages of the whole database, in scope or not, and their words."""
        ...


class Vectors(Protocol):
    """Finds passages by the cosine of their vectors with a question's, which has length 1.

    Where a database has no vectors, or vectors of another length, nothing is found.
    """

    def kind(self) -> VectorKind | None:
        """Say what vectors there are; None where there never were any."""
        ...

    def coverage(self) -> EmbeddingCoverage:
        """Count the passages, and those that have a vector."""
        ...

    def without(self, kind: VectorKind, after: int, limit: int) -> list[PassageWords]:
        """Give the first `limit` passages, by id and over `after`, without a vector of a kind."""
        ...

    def nearest(
        self, vector: NDArray[np.float32], limit: int, among: Iterable[int] | None = None
    ) -> dict[int, float]:
        """Give the `limit` nearest passages, of some or of all, with their cosines.

        Best first, equals by id; which of equals are left out at the limit is not said.
        """
        ...

    def cosines(self, vector: NDArray[np.float32], passages: Iterable[int]) -> dict[int, float]:
        """Give the cosines of passages; those without a vector are absent."""
        ...

    def rows(self, passages: Collection[int]) -> dict[int, NDArray[np.float32]]:
        """Give the vectors of passages, by id; those without one are absent."""
        ...
