"""The ledger of an index: every file that was met, and what came of it."""

import sqlite3
from dataclasses import dataclass
from typing import Literal

Status = Literal["indexed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A line of the ledger: a file as it was when it was last read, and what came of it.

    `loader` names the reader and its version, so that a better one reads the file again.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    hash: str
    loader: str
    status: Status
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A path that is not searchable, with the reason."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A ledger line read back, with its row id."""

    id: int
    record: FileRecord


def known_files(connection: sqlite3.Connection) -> dict[str, KnownFile]:
    """Give the whole ledger of an index by path."""
    rows = connection.execute(
        "SELECT id, path, size, mtime_ns, ctime_ns, hash, loader, status, reason FROM files"
    )
    return {row[1]: KnownFile(row[0], FileRecord(*row[1:])) for row in rows}
