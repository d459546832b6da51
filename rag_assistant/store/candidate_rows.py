"""What is made of the passages that an engine finds: entries, in order; the same for any engine."""

from collections.abc import Collection, Mapping, Sequence

from rag_assistant.store.searching import PASSAGES_PER_ENTRY, Judge
from rag_assistant.values.search_plan import Candidate, EntryPlace
from rag_assistant.values.term_records import PassageRecord

MOST_PLACED = 5_000
"""Passages that one is compared with to say where it stands."""

Row = tuple[int, int, float]
"""A passage, its entry and its score."""


def judged(rows: Sequence[Row], records: Mapping[int, PassageRecord], judge: Judge) -> list[Row]:
    """Put rows in the order of a judge's scores, equals by id."""
    scores = judge([(records[row[0]], row[2]) for row in rows])
    judged = [(row[0], row[1], score) for row, score in zip(rows, scores, strict=True)]
    return sorted(judged, key=lambda row: (-row[2], row[0]))


def together(
    rows: Sequence[Row], records: Mapping[int, PassageRecord] | None, room: int
) -> list[Candidate]:
    """Make candidates of rows, best first, as long as there is `room` for their passages."""
    by_entry: dict[int, list[tuple[int, float]]] = {}
    for passage_id, entry_id, score in rows:
        by_entry.setdefault(entry_id, []).append((passage_id, score))
    chosen: list[Candidate] = []
    for entry_id, own in by_entry.items():
        best = own[:PASSAGES_PER_ENTRY]
        room -= len(best)
        if room < 0:
            break
        ids, scores = [passage for passage, _ in best], [score for _, score in best]
        read = () if records is None else [records[passage] for passage in ids]
        chosen.append(Candidate(entry_id, ids, scores, len(own) - len(best), read))
    return chosen


def place_in(rows: Sequence[Row], entries: Collection[int]) -> EntryPlace | None:
    """Say which of some entries comes first among rows of any order; None where none does."""
    before: set[int] = set()
    for _, entry_id, _ in sorted(rows, key=lambda row: (-row[2], row[0])):
        if entry_id in entries:
            return EntryPlace(entry_id, len(before))
        before.add(entry_id)
    return None
