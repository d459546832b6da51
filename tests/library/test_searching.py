"""Searching databases at the same time: what cannot be read is left out, and it is said."""

import shutil
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest
from numpy.typing import NDArray

from rag_assistant.errors import IndexDamaged, LibraryError, ModelError
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import open_databases, search_databases
from rag_assistant.library.threads import IDLE_SECONDS, Threads
from tests.conftest import write_files

NAMES = ("alpha", "beta", "gamma")


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Three databases with an entry about cranes each."""
    library = Library(tmp_path / "home")
    for name in NAMES:
        text = f"# {name}\n\nThe crane of {name} lifts forty tonnes.\n"
        library.index(write_files(tmp_path / name, {f"{name}.md": text}))
    return library


def overwrite(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)


def cut(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def age(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def lose_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TABLE files")


HARMS: list[tuple[Callable[[Path], None], str]] = [
    (overwrite, "is damaged"),
    (cut, "is damaged"),
    (age, "another version"),
    (empty, "another version"),
    (lose_a_table, "is damaged"),
    (Path.unlink, "There is no database 'beta' any more"),
]


@pytest.mark.parametrize(("harm", "why"), HARMS, ids=lambda value: getattr(value, "__name__", ""))
def test_one_that_cannot_be_read_is_left_out_and_it_is_said(
    library: Library, harm: Callable[[Path], None], why: str
) -> None:
    """A single bad file would end every search, or its entries be missing without a word."""
    databases = library.databases()
    for suffix in ("-wal", "-shm"):
        databases[1].path.with_name(f"beta.db{suffix}").unlink(missing_ok=True)
    harm(databases[1].path)
    result = search_databases(databases, "crane", 5)
    assert {hit.database for hit in result.hits} == {"alpha", "gamma"}
    assert result.databases == ("alpha", "gamma")
    (note,) = result.notes
    assert note.startswith("left out beta: ")
    assert why in note
    mended_by = "databases repair beta" if why == "is damaged" else "index FOLDER"
    assert note.endswith(f"`rag-assistant {mended_by}`")


def test_none_that_can_be_read_is_an_error(library: Library) -> None:
    """A search of nothing would be shown as one that found nothing."""
    for name in NAMES:
        overwrite(library.database(name).path)
    with pytest.raises(IndexDamaged, match="'alpha' is damaged"):
        search_databases(library.databases(["alpha"]), "crane", 5)
    with pytest.raises(
        LibraryError, match=r"No database can be searched: .*'alpha'.*'beta'"
    ) as all_:
        search_databases(library.databases(), "crane", 5)
    assert "rag-assistant databases repair alpha" in all_.value.hint


def test_a_name_that_is_none_among_others_is_a_note(library: Library) -> None:
    """A database removed since would end a search of five others."""
    found, notes = open_databases(library, ["alpha", "gama", "alpha", "../x"])
    assert [database.name for database in found] == ["alpha"]
    assert notes[0] == "left out gama: There is no database 'gama'. Did you mean gamma?"
    assert notes[1].startswith("left out ../x: '../x' cannot be the name of a database")
    with pytest.raises(LibraryError, match="'gama'"):
        open_databases(library, ["gama"])
    shutil.rmtree(library.home)
    with pytest.raises(LibraryError, match="no database yet"):
        open_databases(library)


def test_all_take_a_step_at_the_same_time(library: Library) -> None:
    """Databases would wait for one another: five take five times as long as one."""
    meeting = threading.Barrier(len(NAMES), timeout=20)
    with closing(Threads(library.databases())) as threads:
        assert sorted(threads.ask(lambda part: (meeting.wait(), part.number)[1])) == [0, 1, 2]


def test_a_defect_is_no_damaged_database_and_leaves_no_thread(library: Library) -> None:
    """An error of the program would be told as a damaged file, or a thread go on for ever."""
    with pytest.raises(ZeroDivisionError), closing(Threads(library.databases())) as threads:
        threads.ask(lambda part: 1 // part.number)
    search_databases(library.databases(), "crane", 5)
    until = monotonic() + 10 * IDLE_SECONDS
    while searching() and monotonic() < until:
        sleep(0.05)
    assert not searching()


def searching() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("search ")}


def test_searches_one_after_another_share_a_thread_and_see_what_was_written(
    library: Library,
) -> None:
    """Each key typed would cost the opening of a file; or the search show what is gone."""
    alpha = library.database("alpha")
    assert search_databases([alpha], "crane", 5).hits
    before = searching()
    assert search_databases([alpha], "crane", 5).hits
    assert not searching() - before

    folder = library.home.parent / "alpha"
    library.index(write_files(folder, {"new.md": "# Winches\n\nA winch pulls.\n"}))
    assert [hit.title for hit in search_databases([alpha], "winch", 5).hits] == ["Winches"]

    shutil.copy(library.database("beta").path, alpha.path)
    assert [hit.title for hit in search_databases([alpha], "crane", 5).hits] == ["beta"]

    alpha.path.unlink()
    with pytest.raises(LibraryError, match="There is no database 'alpha' any more"):
        search_databases([alpha], "crane", 5)


def test_searches_of_many_threads_do_not_disturb_each_other(library: Library) -> None:
    """Two tools of one question would get each other's hits."""
    wrong: list[str] = []

    def search(name: str) -> None:
        for _ in range(5):
            best = search_databases(library.databases(), f"crane {name}", 1).hits[0]
            wrong.extend([] if best.database == name else [f"{name}: {best.database}"])

    threads = [threading.Thread(target=search, args=(name,)) for name in NAMES * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


class Senses:
    """Makes vectors by two senses, and counts the questions."""

    batch = 8
    destination = ""
    dimension = 2

    def __init__(self, name: str = "senses") -> None:
        self.name = name
        self.questions: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vector(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.questions.append(text)
        if "dead" in text:
            raise ModelError("127.0.0.1 refused the connection.", hint="Start the server.")
        return self._vector(text)

    def _vector(self, text: str) -> NDArray[np.float32]:
        lifts = any(word in text.lower() for word in ("crane", "hoist"))
        return np.array([1, 0] if lifts else [0, 1], np.float32)


@pytest.fixture
def embedder(library: Library) -> Senses:
    """An embedder, of which alpha and gamma have vectors."""
    embedder = Senses()
    library.embedder = embedder
    for name in ("alpha", "gamma"):
        embed_database(library.database(name), embedder, lambda _: None)
    return embedder


def test_the_vector_of_a_question_is_made_once(library: Library, embedder: Senses) -> None:
    """Ten databases would cost ten requests to the embedding model."""
    result = search_databases(library.databases(), "hoist", 5)
    assert embedder.questions == ["hoist"]
    assert result.by_meaning
    assert {hit.database for hit in result.hits} == {"alpha", "gamma"}


def test_a_database_without_vectors_is_ranked_among_those_that_have_them(
    library: Library, embedder: Senses, tmp_path: Path
) -> None:
    """Scores with and without meaning would be compared: one kind would always come first."""
    best = "# Best\n\nForty tonnes: the crane that lifts forty tonnes, and its crane driver.\n"
    library.index(write_files(tmp_path / "beta", {"best.md": best, "poor.md": "# P\n\nTonnes.\n"}))
    write_files(tmp_path / "alpha", {"poor.md": "# P\n\nForty words of something else.\n"})
    library.index(tmp_path / "alpha")
    embed_database(library.database("alpha"), embedder, lambda _: None)
    hits = search_databases(library.databases(), "crane driver lifts forty tonnes", 9).hits
    assert hits[0].path == "best.md"
    assert {hit.path for hit in hits[-2:]} == {"poor.md"}
    assert all("meaning" in hit.explanation for hit in hits[:3])


def test_what_hinders_meaning_is_said_once(library: Library, embedder: Senses) -> None:
    """Each database would repeat it."""
    result = search_databases(library.databases(), "dead crane", 5)
    assert not result.by_meaning
    assert result.notes == (
        "searched by words alone: 127.0.0.1 refused the connection. Start the server",
    )
    library.embedder = Senses("other")
    result = search_databases(library.databases(), "crane", 5)
    assert not result.by_meaning
    assert result.notes == (
        "alpha, gamma have vectors of senses (2 numbers), not of other: searched by words alone; "
        "make new ones: rag-assistant embed alpha gamma",
    )


def test_typing_asks_no_model(library: Library, embedder: Senses) -> None:
    """Each key would be a request to the embedding model."""
    assert search_databases(library.databases(), "cra", 5, profile="typing").hits
    assert embedder.questions == []


def test_data_does_not_drown_documents(tmp_path: Path) -> None:
    """A rule would stand below every export whose tags are words of the question."""
    rows = "".join(
        f"<invoice><deadline>2026-01-{n % 28 + 1:02}</deadline>"
        f"<customer>Firm {n}</customer></invoice>"
        for n in range(200)
    )
    exports = {f"export{n}.xml": f"<invoices>{rows}</invoices>" for n in range(5)}
    rule = {"rule.md": "# Invoices\n\nThe deadline of an invoice is thirty days.\n"}
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "office", exports | rule))
    result = search_databases(library.databases(), "deadline of an invoice", 5)
    assert [hit.path for hit in result.hits] == ["rule.md"]
    result = search_databases(library.databases(), "Firm 112", 5)
    assert all(hit.path.startswith("export") for hit in result.hits)
    assert result.hits


def test_lists_of_messages_stand_below_the_document_that_says_it(tmp_path: Path) -> None:
    """XML of a program repeats the words of a question in its values, and answers nothing."""
    texts = ["Deadline of an invoice", "Invoice deadline", "The invoice deadline has passed"] * 20
    strings = "".join(f'<string id="{at}">{text}</string>' for at, text in enumerate(texts))
    files = {f"strings{n}.xml": f"<r><n>{n}</n>{strings}</r>" for n in range(6)}
    files["rule.md"] = (
        "# Terms\n\nInvoices are payable within thirty days, which is the deadline. After the "
        "deadline of an invoice, interest of four per cent runs until the payment arrives.\n"
    )
    files["way.gpx"] = (
        "<gpx><trk><name>Round the lake</name><desc>Flat, on gravel</desc></trk></gpx>"
    )
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "office", files))
    hits = search_databases(library.databases(), "What is the deadline of an invoice?", 5).hits
    assert hits[0].path == "rule.md"
    assert hits[1].path.startswith("strings")
    (hit,) = search_databases(library.databases(), "gravel round the lake", 5).hits
    assert hit.path == "way.gpx"
    assert "<" not in hit.snippet
