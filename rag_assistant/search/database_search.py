"""One database's part in a search, through its own reader and in its own thread, step by step."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rag_assistant.search.counts import count
from rag_assistant.search.duplicates import without_duplicates
from rag_assistant.search.hits import make_hits
from rag_assistant.search.meaning import beside_words, fuse, nearest_passages, with_the_nearest
from rag_assistant.search.passage_ranking import EntryKey, FoundPassages
from rag_assistant.search.planning import make_plan
from rag_assistant.search.pool import Extract
from rag_assistant.search.query_terms import QueryTerms
from rag_assistant.search.ranking import EntryScore, RankedEntry
from rag_assistant.search.spelling import Correction, correction
from rag_assistant.search.stages.bm25 import judge
from rag_assistant.search.stages.compounds import passages_side_by_side, passages_to_read
from rag_assistant.search.stages.placed import placed_scores
from rag_assistant.search.weights import TermWeights
from rag_assistant.store.reading import StoreReader
from rag_assistant.store.searching import LOOKED_AT, PASSAGES, Judge
from rag_assistant.values.documents import Hit
from rag_assistant.values.search_plan import Candidate, CandidatePassage, Counts, Plan
from rag_assistant.values.term_records import PassageRecord

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CUT = "very many passages hold these words: not all of them were compared"
"""What is said of an answer that was cut short."""

SHARE = 1.5
"""How many times as much several databases look at together as one: each may have more than its
share of what is asked for."""

LOOKED_AT_PER_ENTRY = 10
"""Passages looked at for each entry that is asked for."""

PASSAGES_RANKED = 400
"""Passages that are ranked where passages are asked for, and not entries."""

TYPING_ROWS, TYPING_ENTRIES = 150, 60
"""Rows and titles looked at while a person types, or what is asked for if that is more."""


class DatabaseSearch:
    """The search of the database `number` (from 0) of `databases` that are searched together.

    `vector` is the question's, when the database has vectors to compare it with.
    """

    def __init__(self, reader: StoreReader, name: str, number: int = 0, databases: int = 1) -> None:
        self.reader = reader
        self.name = name
        self.number = number
        self.vector: NDArray[np.float32] | None = None
        self.plan = Plan()
        self._databases = databases
        self._own = Counts()
        self._proposed: Mapping[str, Correction] = {}

    def count(self, query: QueryTerms) -> Counts:
        """Count what is asked for."""
        self._own = count(self.reader.vocabulary, query)
        return self._own

    def corrections(self, unknown: Iterable[str]) -> Mapping[str, Correction]:
        """Propose words of this database for words that none holds."""
        found = {word: correction(self.reader.vocabulary, word) for word in unknown}
        self._proposed = {word: right for word, right in found.items() if right}
        return self._proposed

    def count_corrections(self, chosen: Iterable[Correction]) -> Mapping[str, int]:
        """Count the corrections that were chosen for all databases, by term."""
        counted = {one.term: one.passages for one in self._proposed.values()}
        others = {one.term: one.word for one in chosen if one.term not in counted}
        counted |= self.reader.vocabulary.frequencies(others)
        self._own = replace(self._own, frequencies={**counted, **self._own.frequencies})
        return counted

    def bring(
        self, query: QueryTerms, weights: TermWeights, limit: int, *, by_stages: bool
    ) -> tuple[Plan, list[Candidate]]:
        """Plan what is looked up here, and bring the candidates for `limit` entries.

        Those that are to be ranked `by_stages` come with the terms that they are judged by.
        """
        plan = make_plan(
            self.reader.candidates,
            query,
            weights,
            self._own,
            share=min(1.0, SHARE / self._databases),
        )
        like = self.reader.vocabulary.like(plan.weights) if by_stages else {}
        self.plan = replace(plan, by_meaning=self.vector is not None, like=like)
        if limit <= 0:
            return self.plan, []
        if plan.has_words:
            found = self._with_records(limit) if by_stages else self._with_titles(limit)
            if self.reader.candidates.is_cut:
                self.plan = replace(self.plan, notes=(*self.plan.notes, CUT))
            return self.plan, found
        newest = self.reader.candidates.newest(plan, limit) if plan.lists_entries else []
        return self.plan, [one._replace(database=self.number) for one in newest]

    def _with_records(self, limit: int) -> list[Candidate]:
        records, plan = self.reader.records, self.plan
        looked_at = self._share(max(LOOKED_AT, LOOKED_AT_PER_ENTRY * limit))
        found = self.reader.candidates.best(
            plan, limit, passages=self._share(PASSAGES), looked_at=looked_at, judge=self.judge()
        )
        if self.vector is not None:
            found = with_the_nearest(self.reader, plan, found, self.vector)
            added = [p for one in found for p in one.passages[len(one.records) :]]
            own = records.passages(added)
            found = [
                one._replace(
                    records=[*one.records, *(own[p] for p in one.passages[len(one.records) :])]
                )
                for one in found
            ]
        entries = records.entries([one.entry_id for one in found])
        every = [record for one in found for record in one.records]
        needed = passages_to_read(plan, every)
        if plan.for_stop_words or any(record.quotes for record in every):
            needed = [record.id for record in every]
        texts = self.reader.passages.candidates(needed) if needed else {}
        return [
            one._replace(
                entry=entries.get(one.entry_id),
                texts={p: texts[p] for p in one.passages if p in texts},
                database=self.number,
            )
            for one in found
        ]

    def passages(self) -> FoundPassages:
        """Bring the passages of this database that come into question for the last plan."""
        ids = self.reader.candidates.passages(self.plan, self._share(PASSAGES_RANKED))
        cosines: Mapping[int, float] = {}
        if self.vector is not None:
            near = nearest_passages(self.reader, self.plan, self.vector)
            ids = list(dict.fromkeys([*ids, *near]))
            cosines = self.reader.vectors.cosines(self.vector, ids)
        read = self.reader.records.passages(ids)
        records = [read[passage] for passage in ids if passage in read]
        entries = self.reader.records.entries({record.entry_id for record in records})
        mean_length = self.reader.records.totals().mean_length
        whole = self._side_by_side(records, {})
        return FoundPassages(self.number, records, entries, mean_length, cosines, whole)

    def _side_by_side(
        self, records: Sequence[PassageRecord], texts: Mapping[int, CandidatePassage]
    ) -> list[float]:
        """Score passages by what stands side by side in them; those that `texts` lack are read."""
        needed = passages_to_read(self.plan, records, numbered=True)
        missing = [passage for passage in needed if passage not in texts]
        if missing:
            texts = {**texts, **self.reader.passages.candidates(missing)}
        return passages_side_by_side(self.plan, records, texts)

    def _share(self, most: int) -> int:
        """Give how many of what one database looks at each of several does."""
        return min(most, round(SHARE * most / self._databases))

    def judge(self) -> Judge:
        """Give what scores passages for the plan, before their entries are put together."""
        return partial(judge, self.plan, self.reader.records.totals().mean_length)

    def _with_titles(self, limit: int) -> list[Candidate]:
        looked_at = self._share(TYPING_ROWS)
        found = self.reader.candidates.best(self.plan, limit, looked_at=looked_at)
        found = found[: max(self._share(TYPING_ENTRIES), limit)]
        titles = self.reader.entries.titles([candidate.entry_id for candidate in found])
        return [one._replace(title=titles[one.entry_id], database=self.number) for one in found]

    def best_of(self, ranking: Sequence[RankedEntry], limit: int) -> list[RankedEntry]:
        """Choose of a ranking the first `limit` entries of this database that differ.

        Each is shown by its best passage.
        """
        own = [one for one in ranking if one.candidate.database == self.number]
        mean_length = self.reader.records.totals().mean_length
        return [
            one._replace(passage=self._best_passage(one.extract, mean_length))
            if one.extract
            else one
            for one in without_duplicates(self.reader, own, limit)
        ]

    def entries_of(self, ranking: Sequence[RankedEntry]) -> dict[EntryKey, tuple[int, EntryScore]]:
        """Give those entries of a ranking, of this database, that say what no other one says.

        With each comes its place in the ranking, from 0.
        """
        own = [one for one in ranking if one.candidate.database == self.number]
        return {
            (self.number, one.candidate.entry_id): (
                one.place,
                EntryScore(self.name, one.candidate.entry_id, one.score, one.duplicates),
            )
            for one in without_duplicates(self.reader, own, len(own))
        }

    def _best_passage(self, extract: Extract, mean_length: float) -> int:
        """Choose the passage that has most of the query, the first of equals."""
        own = extract.candidate
        entries = {own.entry_id: own.entry} if own.entry else {}
        words = placed_scores(self.plan.weights, own.records, entries, mean_length)
        whole = self._side_by_side(own.records, own.texts)
        scores = {n: a + b for n, (a, b) in enumerate(zip(words, whole, strict=True))}
        near = {n: cosine for n, cosine in enumerate(own.cosines) if cosine is not None}
        return next(iter(fuse(scores, near, beside_words(words, self.plan.weights))))

    def texts_of(self, ranked: Sequence[RankedEntry]) -> dict[tuple[int, int], CandidatePassage]:
        """Read those passages of a ranking that are of this database, by it and their ids."""
        own = [one.candidate for one in ranked if one.candidate.database == self.number]
        texts = self.reader.passages.candidates([one.passages[0] for one in own])
        return {(self.number, passage): text for passage, text in texts.items()}

    def hits(self, ranked: Sequence[tuple[int, RankedEntry]]) -> list[Hit]:
        """Make the hits of those that are of this database, given with their ranks."""
        own = [(rank, one) for rank, one in ranked if one.candidate.database == self.number]
        return make_hits(self.reader, self.name, self.plan.weights, own)
