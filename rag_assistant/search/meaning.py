"""What a question's vector adds to a search by words: entries near in meaning, and the fused score.

Imported only when a database has vectors, since it loads numpy.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.search.candidates import Found
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


WEIGHT = 1.6
"""Weight of the cosine beside a lexical score of at most 1. Chosen on Vaswani, where 1.6 to 2.5
differ by less than .004 of nDCG@10."""


def fuse(
    lexical: Mapping[int, float], cosine: Mapping[int, float], weight: float = WEIGHT
) -> dict[int, float]:
    """Give score(p) = lexical(p) / max(lexical) + weight * cosine(p), for the passages of both.

    A passage that words did not find has no lexical part; a missing cosine is estimated from the
    lexical part by least squares over the passages that have both. Best first, equals by id.
    Without any cosine the order is the lexical one. Sums of scores did better than sums of ranks
    on every collection tried (../shared/retrieval.md).
    """
    highest = max(lexical.values(), default=0.0)
    words = {p: score / highest if highest > 0 else 0.0 for p, score in lexical.items()}
    base, slope = _line([(words[p], cosine[p]) for p in words if p in cosine])
    fused = {p: part + weight * cosine.get(p, base + slope * part) for p, part in words.items()}
    for passage, near in cosine.items():
        fused.setdefault(passage, weight * near)
    return dict(sorted(fused.items(), key=lambda item: (-item[1], item[0])))


def _line(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Fit y = base + slope * x to (x, y) by least squares; the slope is never negative.

    Of no points both are 0; of points with a single x the line is level.
    """
    if not points:
        return 0.0, 0.0
    count = len(points)
    middle_x, middle_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    shared = sum((x - middle_x) * (y - middle_y) for x, y in points)
    slope = max(0.0, shared / spread) if spread > 1e-12 else 0.0
    return middle_y - slope * middle_x, slope
