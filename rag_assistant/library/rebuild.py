"""Carrying over from a database of another version what its folder cannot give back.

The tables `files (id, path, hash)` and `entries (id, file_id, key)` are the part of the schema that
every version keeps, so that a citation written down years ago still names the same document. The
rules of reading and the vectors come along where the other version kept them as this one does.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path

from rag_assistant.index.vectors import keep_vectors
from rag_assistant.suspicion_rows import ALLOW_ALL


def carry_over(old: Path, connection: sqlite3.Connection) -> None:
    """Copy files and entries without their text, so that every file then counts as changed."""
    # By its path: an address of SQLite's own is understood by some builds of it only.
    connection.execute("ATTACH ? AS old", (str(old.absolute()),))
    _carry_over_ids(connection)
    for carry in (_carry_over_rules, _carry_over_leave, keep_vectors):
        # The other version may have no such tables, or other things in them.
        with suppress(sqlite3.OperationalError, KeyError, TypeError, ValueError):
            carry(connection, "old")
    connection.execute("DETACH old")


def _carry_over_ids(connection: sqlite3.Connection) -> None:
    connection.execute(
        """
        INSERT INTO files (id, path, size, mtime_ns, ctime_ns, hash, loader, status, reason)
        SELECT id, path, -1, -1, -1, hash, '', 'indexed', '' FROM old.files
        WHERE id IN (SELECT file_id FROM old.entries)
        """
    )
    connection.execute(
        """
        INSERT INTO entries
            (id, file_id, key, title, titled_by_name, media_type, length, text_hash, metadata)
        SELECT id, file_id, key, '', 0, '', 0, '', '{}' FROM old.entries
        """
    )
    # Ids of entries that were deleted before must not be given out again either.
    highest = connection.execute(
        "SELECT max(seq) FROM old.sqlite_sequence WHERE name = 'entries'"
    ).fetchone()[0]
    connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'entries'", (highest,))


def _carry_over_leave(connection: sqlite3.Connection, old: str) -> None:
    """Keep what the person lets models read; it holds as long as the text is the same."""
    connection.execute(f"INSERT INTO allowed SELECT entry_id, text_hash, start FROM {old}.allowed")
    connection.execute(
        f"INSERT INTO meta SELECT key, value FROM {old}.meta WHERE key = ?", (ALLOW_ALL,)
    )


def _carry_over_rules(connection: sqlite3.Connection, old: str) -> None:
    from rag_assistant.library.rules import ReadingRules  # noqa: PLC0415 - only a rebuild needs it

    kept = dict(connection.execute(f"SELECT key, value FROM {old}.meta").fetchall())
    rules = ReadingRules.from_json(kept.get("reading", ""))
    facts = [("folder", kept["folder"]), ("reading", rules.to_json())]
    connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", facts)
