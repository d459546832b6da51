"""What cannot be looked into for one run keeps its ids; what is gone is remembered for a time."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rag_assistant.errors import EntryNotFound
from rag_assistant.ingest.walk import WalkRules
from rag_assistant.library.library import Library
from rag_assistant.library.rules import ReadingRules
from rag_assistant.library.searching import search_databases
from rag_assistant.library.why_not import why_not
from rag_assistant.store.sqlite.former_ids import REMEMBERED_DAYS
from rag_assistant.values.scope import Scope
from tests.conftest import settle, write_files

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "top.md": "# Top\n\nThe crane stands at the top.\n",
    "more.md": "# More\n\nThe crane and more of it.\n",
    "last.md": "# Last\n\nThe crane comes last.\n",
    "disk/one.md": "# One\n\nThe crane of number one.\n",
    "disk/two.md": "# Two\n\nThe crane of number two.\n",
}


def ids(library: Library) -> dict[str, int]:
    return {entry.path: entry.id for entry in library.database("f").entries()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_files(tmp_path / "f", FILES)
    settle(folder)
    return folder


def test_a_folder_that_may_not_be_read_is_withheld_and_comes_back() -> None:
    """A mistake in who may read a folder would cost every id in it, and say "2 deleted"."""
    code = """
import json, os, sys
from pathlib import Path
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
work = Path(sys.argv[1])
library, folder = Library(work / "home"), work / "f"
def look():
    report = library.index(folder)
    database = library.database("f")
    print(json.dumps({
        "ids": {entry.path: entry.id for entry in database.entries()},
        "found": sorted(hit.path for hit in search_databases([database], "crane", 9).hits),
        "withheld": [line.path for line in database.ledger("withheld")],
        "unseen": report.unseen, "deleted": report.deleted, "check": library.check("f"),
    }))
look()
(folder / "disk").chmod(int(sys.argv[2], 8))
if not os.getuid():  # root may read everything
    for path in (work, *work.rglob("*")):
        os.chown(path, 65534, -1)
    os.seteuid(65534)
look()
os.seteuid(os.getuid())
(folder / "disk").chmod(0o755)
look()
"""
    for mode in ("000", "444"):  # not to be listed; to be listed, and nothing in it to be looked at
        with tempfile.TemporaryDirectory() as scratch:
            write_files(Path(scratch) / "f", FILES)
            settle(Path(scratch))
            done = subprocess.run(
                [sys.executable, "-c", code, scratch, mode],
                cwd=ROOT, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            before, meanwhile, after = map(json.loads, done.stdout.splitlines())
        assert meanwhile["withheld"] == ["disk/one.md", "disk/two.md"]
        assert "permission denied" in meanwhile["unseen"][0][1]
        assert meanwhile["found"] == ["last.md", "more.md", "top.md"]
        assert after["ids"] == before["ids"]
        assert after["found"] == before["found"]
        assert [one["deleted"] for one in (before, meanwhile, after)] == [0, 0, 0]
        assert [one["check"] for one in (before, meanwhile, after)] == [[], [], []]


def test_a_disk_that_is_not_mounted_is_no_empty_folder(library: Library, tmp_path: Path) -> None:
    """An empty mount point, or one that the system removed, would empty the database."""
    if (
        not os.access("/dev/shm", os.W_OK)
        or Path("/dev/shm").stat().st_dev == tmp_path.stat().st_dev
    ):
        pytest.skip("there is no second file system to try it with")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as other:
        folder = write_files(tmp_path / "f", {k: v for k, v in FILES.items() if "/" not in k})
        disk = write_files(Path(other) / "d", {"one.md": "The crane of one.", "two.md": "Two."})
        settle(folder)
        settle(disk)
        (folder / "disk").symlink_to(disk)
        library.index(folder, reading=ReadingRules(WalkRules(follow_links="anywhere")))
        before = ids(library)
        for put in ("empty", "link to nothing", "nothing"):
            (folder / "disk").unlink()
            if put == "empty":
                (folder / "disk").mkdir()
            elif put == "link to nothing":
                (folder / "disk").symlink_to(Path(other) / "gone")
            report = library.index(folder)
            assert [path for path, _ in report.unseen] == ["disk/one.md", "disk/two.md"], put
            assert report.deleted == 0
            assert library.plan(folder).gone == ()
            assert len(ids(library)) == 3
            if put == "empty":
                (folder / "disk").rmdir()
            (folder / "disk").unlink(missing_ok=True)
            (folder / "disk").symlink_to(disk)
            assert library.index(folder).unseen == []
            assert ids(library) == before
        (folder / "disk").unlink()  # whoever means it, says so
        assert library.index(folder, prune=True).deleted == 2
        assert library.index(folder).unseen == []


def test_what_is_withheld_is_hidden_from_all_that_reads(library: Library, folder: Path) -> None:
    """An answer would rest on words that nobody can compare with their source."""
    outside = folder.parent / "outside"
    (folder / "disk").rename(outside)
    (folder / "disk").symlink_to(outside)
    library.index(folder, reading=ReadingRules(WalkRules(follow_links="anywhere")))
    known = ids(library)
    outside.rename(folder.parent / "away")
    library.index(folder)
    database = library.database("f")
    assert database.figures().withheld == 2
    assert database.figures().entries == 3
    with pytest.raises(EntryNotFound, match=r"disk/one.md, is withheld: disk: link to nothing"):
        database.entry(known["disk/one.md"])
    part = library.database(Scope("f", ("disk/", "top.md")))
    assert [hit.path for hit in search_databases([part], "crane", 9).hits] == ["top.md"]
    assert [
        hit.path for hit in search_databases([database], "number two", 9).hits if "disk" in hit.path
    ] == []
    (line,) = why_not(library, str(folder / "disk" / "one.md"))
    assert "is withheld: disk: link to nothing" in line


def test_what_was_moved_away_comes_back_with_its_ids(library: Library, folder: Path) -> None:
    """Citations would name other documents after a folder was away for one run."""
    library.index(folder)
    before = ids(library)
    (folder / "disk").rename(folder.parent / "away")
    assert library.index(folder).deleted == 2
    write_files(folder, {"new.md": "# New\n\nWhat came meanwhile.\n"})
    library.index(folder)
    assert ids(library)["new.md"] not in before.values()
    shutil.move(folder.parent / "away", folder / "elsewhere")
    library.index(folder)
    now = ids(library)
    assert now["elsewhere/one.md"] == before["disk/one.md"]
    assert now["elsewhere/two.md"] == before["disk/two.md"]
    assert library.check("f") == []


def test_ids_are_forgotten_when_the_time_is_over(library: Library, folder: Path) -> None:
    """What a person deleted would be remembered by its name for ever."""
    library.index(folder)
    (folder / "disk" / "one.md").unlink()
    library.index(folder)
    old = datetime.now(UTC) - timedelta(days=REMEMBERED_DAYS + 1)
    with closing(sqlite3.connect(library.database("f").path, isolation_level=None)) as connection:
        assert connection.execute("SELECT path FROM former_ids").fetchall() == [("disk/one.md",)]
        connection.execute("UPDATE former_ids SET deleted = ?", (old.isoformat(),))
    library.index(folder)
    with closing(sqlite3.connect(library.database("f").path)) as connection:
        assert connection.execute("SELECT count(*) FROM former_ids").fetchone() == (0,)


def test_a_database_of_before_there_was_such_a_thing_is_read_and_written(
    library: Library, folder: Path
) -> None:
    """Every database that there is would be called damaged after the update."""
    library.index(folder)
    with closing(sqlite3.connect(library.database("f").path, isolation_level=None)) as connection:
        connection.execute("DROP TABLE withheld")
        connection.execute("DROP TABLE former_ids")
    assert library.check("f") == []
    assert library.database("f").figures().withheld == 0
    (folder / "top.md").unlink()
    assert library.index(folder).deleted == 1
    assert library.check("f") == []
