"""Opening a database to write it: one writer at a time, and a whole database at every moment.

A file that cannot be read is set aside, and one of another version gives way to a new one that
keeps its entries' ids. Every failure of the disk is a LibraryError or IndexDamaged.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from rag_assistant.errors import IndexDamaged, LibraryError
from rag_assistant.index.connections import open_writer
from rag_assistant.index.schema import SCHEMA_VERSION, create_tables, damaged, read_version
from rag_assistant.library.rebuild import carry_over
from rag_assistant.private_files import private_folder

LOCK_SECONDS = 1.0
"""How long to wait for another writer. Embedding holds the lock for a moment at a time."""


def lock_of(path: Path) -> Path:
    """Give the file that the one writer of the database at `path` locks."""
    return path.with_suffix(".lock")


def embedding_lock_of(path: Path) -> Path:
    """Give the file that whoever makes the vectors of the database at `path` locks."""
    return path.with_suffix(".embedding.lock")


@contextmanager
def writers_lock(path: Path) -> Iterator[None]:
    """Hold the lock of the database at `path`, which the system frees when the process dies."""
    from filelock import FileLock, Timeout  # noqa: PLC0415 - only writing needs it

    try:
        private_folder(path.parent)
        with FileLock(lock_of(path), timeout=LOCK_SECONDS, mode=0o600):
            with suppress(OSError):  # not on every system; it only names us to who has to wait
                lock_of(path).write_text(str(os.getpid()))
            yield
    except sqlite3.OperationalError as error:
        raise cannot_be_written(path, error) from error
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from error
    except Timeout as error:
        raise LibraryError(
            f"The database {path.stem!r} is read-only: it is being changed by another process"
            f"{_pid_in(lock_of(path))}.",
            hint="Wait for it to end; searching works meanwhile.",
        ) from error
    except OSError as error:
        raise LibraryError(
            f"The home directory {path.parent} cannot be written: {error.strerror or error}.",
            hint="Give another: --home DIR or RAG_ASSISTANT_HOME.",
        ) from error


def _pid_in(lock: Path) -> str:
    """Name the process that holds a lock, as far as that is known."""
    try:
        number = lock.read_text()
    except OSError:  # a system that lets nobody else read it
        return ""
    return f" (pid {number})" if number.isdecimal() else ""


def cannot_be_written(path: Path, error: Exception) -> LibraryError:
    """Say that a database cannot be written, as on a full disk."""
    return LibraryError(
        f"The database {path.stem!r} cannot be written: {error}.",
        hint="Check the space left on the disk, and run the same command again.",
    )


@contextmanager
def opened_for_writing(path: Path, notes: list[str]) -> Iterator[sqlite3.Connection]:
    """Open a database as it is, new, or anew with the ids of an old version.

    `notes` receives what a person should know of it. The caller holds the lock.
    """
    version = _set_aside_damaged(path, notes)
    if version != SCHEMA_VERSION:
        # Beside it and then in its place, so that a database is whole whenever there is one.
        fresh = path.with_suffix(".new")
        discard_file(fresh)
        with closing(open_writer(fresh)) as connection:
            create_tables(connection)
            if version is not None:
                carry_over(path, connection)
                notes.append("rebuilt: the database was made by another version")
        discard_file(path)
        fresh.replace(path)
    with closing(open_writer(path)) as connection:
        yield connection


def _set_aside_damaged(path: Path, notes: list[str]) -> int | None:
    """Give the version of the file, None where there is none or none that can be read."""
    if not path.exists():
        return None
    try:
        with closing(open_writer(path)) as connection:
            version = read_version(connection, path)
            if version == SCHEMA_VERSION:
                connection.execute("SELECT count(*) FROM files").fetchone()
            return version
    except (IndexDamaged, sqlite3.DatabaseError):
        aside = path.with_suffix(f".damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        path.replace(aside)
        discard_file(path)
        notes.append(f"the database was damaged; it was set aside as {aside}")
        return None


def discard_file(path: Path) -> None:
    """Delete a database file with the files SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def discard_locks(path: Path) -> None:
    """Delete the lock files of a database that is gone."""
    for lock in (lock_of(path), embedding_lock_of(path)):
        with suppress(OSError):  # on Windows one that is held stays
            lock.unlink(missing_ok=True)
