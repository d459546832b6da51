"""One database's part in a search, on its own connection and in its own thread.

What it brings is numbered so that no two databases share the number of an entry or a passage; what
it gives back has its own ids again.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING

from rag_assistant.search.asked import Asked
from rag_assistant.search.candidates import PASSAGES, Found, newest_entries
from rag_assistant.search.counts import Counts, count
from rag_assistant.search.duplicates import Ranked, without_duplicates
from rag_assistant.search.filters import ANYTHING, IN_SCOPE
from rag_assistant.search.hits import Choice, make_hit
from rag_assistant.search.query import Query, query_for
from rag_assistant.search.ranking import Gathered, Ranking, gather, rank_as_typed
from rag_assistant.search.spelling import Correction, correction
from rag_assistant.search.vocabulary import document_frequencies
from rag_assistant.search.weights import Weights
from rag_assistant.values.documents import Hit

if TYPE_CHECKING:
    from rag_assistant.search.meaning import Meaning

SHARE = 1.5
"""Of PASSAGES over the square root of the number of databases: what each of several brings. Two
bring as many as one alone; with more, the search takes longer, but not as many times as long."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """An entry to show: `key` says where it comes among those of all databases, lowest first."""

    key: tuple[float, str]
    part: int
    choice: Choice


class Part:
    """The part of the database `number` (from 0) of `count`, step by step.

    `meaning` is the question's vector, when the database has vectors to compare it with. It is
    `narrowed` where the connection sees a part of the database only.
    """

    def __init__(
        self, connection: sqlite3.Connection, database: str, number: int = 0, count: int = 1
    ) -> None:
        self.connection = connection
        self.database = database
        self.number = number
        self.meaning: Meaning | None = None
        self.narrowed = False
        self._parts = count
        self._own = Counts()
        self._proposed: Mapping[str, Correction] = {}
        self._query: Query | None = None

    @property
    def query(self) -> Query:
        """The query of this database, once it is planned."""
        assert self._query is not None
        return self._query

    def count(self, asked: Asked) -> Counts:
        """Count what is asked for."""
        self._own = count(self.connection, asked)
        return self._own

    def corrections(self, unknown: Iterable[str]) -> Mapping[str, Correction]:
        """Propose words of this database for words that none holds."""
        found = {word: correction(self.connection, word) for word in unknown}
        self._proposed = {word: right for word, right in found.items() if right}
        return self._proposed

    def count_corrections(self, chosen: Iterable[Correction]) -> Mapping[str, int]:
        """Count the corrections that were chosen for all databases, by term."""
        counted = {one.term: one.passages for one in self._proposed.values()}
        others = {one.term: one.word for one in chosen if one.term not in counted}
        counted |= document_frequencies(self.connection, others)
        self._own = replace(self._own, frequencies={**counted, **self._own.frequencies})
        return counted

    def plan(self, asked: Asked, weights: Weights) -> Query:
        """Make the query of this database."""
        self._query = query_for(
            self.connection, asked, weights, self._own, IN_SCOPE if self.narrowed else ANYTHING
        )
        return self._query

    def gather(self, limit: int) -> Gathered:
        """Bring the candidates."""
        most = min(PASSAGES, round(SHARE * PASSAGES / sqrt(self._parts)))
        found = gather(self.connection, self.query, limit, self.meaning, most)
        if self._parts == 1:
            return found
        cosines = found.cosines
        return Gathered(
            found.query,
            [self._entry(entry) for entry in found.entries],
            {
                self._numbered(i): replace(p, id=self._numbered(i))
                for i, p in found.passages.items()
            },
            None if cosines is None else {self._numbered(i): c for i, c in cosines.items()},
        )

    def best_of(self, ranking: Ranking, limit: int) -> list[Chosen]:
        """Choose of a ranking the first `limit` entries of this database that differ."""
        found = [extract.found for extract in ranking.pool.extracts]
        keys = ranking.pool.keys
        places = [place for place, index in enumerate(ranking.order) if self._holds(found[index])]
        own = [
            Ranked(
                found[index].entry_id // self._parts,
                ranking.scores[index],
                keys.counts[index].keys(),
                ranking.pool.extracts[index].terms,
            )
            for index in (ranking.order[place] for place in places)
        ]
        chosen: list[Chosen] = []
        for one in without_duplicates(self.connection, own, limit):
            place = places[one.place]
            choice = ranking.choice(ranking.order[place], one.duplicates)
            choice = replace(choice, passage_id=choice.passage_id // self._parts)
            chosen.append(Chosen((place, ""), self.number, choice))
        return chosen

    def listed(self, limit: int) -> list[Chosen]:
        """Choose what needs no ranking by stages: by FTS5 while typing, newest without words."""
        if self.query.match:
            typed = rank_as_typed(self.connection, self.query, limit)
            return [
                Chosen((-sum(choice.explanation.values()), ""), self.number, choice)
                for choice in typed
            ]
        newest = newest_entries(self.connection, self.query, limit)
        return [Chosen((0.0, date), self.number, Choice(first)) for first, date in newest]

    def hits(self, chosen: Sequence[tuple[int, Chosen]]) -> list[Hit]:
        """Make the hits of those that are of this database, given with their ranks."""
        return [
            make_hit(self.connection, self.database, self.query, rank, one.choice)
            for rank, one in chosen
            if one.part == self.number
        ]

    def _numbered(self, own: int) -> int:
        return own * self._parts + self.number

    def _entry(self, entry: Found) -> Found:
        passages = [self._numbered(passage) for passage in entry.passages]
        return replace(entry, entry_id=self._numbered(entry.entry_id), passages=passages)

    def _holds(self, entry: Found) -> bool:
        return entry.entry_id % self._parts == self.number
