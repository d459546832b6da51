"""Very many vectors: those whose signs are likest the question's are compared, and no others."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.store.sqlite.nearest import VectorMatrix
from rag_assistant.store.sqlite.vector_signs import differing, fewest, signs_of
from rag_assistant.store.sqlite.vector_writing import store_vectors
from rag_assistant.store.sqlite.vectors import SqliteVectors
from rag_assistant.store.vector_blobs import quantised
from rag_assistant.values.embeddings import (
    MOST_COMPARED,
    EmbeddingCoverage,
    PassageWords,
    VectorKind,
)
from tests.examples import examples
from tests.search.test_vectors import Rows, bare_index, unit_rows


@settings(max_examples=examples(60))
@given(st.integers(1, 40), st.integers(1, 300), st.integers(0, 45), st.integers(0, 2**32 - 1))
def test_differing_signs_are_counted_and_the_fewest_chosen(
    count: int, dimension: int, wanted: int, seed: int
) -> None:
    """Of many vectors others than the likely ones would be compared."""
    rows = np.random.default_rng(seed).integers(-2, 3, (count, dimension), np.int8)
    query = np.random.default_rng(seed + 1).normal(size=dimension).astype(np.float32)
    counts = differing(signs_of(rows), query)
    assert counts.tolist() == ((rows > 0) != (query > 0)).sum(axis=1).tolist()
    chosen = fewest(counts, wanted)
    assert len(chosen) >= min(wanted, count)
    left = np.delete(counts, chosen)
    assert not len(left) or not len(chosen) or counts[chosen].max() < left.min()


def many_vectors(count: int, dimension: int, near: int) -> tuple[Rows, Rows]:
    """Give vectors at random with `near` of them, in different places, near a question's."""
    rows, query = unit_rows(count, dimension, 1), unit_rows(1, dimension, 2)[0]
    some = np.linspace(0, count - 1, near).astype(int)
    rows[some] = query + 0.3 * rows[some]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows, query


def test_the_nearest_of_very_many_are_found_by_their_signs() -> None:
    """A large database would be searched slowly, or what is near be missed."""
    rows, query = many_vectors(MOST_COMPARED + 5_000, 64, 30)
    bytes_of, ids = np.round(rows * 127).astype(np.int8), np.arange(len(rows)) * 2
    scales = np.full(len(rows), 1 / 127, np.float32)
    kind = VectorKind("m", 64)
    exact = VectorMatrix(kind, "", ids, bytes_of, scales, signs_of(bytes_of[:0]))
    quick = VectorMatrix(kind, "", ids, bytes_of, scales, signs_of(bytes_of))
    assert quick.nearest(query, 30) == exact.nearest(query, 30)
    allowed = ids[3:].tolist()
    assert quick.nearest(query, 20, allowed) == exact.nearest(query, 20, allowed)
    few = ids[::7].tolist()
    assert quick.nearest(query, 200, few) == exact.nearest(query, 200, few)
    assert quick.nearest(query, 0) == {}


@pytest.mark.soak
def test_signs_follow_the_vectors_that_are_added(tmp_path: Path) -> None:
    """Vectors that come after the first search of a large database would not be found by it."""
    rows, query = many_vectors(MOST_COMPARED + 300, 32, 40)
    ids, path = range(1, len(rows) + 1), tmp_path / "x.db"
    places = [1 + int(at) for at in np.linspace(0, len(rows) - 1, 40)]
    with closing(bare_index(path, rows, ids)) as connection:
        connection.execute("DELETE FROM vectors WHERE passage_id > 100")
        stored = 100
        for count in (MOST_COMPARED, MOST_COMPARED + 100, len(rows)):
            passages = [PassageWords(one, "t", None, "x") for one in ids[stored:count]]
            store_vectors(connection, VectorKind("m", 32), passages, quantised(rows[stored:count]))
            stored = count
            found = SqliteVectors(connection, path).nearest(query, 40)
            assert {one for one in places if one <= count} <= set(found)


def test_an_estimate_is_one_only_of_what_is_looked_through() -> None:
    """`--explain` would say of a small part of a large database that not all was compared."""
    kind = VectorKind("m", 32)
    assert EmbeddingCoverage(kind, MOST_COMPARED + 1, MOST_COMPARED + 1).is_estimated
    assert not EmbeddingCoverage(kind, MOST_COMPARED + 1, 20).is_estimated
    assert not EmbeddingCoverage(kind, MOST_COMPARED, MOST_COMPARED).is_estimated
