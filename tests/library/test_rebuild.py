"""A database of another version is made anew: ids, rules of reading and vectors come along."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rag_assistant.ingest.walk import WalkRules
from rag_assistant.library.database import Database
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.library.progress import SyncProgress
from rag_assistant.library.rules import ReadingRules
from rag_assistant.library.searching import search_databases
from rag_assistant.models.embedders import EndpointEmbedder
from rag_assistant.store.sqlite.schema import SCHEMA_VERSION
from tests.conftest import write_files
from tests.models.embedding_server import EmbeddingServer

NOTES = 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {f"n{number}.txt": f"Note {number} tells of topic{number}\n" for number in range(NOTES)}
    return write_files(tmp_path / "notes", files)


def make_old(database: Database, *changes: str) -> None:
    """Make a database look like one of another version."""
    with closing(sqlite3.connect(database.path, isolation_level=None)) as connection:
        for change in (*changes, f"PRAGMA user_version = {SCHEMA_VERSION - 1}"):
            connection.execute(change)


def vectors_by_text(database: Database) -> dict[str, bytes]:
    with closing(sqlite3.connect(database.path)) as connection:
        rows = "SELECT text, vector FROM vectors JOIN passages ON id = passage_id"
        return dict(connection.execute(rows).fetchall())


def embedded(library: Library, folder: Path, server: EmbeddingServer) -> Database:
    library.index(folder)
    database = library.database("notes")
    embed_database(database, EndpointEmbedder(server.settings(), {}))
    return database


def test_vectors_of_unchanged_text_are_not_made_again(library: Library, folder: Path) -> None:
    """An upgrade would send, and pay for, every text of every database once more."""
    with EmbeddingServer() as server:
        database = embedded(library, folder, server)
        before = vectors_by_text(database)
        (folder / "n2.txt").write_text("Something about whales\n")
        make_old(database)
        library.index(folder)
        kept = vectors_by_text(database)
        assert kept == {text: before[text] for text in before if "topic2" not in text}
        requests = len(server.requests)
        assert embed_database(database, EndpointEmbedder(server.settings(), {})).embedded == 1
        assert [body["input"] for body in server.requests[requests:]] == [
            ["dimension"],
            ["n2\nSomething about whales"],
        ]
        assert library.check("notes") == []


def test_vectors_wait_for_a_run_that_was_interrupted(library: Library, folder: Path) -> None:
    """Ctrl-C during the first run after an upgrade would cost the vectors."""

    def stop(progress: SyncProgress) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    with EmbeddingServer() as server:
        database = embedded(library, folder, server)
        before = vectors_by_text(database)
        make_old(database)
        assert library.index(folder, listener=stop).interrupted
        library.index(folder)
        assert vectors_by_text(database) == before


def test_kept_vectors_of_another_model_are_forgotten(library: Library, folder: Path) -> None:
    """Vectors of two models would stand beside each other, and be compared."""

    def stop(progress: SyncProgress) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    with EmbeddingServer() as server, EmbeddingServer(dimension=8) as other:
        database = embedded(library, folder, server)
        make_old(database)
        library.index(folder, listener=stop)
        embed_database(database, EndpointEmbedder(other.settings(), {}))
        library.index(folder)
        found = database.coverage()
        assert found.kind is not None
        assert (found.kind.dimension, found.vectors, found.passages) == (8, 2, NOTES)


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE vectors",
        "ALTER TABLE vectors RENAME COLUMN vector TO numbers",
        "ALTER TABLE passages RENAME COLUMN heading TO above",
        "DELETE FROM meta WHERE key = 'vectors_dimension'",
        "UPDATE meta SET value = 'many' WHERE key = 'vectors_dimension'",
        "UPDATE meta SET value = '{\"walk\": {\"unknown\": 1}}' WHERE key = 'reading'",
        "DROP TABLE meta",
    ],
)
def test_what_another_version_keeps_otherwise_is_left_behind(
    library: Library, folder: Path, change: str
) -> None:
    """A database of a version that keeps vectors in another way could not be opened any more."""
    with EmbeddingServer() as server:
        database = embedded(library, folder, server)
        ids = {entry.path: entry.id for entry in database.entries()}
        triggers = [f"DROP TRIGGER {name}" for name in ("vectors_of_deleted", "vectors_of_changed")]
        make_old(database, *triggers, change)
        report = library.index(folder)
        assert (report.added + report.updated, report.failed) == (NOTES, [])
        assert {entry.path: entry.id for entry in database.entries()} == ids
        assert search_databases([database], "topic3", 1).hits[0].title == "n3"
        embed_database(database, EndpointEmbedder(server.settings(), {}))
        assert database.coverage().vectors == NOTES


def test_the_rules_of_reading_hold_after_a_rebuild(library: Library, folder: Path) -> None:
    """An upgrade would read what a person had excluded, such as private files."""
    write_files(folder, {"private/diary.txt": "Dear diary\n"})
    rules = ReadingRules(WalkRules(exclude=("private/",)))
    library.index(folder, reading=rules)
    make_old(library.database("notes"))
    library.index(folder)
    assert len(library.database("notes").entries()) == NOTES
    assert search_databases([library.database("notes")], "diary", 1).hits == ()
