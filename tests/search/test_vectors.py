"""Vectors: stored with their passages and no longer, searched exactly, joined with words."""

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rag_assistant.errors import ModelError
from rag_assistant.library.database import Database
from rag_assistant.library.embedding import EmbedProgress, embed_database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.search.meaning import fuse
from rag_assistant.store.opening import store_at
from rag_assistant.store.sqlite.connections import open_writer, opened
from rag_assistant.store.sqlite.nearest import BLOCK, vectors_of
from rag_assistant.store.sqlite.vector_writing import store_vectors
from rag_assistant.store.sqlite.vectors import SqliteVectors
from rag_assistant.store.vector_blobs import quantised
from rag_assistant.values.embeddings import PassageWords, VectorKind
from tests.conftest import settle, write_files
from tests.examples import examples
from tests.models.embedding_server import vector_of

DIMENSION = 96
Rows = NDArray[np.float32]


class WordEmbedder:
    """Embeds by the words of a text; does `then` before each batch."""

    destination = ""

    def __init__(self, name: str = "words", dimension: int = DIMENSION, batch: int = 2) -> None:
        self.name, self.dimension, self.batch = name, dimension, batch
        self.seen: list[str] = []
        self.dies_after = 10**9

    def embed_passages(self, texts: Sequence[str]) -> Rows:
        if len(self.seen) >= self.dies_after:
            raise ModelError("The endpoint is gone.", hint="Start it again.")
        self.seen += texts
        rows = np.array([vector_of(text, self.dimension) for text in texts], np.float32)
        unit: Rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def embed_query(self, text: str) -> Rows:
        row: Rows = self.embed_passages([text])[0]
        return row


def nearest_texts(database: Database, embedder: WordEmbedder, text: str, k: int = 3) -> list[str]:
    with database.reading() as reader:
        found = list(reader.vectors.nearest(embedder.embed_query(text), k))
        texts = reader.passages.candidates(found)
        return [texts[passage].text for passage in found]


def coverage_of(database: Database) -> tuple[int, int]:
    """Give how many passages have a vector, and how many there are."""
    held = database.coverage()
    return held.vectors, held.passages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {f"n{number}.txt": f"Note {number} tells of topic{number}\n" for number in range(9)}
    return write_files(tmp_path / "notes", files)


@pytest.fixture
def notes(library: Library, folder: Path) -> Database:
    library.index(folder)
    settle(folder)
    return library.database("notes")


def unit_rows(count: int, dimension: int, seed: int) -> Rows:
    rows = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    unit: Rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def bare_index(path: Path, rows: Rows, ids: Sequence[int]) -> sqlite3.Connection:
    """Make the tables that vectors need, with a passage and a vector for each id."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute("CREATE TABLE passages (id INTEGER PRIMARY KEY, title, heading, text)")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO passages VALUES (?, 't', NULL, 'x')", [(i,) for i in ids])
    connection.execute("COMMIT")
    kind = VectorKind("m", rows.shape[1])
    passages = [PassageWords(passage, "t", None, "x") for passage in ids]
    store_vectors(connection, kind, passages, quantised(rows))
    return connection


@settings(max_examples=examples(15))
@given(
    st.integers(0, 2 * BLOCK + 3),
    st.integers(1, 40),
    st.integers(0, 30),
    st.integers(0, 2**32 - 1),
)
def test_the_nearest_are_those_of_a_plain_product(
    tmp_path_factory: pytest.TempPathFactory, count: int, dimension: int, k: int, seed: int
) -> None:
    """Passages would be missing, doubled, or in another order than their cosines."""
    rows, query = unit_rows(count, dimension, seed), unit_rows(1, dimension, seed + 1)[0]
    ids = [3 * number + 1 for number in range(count)]
    path = tmp_path_factory.mktemp("vectors") / "x.db"
    with closing(bare_index(path, rows, ids)) as connection:
        vectors = SqliteVectors(connection, path)
        found = vectors.nearest(query, k)
        some = ids[::2]
        of_some = vectors.nearest(query, k, [*some, 2, 10**9])
        given_ones = vectors.cosines(query, [*some[:5], 0, 10**9])
    exact = dict(zip(ids, (rows @ query).tolist(), strict=True))
    assert len(found) == min(k, count)
    assert len(of_some) == min(k, len(some))
    assert set(of_some) <= set(some)
    assert list(given_ones) == some[:5]
    # A number is off by at most half a step, which is the largest of its row over 127.
    slack = float(np.abs(query).sum()) / 254 + 1e-5
    for passages in (found, of_some, given_ones):
        assert all(abs(cosine - exact[passage]) <= slack for passage, cosine in passages.items())
    for passages, pool in ((found, ids), (of_some, some)):
        assert list(passages.values()) == sorted(passages.values(), reverse=True)
        worst = min(passages.values(), default=-2)
        left = [exact[passage] for passage in pool if passage not in passages]
        assert all(cosine <= worst + 2 * slack for cosine in left) or not k


def test_every_passage_gets_a_vector_and_is_found_by_it(notes: Database) -> None:
    """Search by sense would miss what was indexed."""
    embedder = WordEmbedder()
    report = embed_database(notes, embedder)
    assert (report.embedded, report.vectors, report.passages) == (9, 9, 9)
    assert nearest_texts(notes, embedder, "topic4", 1) == ["Note 4 tells of topic4\n"]
    assert embed_database(notes, embedder).embedded == 0


def test_a_database_without_vectors_is_no_error(notes: Database) -> None:
    """Naming an embedder would break search until all is embedded."""
    with notes.reading() as reader:
        assert reader.vectors.nearest(unit_rows(1, 8, 0)[0], 5) == {}
    assert coverage_of(notes) == (0, 9)


def test_numpy_is_loaded_only_to_search_by_vectors() -> None:
    """Counting vectors, or a search by words, would take a tenth of a second longer."""
    code = (
        "import sys, rag_assistant.store.opening, rag_assistant.library.embedding,"
        " rag_assistant.models.embedders,"
        " rag_assistant.models.local_embedder, rag_assistant.cli.embed\n"
        "print({'numpy', 'openai', 'fastembed', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_vector_goes_with_its_passage(notes: Database, library: Library, folder: Path) -> None:
    """The words of a passage that is gone would be found in another one's place."""
    embedder = WordEmbedder()
    embed_database(notes, embedder)
    assert len(nearest_texts(notes, embedder, "x", 99)) == 9
    (folder / "n4.txt").write_text("Something about whales\n", encoding="utf-8")
    (folder / "n8.txt").unlink()  # the last: its passage's id is given out again
    write_files(folder, {"new.txt": "A lighthouse on the cliff\n"})
    library.index(folder)
    assert coverage_of(notes) == (7, 9)
    with opened(notes.path) as connection:
        orphans = "SELECT count(*) FROM vectors WHERE passage_id NOT IN (SELECT id FROM passages)"
        assert connection.execute(orphans).fetchone() == (0,)
    embedder.seen.clear()
    assert embed_database(notes, embedder).embedded == 2
    assert sorted(embedder.seen) == [
        "n4\nSomething about whales",
        "new\nA lighthouse on the cliff",
    ]
    assert nearest_texts(notes, embedder, "whales", 1) == ["Something about whales\n"]
    assert "Note 4 tells of topic4\n" not in nearest_texts(notes, embedder, "topic4", 99)
    assert library.check("notes") == []


def test_another_title_is_embedded_anew_and_the_same_is_not(
    notes: Database, library: Library, folder: Path
) -> None:
    """Vectors would speak of a name that a file no longer has, or be made again for nothing."""
    embedder = WordEmbedder()
    embed_database(notes, embedder)
    (folder / "n1.txt").rename(folder / "whales.txt")
    (folder / "sub").mkdir()
    (folder / "n2.txt").rename(folder / "sub" / "n2.txt")
    library.index(folder)
    embedder.seen.clear()
    embed_database(notes, embedder)
    assert embedder.seen == ["whales\nNote 1 tells of topic1"]


def test_new_vectors_are_seen_without_reading_the_old_again(notes: Database) -> None:
    """Searching while vectors are made would miss the new ones, or read all of them each time."""
    embedder = WordEmbedder()
    embedder.dies_after = 4
    embed_database(notes, embedder)
    with opened(notes.path) as connection:
        first = vectors_of(connection, notes.path)
    embedder.dies_after = 10**9
    embed_database(notes, embedder)
    with opened(notes.path) as connection:
        second = vectors_of(connection, notes.path)
        again = vectors_of(connection, notes.path)
    assert first is not None
    assert second is not None
    assert (len(first.ids), len(second.ids)) == (4, 9)
    assert first.state == second.state
    assert again is second


def test_a_gap_filled_before_the_last_vector_is_seen(notes: Database) -> None:
    """A passage embedded after later ones would not be found until the program starts anew."""
    embedder = WordEmbedder()
    embed_database(notes, embedder)
    nearest_texts(notes, embedder, "x")
    with closing(open_writer(notes.path)) as connection:
        connection.execute("UPDATE passages SET title = 'whales' WHERE id = 3")
    assert len(nearest_texts(notes, embedder, "x", 99)) == 8
    embed_database(notes, embedder)
    assert len(nearest_texts(notes, embedder, "whales", 99)) == 9
    assert nearest_texts(notes, embedder, "whales", 1) == ["Note 2 tells of topic2\n"]


def test_what_changed_while_it_was_embedded_gets_no_vector(notes: Database) -> None:
    """A passage would have the vector of a text that it no longer holds."""
    kind = VectorKind("m", 4)
    with notes.reading() as reader:
        batch = reader.vectors.without(kind, 0, 3)
    with closing(open_writer(notes.path)) as connection:
        connection.execute("UPDATE passages SET text = 'other' WHERE id = ?", (batch[0].id,))
        connection.execute("DELETE FROM passages WHERE id = ?", (batch[1].id,))
    rows = dict(zip([one.id for one in batch], unit_rows(3, 4, 0), strict=True))
    assert store_at(notes.path).add_vectors(kind, batch, rows) == 1
    with opened(notes.path) as connection:
        left = connection.execute("SELECT passage_id FROM vectors").fetchall()
    assert left == [(batch[2].id,)]


def test_vectors_of_another_model_stay_until_the_first_new_ones(notes: Database) -> None:
    """A dead endpoint would cost a night's work; vectors of two models would be compared."""
    embed_database(notes, WordEmbedder("old"))
    new = WordEmbedder("new", DIMENSION + 1)
    with notes.reading() as reader:
        assert reader.vectors.nearest(new.embed_query("topic1"), 5) == {}
    new.dies_after = 0
    report = embed_database(notes, new)
    assert report.failure is not None
    assert (report.embedded, report.vectors) == (0, 0)
    assert coverage_of(notes) == (9, 9)
    new.dies_after = 10**9
    report = embed_database(notes, new)
    assert (report.embedded, report.vectors) == (9, 9)
    assert report.replaced == "old (96 numbers)"
    assert nearest_texts(notes, new, "topic4", 1) == ["Note 4 tells of topic4\n"]
    # The same name with another dimension is another kind too.
    assert embed_database(notes, WordEmbedder("new", 8)).embedded == 9


def test_an_endpoint_that_dies_half_way_costs_only_its_batch(notes: Database) -> None:
    """What was made, and paid for, would have to be made again."""
    embedder = WordEmbedder()
    embedder.dies_after = 6
    told: list[EmbedProgress] = []
    report = embed_database(notes, embedder, told.append)
    assert report.failure is not None
    assert (report.embedded, report.vectors, report.passages) == (6, 6, 9)
    assert [progress.done for progress in told] == [0, 2, 4, 6]
    embedder.dies_after = 10**9
    assert embed_database(notes, embedder).embedded == 3
    assert len(embedder.seen) == len(set(embedder.seen)) == 9


def test_ctrl_c_keeps_what_was_made(notes: Database) -> None:
    """A person who stops a long run would lose it."""

    def stop(progress: EmbedProgress) -> None:
        if progress.done == 4:
            raise KeyboardInterrupt

    report = embed_database(notes, WordEmbedder(), stop)
    assert report.interrupted
    assert (report.embedded, report.vectors) == (4, 4)


def test_indexing_is_waited_for_and_text_search_goes_on(notes: Database) -> None:
    """Embedding would fail while a folder is indexed, or break into a writer's work."""
    lock = FileLock(notes.path.with_name("notes.lock"))
    waited = threading.Event()

    def tell(progress: EmbedProgress) -> None:
        if progress.waiting:
            waited.set()

    reports = []
    thread = threading.Thread(
        target=lambda: reports.append(embed_database(notes, WordEmbedder(), tell))
    )
    with lock:
        thread.start()
        assert waited.wait(10)
        assert search_databases([notes], "topic4", 1).hits
        with notes.reading() as reader:
            assert reader.vectors.kind() is None
    thread.join(10)
    assert reports[0].vectors == 9


def test_the_lock_is_free_while_a_model_thinks(notes: Database, library: Library) -> None:
    """A slow model would keep a folder from being indexed for hours."""

    class Slow(WordEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> Rows:
            with FileLock(notes.path.with_name("notes.lock"), timeout=0):
                time.sleep(0.01)
            return super().embed_passages(texts)

    assert embed_database(notes, Slow()).vectors == 9


def test_a_removed_database_ends_the_run_and_does_not_come_back(
    notes: Database, library: Library
) -> None:
    """An empty database would appear in place of the removed one."""

    class Remover(WordEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> Rows:
            if library.names():
                library.remove("notes")
            return super().embed_passages(texts)

    with pytest.raises(Exception, match=r"has gone|no database|damaged"):
        embed_database(notes, Remover())
    assert library.names() == []


def test_blank_passages_are_no_question_to_a_model(notes: Database) -> None:
    """An endpoint that refuses empty texts would end every run at the same place."""
    with closing(open_writer(notes.path)) as connection:
        connection.execute("UPDATE passages SET title = '', text = ' ' || char(10) WHERE id < 4")
    embedder = WordEmbedder()
    assert embed_database(notes, embedder).vectors == 9
    assert all(text.strip() for text in embedder.seen)
    with notes.reading() as reader:
        query = embedder.embed_query("topic5")
        assert reader.vectors.cosines(query, [1, 2]) == {1: 0.0, 2: 0.0}


# Quarters: what no ranking gives, two scores a rounding apart, would be a tie once scaled.
scores = st.dictionaries(st.integers(0, 30), st.integers(0, 200).map(lambda n: n / 4), max_size=15)
near = st.dictionaries(st.integers(0, 30), st.floats(-1, 1), max_size=15)


@given(scores, near, st.floats(0, 4))
def test_fusing_ranks_each_passage_once_by_the_sum(
    lexical: dict[int, float], cosine: dict[int, float], weight: float
) -> None:
    """A passage would be lost, or its score not be what the formula says."""
    fused = fuse(lexical, cosine, weight)
    assert set(fused) == set(lexical) | set(cosine)
    assert list(fused.values()) == sorted(fused.values(), reverse=True)
    highest = max(lexical.values(), default=0.0) or 1.0
    for passage in set(cosine):
        expected = lexical.get(passage, 0.0) / highest + weight * cosine[passage]
        assert fused[passage] == pytest.approx(expected)


@given(scores, st.floats(0, 4))
def test_without_vectors_the_order_is_the_lexical_one(
    lexical: dict[int, float], weight: float
) -> None:
    """Search would get worse by naming an embedder."""
    assert list(fuse(lexical, {}, weight)) == sorted(lexical, key=lambda p: (-lexical[p], p))


@given(scores, near, st.floats(0, 4))
def test_among_passages_without_a_vector_words_decide(
    lexical: dict[int, float], cosine: dict[int, float], weight: float
) -> None:
    """While vectors are being made, those who wait for theirs would be in any order."""
    fused = fuse(lexical, cosine, weight)
    waiting = sorted((p for p in lexical if p not in cosine), key=lambda p: -lexical[p])
    for better, worse in pairwise(waiting):
        assert fused[better] >= fused[worse] - 1e-9


def test_a_passage_without_a_vector_is_ranked_as_its_words_let_expect() -> None:
    """Half a database with vectors would push the other half out of sight."""
    lexical = {1: 10.0, 2: 8.0, 3: 6.0, 4: 4.0, 5: 2.0}
    cosine = {1: 0.8, 3: 0.6, 5: 0.4}
    assert list(fuse(lexical, cosine)) == [1, 2, 3, 4, 5]
