"""Opening a database to write it: one writer at a time, and a whole database at every moment.

One that is damaged, or of another version, gives way to a new one that keeps its entries' ids; a
damaged file is set aside. Every failure of the disk is a LibraryError or IndexDamaged.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from rag_assistant.errors import IndexDamaged, LibraryError, RagError
from rag_assistant.files.aside import aside_of, discard_file, replace_file
from rag_assistant.files.faults import is_damage, is_suspect
from rag_assistant.files.private_files import private_folder
from rag_assistant.library.rebuild import carry_over, carry_over_damaged
from rag_assistant.store.sqlite.checks import is_damaged
from rag_assistant.store.sqlite.connections import open_writer
from rag_assistant.store.sqlite.schema import (
    SCHEMA_VERSION,
    create_later_tables,
    create_tables,
    damaged,
    read_version,
)

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
    except Timeout as error:
        raise LibraryError(
            f"The database {path.stem!r} is read-only: it is being changed by another process"
            f"{_pid_in(lock_of(path))}.",
            hint="Wait for it to end; searching works meanwhile.",
        ) from error
    except RagError:
        raise
    except OSError as error:
        raise LibraryError(
            f"The home directory {path.parent} cannot be written: {error.strerror or error}.",
            hint="Give another: --home DIR or RAG_ASSISTANT_HOME.",
        ) from error
    except Exception as error:
        told = _what_happened(path, error)
        if told is None:
            raise
        raise told from error


def _what_happened(path: Path, error: Exception) -> RagError | None:
    """Say what an error in writing a database means for a person; None for a defect of ours."""
    if is_damage(error):
        return damaged(path, error)
    if is_suspect(error) and is_damaged(path):
        return damaged(path, error)
    return cannot_be_written(path, error) if isinstance(error, sqlite3.Error) else None


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
def opened_for_writing(
    path: Path, notes: list[str], *, anew: bool = False
) -> Iterator[sqlite3.Connection]:
    """Open a database as it is, new, or made anew with the ids of what it held.

    The last where it is damaged, of another version, or where it is to be `anew`. `notes` receives
    what a person should know of it. The caller holds the lock.
    """
    version = _version_of(path)
    if version != SCHEMA_VERSION or anew:
        # Beside it and then in its place, so that a database is whole whenever there is one.
        fresh = path.with_suffix(".new")
        discard_file(fresh)
        with closing(open_writer(fresh)) as connection:
            create_tables(connection)
            if version is not None:
                notes += _carried(path, connection, damaged=anew or version == DAMAGED)
        aside = aside_of(path) if version == DAMAGED or anew else None
        replace_file(path, fresh, aside)
        if aside:
            notes.append(f"the damaged file was set aside as {aside}")
    with closing(open_writer(path)) as connection:
        create_later_tables(connection)
        yield connection


DAMAGED = -1
"""In place of the version of a file that cannot be read."""


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
    except sqlite3.DatabaseError as error:
        if is_suspect(error):  # a table is missing, or cannot be read
            return DAMAGED
        raise


def _carried(path: Path, connection: sqlite3.Connection, *, damaged: bool) -> list[str]:
    """Carry over what a folder cannot give back; say what there is to know of it."""
    if not damaged:
        try:
            carry_over(path, connection)
            return ["rebuilt: the database was made by another version"]
        except sqlite3.DatabaseError as error:
            if not is_suspect(error):
                raise
    kept = carry_over_damaged(path, connection)
    return [f"the database was damaged: the ids of {kept} entries could be read, and are kept"]


def discard_locks(path: Path) -> None:
    """Delete the lock files of a database that is gone."""
    for lock in (lock_of(path), embedding_lock_of(path)):
        with suppress(OSError):  # on Windows one that is held stays
            lock.unlink(missing_ok=True)
