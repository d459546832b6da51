"""Candidates of a search: the entries whose passages FTS5 finds for a plan.

Filters apply inside the query, before its limit. Many rows are looked at, since that is cheap, and
few texts are read, since that is not.
"""

import json
import sqlite3
from collections.abc import Collection, Sequence
from functools import cached_property

from rag_assistant.store.searching import PASSAGES, PASSAGES_PER_ENTRY
from rag_assistant.store.sqlite.filters import DATE, Condition, condition_of, joined
from rag_assistant.store.sqlite.match import all_of, any_of_all, match_of
from rag_assistant.store.sqlite.narrowing import is_narrowed
from rag_assistant.values.search_plan import AllOf, Candidate, EntryPlace, Filter, Plan

FTS_WEIGHTS = (3.0, 1.0, 1.0, 1.0)
"""FTS5's weights of title, heading, text and variants."""

ROWS = 1_000
"""Rows looked at first; four times as many when they come from too few entries."""

_SCORE = "-bm25(passages_fts, ?, ?, ?, ?)"


class SqliteCandidates:
    """Finds entries by FTS5 and by what is known of them; `store.searching.Candidates`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def best(
        self, plan: Plan, entries: int, *, passages: int = PASSAGES, looked_at: int = ROWS
    ) -> list[Candidate]:
        """Give the entries that hold the best passages by FTS5's BM25."""
        wanted = max(looked_at, entries)
        while True:
            rows = self._rows(plan, wanted)
            by_entry: dict[int, list[tuple[int, float]]] = {}
            for passage_id, entry_id, score in rows:
                by_entry.setdefault(entry_id, []).append((passage_id, score))
            if len(by_entry) >= entries or len(rows) < wanted:
                break
            wanted *= 4  # a few long entries took all the places
        room = max(passages, PASSAGES_PER_ENTRY * entries)
        chosen: list[Candidate] = []
        for entry_id, found in by_entry.items():
            best = found[:PASSAGES_PER_ENTRY]
            room -= len(best)
            if room < 0:
                break
            ids, scores = [passage for passage, _ in best], [score for _, score in best]
            chosen.append(Candidate(entry_id, ids, scores, len(found) - len(best)))
        return chosen

    def _rows(self, plan: Plan, limit: int) -> list[tuple[int, int, float]]:
        """Give (passage, entry, score) of the best passages, best first, equals by id."""
        condition, parameters = self._condition(plan)
        if condition or self._is_narrowed:
            return self._connection.execute(
                f"""
                SELECT passages.id, entry_id, {_SCORE} AS score
                FROM passages_fts JOIN passages ON passages.id = passages_fts.rowid
                JOIN entries ON entries.id = entry_id JOIN files ON files.id = file_id
                WHERE passages_fts MATCH ? AND ({condition or "1"})
                ORDER BY score DESC, passages.id LIMIT ?
                """,
                (*FTS_WEIGHTS, match_of(plan), *parameters, limit),
            ).fetchall()
        return self._connection.execute(
            """
            SELECT passages.id, entry_id, -found.score FROM (
                SELECT rowid, bm25(passages_fts, ?, ?, ?, ?) AS score FROM passages_fts
                WHERE passages_fts MATCH ? ORDER BY score LIMIT ?
            ) AS found JOIN passages ON passages.id = found.rowid
            ORDER BY found.score, passages.id
            """,
            (*FTS_WEIGHTS, match_of(plan), limit),
        ).fetchall()

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
            SELECT entries.id, (SELECT passages.id FROM passages
                WHERE entry_id = entries.id ORDER BY start LIMIT 1) AS first, coalesce({DATE}, '')
            FROM entries JOIN files ON files.id = file_id
            WHERE ({condition}) AND first IS NOT NULL
            ORDER BY {DATE} DESC, entries.id DESC LIMIT ?
            """,
            (*parameters, limit),
        )
        return [Candidate(entry_id, (first,), date=date) for entry_id, first, date in rows]

    def hold(self, phrases: AllOf, entries: Collection[int] | None = None) -> bool:
        """Say whether a passage holds all of some phrases."""
        joined_to, own = "", ""
        parameters: tuple[str, ...] = ()
        if entries is not None:
            joined_to = " JOIN passages ON passages.id = passages_fts.rowid"
            own = " AND entry_id IN (SELECT value FROM json_each(?))"
            parameters = (json.dumps(sorted(entries)),)
        query = f"SELECT 1 FROM passages_fts{joined_to} WHERE passages_fts MATCH ?{own} LIMIT 1"
        return (
            self._connection.execute(query, (all_of(phrases), *parameters)).fetchone() is not None
        )

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

    def place_of(self, plan: Plan, entries: Collection[int]) -> EntryPlace | None:
        """Say where the best passage of some entries stands among all that a plan's words find."""
        condition, parameters = condition_of(self._connection, plan.filters)
        match = match_of(plan)
        best = self._connection.execute(
            f"SELECT entry_id, {_SCORE} AS score FROM passages_fts"
            " JOIN passages ON passages.id = passages_fts.rowid"
            " JOIN entries ON entries.id = entry_id JOIN files ON files.id = file_id"
            " WHERE passages_fts MATCH ? AND entry_id IN (SELECT value FROM json_each(?))"
            f" AND ({condition or '1'}) ORDER BY score DESC LIMIT 1",
            (*FTS_WEIGHTS, match, json.dumps(sorted(entries)), *parameters),
        ).fetchone()
        if best is None:
            return None
        entry_id, score = best
        (before,) = self._connection.execute(
            f"SELECT count(DISTINCT entry_id) FROM (SELECT rowid, {_SCORE}"
            " AS score FROM passages_fts WHERE passages_fts MATCH ?) AS found"
            " JOIN passages ON passages.id = found.rowid WHERE found.score > ?",
            (*FTS_WEIGHTS, match, score),
        ).fetchone()
        return EntryPlace(entry_id, before)
