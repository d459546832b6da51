"""What an error says of the file it came from: held by another process, damaged, or out of reach.

Result codes: https://www.sqlite.org/rescode.html; the lower byte is the primary one. Python raises
text that is no UTF-8 as an OperationalError without a code.
"""

import sqlite3
import struct

_HELD = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_OUT_OF_REACH = {
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_INTERRUPT,
}
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What SQLite raises for a file that is none of its own, or is broken: the second where its message
would quote words of the file that are no text."""

_OF_ODD_VALUES = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RecursionError,
    TypeError, ValueError, struct.error,
)  # fmt: skip


def is_held(error: BaseException) -> bool:
    """Whether another process has the file, and waiting may help."""
    return _code(error) in _HELD or isinstance(error, TimeoutError)


def is_damage(error: BaseException) -> bool:
    """Whether the error alone says that the file is damaged, or is none of ours."""
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    code = _code(error)
    if code is not None:
        return code in _DAMAGED
    return type(error) is sqlite3.DatabaseError or "Could not decode" in str(error)


def is_suspect(error: BaseException) -> bool:
    """Whether damage may be behind an error that can also be a defect of the program.

    A table that is missing, a number where text should stand: only the file itself can tell.
    """
    if isinstance(error, sqlite3.Error):
        return _code(error) not in _HELD | _OUT_OF_REACH
    return isinstance(error, _OF_ODD_VALUES)


def is_out_of_reach(error: BaseException) -> bool:
    """Whether the disk, or who may write there, is in the way."""
    return _code(error) in _OUT_OF_REACH or isinstance(error, OSError)


def _code(error: BaseException) -> int | None:
    """Give the primary result code; None where there is none."""
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None
