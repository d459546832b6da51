"""Databases that are damaged, locked, of another version, or half indexed: a line, and a way on."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.library.sync import COMMIT_SECONDS
from rag_assistant.store.sqlite import connections
from rag_assistant.tui.library.screen import LibraryScreen
from tests.ingest.pdf_writer import pdf, words
from tests.tui.first_run import begun
from tests.tui.screen import NARROW, opened

MANY = 1_200
"""Files whose indexing is killed half way: enough that some are left when the first are kept."""


async def test_a_damaged_database_names_the_key_that_mends_it(
    assistant: Assistant, folder: Path
) -> None:
    """If it fails, a damaged file is a traceback, or an assistant that knows nothing."""
    (assistant.library.home / "staff.db").write_bytes(b"this is no database at all" * 100)
    async with opened(assistant, NARROW) as shown:
        await shown.until(lambda: "'staff' is damaged" in shown.words(), "the sentence")
        assert "Mend it: F4, then m." in shown.words()
        assert "Traceback" not in shown.text()
        await shown.type_and_send("Hello?")
        await shown.until(lambda: shown.box.text == "Hello?", "the question to come back")
        await shown.pilot.press("f4")
        await shown.until(lambda: "m Repair" in shown.text(), "the key")
        await shown.pilot.press("m")
        await shown.until(lambda: "anew from its folder" in shown.text(), "the question for it")
        await shown.pilot.press("enter")
        await shown.until(lambda: "Write the path of its folder" in shown.text(), "the reason")
        await shown.pilot.press(*str(folder), "enter")
        await shown.until(lambda: "staff is repaired" in shown.text(), "the repair")
        await shown.until(lambda: "3 documents" in shown.text(), "the database")
        assert "m Repair" not in shown.text(), "there is nothing to repair any more"


@pytest.mark.parametrize(
    ("version", "said", "key"),
    [
        (99, "a newer version", "made anew for this version: F4, then m."),
        (1, "another version", "F5 reads it again"),
    ],
)
async def test_a_database_of_another_version_names_the_key(
    assistant: Assistant, folder: Path, version: int, said: str, key: str
) -> None:
    """If it fails, a database of another version looks broken, and nobody knows what to do."""
    with closing(sqlite3.connect(assistant.library.home / "staff.db")) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    async with opened(assistant) as shown:
        await shown.until(lambda: said in shown.words(), "the sentence")
        assert key in shown.words()
        assert f"Itsfolder:{folder}" in shown.words().replace(" ", "")


async def test_a_locked_database_is_named(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a program that holds the database makes this one wait for ever, or fail."""
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.1)
    path = assistant.library.home / "staff.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("PRAGMA journal_mode = DELETE")
        holder.execute("BEGIN EXCLUSIVE")
        async with opened(assistant) as shown:
            await shown.until(lambda: "held by another process" in shown.words(), "the sentence")
            assert "Traceback" not in shown.text()
            assert shown.box.has_focus


@pytest.mark.soak
async def test_what_a_killed_run_left_is_gone_on_with(assistant: Assistant, tmp_path: Path) -> None:
    """If it fails, a crash while a folder is indexed leaves files out, or has them twice."""
    many = tmp_path / "many"
    many.mkdir()
    for number in range(MANY):
        (many / f"{number}.md").write_text(f"# Note {number}\n\n{'words ' * 2_800}\n")
    home = assistant.library.home
    command = [sys.executable, "-m", "rag_assistant", "--home", str(home), "index", str(many)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        # What is written is kept every second: it stands still for one, instead of being kept busy.
        while process.poll() is None and not (home / "many.db-shm").exists():
            time.sleep(0.001)
        process.send_signal(signal.SIGSTOP)
        time.sleep(COMMIT_SECONDS)
        process.send_signal(signal.SIGCONT)
        while process.poll() is None and not _entries(home / "many.db"):
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.communicate()
    assert 0 < _entries(home / "many.db") < MANY
    async with opened(assistant) as shown:
        await shown.until(
            lambda: any(row.name == "many" and row.whole for row in shown.rows),
            "the rest",
        )
        database = assistant.library.database("many")
        assert [entry.path for entry in database.entries()] == sorted(
            {entry.path for entry in database.entries()}
        )
        figures = database.figures()
        assert figures.entries == MANY
        assert str(MANY) in shown.words("#databases")


def _entries(path: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


async def test_files_that_cannot_be_read_are_in_the_library_with_reasons(
    empty: Assistant, folder: Path
) -> None:
    """If it fails, one odd file keeps a folder from being indexed, or is left out in silence."""
    (folder / "empty.md").touch()
    (folder / "secret.pdf").write_bytes(pdf([words("secret")], encrypted=True))
    with (folder / "huge.txt").open("wb") as stream:
        stream.truncate(2 << 30)
    (folder / "round").symlink_to(folder)
    closed = folder / "closed.md"
    closed.write_text("# Closed", encoding="utf-8")
    closed.chmod(0)
    expected = {"empty.md", "secret.pdf", "huge.txt", "round"}
    expected |= set() if os.geteuid() == 0 else {"closed.md"}
    async with begun(empty, folder) as shown:
        await shown.pilot.press("enter")
        await shown.until(lambda: shown.rows and shown.rows[0].whole, "the end")
        database = empty.library.database("staff")
        lines = [line for status in ("failed", "skipped") for line in database.ledger(status)]
        assert expected <= {line.path for line in lines}
        assert all(line.reason for line in lines)
        await shown.pilot.press("f4")
        await shown.until(lambda: isinstance(shown.app.screen, LibraryScreen), "the library")
        await shown.until(lambda: "staff" in shown.text(), "the database")
