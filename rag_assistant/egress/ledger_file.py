"""The file of the ledger: its tables, opening it, and what is done when it is damaged."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rag_assistant.files.aside import aside_of, discard_file, replace_file
from rag_assistant.files.checking import Check, ExpectedFile
from rag_assistant.files.checking import problems as file_problems
from rag_assistant.files.layout import Layout, layout_of
from rag_assistant.files.private_files import private_file
from rag_assistant.files.salvage import copy_rows, drop_orphans, readable_copy

BUSY_SECONDS = 60.0
"""How long a request waits until its row can be written: on a loaded machine several may be at it,
and one whose row cannot be written is not sent."""

VERSION = 2
PAGE_BYTES = 4_096

TABLES = """
    CREATE TABLE IF NOT EXISTS sent (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,              -- ISO 8601, in UTC
        host TEXT NOT NULL,
        model TEXT NOT NULL,
        purpose TEXT NOT NULL,         -- as in provenance.Purpose
        databases TEXT NOT NULL,       -- a JSON list of names: whose words may be in it
        characters INTEGER NOT NULL,   -- of text, after masking
        bytes INTEGER NOT NULL,        -- of the whole request, pictures as well
        tokens INTEGER,                -- as the endpoint counted them, where it did
        masked INTEGER NOT NULL        -- secrets taken out
    );
    CREATE INDEX IF NOT EXISTS sent_at ON sent (at);
    CREATE TABLE IF NOT EXISTS sent_entries (
        sent INTEGER NOT NULL REFERENCES sent (id) ON DELETE CASCADE,
        "database" TEXT NOT NULL,
        entry INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS entries_of ON sent_entries (sent);
    CREATE TABLE IF NOT EXISTS leave (
        "database" TEXT NOT NULL,
        host TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY ("database", host)
    );
    -- Of each request that left, so that a letter or figure that turns into another is found.
    CREATE TABLE IF NOT EXISTS digests (
        sent INTEGER PRIMARY KEY REFERENCES sent (id) ON DELETE CASCADE,
        digest TEXT NOT NULL
    );
"""


def connect(path: Path) -> sqlite3.Connection:
    """Open the file at `path`, whose tables are made if there are none. Raises sqlite3.Error."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        if connection.execute("PRAGMA user_version").fetchone()[0] < VERSION:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(f"BEGIN IMMEDIATE; {TABLES}")
            for (number,) in connection.execute("SELECT id FROM sent").fetchall():
                keep_digest(connection, number)
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def keep_digest(connection: sqlite3.Connection, number: int) -> None:
    """Keep the digest of a request, as its row is now."""
    connection.execute(
        "INSERT OR REPLACE INTO digests VALUES (?, ?)", (number, _digest(connection, number))
    )


def _digest(connection: sqlite3.Connection, number: int) -> str:
    whole = blake2b(digest_size=16)
    for part in (
        "SELECT * FROM sent WHERE id = ?",
        'SELECT "database", entry FROM sent_entries WHERE sent = ? ORDER BY "database", entry',
    ):
        for row in connection.execute(part, (number,)):
            whole.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


def _changed(connection: sqlite3.Connection) -> list[str]:
    kept = connection.execute("SELECT sent, digest FROM digests").fetchall()
    count = sum(digest != _digest(connection, number) for number, digest in kept)
    return [f"{count} requests are not what was written down"] if count else []


def problems(path: Path) -> list[str]:
    """List what is wrong with the file, each in one line. One that is not there is whole."""
    if not path.exists() or not path.stat().st_size:
        return []
    try:
        with closing(sqlite3.connect(path)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            odd = [f"it calls itself one of version {version}"] if version > VERSION else []
            if version < VERSION:  # it gets what it lacks when it is opened the next time
                return file_problems(connection, ExpectedFile(Layout({}, frozenset()), _TEXTS))
            return odd + (file_problems(connection, _form()) or _changed(connection))
    except (sqlite3.DatabaseError, ValueError) as error:
        return [str(error)]


def mend(path: Path) -> str:
    """Put a file of the rows that can be read in the place of a damaged one; say what was kept.

    Leave is not taken over: one letter that has turned into another would give it to another host.
    The person is asked once more. Raises OSError, sqlite3.Error.
    """
    fresh = path.with_suffix(".new")
    discard_file(fresh)
    private_file(fresh)
    with closing(connect(fresh)) as sound:
        with readable_copy(path, (PAGE_BYTES,)) as damaged:
            if damaged:
                copy_rows(damaged, sound, _amend)
        drop_orphans(sound)
        odd = _changed(sound)
        for (number,) in sound.execute("SELECT id FROM sent").fetchall():
            keep_digest(sound, number)
        (count,) = sound.execute("SELECT count(*) FROM sent").fetchone()
    aside = aside_of(path)
    replace_file(path, fresh, aside)
    return (
        f"the record of what left was set aside as {aside}; {count} of its requests could be read"
        f" and are kept{''.join(f' ({one})' for one in odd)}. Leave that was given is asked for"
        " again."
    )


@cache
def _form() -> ExpectedFile:
    with closing(sqlite3.connect(":memory:")) as sound:
        sound.executescript(TABLES)
        return ExpectedFile(layout_of(sound), _TEXTS)


def _names(text: str) -> None:
    if not all(isinstance(name, str) for name in list(json.loads(text))):
        raise TypeError("no names")


_SENT: dict[str, Check] = {"databases": _names, "at": datetime.fromisoformat}
_TEXTS = {("sent", column): check for column, check in _SENT.items()}


def _amend(table: str, row: dict[str, Any]) -> bool:
    """Put right a row that was read of a damaged file; false for one that is to be left out."""
    if table == "sent":
        for column, check in _SENT.items():
            try:
                check(row[column])
            except (ValueError, TypeError, RecursionError):
                now = datetime.now(UTC).isoformat(timespec="seconds")
                row[column] = {"databases": "[]", "at": now}[column]
    return table != "leave"
