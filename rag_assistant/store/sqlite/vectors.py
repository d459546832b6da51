"""The vectors of passages read back: how many there are, which lack, and which are nearest."""

import json
import sqlite3
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.store.sqlite.vector_format import vector_facts
from rag_assistant.values.embeddings import EmbeddingCoverage, PassageWords, VectorKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SqliteVectors:
    """Reads the vectors of the database file at `path`; `store.searching.Vectors`.

    numpy is loaded only where vectors are compared.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def kind(self) -> VectorKind | None:
        """Say what vectors there are; None where there never were any."""
        facts = vector_facts(self._connection)
        return facts.kind if facts else None

    def coverage(self) -> EmbeddingCoverage:
        """Count the passages and those that have a vector."""
        count = "SELECT count(*) FROM"
        passages = int(self._connection.execute(f"{count} passages").fetchone()[0])
        facts = vector_facts(self._connection)
        if facts is None:
            return EmbeddingCoverage(None, 0, passages)
        vectors = int(self._connection.execute(f"{count} vectors").fetchone()[0])
        return EmbeddingCoverage(facts.kind, vectors, passages)

    def without(self, kind: VectorKind, after: int, limit: int) -> list[PassageWords]:
        """Give the first `limit` passages with ids over `after` that have no vector of a kind."""
        facts = vector_facts(self._connection)
        has_some = facts is not None and facts.kind == kind
        lacking = "id NOT IN (SELECT passage_id FROM vectors)" if has_some else "1"
        rows = self._connection.execute(
            f"SELECT id, title, heading, text, entry_id FROM passages WHERE id > ? AND {lacking}"
            " ORDER BY id LIMIT ?",
            (after, limit),
        )
        return [PassageWords(*row) for row in rows]

    def nearest(
        self, vector: "NDArray[np.float32]", limit: int, among: Iterable[int] | None = None
    ) -> dict[int, float]:
        """Give the `limit` nearest passages, of some or of all, with their cosines, best first."""
        from rag_assistant.store.sqlite.nearest import fitting  # noqa: PLC0415 - loads numpy

        vectors = fitting(self._connection, self._path, vector)
        return vectors.nearest(vector, limit, among) if vectors else {}

    def cosines(self, vector: "NDArray[np.float32]", passages: Iterable[int]) -> dict[int, float]:
        """Give the cosines of passages; those without a vector are absent."""
        from rag_assistant.store.sqlite.nearest import fitting  # noqa: PLC0415 - loads numpy

        vectors = fitting(self._connection, self._path, vector)
        return vectors.cosines(vector, passages) if vectors else {}

    def rows(self, passages: Collection[int]) -> "dict[int, NDArray[np.float32]]":
        """Give the vectors of passages, by id."""
        from rag_assistant.store.vector_blobs import rows_of  # noqa: PLC0415 - loads numpy

        if vector_facts(self._connection) is None:
            return {}
        rows = self._connection.execute(
            "SELECT passage_id, vector FROM json_each(?) AS wanted"
            " CROSS JOIN vectors ON passage_id = wanted.value",
            (json.dumps(list(passages)),),
        )
        return rows_of(dict(rows.fetchall()))
