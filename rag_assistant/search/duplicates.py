"""Entries of one document: the newest version stands for the others, and for copies the best does.

Versions are what indexing found to be a family. One that holds a word of the query which the newest
version does not hold is shown itself: it may be what is looked for. What says the same without
being of a family, as records do, is told by the same rule of likeness (see `likeness`).
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from rag_assistant.search.pool import query_terms
from rag_assistant.text.likeness import ComparedText, read_text

NEAR_SCORE, SHARED_KEYS = 0.9, 0.9
"""What is compared at all: entries with scores that near, whose extracts share so many words."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry in its place of a ranking.

    `keys` are the words of its extract, `terms` those of the query that it was found by.
    """

    entry_id: int
    score: float
    keys: Set[str]
    terms: Set[str] = frozenset()

    def may_be(self, other: "Ranked") -> bool:
        """Say whether the entries may be the same, from what is known without reading them."""
        if self.score < other.score * NEAR_SCORE:
            return False
        return len(self.keys & other.keys) >= SHARED_KEYS * max(len(self.keys), len(other.keys))


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry to show, by its place in the ranking, and the ids of entries that say the same."""

    place: int
    duplicates: list[int] = field(default_factory=list)


def without_duplicates(
    connection: sqlite3.Connection, ranking: Iterable[Ranked], limit: int
) -> list[Shown]:
    """Give the first `limit` entries of a ranking that differ, with those met that do not.

    A document is shown at the place of its best version.
    """
    ranking = list(ranking)
    stand_ins = _StandIns(connection, ranking)
    shown: list[tuple[Ranked, Shown]] = []
    shown_ids: set[int] = set()
    for found_at, found in enumerate(ranking):
        place = stand_ins.place_of(found, found_at)
        ranked = ranking[place]
        if ranked.entry_id in shown_ids:
            continue
        same = next(
            (
                one
                for before, one in shown
                if ranked.may_be(before) and stand_ins.same(before.entry_id, ranked.entry_id)
            ),
            None,
        )
        if same is not None:
            same.duplicates.append(ranked.entry_id)
        elif len(shown) == limit:
            break
        else:
            shown.append((ranked, Shown(place)))
        shown_ids.add(ranked.entry_id)
    return [one for _, one in shown]


class _StandIns:
    """Which entry of a ranking stands for which, each text read once."""

    def __init__(self, connection: sqlite3.Connection, ranking: Sequence[Ranked]) -> None:
        self._connection = connection
        self._ranking = ranking
        self._places = {one.entry_id: place for place, one in enumerate(ranking)}
        self._newest = newest_versions(connection, self._places)
        self._texts: dict[int, ComparedText] = {}

    def place_of(self, ranked: Ranked, place: int) -> int:
        """Give the place of the newest version, if it is there and holds what this one holds."""
        newest = self._newest.get(ranked.entry_id, ranked.entry_id)
        if newest == ranked.entry_id or newest not in self._places:
            return place
        if self._text(newest).hash == self._text(ranked.entry_id).hash:
            return place  # a copy is as good
        missing = ranked.terms - self._ranking[self._places[newest]].terms
        return self._places[newest] if self._holds(newest, missing) else place

    def same(self, first: int, second: int) -> bool:
        """Say whether two entries are copies or nearly the same."""
        return self._text(first).same_as(self._text(second))

    def _holds(self, entry_id: int, terms: Set[str]) -> bool:
        """Whether an entry holds all these terms; its extract has only its best passages."""
        held = query_terms(set(self._text(entry_id).words), terms) if terms else {}
        return terms <= set(held.values())

    def _text(self, entry_id: int) -> ComparedText:
        if entry_id not in self._texts:
            self._texts[entry_id] = read_text(self._connection, entry_id)
        return self._texts[entry_id]


def newest_versions(
    connection: sqlite3.Connection, entry_ids: Collection[int]
) -> Mapping[int, int]:
    """Give, for those entries that are of a family, the id of its newest version."""
    return dict(
        connection.execute(
            "SELECT own.entry_id, (SELECT newest.entry_id FROM versions AS newest"
            " WHERE newest.family = own.family ORDER BY newest.place LIMIT 1)"
            " FROM json_each(?) AS wanted CROSS JOIN versions AS own"
            " ON own.entry_id = wanted.value",
            (json.dumps(list(entry_ids)),),
        ).fetchall()
    )
