"""How vectors stand in a database file: what storing them and searching them must agree on.

A row of `vectors` is a passage's id and a blob; `meta` says what made them. Nothing here needs
numpy, so that counting vectors does not.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.store.vector_blobs import SCALE_BYTES
from rag_assistant.values.embeddings import VectorKind

MODEL_KEY, DIMENSION_KEY, STATE_KEY = "vectors_model", "vectors_dimension", "vectors_state"
"""Keys of `meta`."""

_READ_AT_ONCE = 512
"""Rows fetched together: memory that is used again and again is faster than one large piece."""


@dataclass(frozen=True, slots=True)
class VectorFacts:
    """The kind of an index's vectors, and a mark that is another one after each change.

    Only vectors of passages behind all those that had one are added without a new `state`, so that
    what was read before stays good.
    """

    kind: VectorKind
    state: str


def vector_facts(connection: sqlite3.Connection) -> VectorFacts | None:
    """Say what vectors an index holds; None when it never had any."""
    known = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    if STATE_KEY not in known:
        return None
    return VectorFacts(VectorKind(known[MODEL_KEY], int(known[DIMENSION_KEY])), known[STATE_KEY])


def rows_after(
    connection: sqlite3.Connection, dimension: int, last: int
) -> Iterator[list[tuple[int, bytes]]]:
    """Give id and blob of the vectors whose passage's id is over `last`, by id, some at a time."""
    # A blob of another length would spoil the others; it can only come from outside.
    rows = connection.execute(
        "SELECT passage_id, vector FROM vectors WHERE passage_id > ? AND length(vector) = ?"
        " ORDER BY passage_id",
        (last, SCALE_BYTES + dimension),
    )
    while some := rows.fetchmany(_READ_AT_ONCE):
        yield some
