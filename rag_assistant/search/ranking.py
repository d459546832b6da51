"""Ranking passages by BM25 over title, heading and text, rolled up to entries."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace

from rag_assistant.documents import Hit, Location
from rag_assistant.search.query import Query, plan_query
from rag_assistant.search.snippets import best_span

WEIGHTS = (3.0, 1.0, 1.0)
"""BM25 weights of title, heading and text."""

PASSAGES_PER_ENTRY = 5
"""Candidates fetched for each entry asked for, because an entry's passages come in together."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of one search of one database, best first, and what there is to say about it."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    passage_id: int
    entry_id: int
    score: float


def search_index(
    connection: sqlite3.Connection, database: str, text: str, limit: int
) -> SearchResult:
    """Find the `limit` entries that best match `text`, each shown by its best passage."""
    query = plan_query(connection, text)
    if not query.match or limit <= 0:
        return SearchResult((), query.notes)
    best = _best_entries(connection, query, limit)
    hits = [
        replace(
            _hit(connection, database, found[0], query.weights),
            rank=rank,
            other_passages=len(found) - 1,
        )
        for rank, found in enumerate(best, 1)
    ]
    return SearchResult(tuple(hits), query.notes)


def _best_entries(
    connection: sqlite3.Connection, query: Query, limit: int
) -> list[list[_Candidate]]:
    """Give the passages of the best entries, entry by entry, each best first."""
    wanted = limit * PASSAGES_PER_ENTRY
    while True:
        candidates = _candidates(connection, query, wanted)
        by_entry: dict[int, list[_Candidate]] = {}
        for candidate in candidates:
            by_entry.setdefault(candidate.entry_id, []).append(candidate)
        if len(by_entry) >= limit or len(candidates) < wanted:
            return list(by_entry.values())[:limit]
        wanted *= 4  # a few long entries took all the places


def _candidates(connection: sqlite3.Connection, query: Query, limit: int) -> list[_Candidate]:
    rows = connection.execute(
        """
        SELECT passages.id, passages.entry_id, -found.score FROM (
            SELECT rowid, bm25(passages_fts, ?, ?, ?) AS score FROM passages_fts
            WHERE passages_fts MATCH ? ORDER BY score LIMIT ?
        ) AS found JOIN passages ON passages.id = found.rowid
        ORDER BY found.score, passages.id
        """,
        (*WEIGHTS, query.match, limit),
    )
    return [_Candidate(*row) for row in rows]


def _hit(
    connection: sqlite3.Connection,
    database: str,
    candidate: _Candidate,
    weights: Mapping[str, float],
) -> Hit:
    text, start, page, line, heading, title, path = connection.execute(
        """
        SELECT text, start, page, line, heading, entries.title, files.path
        FROM passages JOIN entries ON entries.id = entry_id JOIN files ON files.id = file_id
        WHERE passages.id = ?
        """,
        (candidate.passage_id,),
    ).fetchone()
    begin, end = best_span(text, weights)
    location = Location(
        start=start + begin,
        end=start + end,
        page=page,
        heading=heading,
        line=None if line is None else line + text.count("\n", 0, begin),
    )
    return Hit(
        rank=0,
        database=database,
        entry_id=candidate.entry_id,
        title=title,
        path=path,
        location=location,
        score=round(candidate.score, 4),
        snippet=text[begin:end],
    )


def passages_that_matter(
    connection: sqlite3.Connection, entry_id: int, text: str, limit: int
) -> list[int]:
    """Give the starts of the entry's passages that match `text`, best first, `limit` at most."""
    query = plan_query(connection, text)
    if not query.match:
        return []
    rows = connection.execute(
        """
        SELECT passages.start FROM passages_fts JOIN passages ON passages.id = passages_fts.rowid
        WHERE passages_fts MATCH ? AND passages.entry_id = ?
        ORDER BY bm25(passages_fts, ?, ?, ?), passages.start LIMIT ?
        """,
        (query.match, entry_id, *WEIGHTS, limit),
    )
    return [row[0] for row in rows]
