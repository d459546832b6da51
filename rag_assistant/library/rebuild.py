"""Carrying entry ids over from a database of another version into a new one.

The tables `files (id, path, hash)` and `entries (id, file_id, key)` are the part of the schema that
every version keeps, so that a citation written down years ago still names the same document.
"""

import sqlite3
from pathlib import Path


def carry_over_ids(old: Path, connection: sqlite3.Connection) -> None:
    """Copy files and entries without their text; every file then counts as changed."""
    connection.execute("ATTACH ? AS old", (f"{old.absolute().as_uri()}?mode=ro",))
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
    connection.execute("DETACH old")
