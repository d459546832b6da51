"""The file of a database, as another program finds it."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.store.links import Link, link_at, write_link
from rag_assistant.store.sqlite.connections import opened
from rag_assistant.store.sqlite.store import SqliteStore
from tests.conftest import write_files
from tests.store.making import entry_of, file_of, write

PAGE = Path(__file__).parents[2] / "docs" / "database.md"


TRY_FOR_ALL = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:  # the bytes that every reader of SQLite has a share of
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
    except OSError:
        print("held")
"""


def tables_of(path: Path) -> dict[str, list[str]]:
    """Give the columns of each table, as SQLite tells them to anybody."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        own = ("sqlite_", "passages_fts_")
        names = [name for (name,) in found if not name.startswith(own)]
        return {
            name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            for name in names
        }


def test_the_page_explains_every_table_and_column(tmp_path: Path) -> None:
    """Whoever opens the file with another tool would have to guess."""
    path = tmp_path / "f.db"
    write(SqliteStore(path), {file_of("a.md", 1): [entry_of("The crane lifts.", "Crane")]})
    rows = {
        row[0]: row[1]
        for row in re.findall(r"^\| `(\w+)` \|[^|]*\|(.*)\|$", PAGE.read_text("utf-8"), re.M)
    }
    tables = tables_of(path)
    assert rows.keys() - {"vectors"} == tables.keys()
    for table, columns in tables.items():
        assert {name for name in columns if f"`{name}`" not in rows[table]} == set(), table


@pytest.mark.parametrize("rounds", [1, 2])
def test_the_log_of_a_run_is_folded_back(library: Library, tmp_path: Path, rounds: int) -> None:
    """A file of many times what was written would stay beside the database."""
    folder = tmp_path / "f"
    for number in range(rounds):
        notes = {
            f"{n}.md": f"# Note {n}\n\nRound {number}. " + "A winch. " * 90 for n in range(300)
        }
        write_files(folder, notes)
        library.index(folder)
    path = library.database("f").path
    log = path.with_name(f"{path.name}-wal")
    assert not log.exists() or log.stat().st_size == 0


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked otherwise on Windows")
def test_no_look_at_a_database_lets_go_of_what_is_being_read(
    library: Library, tmp_path: Path
) -> None:
    """Another process would write over what a search reads, and the database seem damaged."""
    folder = tmp_path / "f"
    write_files(folder, {"a.md": "# Crane\n\nThe crane lifts."})
    library.index(folder)
    database = library.database("f")
    looks: list[Callable[[], object]] = [
        lambda: None,
        lambda: library.index(folder),
        lambda: [database.figures(), database.coverage(), database.entries(), library.check("f")],
        lambda: [library.names(), library.database("f").folder(), list(library.scan(folder))],
        lambda: database.text(1),
    ]
    with opened(database.path) as reader:
        reader.execute("SELECT count(*) FROM passages").fetchone()
        for look in looks:
            look()
            command = [sys.executable, "-c", TRY_FOR_ALL, str(database.path)]
            assert subprocess.check_output(command, text=True) == "held\n"


def test_a_link_is_no_database_however_long_it_is(tmp_path: Path) -> None:
    """A database elsewhere would not be found for the length of its address."""
    path = tmp_path / "team.db"
    for length in range(512):
        link = Link((f"https://search.example/{'x' * length}",), "team")
        write_link(path, link)
        assert link_at(path) == link
