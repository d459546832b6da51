"""Connections to a database file: many readers, one writer.

A reader opens a connection for one piece of work and closes it: connections are bound to their
thread, and a re-indexed file is seen at once.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rag_assistant.errors import LibraryError
from rag_assistant.index.narrowing import narrow
from rag_assistant.index.schema import check_version, damaged
from rag_assistant.scope import Scope

DATABASE_SUFFIX = ".db"
"""How the file of a database is named, behind its own name."""

BUSY_SECONDS = 10.0
"""How long a statement waits for another process's transaction to end."""


@contextmanager
def reading(path: Path, scope: Scope | None = None) -> Iterator[sqlite3.Connection]:
    """Open `path` for reading, or only what is in `scope` there.

    Raises IndexDamaged where it is not a database of this version.
    """
    connection = _open_read_only(path)
    try:
        check_version(connection, path)
        # One snapshot for all statements of the caller, however long a writer goes on meanwhile.
        if scope:
            connection.execute("PRAGMA temp_store = MEMORY")  # not to be set in a transaction
        connection.execute("BEGIN")
        if scope:
            narrow(connection, scope)
        yield connection
    except sqlite3.DatabaseError as error:
        if _is_held(error):
            raise _held(path) from error
        raise damaged(path, error) from error
    finally:
        connection.close()


def _open_read_only(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    try:
        connection = sqlite3.connect(f"{address}?mode=ro", uri=True, timeout=BUSY_SECONDS)
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        return connection
    except sqlite3.OperationalError as error:
        if _is_held(error):
            raise _held(path) from error
        # A folder that cannot be written has no room for the shared-memory file of WAL; nobody
        # can be writing there either, so the file may be read as it stands.
        try:
            return sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True)
        except sqlite3.Error as error:
            raise damaged(path, error) from error
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from error


def _is_held(error: sqlite3.Error) -> bool:
    return error.sqlite_errorname.startswith("SQLITE_BUSY")


def _held(path: Path) -> LibraryError:
    return LibraryError(
        f"The database {path.stem!r} is held by another process.",
        hint="Close the program that holds it, or wait for it to end; then try again.",
    )


def open_writer(path: Path) -> sqlite3.Connection:
    """Open `path` for writing, made if it does not exist; each statement commits by itself.

    The caller holds the database's lock and begins transactions where it wants them.
    """
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA wal_autocheckpoint = 16384")
        return connection
    except sqlite3.DatabaseError as error:
        connection.close()
        raise damaged(path, error) from error
