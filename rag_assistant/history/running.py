"""The lock that a running exchange holds: the system frees it when the process dies."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock


def hold_lock(path: Path, process: str) -> "BaseFileLock":
    """Hold the lock of a running exchange. Raises OSError or TimeoutError, as when it is held."""
    from filelock import FileLock  # noqa: PLC0415 - only a run needs it

    # It is taken in one thread and freed in another.
    lock = FileLock(path.with_suffix(f".{process}.lock"), blocking=False, thread_local=False)
    lock.acquire()
    return lock


def release_lock(lock: "BaseFileLock") -> None:
    """Free a lock, and leave no file behind."""
    lock.release()
    with suppress(OSError):  # a file without a lock does no harm
        Path(lock.lock_file).unlink(missing_ok=True)
