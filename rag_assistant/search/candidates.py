"""Candidates: the passages that FTS5 finds for a query, a few of each entry, with their texts.

Filters apply inside the query, before its limit. Many rows are looked at, since that is cheap, and
few texts are read, since that is not.
"""

import json
import sqlite3
from dataclasses import dataclass

from rag_assistant.search.filters import DATE
from rag_assistant.search.query import Query

FTS_WEIGHTS = (3.0, 1.0, 1.0, 1.0)
"""FTS5's weights of title, heading, text and variants."""

ROWS = 1_000
"""Rows looked at first; four times as many when they come from too few entries."""

PASSAGES_PER_ENTRY = 3
"""Passages of an entry that count: more would let long entries win by their length."""

PASSAGES = 200
"""Passages whose texts are read at most, unless more entries are asked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """An entry among the candidates: its passages' ids and scores by FTS5, best first.

    `others` counts its further passages among the rows that were looked at.
    """

    entry_id: int
    passages: list[int]
    scores: list[float]
    others: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """What a stage may know of a passage."""

    id: int
    title: str
    heading: str
    text: str
    variants: str


def find_entries(
    connection: sqlite3.Connection,
    query: Query,
    limit: int,
    rows_first: int = ROWS,
    most: int = PASSAGES,
) -> list[Found]:
    """Give the entries that hold the best passages by FTS5's BM25: `limit` or more if there are.

    All their passages together may be read: `most`, or three for each entry asked for.
    """
    wanted = max(rows_first, limit)
    while True:
        rows = _rows(connection, query, wanted)
        by_entry: dict[int, list[tuple[int, float]]] = {}
        for passage_id, entry_id, score in rows:
            by_entry.setdefault(entry_id, []).append((passage_id, score))
        if len(by_entry) >= limit or len(rows) < wanted:
            break
        wanted *= 4  # a few long entries took all the places
    room = max(most, PASSAGES_PER_ENTRY * limit)
    entries: list[Found] = []
    for entry_id, found in by_entry.items():
        best = found[:PASSAGES_PER_ENTRY]
        room -= len(best)
        if room < 0:
            break
        ids, scores = [passage for passage, _ in best], [score for _, score in best]
        entries.append(Found(entry_id, ids, scores, len(found) - len(best)))
    return entries


def _rows(connection: sqlite3.Connection, query: Query, limit: int) -> list[tuple[int, int, float]]:
    """Give (passage, entry, score) of the best passages, best first, equals by id."""
    if query.condition:
        return connection.execute(
            f"""
            SELECT passages.id, entry_id, -bm25(passages_fts, ?, ?, ?, ?) AS score
            FROM passages_fts JOIN passages ON passages.id = passages_fts.rowid
            JOIN entries ON entries.id = entry_id JOIN files ON files.id = file_id
            WHERE passages_fts MATCH ? AND ({query.condition})
            ORDER BY score DESC, passages.id LIMIT ?
            """,
            (*FTS_WEIGHTS, query.match, *query.parameters, limit),
        ).fetchall()
    return connection.execute(
        """
        SELECT passages.id, entry_id, -found.score FROM (
            SELECT rowid, bm25(passages_fts, ?, ?, ?, ?) AS score FROM passages_fts
            WHERE passages_fts MATCH ? ORDER BY score LIMIT ?
        ) AS found JOIN passages ON passages.id = found.rowid
        ORDER BY found.score, passages.id
        """,
        (*FTS_WEIGHTS, query.match, limit),
    ).fetchall()


def read_passages(connection: sqlite3.Connection, ids: list[int]) -> dict[int, Passage]:
    """Read passages by id."""
    rows = connection.execute(
        "SELECT passages.id, title, coalesce(heading, ''), text, variants"
        " FROM json_each(?) AS wanted CROSS JOIN passages ON passages.id = wanted.value",
        (json.dumps(ids),),
    )
    return {row[0]: Passage(*row) for row in rows}


def newest_entries(
    connection: sqlite3.Connection, query: Query, limit: int
) -> list[tuple[int, str]]:
    """Give the entries that a query's filters let through, newest first.

    Each by its first passage and its date, a text that sorts by time.
    """
    return connection.execute(
        f"""
        SELECT (SELECT passages.id FROM passages
                WHERE entry_id = entries.id ORDER BY start LIMIT 1) AS first, coalesce({DATE}, '')
        FROM entries JOIN files ON files.id = file_id
        WHERE ({query.condition}) AND first IS NOT NULL
        ORDER BY {DATE} DESC, entries.id DESC LIMIT ?
        """,
        (*query.parameters, limit),
    ).fetchall()


def titles_of(connection: sqlite3.Connection, entry_ids: list[int]) -> dict[int, str]:
    """Give the titles of entries by id."""
    return dict(
        connection.execute(
            "SELECT entries.id, title FROM json_each(?) AS wanted"
            " CROSS JOIN entries ON entries.id = wanted.value",
            (json.dumps(entry_ids),),
        ).fetchall()
    )


def passages_of(connection: sqlite3.Connection, entry_id: int) -> tuple[list[int], list[Passage]]:
    """Give the starts and the passages of an entry, in order."""
    rows = connection.execute(
        "SELECT start, id, title, coalesce(heading, ''), text, variants FROM passages"
        " WHERE entry_id = ? ORDER BY start",
        (entry_id,),
    ).fetchall()
    return [row[0] for row in rows], [Passage(*row[1:]) for row in rows]
