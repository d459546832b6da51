"""The tables of a database file, and how a file of another version is told apart.

The index is a cache of a folder: there are no migrations. A file whose `PRAGMA user_version`
differs is rebuilt from its folder, and only the ids of its entries are carried over.
"""

import sqlite3
from pathlib import Path

from rag_assistant.errors import IndexDamaged
from rag_assistant.terms import TOKENIZER

SCHEMA_VERSION = 1
"""Raised with every change to the tables."""

FTS_COLUMNS = ("title", "heading", "text")
"""The indexed columns of `passages`, in the order of the ranking's weights."""


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty file and stamp its version."""
    # Imported here: it takes 150 ms, and only a new file needs it.
    from sqlite_utils import Database  # noqa: PLC0415

    db = Database(connection)
    db.enable_wal()
    db.table("meta").create({"key": str, "value": str}, pk="key")
    db.table("files").create(
        {
            "id": int,
            "path": str,
            "size": int,
            "mtime_ns": int,
            "ctime_ns": int,
            "hash": str,
            "loader": str,
            "status": str,
            "reason": str,
        },
        pk="id",
        not_null={"path", "status", "reason", "loader"},
    )
    db.table("files").create_index(["path"], unique=True)
    # By hand, because AUTOINCREMENT is what keeps an id from ever being given out again.
    db.execute(
        """
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file_id INTEGER NOT NULL REFERENCES files(id),
            key TEXT NOT NULL,
            title TEXT NOT NULL,
            titled_by_name INTEGER NOT NULL,
            media_type TEXT NOT NULL,
            length INTEGER NOT NULL,
            metadata TEXT NOT NULL,
            UNIQUE (file_id, key)
        )
        """
    )
    db.table("passages").create(
        {
            "id": int,
            "entry_id": int,
            "start": int,
            "end": int,
            "page": int,
            "line": int,
            "title": str,
            "heading": str,
            "text": str,
        },
        pk="id",
        foreign_keys=[("entry_id", "entries", "id")],
    )
    db.table("passages").create_index(["entry_id", "start"])
    db.table("passages").enable_fts(list(FTS_COLUMNS), tokenize=TOKENIZER, create_triggers=True)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.commit()


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise IndexDamaged, with the next step, where the file is not one of this version."""
    version = read_version(connection, path)
    if version != SCHEMA_VERSION:
        raise IndexDamaged(
            f"The database {path.stem!r} was made by another version of rag-assistant.",
            hint="Index its folder again: rag-assistant index FOLDER",
        )


def read_version(connection: sqlite3.Connection, path: Path) -> int:
    """Give the schema version of a file. Raises IndexDamaged where it is no SQLite file."""
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from error


def damaged(path: Path, error: Exception) -> IndexDamaged:
    """Say that a file cannot be read as a database."""
    return IndexDamaged(
        f"The database {path.stem!r} is damaged ({error}).",
        hint="Index its folder again; the damaged file is set aside: rag-assistant index FOLDER",
    )
