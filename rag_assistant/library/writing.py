"""The locks of databases: one writer at a time, and one maker of vectors.

Every failure of the disk is a LibraryError.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rag_assistant.errors import LibraryError, RagError
from rag_assistant.files.private_files import private_folder

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


def _pid_in(lock: Path) -> str:
    """Name the process that holds a lock, as far as that is known."""
    try:
        number = lock.read_text(encoding="ascii", errors="replace")
    except OSError:  # a system that lets nobody else read it
        return ""
    return f" (pid {number})" if number.isdecimal() else ""


def discard_locks(path: Path) -> None:
    """Delete the lock files of a database that is gone."""
    for lock in (lock_of(path), embedding_lock_of(path)):
        with suppress(OSError):  # on Windows one that is held stays
            lock.unlink(missing_ok=True)
