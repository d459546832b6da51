"""What a question's vector adds to a search by words: entries near in meaning, and the fused score.

Imported only when a database has vectors, since it loads numpy.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.search.candidates import Found
from rag_assistant.search.fusion import fuse
from rag_assistant.search.query import Query
from rag_assistant.search.vectors import Vector, candidates_by_vector, cosines_of

NEAREST = 200
"""Passages near in meaning that join those found by words."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question's vector, for the database file at `path`."""

    path: Path
    vector: Vector


def with_the_nearest(
    connection: sqlite3.Connection, query: Query, entries: Sequence[Found], meaning: Meaning
) -> list[Found]:
    """Add the entries that words did not find, each by its nearest passage.

    Filters hold for them too. Where a phrase is asked for or words are excluded only the words can
    say which entries there are.
    """
    if query.phrases or " NOT " in query.match:
        return list(entries)
    allowed = _allowed(connection, query) if query.condition else None
    near = candidates_by_vector(connection, meaning.path, meaning.vector, NEAREST, allowed)
    known = {entry.entry_id for entry in entries}
    added: dict[int, Found] = {}
    for passage_id in near:
        row = connection.execute("SELECT entry_id FROM passages WHERE id = ?", (passage_id,))
        (entry_id,) = row.fetchone() or (None,)
        if entry_id is not None and entry_id not in known:
            added.setdefault(entry_id, Found(entry_id, [passage_id], [0.0]))
    return [*entries, *added.values()]


def _allowed(connection: sqlite3.Connection, query: Query) -> list[int]:
    rows = connection.execute(
        "SELECT passages.id FROM passages JOIN entries ON entries.id = entry_id"
        f" JOIN files ON files.id = file_id WHERE {query.condition}",
        query.parameters,
    )
    return [row[0] for row in rows]


def cosines_with(
    connection: sqlite3.Connection, entries: Sequence[Found], meaning: Meaning
) -> dict[int, float]:
    """Give the cosines of the entries' passages; those without a vector are absent."""
    ids = [passage_id for entry in entries for passage_id in entry.passages]
    return cosines_of(connection, meaning.path, meaning.vector, ids)


def fused_parts(
    entries: Sequence[Found],
    parts: Mapping[str, Sequence[float]],
    cosines: Mapping[int, float],
) -> dict[str, list[float]]:
    """Scale what the stages gave to at most 1 and add what the meaning gives, entry by entry.

    `cosines` are by passage; an entry without any gets what its words let expect.
    """
    lexical = [sum(shares) for shares in zip(*parts.values(), strict=True)]
    near = {
        index: max(found)
        for index, entry in enumerate(entries)
        if (found := [cosines[p] for p in entry.passages if p in cosines])
    }
    fused = fuse(dict(enumerate(lexical)), near)
    highest = max(lexical, default=0.0) or 1.0
    scaled = {name: [share / highest for share in shares] for name, shares in parts.items()}
    scaled["meaning"] = [fused[i] - score / highest for i, score in enumerate(lexical)]
    return scaled
