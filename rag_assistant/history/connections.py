"""Opening conversations.db: one connection for each piece of work, in short transactions.

A file that is damaged is set aside and a new one begun, an earlier version is upgraded, a later one
is only read. Whatever goes wrong is a HistoryError.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rag_assistant.errors import HistoryError
from rag_assistant.history.schema import VERSION, read_version, upgrade

BUSY_SECONDS = 5.0
"""How long a statement waits for another process's transaction, which takes milliseconds."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@contextmanager
def reading(path: Path, notes: list[str]) -> Iterator[sqlite3.Connection]:
    """Open the conversations to read them; where there is no file, there are none."""
    with _told(path, notes), closing(_open_to_read(path, notes)) as connection:
        yield connection


@contextmanager
def writing(path: Path, notes: list[str]) -> Iterator[sqlite3.Connection]:
    """Open the conversations in a transaction, which is undone where something goes wrong."""
    with _told(path, notes), closing(_open(path, notes)) as connection:
        if read_version(connection) > VERSION:
            raise HistoryError(
                f"{path} was made by a newer version of rag-assistant and is only read.",
                hint="Update rag-assistant, or start without it: --home DIR.",
            )
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")


@contextmanager
def tidying(path: Path, notes: list[str]) -> Iterator[sqlite3.Connection]:
    """Open the conversations without a transaction, for what cannot be part of one."""
    with _told(path, notes), closing(_open(path, notes)) as connection:
        yield connection


@contextmanager
def _told(path: Path, notes: list[str]) -> Iterator[None]:
    """Tell every failure of SQLite or of the disk as a HistoryError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if _is_damage(error):
            with _lock(path):
                aside = _set_aside(path)
            raise HistoryError(
                f"The kept conversations were damaged ({error}); they were set aside as {aside}.",
                hint="New ones go into a new file.",
            ) from error
        raise _unusable(path, error) from error
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: Exception) -> HistoryError:
    if _is_held(error):
        return HistoryError(f"{path} is held by another process.", hint="Try again.")
    return HistoryError(
        f"{path} cannot be used: {getattr(error, 'strerror', None) or error}.",
        hint="Check the space on the disk and who may write the home directory.",
    )


def _is_held(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    busy = code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return busy or isinstance(error, TimeoutError)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Say whether a file is no database, or not one of conversations (an error without a code)."""
    code = getattr(error, "sqlite_errorcode", None)
    return type(error) is sqlite3.DatabaseError and (code is None or code & 0xFF in _DAMAGED)


def _open_to_read(path: Path, notes: list[str]) -> sqlite3.Connection:
    if not path.exists():
        empty = sqlite3.connect(":memory:", isolation_level=None)
        upgrade(empty)
        return empty
    try:
        connection = _open(path, notes)
    except (sqlite3.OperationalError, OSError) as error:
        if _is_held(error):
            raise
        # A folder that cannot be written has no room for the shared-memory file of WAL; nobody
        # can be writing there either, so the file may be read as it stands.
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(address, uri=True, isolation_level=None)
    if read_version(connection) > VERSION:
        connection.execute("PRAGMA query_only = ON")
        notes.append(f"{path} was made by a newer version; what is not known here is left out.")
    return connection


def _open(path: Path, notes: list[str]) -> sqlite3.Connection:
    """Open the file as one of this version or a later one, made if there is none."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # what a person asks is nobody else's
    connection, version = _connect(path)
    if version is not None and version >= VERSION:
        return connection
    connection.close()
    with _lock(path):
        # Another process may have mended it meanwhile.
        connection, version = _connect(path)
        if version is None:
            connection.close()
            aside = _set_aside(path)
            notes.append(f"The kept conversations were damaged; they were set aside as {aside}.")
            path.touch(mode=0o600)
            connection, _ = _connect(path)
        upgrade(connection)
    return connection


def _connect(path: Path) -> tuple[sqlite3.Connection, int | None]:
    """Open the file and give its version, None where it is damaged."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")  # WAL: safe but for the last moment
        return connection, read_version(connection)
    except sqlite3.DatabaseError as error:
        if _is_damage(error):
            return connection, None
        connection.close()
        raise


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Let one process at a time make, upgrade or set aside the file."""
    from filelock import FileLock  # noqa: PLC0415 - only a new, old or damaged file needs it

    with FileLock(path.with_suffix(".lock"), timeout=BUSY_SECONDS):
        yield


def _set_aside(path: Path) -> Path:
    """Rename the file, with those that SQLite keeps beside it, for whoever can mend it."""
    aside = path.with_suffix(f".damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    for suffix in ("", "-wal", "-shm"):
        file = path.with_name(path.name + suffix)
        if file.exists():
            file.replace(aside.with_name(aside.name + suffix))
    return aside
