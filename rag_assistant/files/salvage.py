"""Reading what can still be read of a damaged file, row by row, into a sound one.

SQLite ends a statement at the first page that it cannot make sense of. Where the next row that can
be found lies is then looked for by its id. The work is done on a copy: the damaged file itself is
never written.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from rag_assistant.files.checking import fits, lenient
from rag_assistant.files.layout import Column, layout_of

MOST_FAILURES = 5_000
"""Statements that may fail in one table: about fifty damaged places in a row."""

MOST_DELETED = 10_000_000
"""Rows that may have been deleted behind the last one: a number beyond is damage."""

LARGEST_ID = 2**53
"""Ids beyond are damage: they would leave no room for further ones."""

_MAGIC = b"SQLite format 3\0"
_FIXED = {18: b"\x02\x02", 20: b"\0\x40\x20\x20", 44: b"\0\0\0\x04", 56: b"\0\0\0\x01"}
"""What stands at these offsets of the header of every file of ours: read and written by WAL, no
reserved space, the three payload fractions, schema format 4, UTF-8
(https://www.sqlite.org/fileformat2.html#the_database_header)."""

Row = tuple[Any, ...]

_UNREADABLE = (sqlite3.Error, ValueError, OverflowError, MemoryError)


@contextmanager
def readable_copy(path: Path, page_sizes: Sequence[int]) -> Iterator[sqlite3.Connection | None]:
    """Open a copy of a damaged file as far as it can be opened; None where nothing can be read.

    Where its header is damaged, it is restored with each of `page_sizes` until one fits. Raises
    OSError.
    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f"{path.stem}.reading-") as scratch:
        copy = Path(scratch) / "copy.db"
        for attempt in (None, *page_sizes):
            for suffix in ("", "-wal"):
                file = path.with_name(path.name + suffix)
                if file.exists():
                    shutil.copyfile(file, copy.with_name(copy.name + suffix))
            if attempt is not None:
                _restore_header(copy, attempt)
            connection = _opened(copy)
            if connection:
                with closing(connection):
                    yield connection
                return
        yield None


def _opened(copy: Path) -> sqlite3.Connection | None:
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.text_factory = lenient
    try:
        # With it, a schema that cannot be read in part is read in the other part.
        connection.execute("PRAGMA writable_schema = ON")
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return connection
    except _UNREADABLE:
        pass
    connection.close()
    return None


def _restore_header(copy: Path, page_size: int) -> None:
    with copy.open("r+b") as file:
        file.write(_MAGIC + page_size.to_bytes(2, "big"))
        for offset, value in _FIXED.items():
            file.seek(offset)
            file.write(value)
        # A size of 0 pages: SQLite takes that of the file.
        file.seek(28)
        file.write(bytes(4))


Amend = Callable[[str, dict[str, Any]], bool]
"""Puts right what the values of a row of a table, by column, must be besides of their kind; false
for a row that is to be left out."""


def copy_rows(
    damaged: sqlite3.Connection, sound: sqlite3.Connection, amend: Amend = lambda *_: True
) -> dict[str, int]:
    """Copy what can be read into the tables of a sound file that are empty; count it by table.

    Text that is no UTF-8 comes with U+FFFD in its bad places; a value of another kind than its
    column becomes an empty one, and a row without what ties it to others is left out.
    """
    counts: dict[str, int] = {}
    sound.execute("PRAGMA foreign_keys = OFF")
    sound.execute("BEGIN")
    for table, columns in layout_of(sound).tables.items():
        there = _names(damaged, table)
        common = [column for column in columns if column.name in there]
        if not common:
            continue
        names = ", ".join(["rowid", *(f'"{column.name}"' for column in columns)])
        marks = ", ".join("?" * (len(columns) + 1))
        statement = f'INSERT OR IGNORE INTO "{table}" ({names}) VALUES ({marks})'
        before = sound.total_changes
        for row_id, values in rows_of(damaged, table, [column.name for column in common]):
            known = dict(zip((column.name for column in common), values, strict=True))
            row = _mended(columns, known)
            if row is not None and 0 < row_id <= LARGEST_ID and amend(table, row):
                sound.execute(statement, (row_id, *row.values()))
        counts[table] = sound.total_changes - before
    sound.execute("COMMIT")
    return counts


def keep_highest_id(damaged: sqlite3.Connection, sound: sqlite3.Connection, table: str) -> None:
    """Take over which ids of a table were given out, unless that number is damaged itself."""
    with suppress(*_UNREADABLE):
        query = "SELECT max(seq) FROM sqlite_sequence WHERE name = ?"
        before = damaged.execute(query, (table,)).fetchone()[0]
        known = sound.execute(query, (table,)).fetchone()[0] or 0
        if isinstance(before, int) and known < before <= known + MOST_DELETED:
            sound.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            sound.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, before))


def drop_orphans(sound: sqlite3.Connection) -> int:
    """Delete the rows that belong to none; give how many there were."""
    dropped = 0
    while orphans := sound.execute("PRAGMA foreign_key_check").fetchall():
        for table, row_id, *_ in orphans:
            sound.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (row_id,))
        dropped += len(orphans)
    return dropped


def _names(damaged: sqlite3.Connection, table: str) -> set[str]:
    try:
        return {str(row[1]) for row in damaged.execute(f'PRAGMA table_info("{table}")')}
    except _UNREADABLE:
        return set()


def _mended(columns: Sequence[Column], known: dict[str, Any]) -> dict[str, Any] | None:
    """Give a row fit to be stored, None for one that cannot be."""
    row: dict[str, Any] = {}
    for column in columns:
        value = known.get(column.name)
        if isinstance(value, bytes) and column.kind == "TEXT":
            value = lenient(value)  # one bit tells the two apart
        if not fits(column, value) or (isinstance(value, int) and column.needed and value < 0):
            if column.needed:
                return None
            value = None if column.nullable else _EMPTY.get(column.kind)
        row[column.name] = str(value) if isinstance(value, str) else value
    return row


_EMPTY: dict[str, Any] = {"TEXT": "", "INTEGER": 0, "BLOB": b"", "REAL": 0.0}


def rows_of(
    damaged: sqlite3.Connection, table: str, columns: Sequence[str]
) -> Iterator[tuple[int, Row]]:
    """Give the rows of a table that can be read, each with its row id, in no order."""
    yield from _Rows(damaged, table, columns).all()


class _Rows:
    def __init__(self, connection: sqlite3.Connection, table: str, columns: Sequence[str]) -> None:
        self._connection = connection
        self._table = table
        self._columns = [f'"{name}"' for name in columns]
        self._failures = 0

    def all(self) -> Iterator[tuple[int, Row]]:
        known: int | None = -LARGEST_ID  # all up to this one is read, or cannot be
        last = -LARGEST_ID
        while known is not None and self._failures < MOST_FAILURES:
            failures = self._failures
            for row in self._span(known + 1):
                known = last = row[0]
                yield row
            if self._failures == failures:
                return
            there, row_id = self._first_after(known)
            if there and row_id is None:
                return
            if there and row_id is not None and row_id > known:
                # Its row begins well: a later part of it is lost.
                yield from self._by_columns(row_id)
                known = last = row_id
            else:
                known = self._behind(known)
        # The way to the rest may be lost from this end only.
        yield from self._span(last + 1, "DESC")

    def _first_after(self, row_id: int) -> tuple[bool, int | None]:
        """Say whether the next row can be found, and which it is, if there is one."""
        try:
            row = self._connection.execute(
                f'SELECT rowid FROM "{self._table}" WHERE rowid > ? ORDER BY rowid LIMIT 1',
                (row_id,),
            ).fetchone()
        except _UNREADABLE:
            self._failures += 1
            return False, None
        return True, row[0] if row else None

    def _behind(self, row_id: int) -> int | None:
        """Give the least id above, from which on rows can be found again; None for none.

        It is looked for in growing steps, and then between the last two of them.
        """
        step, bad = 1, row_id
        while not self._first_after(row_id + step)[0]:
            bad = row_id + step
            step *= 2
            if row_id + step > LARGEST_ID:
                return None
        good = row_id + step
        while good - bad > 1:
            middle = (good + bad) // 2
            if self._first_after(middle)[0]:
                good = middle
            else:
                bad = middle
        return good

    def _span(self, low: int, order: str = "ASC") -> Iterator[tuple[int, Row]]:
        """Give the rows with an id of at least `low`, in order, until one cannot be read."""
        before: int | None = None
        try:
            for row_id, *row in self._connection.execute(
                f'SELECT rowid, {", ".join(self._columns)} FROM "{self._table}"'
                f" WHERE rowid >= ? ORDER BY rowid {order}",
                (low,),
            ):
                # A tree that leads back to itself would never end.
                back = before is not None and (row_id <= before) is (order == "ASC")
                if row_id < low or back:
                    self._failures += 1
                    return
                before = row_id
                yield row_id, tuple(row)
        except _UNREADABLE:
            self._failures += 1

    def _by_columns(self, row_id: int) -> Iterator[tuple[int, Row]]:
        """Give what can be read of a row whose later part lies on a damaged page."""
        row: list[Any] = []
        for column in self._columns:
            try:
                found = self._connection.execute(
                    f'SELECT {column} FROM "{self._table}" WHERE rowid = ?', (row_id,)
                ).fetchone()
            except _UNREADABLE:
                row.append(None)
                continue
            if found is None:
                return
            row.append(found[0])
        if any(value is not None for value in row):
            yield row_id, tuple(row)
