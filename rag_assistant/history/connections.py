"""Opening conversations.db: one connection for each piece of work, in short transactions.

A file that is damaged is set aside and a new one made of what can be read, an earlier version is
upgraded, a later one is only read. Whatever goes wrong is a HistoryError.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rag_assistant.errors import HistoryError
from rag_assistant.files.faults import is_damage, is_held, is_out_of_reach, is_suspect
from rag_assistant.files.private_files import private_file, private_folder
from rag_assistant.history.mending import HistoryMended, mend, problems
from rag_assistant.history.schema import VERSION, read_version, upgrade

READ_SECONDS = 5.0
"""How long a reader waits for another process. With WAL it has to in odd moments alone."""

WRITE_SECONDS = 120.0
"""How long a writer waits for its turn. A transaction takes milliseconds, but on a loaded machine
the process that is in one may not be given the processor for long, and others wait as well."""


class HistoryHeld(HistoryError):
    """Another process had the file for longer than a writer waits."""


@contextmanager
def reading(path: Path, notes: list[str]) -> Iterator[sqlite3.Connection]:
    """Open the conversations to read them; where there is no file, there are none."""
    try:
        with _told(path), closing(_open_to_read(path, notes)) as connection:
            yield connection
    except ValueError as error:  # JSON of another shape, in a file that is whole
        raise HistoryError(
            f"{path} holds something that this version cannot read: {error}.",
            hint="Update rag-assistant.",
        ) from error


@contextmanager
def writing(path: Path, notes: list[str]) -> Iterator[sqlite3.Connection]:
    """Open the conversations in a transaction, which is undone where something goes wrong."""
    with _told(path), closing(_open(path, notes, WRITE_SECONDS)) as connection:
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
    with _told(path), closing(_open(path, notes, READ_SECONDS)) as connection:
        yield connection


def is_free(path: Path) -> bool:
    """Whether nobody else is writing at this moment."""
    if not path.exists():
        return True
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        return True
    except sqlite3.Error:
        return False


def mended(path: Path) -> str:
    """Make the file anew of what can be read; say what became of it. Raises HistoryError."""
    with _told(path), _lock(path):
        return f"The kept conversations were made anew; {mend(path)}"


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Tell every failure of SQLite, of the disk, or of what was read as a HistoryError.

    Where the file is damaged it is mended at once, and HistoryMended says so.
    """
    try:
        yield
    except HistoryError:
        raise
    except Exception as error:
        if is_damage(error) or (is_suspect(error) and problems(path)):
            raise _mended(path, error) from error
        if isinstance(error, sqlite3.Error | OSError):
            raise _unusable(path, error) from error
        raise


def _mended(path: Path, why: Exception) -> HistoryError:
    try:
        with _lock(path):
            # Another process may have mended it meanwhile.
            if not problems(path):
                return HistoryMended("The kept conversations were mended by another process.")
            said = mend(path)
    except (sqlite3.Error, OSError) as error:
        return _unusable(path, error)
    return HistoryMended(f"The kept conversations were damaged ({why}); {said}")


def _unusable(path: Path, error: Exception) -> HistoryError:
    if is_held(error):
        return HistoryHeld(f"{path} is held by another process.", hint="Try again.")
    return HistoryError(
        f"{path} cannot be used: {getattr(error, 'strerror', None) or error}.",
        hint="Check the space on the disk and who may write the home directory.",
    )


def _open_to_read(path: Path, notes: list[str]) -> sqlite3.Connection:
    if not path.exists():
        empty = sqlite3.connect(":memory:", isolation_level=None)
        upgrade(empty)
        return empty
    try:
        connection = _open(path, notes, READ_SECONDS)
    except (sqlite3.OperationalError, OSError) as error:
        if is_held(error) or not is_out_of_reach(error):
            raise
        # A folder that cannot be written has no room for the shared-memory file of WAL; nobody
        # can be writing there either, so the file may be read as it stands.
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(address, uri=True, isolation_level=None)
    with _closed_on_failure(connection):
        newer = read_version(connection) > VERSION
        if newer:
            connection.execute("PRAGMA query_only = ON")
    if newer:
        notes.append(f"{path} was made by a newer version; what is not known here is left out.")
    return connection


def _open(path: Path, notes: list[str], seconds: float) -> sqlite3.Connection:
    """Open the file as one of this version or a later one, made if there is none."""
    if not path.exists():
        private_folder(path.parent)
        private_file(path)
    connection, version = _connect(path, seconds)
    if version is not None and version >= VERSION:
        return connection
    connection.close()
    with _lock(path):
        # Another process may have mended it meanwhile.
        connection, version = _connect(path, seconds)
        if version is None:
            connection.close()
            notes.append(f"The kept conversations were damaged; {mend(path)}")
            connection, _ = _connect(path, seconds)
        with _closed_on_failure(connection):
            upgrade(connection)
    return connection


@contextmanager
def _closed_on_failure(connection: sqlite3.Connection) -> Iterator[None]:
    """Close what nobody will be given: left open, the file could not be mended on Windows."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _connect(path: Path, seconds: float) -> tuple[sqlite3.Connection, int | None]:
    """Open the file and give its version, None where it is damaged."""
    connection = sqlite3.connect(path, timeout=seconds, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")  # WAL: safe but for the last moment
        return connection, read_version(connection)
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return connection, None
        connection.close()
        raise


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Let one process at a time make, upgrade or mend the file."""
    from filelock import FileLock  # noqa: PLC0415 - only a new, old or damaged file needs it

    with FileLock(path.with_suffix(".lock"), timeout=WRITE_SECONDS):
        yield
