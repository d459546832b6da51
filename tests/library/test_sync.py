"""Keeping an index in step with its folder."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from rag_assistant.errors import FolderError, IndexDamaged, LibraryError
from rag_assistant.ingest.extraction import Extraction
from rag_assistant.library.library import Library
from rag_assistant.library.outcomes import record_of
from rag_assistant.library.progress import SyncProgress, SyncReport
from rag_assistant.library.searching import search_databases
from rag_assistant.store.sqlite.schema import SCHEMA_VERSION
from tests.conftest import settle, write_files


def counts(report: SyncReport) -> dict[str, int]:
    names = ("added", "updated", "unchanged", "moved", "deleted")
    return {name: value for name in names if (value := getattr(report, name))}


def ids(library: Library, name: str = "handbook") -> dict[str, int]:
    return {entry.path: entry.id for entry in library.database(name).entries()}


def test_a_folder_becomes_entries_with_exact_text(library: Library, handbook: Path) -> None:
    """Offsets of citations would point at other words than the file's."""
    report = library.index(handbook)
    assert counts(report) == {"added": 4}
    assert library.check("handbook") == []
    database = library.database("handbook")
    entry_id = ids(library)["leave/parental.md"]
    text = (handbook / "leave/parental.md").read_text(encoding="utf-8")
    assert database.text(entry_id) == text
    assert database.text(entry_id, 30, 47) == text[30:47]
    assert database.entry(entry_id).metadata["owner"] == "People team"
    for passage in database.passages(entry_id):
        place = passage.location
        assert passage.text == text[place.start : place.end]
        assert place.line == 1 + text.count("\n", 0, place.start)


def test_a_second_run_opens_no_file(library: Library, handbook: Path) -> None:
    """Re-indexing a large folder would take as long as indexing it."""
    settle(handbook)
    library.index(handbook)
    before = {p: p.stat().st_atime_ns for p in handbook.rglob("*.md")}
    for path in before:
        os.utime(path, ns=(0, path.stat().st_mtime_ns))  # a read would raise the access time
    library.index(handbook)  # the times above changed the ctime: this run reads and learns it
    for path in before:
        path.chmod(0o644)
    library.index(handbook)
    report = library.index(handbook)
    assert counts(report) == {"unchanged": 4}
    assert report.passages == 0


def test_edits_moves_and_deletions_are_seen_and_ids_survive(
    library: Library, handbook: Path
) -> None:
    """A citation written down yesterday would open another document today."""
    write_files(handbook, {f"more/page{n}.txt": f"Page number {n}." for n in range(8)})
    library.index(handbook)
    before = ids(library)
    (handbook / "notes.txt").write_text("The office opens at 08:00.")
    (handbook / "more/page1.txt").rename(handbook / "renamed.txt")
    (handbook / "more/page2.txt").unlink()
    (handbook / "new.txt").write_text("Something new.")
    report = library.index(handbook)
    assert counts(report) == {"added": 1, "updated": 1, "unchanged": 9, "moved": 1, "deleted": 1}
    after = ids(library)
    assert after["notes.txt"] == before["notes.txt"]
    assert after["renamed.txt"] == before["more/page1.txt"]
    assert after["new.txt"] > max(before.values())
    database = library.database("handbook")
    assert database.entry(after["renamed.txt"]).title == "renamed"
    assert [hit.path for hit in search_databases([database], "renamed", 5).hits] == ["renamed.txt"]
    assert not search_databases([database], "07:30", 5).hits
    assert library.check("handbook") == []


def test_an_id_is_never_given_out_again(library: Library, handbook: Path) -> None:
    """An old citation would open a new document that has nothing to do with it."""
    library.index(handbook)
    highest = max(ids(library), key=lambda path: ids(library)[path])
    gone = ids(library)[highest]
    (handbook / highest).unlink()
    library.index(handbook)
    write_files(handbook, {"later.txt": "Written later."})
    library.index(handbook)
    assert ids(library)["later.txt"] > gone


def test_a_file_written_again_within_a_tick_of_the_clock_is_seen(
    library: Library, handbook: Path
) -> None:
    """The second of two quick writes would never be indexed."""
    path = handbook / "notes.txt"
    path.write_text("First words.")
    stamp = path.stat()
    library.index(handbook)
    path.write_text("Other words!")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    library.index(handbook)
    assert search_databases([library.database("handbook")], "other", 5).hits


def test_a_file_read_within_a_tick_of_its_change_keeps_its_date() -> None:
    """ "What is new since yesterday?" would miss just the newest files."""
    for age, settled in ((0, False), (60 * 10**9, True)):
        changed = time.time_ns() - age
        read = Extraction("a.md", "read", stat=(5, changed, changed))
        record = record_of(read)
        assert record.mtime_ns == changed
        assert (record.ctime_ns == changed) == settled


def test_what_could_not_be_read_is_on_the_ledger_with_its_reason(
    library: Library, handbook: Path
) -> None:
    """A document would be missing from the answers without a word."""
    (handbook / "broken.pdf").write_bytes(b"%PDF-1.7 nothing more")
    (handbook / "empty.txt").touch()
    (handbook / "clip.mp4").write_bytes(bytes(range(256)))
    os.mkfifo(handbook / "pipe.txt")
    report = library.index(handbook)
    assert counts(report) == {"added": 4}
    assert [path for path, _ in report.failed] == ["broken.pdf"]
    skipped = dict(report.skipped)
    assert skipped["empty.txt"] == "empty"
    assert "pipe" in skipped["pipe.txt"]
    assert "no loader for .mp4" in skipped["clip.mp4"]
    again = library.index(handbook)
    assert (again.failed, sorted(again.skipped)) == (report.failed, sorted(report.skipped))
    database = library.database("handbook")
    assert [line.path for line in database.ledger("failed")] == ["broken.pdf"]
    assert {line.path for line in database.ledger("skipped")} == skipped.keys()


def test_a_file_that_can_no_longer_be_read_keeps_its_last_text(
    library: Library, handbook: Path
) -> None:
    """Saving a file badly would lose what was searchable."""
    (handbook / "notes.txt").write_bytes(b"\x00\x01\x02 binary now")
    library.index(handbook)
    write_files(handbook, {"notes.txt": "Good words."})
    library.index(handbook)
    (handbook / "notes.txt").write_bytes(b"\x00\x01\x02 binary now")
    report = library.index(handbook)
    assert "the text of the last good reading is kept" in dict(report.failed)["notes.txt"]
    assert search_databases([library.database("handbook")], "good", 5).hits


@pytest.mark.parametrize("how", ["emptied", "vanished", "halved"])
def test_a_folder_that_lost_its_files_keeps_its_entries_until_told(
    library: Library, handbook: Path, how: str
) -> None:
    """An unmounted disk would empty the database."""
    library.index(handbook)
    elsewhere = handbook.parent / "elsewhere"
    if how == "vanished":
        handbook.rename(elsewhere)
        with pytest.raises(FolderError, match="has gone"):
            library.index(handbook)
    else:
        names = ["leave/parental.md", "leave/annual.md", "notes.txt"]
        names += ["travel.html"] if how == "emptied" else []
        for name in names:
            (handbook / name).unlink()
        assert sorted(library.index(handbook).withheld) == sorted(names)
    assert len(ids(library)) == 4
    report = library.index(handbook, prune=True)
    assert report.deleted == (3 if how == "halved" else 4)
    assert len(ids(library)) == (1 if how == "halved" else 0)


def test_interrupting_keeps_what_was_done_and_the_next_run_goes_on(
    library: Library, handbook: Path
) -> None:
    """Ctrl-C in a long run would cost all of it, or leave half a file."""

    def interrupt(progress: SyncProgress) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    report = library.index(handbook, listener=interrupt)
    assert report.interrupted
    assert library.check("handbook") == []
    assert len(ids(library)) == 2
    assert counts(library.index(handbook)) == {"added": 2, "unchanged": 2}


def test_progress_counts_every_file(library: Library, handbook: Path) -> None:
    """The bar would stop short of the end, or run past it."""
    seen: list[SyncProgress] = []
    library.index(handbook, listener=seen.append)
    assert [(p.done, p.total) for p in seen] == [(0, 0)] + [(n, 4) for n in range(5)]


def test_bad_folders_and_names_are_refused_in_one_line(library: Library, handbook: Path) -> None:
    """A mistake would end in a traceback or leave an empty database behind."""
    (handbook / "inner").mkdir()
    (handbook.parent / "other" / "handbook").mkdir(parents=True)
    write_files(handbook.parent / "other" / "handbook", {"a.txt": "Words."})
    library.index(handbook)
    cases = [
        (handbook / "missing", None, FolderError, "There is no folder"),
        (handbook / "notes.txt", None, FolderError, "is a file, not a folder"),
        (handbook / "inner", None, FolderError, "holds no file that can be read"),
        (handbook.parent / "other" / "handbook", None, LibraryError, "already holds"),
        (handbook, "Bad Name", LibraryError, "cannot be the name"),
        (handbook, "../x", LibraryError, "cannot be the name"),
    ]
    for folder, name, kind, words in cases:
        with pytest.raises(kind, match=words) as caught:
            library.index(folder, name=name)
        assert "\n" not in str(caught.value)
        assert caught.value.hint
    assert library.names() == ["handbook"]


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path, handbook: Path) -> None:
    """The person would not know which folder to mend."""
    (tmp_path / "file").write_text("")
    with pytest.raises(LibraryError, match=r"home directory .* cannot be written"):
        Library(tmp_path / "file" / "home").index(handbook)


def test_a_damaged_database_is_told_and_rebuilt(library: Library, handbook: Path) -> None:
    """A broken file would end in a traceback, for ever."""
    library.index(handbook)
    path = library.database("handbook").path
    path.write_bytes(b"This is no database." * 500)
    with pytest.raises(IndexDamaged, match="is damaged") as caught:
        search_databases([library.database("handbook")], "leave", 5)
    assert "rag-assistant databases repair handbook" in caught.value.hint
    assert str(path) in caught.value.message
    report = library.index(handbook)
    assert report.notes[0].startswith("the database was damaged: the ids of 0 entries")
    assert "set aside" in report.notes[1]
    mended = library.repair("handbook")
    assert mended.notes[0].startswith("made anew: the ids of 4 entries could be read")
    assert search_databases([library.database("handbook")], "leave", 5).hits
    assert list(library.home.glob("handbook.damaged-*"))


def test_a_database_of_another_version_is_rebuilt_with_its_ids(
    library: Library, handbook: Path
) -> None:
    """An upgrade would break every citation that was kept."""
    library.index(handbook)
    (handbook / "notes.txt").unlink()
    library.index(handbook)
    before = ids(library)
    connection = sqlite3.connect(library.database("handbook").path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION - 1}")
    connection.close()
    with pytest.raises(IndexDamaged, match="another version"):
        search_databases([library.database("handbook")], "leave", 5)
    report = library.index(handbook)
    assert "rebuilt" in report.notes[0]
    assert ids(library) == before
    assert library.check("handbook") == []
    write_files(handbook, {"later.txt": "Later words."})
    library.index(handbook)
    assert ids(library)["later.txt"] == 5  # 4 was notes.txt's


def test_a_newer_database_is_made_anew_only_when_asked(library: Library, handbook: Path) -> None:
    """A program of before an update, on another machine or left running, would undo it."""
    library.index(handbook)
    before = ids(library)
    path = library.database("handbook").path
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    kept = path.read_bytes()
    with pytest.raises(LibraryError, match="a newer version") as refused:
        library.index(handbook)
    assert refused.value.hint.endswith("`rag-assistant databases repair handbook`.")
    assert path.read_bytes() == kept
    library.repair("handbook")
    assert ids(library) == before
    assert list(library.home.glob("handbook.damaged-*"))


def test_one_writer_at_a_time_and_readers_go_on(library: Library, handbook: Path) -> None:
    """Two processes would write into each other's work, or reading would wait for writing."""
    library.index(handbook)
    write_files(handbook, {"more.txt": "More words."})

    def look(progress: SyncProgress) -> None:
        if progress.total:
            assert search_databases([library.database("handbook")], "parental", 5).hits
            with pytest.raises(LibraryError, match="being changed by another process"):
                Library(library.home).index(handbook)

    library.index(handbook, listener=look)


def test_renaming_and_removing(indexed: Library, handbook: Path) -> None:
    """Housekeeping would lose entries, or leave files behind that come back."""
    indexed.rename("handbook", "staff")
    assert indexed.names() == ["staff"]
    assert search_databases([indexed.database("staff")], "parental", 5).hits
    assert indexed.index(handbook).database == "staff"
    with pytest.raises(LibraryError, match=r"no database 'staf'. Did you mean staff"):
        indexed.database("staf")
    indexed.remove("staff")
    assert indexed.names() == []
    assert not [path for path in indexed.home.iterdir() if path.stem == "staff"]
    assert handbook.is_dir()


def test_a_damaged_structure_inside_is_found_by_check(indexed: Library) -> None:
    """`check` would call a database whole whose search finds other words than it shows."""
    connection = sqlite3.connect(indexed.database("handbook").path)
    connection.execute("DROP TRIGGER passages_au")
    connection.execute("UPDATE passages SET text = 'other' WHERE id = 1")
    connection.commit()
    connection.close()
    found = indexed.check("handbook")
    assert any("full-text index" in problem for problem in found)
    assert any("another length than their span" in problem for problem in found)
