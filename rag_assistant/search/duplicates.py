"""Entries of one document: the newest version stands for the others, and for copies the best does.

Versions are what indexing found to be a family. One that holds a word of the query which the newest
version does not hold is shown itself: it may be what is looked for. What says the same without
being of a family, as records do, is told by the same rule of likeness (see `likeness`).
"""

from collections.abc import Sequence, Set

from rag_assistant.search.pool import query_terms
from rag_assistant.search.ranking import RankedEntry
from rag_assistant.store.reading import StoreReader
from rag_assistant.text.likeness import ComparedText

NEAR_SCORE, SHARED_KEYS = 0.9, 0.9
"""What is compared at all: entries with scores that near, whose extracts share so many words."""


def without_duplicates(
    reader: StoreReader, ranking: Sequence[RankedEntry], limit: int
) -> list[RankedEntry]:
    """Give the first `limit` entries of a database's that differ, with those met that do not.

    A document is shown at the place of its best version.
    """
    stand_ins = _StandIns(reader, ranking)
    shown: list[tuple[RankedEntry, list[int]]] = []
    shown_ids: set[int] = set()
    copies: dict[int, list[int]] = {}
    for found in ranking:
        entry = stand_ins.of(found)
        entry_id = entry.candidate.entry_id
        if stand_ins.is_copy(found, entry):
            copies.setdefault(entry_id, []).append(found.candidate.entry_id)
        if entry_id in shown_ids:
            continue
        same = next(
            (
                duplicates
                for before, duplicates in shown
                if _may_be(entry, before) and stand_ins.same(before.candidate.entry_id, entry_id)
            ),
            None,
        )
        if same is not None:
            same.append(entry_id)
        elif len(shown) == limit:
            break
        else:
            shown.append((entry, []))
        shown_ids.add(entry_id)
    return [
        entry._replace(duplicates=(*same, *copies.get(entry.candidate.entry_id, ())))
        for entry, same in shown
    ]


def _may_be(one: RankedEntry, other: RankedEntry) -> bool:
    """Say whether the entries may be the same, from what is known without reading them."""
    if one.score < other.score * NEAR_SCORE:
        return False
    shared = len(one.keys.keys() & other.keys.keys())
    return shared >= SHARED_KEYS * max(len(one.keys), len(other.keys))


class _StandIns:
    """Which entry of a ranking stands for which, each text read once."""

    def __init__(self, reader: StoreReader, ranking: Sequence[RankedEntry]) -> None:
        self._reader = reader
        self._ranked = {one.candidate.entry_id: one for one in ranking}
        self._newest = reader.versions.newest(self._ranked)
        self._texts: dict[int, ComparedText] = {}

    def of(self, ranked: RankedEntry) -> RankedEntry:
        """Give the newest version, if it is there and holds what this one holds."""
        own = ranked.candidate.entry_id
        newest = self._ranked.get(self._newest.get(own, own), ranked)
        if newest is ranked:
            return ranked
        number = newest.candidate.entry_id
        if self._text(number).hash == self._text(own).hash:
            # A copy is as good. Of those that score alike it is always the same one.
            return newest if newest.score == ranked.score else ranked
        return newest if self._holds(number, _terms(ranked) - _terms(newest)) else ranked

    def is_copy(self, found: RankedEntry, shown: RankedEntry) -> bool:
        """Whether what is shown for an entry is another one with the same text."""
        own, number = found.candidate.entry_id, shown.candidate.entry_id
        return own != number and self._text(number).hash == self._text(own).hash

    def same(self, first: int, second: int) -> bool:
        """Say whether two entries are copies or nearly the same."""
        return self._text(first).same_as(self._text(second))

    def _holds(self, entry_id: int, terms: Set[str]) -> bool:
        """Whether an entry holds all these terms; its extract has only its best passages."""
        held = query_terms(set(self._text(entry_id).words), terms) if terms else {}
        return terms <= set(held.values())

    def _text(self, entry_id: int) -> ComparedText:
        if entry_id not in self._texts:
            self._texts[entry_id] = self._reader.entries.compared(entry_id)
        return self._texts[entry_id]


def _terms(ranked: RankedEntry) -> frozenset[str]:
    """Give the terms of the query that an entry was found by."""
    return ranked.extract.terms if ranked.extract else frozenset()
