"""Vectors on a cluster: compared by few requests, and no run is disturbed by writing them."""

import threading
from pathlib import Path

import numpy as np
import pytest

from rag_assistant.store.opensearch import vectors
from rag_assistant.store.writing import Store
from rag_assistant.values.embeddings import VectorKind
from scripts.benchmarks.search.cluster_measures import counted
from tests.store.making import entry_of, file_of, write
from tests.store.opensearch.cluster import store_on_cluster


def test_beyond_many_their_signs_choose_what_is_compared(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question to millions of passages would take a minute, or find others than the nearest."""
    kind, drawn = VectorKind("test", 64), np.random.default_rng(5)
    write(store, {f"{n}.md": [entry_of(f"Crane {n}. " * 40, cut=10)] for n in range(15)})
    with store.reading() as reader:
        passages = reader.vectors.without(kind, 0, 1_000)
    rows = drawn.standard_normal((len(passages), 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    store.add_vectors(kind, passages, {one.id: rows[n] for n, one in enumerate(passages)})
    found, whole = 0, 0
    drifted = rows[:20] + 0.4 * rows[20:40]
    for query in drifted / np.linalg.norm(drifted, axis=1, keepdims=True):
        with store.reading() as reader:
            exact = reader.vectors.nearest(query, 5)
        with monkeypatch.context() as few, store.reading() as reader:
            few.setattr(vectors, "MOST_COMPARED", 100)
            near = reader.vectors.nearest(query, 5)
            some = [one.id for one in passages[:50]]
            assert len(reader.vectors.nearest(query, 60, some)) == 50
        assert all(near[one] == pytest.approx(exact[one], abs=1e-6) for one in near.keys() & exact)
        assert list(near.values()) == sorted(near.values(), reverse=True)
        found += len(near.keys() & exact.keys())
        whole += len(exact)
    assert found >= 0.85 * whole  # of vectors without any order, which are the hardest


@pytest.mark.soak
def test_a_run_ends_what_gets_a_vector_at_the_same_moment(place: Path, store: Store) -> None:
    """The old passages of a file would be found beside its new ones, for good."""
    row = np.full(8, 8**-0.5, np.float32)
    write(store, {f"{n}.md": [entry_of("Turn 0. " * 300, cut=8)] for n in range(6)})
    ended, other = threading.Event(), store_on_cluster(place)
    failed: list[BaseException] = []

    def embed() -> None:
        try:
            while not ended.is_set():
                for model in ("one", "other"):  # so that there is always something to write
                    kind = VectorKind(model, 8)
                    with other.reading() as reader:
                        passages = reader.vectors.without(kind, 0, 2_000)
                    other.add_vectors(kind, passages, {one.id: row for one in passages})
        except BaseException as error:  # noqa: BLE001 - the thread of the test is told
            failed.append(error)

    thread = threading.Thread(target=embed)
    thread.start()
    for turn in range(1, 5):
        text = [entry_of(f"Turn {turn}. " * 300, cut=8)]
        write(store, {file_of(f"{n}.md", turn + 1): text for n in range(6)})
    ended.set()
    thread.join()
    assert failed == []
    assert store.check() == []
    with store.reading() as reader:
        for entry in reader.entries.all():
            assert reader.passages.text(entry.id) == "Turn 4. " * 300


def test_the_nearest_and_all_cosines_take_one_request(store: Store) -> None:
    """A search by meaning would wait for the cluster again and again."""
    kind = VectorKind("test", 8)
    write(store, {f"{n}.md": [entry_of(f"Crane {n}.")] for n in range(20)})
    with store.reading() as reader:
        passages = reader.vectors.without(kind, 0, 100)
    rows = np.random.default_rng(1).standard_normal((20, 8)).astype(np.float32)
    store.add_vectors(kind, passages, {one.id: rows[n] for n, one in enumerate(passages)})
    with store.reading() as reader:
        known = reader.records.passages([one.id for one in passages[:10]])
        with counted() as moved:
            near = list(reader.vectors.nearest(rows[0], 5))
            reader.vectors.cosines(rows[0], [*known, *near])
            reader.records.passages(near)
            reader.records.entries([one.entry_id for one in passages if one.id in near])
            reader.passages.entries_of(near)
        assert moved.requests <= 2
