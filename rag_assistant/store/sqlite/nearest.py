"""Search by vectors: the cosine of a question's vector with every passage's, by numpy.

Vectors are read once for each process and then only what was added; the mark that a database file
carries says when they have to be read anew. Nothing is approximated beyond their storage, but where
there are more than MOST_COMPARED: then only those with the likeliest signs are compared.
"""

import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag_assistant.store.sqlite.vector_format import rows_after, vector_facts
from rag_assistant.store.sqlite.vector_signs import Signs, differing, fewest, signs_of
from rag_assistant.values.embeddings import MOST_COMPARED, VectorKind

BLOCK = 512
"""Rows made floats at a time: a block stays in the processor's cache (0.8 MB at 384 numbers)."""

COMPARED = 20
"""Vectors compared for each that is wanted, where their signs choose them."""

MOST_BYTES = 1 << 30
"""Memory for vectors kept between searches; the databases searched longest ago go first."""

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class VectorMatrix:
    """The vectors of a database: passage ids in ascending order, signed bytes, and scales.

    Where they are very many, `signs` are theirs; else it is of no vectors.
    """

    kind: VectorKind
    state: str
    ids: NDArray[np.int64]
    rows: NDArray[np.int8]
    scales: Vector
    signs: Signs

    def nearest(
        self, query: Vector, k: int, allowed: Iterable[int] | None = None
    ) -> dict[int, float]:
        """Give the `k` passages with the highest cosines, best first, of those `allowed`."""
        places = None if allowed is None else self._places(allowed)
        if self.signs.shape[1] and (places is None or len(places) > MOST_COMPARED):
            counts = differing(self.signs, query)
            likely = fewest(counts if places is None else counts[places], COMPARED * max(1, k))
            places = likely if places is None else places[likely]
        if places is None:
            scores = self._cosines(query, self.rows, self.scales)
        else:
            scores = self._cosines(query, self.rows[places], self.scales[places])
        ids = self.ids if places is None else self.ids[places]
        k = min(k, len(scores))
        if k <= 0:
            return {}
        best = np.argpartition(scores, -k)[-k:]
        best = best[np.lexsort((ids[best], -scores[best]))]
        return dict(zip(ids[best].tolist(), scores[best].tolist(), strict=True))

    def cosines(self, query: Vector, passages: Iterable[int]) -> dict[int, float]:
        """Give the cosines of these passages; those without a vector are absent."""
        places = self._places(passages)
        scores = self._cosines(query, self.rows[places], self.scales[places])
        return dict(zip(self.ids[places].tolist(), scores.tolist(), strict=True))

    def _places(self, passages: Iterable[int]) -> NDArray[np.int64]:
        wanted = np.unique(np.fromiter(passages, np.int64))
        places = np.searchsorted(self.ids, wanted)
        there = places < len(self.ids)
        there[there] = self.ids[places[there]] == wanted[there]
        return places[there]

    def _cosines(self, query: Vector, rows: NDArray[np.int8], scales: Vector) -> Vector:
        scores = np.empty(len(rows), np.float32)
        floats = np.empty((BLOCK, self.kind.dimension), np.float32)
        for start in range(0, len(rows), BLOCK):
            block = rows[start : start + BLOCK]
            np.copyto(floats[: len(block)], block)
            np.dot(floats[: len(block)], query, out=scores[start : start + len(block)])
        scores *= scales
        return scores


_read: dict[Path, VectorMatrix] = {}
_reading = threading.Lock()


def vectors_of(connection: sqlite3.Connection, path: Path) -> VectorMatrix | None:
    """Give the vectors that `connection` sees of the database file `path`; None if it has none."""
    facts = vector_facts(connection)
    if facts is None:
        return None
    with _reading:
        known = _read.pop(path, None)
        if known is None or known.state != facts.state or known.kind != facts.kind:
            known = _nothing(facts.kind, facts.state)
        known = _with_new(connection, known)
        _read[path] = known  # the last one in is the last to go
        while len(_read) > 1 and sum(v.rows.nbytes for v in _read.values()) > MOST_BYTES:
            del _read[next(iter(_read))]
        return known


def _nothing(kind: VectorKind, state: str) -> VectorMatrix:
    rows = np.empty((0, kind.dimension), np.int8)
    ids, scales = np.empty(0, np.int64), np.empty(0, np.float32)
    return VectorMatrix(kind, state, ids, rows, scales, signs_of(rows))


def _with_new(connection: sqlite3.Connection, known: VectorMatrix) -> VectorMatrix:
    """Read the vectors behind those known."""
    last = int(known.ids[-1]) if len(known.ids) else -1
    layout = np.dtype([("scale", "<f4"), ("row", "i1", (known.kind.dimension,))])
    ids, rows, scales = [known.ids], [known.rows], [known.scales]
    for some in rows_after(connection, known.kind.dimension, last):
        read = np.frombuffer(b"".join([blob for _, blob in some]), layout)
        ids.append(np.array([passage for passage, _ in some], np.int64))
        rows.append(np.ascontiguousarray(read["row"]))
        scales.append(read["scale"].copy())
    if len(ids) == 1:
        return known
    every = np.concatenate(rows)
    signs = known.signs
    if len(every) > MOST_COMPARED:
        signs = np.concatenate([signs, signs_of(every[signs.shape[1] :])], axis=1)
    return VectorMatrix(
        known.kind, known.state, np.concatenate(ids), every, np.concatenate(scales), signs
    )


def fitting(
    connection: sqlite3.Connection, path: Path, query_vector: Vector
) -> VectorMatrix | None:
    """Give the vectors of a database; None where it has none, or of another length than this."""
    vectors = vectors_of(connection, path)
    return vectors if vectors and query_vector.shape == (vectors.kind.dimension,) else None
