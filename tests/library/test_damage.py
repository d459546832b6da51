"""Databases with bad bytes: told with the file and the command, the others searched, ids kept."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rag_assistant.errors import FolderError, IndexDamaged, LibraryError
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from tests.conftest import IndexOnce, write_files

MANY = 120


@pytest.fixture
def both(library: Library, tmp_path: Path, index_once: IndexOnce) -> Library:
    """A database of many files, and a small one."""
    many = {
        f"n{n:03}.md": f"# Note {n}\n\nThe crane number{n} lifts größer.\n" for n in range(MANY)
    }
    for folder, files in (("notes", many), ("other", {"a.md": "# A\n\nThe crane of other.\n"})):
        index_once(library, write_files(tmp_path / folder, files))
    return library


def ids(library: Library) -> dict[str, int]:
    return {entry.path: entry.id for entry in library.database("notes").entries()}


def change(path: Path, statement: str, *values: object) -> None:
    """Change rows behind the program's back, with the triggers that would take notice gone."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(statement, values)


def bad_text(path: Path) -> None:
    data = path.read_bytes()
    at = data.index("größer".encode()) + 3
    path.write_bytes(data[:at] + b"\xff" + data[at + 1 :])


def bad_title(path: Path) -> None:
    change(path, "UPDATE entries SET title = CAST(X'ff41' AS TEXT) WHERE id = 3")


def number_for_text(path: Path) -> None:
    change(path, "UPDATE files SET path = X'41' WHERE id = 3")


def bad_json(path: Path) -> None:
    change(path, "UPDATE entries SET metadata = '{\"a' WHERE id = 3")


def bad_rules(path: Path) -> None:
    change(path, "UPDATE meta SET value = '{\"walk\": 3}' WHERE key = 'reading'")


def bad_offset(path: Path) -> None:
    change(path, 'UPDATE passages SET start = 7, "end" = 5 WHERE id = 3')


def another_letter(path: Path) -> None:
    data = path.read_bytes()
    at = data.index(b"The crane number7 ")
    path.write_bytes(data[:at] + b"Tha" + data[at + 3 :])


def lost_table(path: Path) -> None:
    change(path, "DROP TABLE entries")


def lost_end(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def lost_header(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(bytes(24) + data[24:])


HARMS = (
    bad_text, bad_title, number_for_text, bad_json, bad_rules, bad_offset, another_letter,
    lost_table, lost_end, lost_header,
)  # fmt: skip


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_what_is_damaged_is_found_by_check_and_mended_by_repair(
    both: Library, harm: Callable[[Path], None]
) -> None:
    """A damaged file would be called whole, or the command that is named leave it as it is."""
    before = ids(both)
    harm(both.database("notes").path)
    found = search_databases(both.databases(), "crane", 5)
    assert "other" in found.databases
    assert all("repair notes" in note for note in found.notes if note.startswith("left out"))
    assert both.check("notes")
    report = both.repair("notes")
    assert both.check("notes") == []
    (aside,) = both.home.glob("notes.damaged-*")
    assert any(str(aside) in note for note in report.notes)
    now = ids(both)
    assert now.keys() == before.keys()
    if harm not in (lost_table, lost_end):  # where rows are lost, so may their ids be
        assert now == before
    assert (
        search_databases([both.database("notes")], "crane number7", 1).hits[0].entry_id
        == now["n007.md"]
    )


def test_one_bad_byte_is_told_by_the_search_that_meets_it(both: Library) -> None:
    """Every search with that database in it would end in an internal error."""
    path = both.database("notes").path
    bad_title(path)
    bad_text(path)
    with pytest.raises(IndexDamaged) as told:
        both.database("notes").entries()
    assert str(path) in told.value.message
    assert told.value.hint == "Mend it: `rag-assistant databases repair notes`."


def test_indexing_again_mends_what_it_meets(both: Library, tmp_path: Path) -> None:
    """ "30 unchanged", and the search as broken as before."""
    before = ids(both)
    number_for_text(both.database("notes").path)
    (tmp_path / "notes" / "n005.md").write_text("# Note 5\n\nChanged.\n")
    both.index(tmp_path / "notes")
    assert both.check("notes") == []
    assert ids(both) == before


def test_a_database_that_does_not_know_its_folder_asks_for_it(
    both: Library, tmp_path: Path
) -> None:
    """The command that is named would end in another error, with no way on."""
    path = both.database("notes").path
    path.write_bytes(b"nothing of a database" * 999)
    with pytest.raises(LibraryError, match="does not say any more which folder") as told:
        both.repair("notes")
    assert "repair notes --folder FOLDER" in told.value.hint
    assert both.repair("notes", tmp_path / "notes").added == MANY
    assert both.check("notes") == []


def test_a_folder_that_is_not_there_costs_nothing(both: Library, tmp_path: Path) -> None:
    """Repairing while the disk is not mounted would leave an empty database."""
    (tmp_path / "notes").rename(tmp_path / "away")
    path = both.database("notes").path
    bad_json(path)
    before = path.read_bytes()
    with pytest.raises(FolderError, match="There is no folder"):
        both.repair("notes")
    assert path.read_bytes() == before


def test_a_database_that_is_locked_is_not_taken_for_damaged(
    both: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole database would be set aside because another program is reading it."""
    monkeypatch.setattr("rag_assistant.store.sqlite.connections.BUSY_SECONDS", 0.1)
    path = both.database("notes").path
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("PRAGMA journal_mode = DELETE")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LibraryError, match="cannot be written"):
            both.index(tmp_path / "notes", name="notes")
        holder.execute("ROLLBACK")
    assert not list(both.home.glob("notes.damaged-*"))


def test_vectors_rules_and_what_was_allowed_come_along(both: Library) -> None:
    """Mending would cost what a person decided, or what was paid for."""
    both.allow("notes", allowed=True)
    bad_title(both.database("notes").path)
    both.repair("notes")
    with closing(sqlite3.connect(both.database("notes").path)) as connection:
        facts = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    assert "suspicious_allowed" in facts
    assert facts["reading"]
