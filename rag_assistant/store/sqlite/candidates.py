"""Candidates of a search: the entries whose passages FTS5 finds for a plan.

FTS5 only says which passages hold a word, at some 30 ns each; its own score takes a microsecond.
The rarity of what a passage holds is summed up here, and the best are judged by their stored terms.
"""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from rag_assistant.store.candidate_rows import MOST_PLACED, Row, judged, place_in, together
from rag_assistant.store.searching import LOOKED_AT, PASSAGES, PASSAGES_PER_ENTRY, Judge
from rag_assistant.store.sqlite.filters import DATE, Condition, condition_of, joined
from rag_assistant.store.sqlite.match import all_of, any_of_all
from rag_assistant.store.sqlite.narrowing import is_narrowed
from rag_assistant.store.sqlite.passage_finding import PassageFinder, best_of
from rag_assistant.store.sqlite.records import SqliteRecords
from rag_assistant.values.search_plan import AllOf, Candidate, EntryPlace, Filter, Plan
from rag_assistant.values.term_records import PassageRecord

ROWS = LOOKED_AT
"""Passages that filters are asked about at a time."""


class SqliteCandidates:
    """Finds entries by FTS5 and by what is known of them; `store.searching.Candidates`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._records = SqliteRecords(connection)
        self._finder = PassageFinder(connection)

    @property
    def is_cut(self) -> bool:
        """Whether not all passages were compared that came into question."""
        return self._finder.is_cut

    def best(
        self,
        plan: Plan,
        entries: int,
        *,
        passages: int = PASSAGES,
        looked_at: int = LOOKED_AT,
        judge: Judge | None = None,
    ) -> list[Candidate]:
        """Give the entries that hold the best passages, by the rarity of what they hold."""
        found = self._finder.found(plan)
        wanted = max(looked_at, entries)
        records: Mapping[int, PassageRecord] = {}
        while True:
            rows, records = self._rows(plan, found, wanted, with_records=judge is not None)
            if len(rows) < wanted or len({entry_id for _, entry_id, _ in rows}) >= entries:
                break
            wanted *= 4  # a few long entries took all the places
        if judge:
            rows = judged(rows, records, judge)
        return together(
            rows, records if judge else None, max(passages, PASSAGES_PER_ENTRY * entries)
        )

    def passages(self, plan: Plan, limit: int) -> list[int]:
        """Give the passages that hold the rarest words, whatever entries they are of."""
        rows, _ = self._rows(plan, self._finder.found(plan), limit)
        return [passage for passage, _, _ in rows]

    def _rows(
        self, plan: Plan, found: Mapping[int, float], limit: int, *, with_records: bool = False
    ) -> tuple[list[Row], Mapping[int, PassageRecord]]:
        """Give (passage, entry, score) of the best that are let through, best first, equals by id.

        Scores are above zero. Their records come along where they are asked for.
        """
        condition, parameters = self._condition(plan)
        if condition or self._is_narrowed:
            rows = self._let_through(found, limit, condition, parameters)
            ids = [row[0] for row in rows] if with_records else []
            return rows, self._records.passages(ids) if ids else {}
        order = best_of(found, limit)
        if with_records:
            records = self._records.passages(order)
            return [(n, records[n].entry_id, found[n]) for n in order if n in records], records
        query = (
            "SELECT passage_id, entry_id FROM json_each(?) AS wanted"
            " CROSS JOIN passage_terms ON passage_id = wanted.value"
        )
        entry_of = dict(self._connection.execute(query, (json.dumps(order),)).fetchall())
        return [(n, entry_of[n], found[n]) for n in order if n in entry_of], {}

    def _let_through(
        self,
        found: Mapping[int, float],
        limit: int,
        condition: str,
        parameters: Sequence[object],
    ) -> list[Row]:
        """Give the rows of the best that a condition, and the part that is seen, let through."""
        query = (
            "SELECT passages.id, entry_id FROM json_each(?) AS wanted"
            " CROSS JOIN passages ON passages.id = wanted.value"
            " JOIN entries ON entries.id = entry_id JOIN files ON files.id = file_id"
            f" WHERE {condition or '1'}"
        )
        order = sorted(found, key=lambda passage: (-found[passage], passage))
        rows: list[Row] = []
        for first in range(0, len(order), ROWS):
            ids = order[first : first + ROWS]
            entry_of = dict(
                self._connection.execute(query, (json.dumps(ids), *parameters)).fetchall()
            )
            rows += [(one, entry_of[one], found[one]) for one in ids if one in entry_of]
            if len(rows) >= limit:
                break
        return rows[:limit]

    @cached_property
    def _is_narrowed(self) -> bool:
        """Whether the tables leave something out, so that the best rows of the whole full-text
        index have to be chosen after it is joined to them."""
        return is_narrowed(self._connection)

    def _condition(self, plan: Plan) -> Condition:
        """Give what the entries of candidates have to fulfil."""
        condition = condition_of(self._connection, plan.filters)
        if plan.has_words or not plan.excluded:
            return condition
        without = (
            "entries.id NOT IN (SELECT passages.entry_id FROM passages_fts"
            " JOIN passages ON passages.id = passages_fts.rowid WHERE passages_fts MATCH ?)"
        )
        return joined(" AND ", [condition, (without, (any_of_all(plan.excluded),))])

    def newest(self, plan: Plan, limit: int) -> list[Candidate]:
        """Give entries, newest first, each with its first passage and its date."""
        condition, parameters = self._condition(plan)
        rows = self._connection.execute(
            f"""
            SELECT id, (SELECT passages.id FROM passages WHERE entry_id = newest.id
                ORDER BY start LIMIT 1), date
            FROM (
                SELECT entries.id AS id, coalesce({DATE}, '') AS date
                FROM entries JOIN files ON files.id = file_id
                WHERE ({condition}) AND EXISTS (SELECT 1 FROM passages WHERE entry_id = entries.id)
                ORDER BY 2 DESC, 1 DESC LIMIT ?
            ) AS newest ORDER BY date DESC, id DESC
            """,
            (*parameters, limit),
        )
        return [Candidate(entry_id, (first,), date=date) for entry_id, first, date in rows]

    def hold(self, phrases: AllOf, entries: Collection[int] | None = None) -> bool:
        """Say whether a passage holds all of some phrases."""
        if entries is None:
            return self._finder.hold(phrases)
        query = (
            "SELECT 1 FROM passages_fts JOIN passages ON passages.id = passages_fts.rowid"
            " WHERE passages_fts MATCH ? AND entry_id IN (SELECT value FROM json_each(?)) LIMIT 1"
        )
        found = self._connection.execute(query, (all_of(phrases), json.dumps(sorted(entries))))
        return found.fetchone() is not None

    def entries_with(self, phrases: AllOf, limit: int) -> list[int]:
        """Give entries of which a passage holds all of some phrases, by id."""
        rows = self._connection.execute(
            "SELECT DISTINCT entry_id FROM passages_fts"
            " JOIN passages ON passages.id = passages_fts.rowid"
            " WHERE passages_fts MATCH ? LIMIT ?",
            (all_of(phrases), limit),
        )
        return sorted(entry_id for (entry_id,) in rows)

    def let_through(
        self, filters: Sequence[Filter], entries: Collection[int] | None = None
    ) -> list[int]:
        """Give the entries that filters let through, by id."""
        condition, parameters = condition_of(self._connection, filters)
        own = "" if entries is None else " AND entries.id IN (SELECT value FROM json_each(?))"
        given = () if entries is None else (json.dumps(sorted(entries)),)
        rows = self._connection.execute(
            "SELECT entries.id FROM entries JOIN files ON files.id = file_id"
            f" WHERE ({condition or '1'}){own} ORDER BY entries.id",
            (*parameters, *given),
        )
        return [entry_id for (entry_id,) in rows]

    def lets_any_through(self, filters: Sequence[Filter]) -> bool:
        """Say whether filters let an entry through."""
        condition, parameters = condition_of(self._connection, filters)
        query = f"SELECT 1 FROM entries JOIN files ON files.id = file_id WHERE {condition or '1'}"
        if all(one.name == "path" for one in filters):
            # Each path once: a file may hold very many entries.
            has_entries = "EXISTS (SELECT 1 FROM entries WHERE file_id = files.id)"
            query = f"SELECT 1 FROM files WHERE ({condition or '1'}) AND {has_entries}"
        return self._connection.execute(f"{query} LIMIT 1", parameters).fetchone() is not None

    def passages_let_through(self, filters: Sequence[Filter]) -> list[int] | None:
        """Give the ids of the passages of such entries; None where nothing is left out."""
        condition, parameters = condition_of(self._connection, filters)
        if not condition and not self._is_narrowed:
            return None
        rows = self._connection.execute(
            "SELECT passages.id FROM passages JOIN entries ON entries.id = entry_id"
            f" JOIN files ON files.id = file_id WHERE {condition or '1'}",
            parameters,
        )
        return [passage_id for (passage_id,) in rows]

    def place_of(
        self, plan: Plan, entries: Collection[int], judge: Judge | None = None
    ) -> EntryPlace | None:
        """Say where the best passage of some entries stands among all that a plan's words find."""
        found = self._finder.found(plan)
        through = self.let_through(plan.filters, entries)
        own = self._connection.execute(
            "SELECT passage_id FROM passage_terms"
            " WHERE passage_id IN (SELECT id FROM passages WHERE entry_id IN"
            " (SELECT value FROM json_each(?)))",
            (json.dumps(through),),
        )
        mine = [passage for (passage,) in own if passage in found]
        if not mine:
            return None
        records = self._records.passages({*mine, *best_of(found, MOST_PLACED)})
        rows = [(one.id, one.entry_id, found[one.id]) for one in records.values()]
        if judge:
            rows = judged(rows, records, judge)
        return place_in(rows, through)
