"""Ids of entries that were deleted, remembered for a time: what comes back has its old id.

A folder may be moved away and back, a rule exclude it for a while, a disk be mounted late. An id is
found again by the file's path and the entry's key, or else by the file's bytes and the key.
"""

import sqlite3
from datetime import UTC, datetime, timedelta

REMEMBERED_DAYS = 90
"""How long an id is remembered after its entry was deleted."""


def remember(connection: sqlite3.Connection, file_id: int) -> None:
    """Remember the ids of all entries of a file that are about to be deleted."""
    _remember(connection, "entries.file_id = ?", file_id)


def remember_one(connection: sqlite3.Connection, entry_id: int) -> None:
    """Remember the id of an entry that is about to be deleted."""
    _remember(connection, "entries.id = ?", entry_id)


def _remember(connection: sqlite3.Connection, condition: str, value: int) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO former_ids (entry_id, path, key, hash, deleted)"
        " SELECT entries.id, files.path, entries.key, files.hash, ?"
        f" FROM entries JOIN files ON files.id = file_id WHERE {condition}",
        (_moment(datetime.now(UTC)), value),
    )


def former_id(connection: sqlite3.Connection, path: str, key: str, file_hash: str) -> int | None:
    """Give the id that an entry had before it was deleted, the latest there is; None for none."""
    row = connection.execute(
        "SELECT entry_id FROM former_ids WHERE key = ? AND (path = ? OR (hash = ? AND hash <> ''))"
        " ORDER BY path = ? DESC, deleted DESC, entry_id DESC LIMIT 1",
        (key, path, file_hash, path),
    ).fetchone()
    return None if row is None else int(row[0])


def take_back(connection: sqlite3.Connection, entry_id: int) -> None:
    """Forget an id that is in use again."""
    connection.execute("DELETE FROM former_ids WHERE entry_id = ?", (entry_id,))


def forget_old(connection: sqlite3.Connection) -> None:
    """Forget what was deleted too long ago."""
    oldest = _moment(datetime.now(UTC) - timedelta(days=REMEMBERED_DAYS))
    connection.execute("DELETE FROM former_ids WHERE deleted < ?", (oldest,))


def _moment(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
