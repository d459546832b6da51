"""Connections to a database file: many readers, one writer.

A reader opens a connection for one piece of work and closes it: connections are bound to their
thread, and a re-indexed file is seen at once. Pieces of work that follow one another at once share
one, see `kept_open`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from rag_assistant.errors import IndexGone, LibraryError, RagError
from rag_assistant.files.faults import UNREADABLE, is_damage, is_held, is_suspect
from rag_assistant.files.private_files import private_file
from rag_assistant.store.damage import cannot_be_written, damaged
from rag_assistant.store.sqlite.narrowing import narrow
from rag_assistant.store.sqlite.schema import check_version
from rag_assistant.store.sqlite.withheld import hide_withheld, is_any_withheld
from rag_assistant.values.scope import Scope

BUSY_SECONDS = 10.0
"""How long a statement waits for another process's transaction to end."""

CACHED_KB = 8_192
"""Pages that a reader remembers at most: those that a search reads, the next one may find there."""

_Identity = tuple[int, ...]
"""What tells that a file is another one, or was written to."""

_Kept = dict[Path, tuple[_Identity, sqlite3.Connection]]

_kept: ContextVar[_Kept | None] = ContextVar("kept", default=None)
"""Connections without a transaction that wait for the next reader of this context."""


@contextmanager
def kept_open() -> Iterator[None]:
    """Let readers of the same thread share a connection to each database until this ends.

    Opening one costs about as much as a small search. Each reader still reads a snapshot of its
    own time, of the file that is there then: one that was replaced, or written to, is opened anew.
    """
    kept: _Kept = {}
    token = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(token)
        for _, connection in kept.values():
            connection.close()


def _identity(path: Path) -> _Identity:
    """Give what is another where a file, or what its log has, is another."""
    found: list[int] = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            facts = file.stat()
            if facts.st_size:  # a reader makes an empty log
                found += (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)
    return tuple(found)


def _taken(kept: _Kept, path: Path, identity: _Identity) -> sqlite3.Connection | None:
    """Take the connection that waits; none where the file is another one."""
    if path not in kept:
        return None
    known, connection = kept.pop(path)
    if known == identity:
        return connection
    connection.close()
    return None


@contextmanager
def opened(path: Path, scope: Scope | None = None) -> Iterator[sqlite3.Connection]:
    """Open `path` for reading, or only what is in `scope` there.

    Raises IndexDamaged where it is not a database of this version, or where what is read of it
    inside the `with` turns out not to be what was written, whatever error that led to.
    """
    kept = _kept.get()
    identity = () if kept is None else _identity(path)
    connection = (_taken(kept, path, identity) if kept else None) or _open_read_only(path)
    is_whole = False
    try:
        check_version(connection, path)
        # One snapshot for all statements of the caller, however long a writer goes on meanwhile.
        withholds = is_any_withheld(connection)
        if scope or withholds:
            connection.execute("PRAGMA temp_store = MEMORY")  # not to be set in a transaction
        connection.execute("BEGIN")
        if scope:
            narrow(connection, scope, withholds=withholds)
        elif withholds:
            hide_withheld(connection)
        yield connection
        is_whole = not (scope or withholds)  # views of a part stay with their connection
    except RagError:
        raise
    except Exception as error:
        fault = what_happened(path, error)
        if fault is None:
            raise
        raise fault from error
    finally:
        if kept is None or not is_whole or path in kept:
            connection.close()
        else:
            connection.rollback()
            kept[path] = identity, connection


def _tried(address: str) -> sqlite3.Connection:
    """Connect, and read something: what cannot be read is told here, with nothing left open."""
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS)
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        connection.execute(f"PRAGMA cache_size = -{CACHED_KB}")
    except BaseException:
        connection.close()
        raise
    return connection


def _open_read_only(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    if path.is_symlink() and not path.exists():
        raise IndexGone(
            f"{path} is a link to {path.readlink()}, which is not there.",
            hint="Bring that back, or delete the link.",
        )
    try:
        return _tried(f"{address}?mode=ro")
    except sqlite3.OperationalError as error:
        if is_held(error):
            raise _held(path) from error
        # A folder that cannot be written has no room for the shared-memory file of WAL; nobody
        # can be writing there either, so the file may be read as it stands.
        try:
            return sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True)
        except sqlite3.Error as error:
            raise damaged(path, error) from error
    except UNREADABLE as error:
        raise damaged(path, error) from error


def what_happened(path: Path, error: Exception) -> RagError | None:
    """Say what an error in reading a database means for a person; None for a defect of ours.

    Where the error alone cannot tell, all of the file is looked at.
    """
    of_sqlite = isinstance(error, sqlite3.Error)
    if of_sqlite and is_held(error):
        return _held(path)
    if is_damage(error):
        return damaged(path, error)
    if is_suspect(error):
        from rag_assistant.store.sqlite.checks import is_damaged  # noqa: PLC0415 - only trouble needs it

        return damaged(path, error) if is_damaged(path) else None
    if of_sqlite:
        return LibraryError(
            f"The database {path.stem!r} cannot be read: {path} ({error}).",
            hint="Check the disk that it is on; then try again.",
        )
    return None


def _held(path: Path) -> LibraryError:
    return LibraryError(
        f"The database {path.stem!r} is held by another process.",
        hint="Close the program that holds it, or wait for it to end; then try again.",
    )


@contextmanager
def writing_faults(path: Path) -> Iterator[None]:
    """Say what an error in writing a database means for a person: LibraryError or IndexDamaged."""
    try:
        yield
    except (RagError, OSError):
        raise
    except Exception as error:
        fault = _fault_in_writing(path, error)
        if fault is None:
            raise
        raise fault from error


def _fault_in_writing(path: Path, error: Exception) -> RagError | None:
    """Give what to say of an error in writing; None for a defect of ours."""
    if is_damage(error):
        return damaged(path, error)
    if is_suspect(error):
        from rag_assistant.store.sqlite.checks import is_damaged  # noqa: PLC0415 - only trouble needs it

        if is_damaged(path):
            return damaged(path, error)
    return cannot_be_written(path, error) if isinstance(error, sqlite3.Error) else None


def open_writer(path: Path) -> sqlite3.Connection:
    """Open `path` for writing, made if it does not exist; each statement commits by itself.

    The caller holds the database's lock and begins transactions where it wants them.
    """
    connection = sqlite3.connect(private_file(path), timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA wal_autocheckpoint = 16384")
        return connection
    except UNREADABLE as error:
        connection.close()
        if is_damage(error) or isinstance(error, UnicodeDecodeError):  # one that is held is whole
            raise damaged(path, error) from error
        raise
