"""Making a database ready to be written: as it is, new, or made anew with what it held.

The tables `files (id, path, hash)` and `entries (id, file_id, key)` are the part of the schema that
every version keeps, so that a citation written down years ago still names the same document. What
the person allowed, the ids that were deleted, some facts and the vectors come along where the other
version kept them as this one does. Of a damaged file it is as much as can be read, row by row.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.errors import IndexDamaged
from rag_assistant.files.aside import aside_of, discard_file, replace_file
from rag_assistant.files.faults import UNREADABLE, is_suspect
from rag_assistant.files.private_files import private_file
from rag_assistant.files.salvage import (
    LARGEST_ID,
    copy_rows,
    keep_highest_id,
    readable_copy,
)
from rag_assistant.store.sqlite.connections import open_writer
from rag_assistant.store.sqlite.schema import (
    PAGE_BYTES,
    SCHEMA_VERSION,
    create_plain_tables,
    create_tables,
    read_version,
    refuse_newer,
)
from rag_assistant.store.sqlite.suspicions import ALLOW_ALL
from rag_assistant.store.sqlite.vector_writing import PLAIN_VECTORS, keep_vectors

if TYPE_CHECKING:
    from rag_assistant.store.writing import Carried

DAMAGED = -1
"""In place of the version of a file that cannot be read."""

_BROKEN = "the database was damaged"


def made_ready(path: Path, carry: "Carried", *, anew: bool) -> list[str]:
    """Make a file that can be written, in place of one that cannot; give what to know of it.

    That is one that is damaged, of another version, not there, or to be made `anew`.
    """
    notes: list[str] = []
    version = _version_of(path)
    if not anew:
        refuse_newer(version or 0, path)
    if version != SCHEMA_VERSION or anew:
        # Beside it and then in its place, so that a database is whole whenever there is one.
        fresh = path.with_suffix(".new")
        discard_file(fresh)
        with closing(open_writer(fresh)) as connection:
            create_tables(connection)
            if version is not None:
                why = _BROKEN if version == DAMAGED else "made anew" if anew else ""
                notes += _carried(path, connection, carry, why)
        aside = aside_of(path) if version == DAMAGED or anew else None
        replace_file(path, fresh, aside)
        if aside:
            notes.append(f"the old file was set aside as {aside}")
    return notes


def _version_of(path: Path) -> int | None:
    """Give the version of a file, None where there is none."""
    if not path.exists():
        return None
    try:
        with closing(open_writer(path)) as connection:
            version = read_version(connection, path)
            if version == SCHEMA_VERSION:
                connection.execute("SELECT count(*) FROM files").fetchone()
            return version
    except IndexDamaged:
        return DAMAGED
    except UNREADABLE as error:
        if is_suspect(error):  # a table is missing, or cannot be read
            return DAMAGED
        raise


def _carried(path: Path, connection: sqlite3.Connection, carry: "Carried", why: str) -> list[str]:
    """Carry over what a folder cannot give back; say what there is to know of it.

    `why` is why no more is carried than can be read of it, "" where all of it can.
    """
    if not why:
        try:
            _carry_over(path, connection, carry)
            return ["rebuilt: the database was made by another version"]
        except UNREADABLE as error:
            if not is_suspect(error):
                raise
    kept = _carry_over_damaged(path, connection, carry)
    return [f"{why or _BROKEN}: the ids of {kept} entries could be read, and are kept"]


def _carry_over(old: Path, connection: sqlite3.Connection, carry: "Carried") -> None:
    """Copy files and entries without their text, so that every file then counts as changed."""
    # By its path: an address of SQLite's own is understood by some builds of it only.
    connection.execute("ATTACH ? AS old", (str(old.absolute()),))
    _carry_over_ids(connection)
    steps: list[Callable[[sqlite3.Connection, str], None]] = [
        partial(_carry_over_fact, key=key, read=read) for key, read in carry.items()
    ]
    steps += [_carry_over_leave, _carry_over_former, keep_vectors]
    for step in steps:
        # The other version may have no such tables, or other things in them.
        with suppress(sqlite3.OperationalError, LookupError, TypeError, ValueError, AttributeError):
            step(connection, "old")
    connection.execute("DETACH old")


def _carry_over_damaged(old: Path, connection: sqlite3.Connection, carry: "Carried") -> int:
    """Copy as much of a damaged database as `_carry_over` would; give how many ids came along."""
    staging = old.with_suffix(".salvage")
    discard_file(staging)
    try:
        with closing(sqlite3.connect(private_file(staging), isolation_level=None)) as sound:
            create_plain_tables(sound)
            sound.execute(PLAIN_VECTORS)
            with readable_copy(old, (PAGE_BYTES,)) as damaged:
                if damaged:
                    copy_rows(damaged, sound)
                    _add_indexed_ids(damaged, sound)
                    keep_highest_id(damaged, sound, "entries")
        _carry_over(staging, connection, carry)
    finally:
        discard_file(staging)
    return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])


def folder_of_damaged(path: Path) -> str:
    """Give the folder that a damaged database is of; empty where that cannot be read."""
    with readable_copy(path, (PAGE_BYTES,)) as damaged, suppress(sqlite3.Error, ValueError):
        if damaged:
            row = damaged.execute("SELECT value FROM meta WHERE key = 'folder'").fetchone()
            return row[0] if row and isinstance(row[0], str) else ""
    return ""


def _add_indexed_ids(damaged: sqlite3.Connection, sound: sqlite3.Connection) -> None:
    """Add files and entries whose rows are gone, but stand in the indexes of their keys."""
    for path, file_id in _indexed(damaged, "files", "path, id"):
        if isinstance(path, str) and isinstance(file_id, int) and 0 < file_id <= LARGEST_ID:
            sound.execute(
                """
                INSERT OR IGNORE INTO files
                    (id, path, size, mtime_ns, ctime_ns, hash, loader, status, reason)
                VALUES (?, ?, -1, -1, -1, '', '', 'indexed', '')
                """,
                (file_id, str(path)),
            )
    for file_id, key, entry_id in _indexed(damaged, "entries", "file_id, key, id"):
        if (
            isinstance(file_id, int)
            and isinstance(key, str)
            and isinstance(entry_id, int)
            and 0 < entry_id <= LARGEST_ID
        ):
            sound.execute(
                "INSERT OR IGNORE INTO entries VALUES (?, ?, ?, '', 0, '', 0, '', '{}')",
                (entry_id, file_id, str(key)),
            )
    # A file whose own row is gone: nothing says any more which one it was.
    sound.execute("DELETE FROM entries WHERE file_id NOT IN (SELECT id FROM files)")


def _indexed(damaged: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[object, ...]]:
    """Read a table by the index of its key alone, from both ends as far as that can be read."""
    first = columns.split(",", 1)[0]
    for order in ("ASC", "DESC"):
        with suppress(sqlite3.Error, ValueError):
            yield from damaged.execute(
                f"SELECT {columns} FROM {table} INDEXED BY sqlite_autoindex_{table}_1"
                f" ORDER BY {first} {order}"
            )


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
    connection.execute("DELETE FROM sqlite_sequence WHERE name = 'entries'")
    connection.execute("INSERT INTO sqlite_sequence VALUES ('entries', ?)", (highest or 0,))


def _carry_over_leave(connection: sqlite3.Connection, old: str) -> None:
    """Keep what the person lets models read; it holds as long as the text is the same."""
    connection.execute(f"INSERT INTO allowed SELECT entry_id, text_hash, start FROM {old}.allowed")
    connection.execute(
        f"INSERT INTO meta SELECT key, value FROM {old}.meta WHERE key = ?", (ALLOW_ALL,)
    )


def _carry_over_former(connection: sqlite3.Connection, old: str) -> None:
    """Keep the ids of what was deleted."""
    connection.execute(
        "INSERT INTO former_ids (entry_id, path, key, hash, deleted)"
        f" SELECT entry_id, path, key, hash, deleted FROM {old}.former_ids"
    )


def _carry_over_fact(
    connection: sqlite3.Connection, old: str, *, key: str, read: Callable[[str], str]
) -> None:
    """Keep a fact of the database itself, as it is kept now."""
    row = connection.execute(f"SELECT value FROM {old}.meta WHERE key = ?", (key,)).fetchone()
    if row:
        connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (key, read(row[0])))
