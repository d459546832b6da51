"""Whether a file is whole: SQLite's own structures, every value of every row, every piece of JSON.

SQLite takes a number where text is declared and text that is no UTF-8; nothing of this is found by
`PRAGMA integrity_check`, and all of it ends in an error when the row is read.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_assistant.files.faults import UNREADABLE
from rag_assistant.files.layout import Column, Layout, layout_of

MOST_NAMED = 20
"""Lines that SQLite's own check gives at most; the file is no better for a longer list."""

Check = Callable[[str], object]
"""Raises ValueError, TypeError or KeyError for a text that is not of its form."""


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """What a kind of file must be: its layout, and the form of texts by table and column."""

    layout: Layout
    texts: Mapping[tuple[str, str], Check]


class BadText(str):
    """Text of a row that is no UTF-8, with what could be read of it."""

    __slots__ = ()


def lenient(data: bytes) -> str:
    """Decode text of a row as SQLite's `text_factory`, whatever it holds."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return BadText(data.decode("utf-8", "replace"))


def problems(connection: sqlite3.Connection, form: ExpectedFile) -> list[str]:
    """List what is wrong with a file, each in one line; nothing when it is whole.

    Works on any connection that may read, and gives its rows leniently from then on.
    """
    connection.text_factory = lenient
    try:
        return list(dict.fromkeys(_problems(connection, form)))
    except ValueError as error:  # the name of a column, or a message, is no UTF-8
        return [f"its tables cannot be read: {error}"]


def _problems(connection: sqlite3.Connection, form: ExpectedFile) -> Iterator[str]:
    try:
        for (line,) in connection.execute(f"PRAGMA integrity_check({MOST_NAMED})"):
            if line != "ok":
                yield str(line)
        there = layout_of(connection)
    except UNREADABLE as error:
        yield str(error)
        return
    for missing in sorted(form.layout.others - there.others):
        yield f"{missing} is missing"
    # Tables beside those that must be, as that of vectors, are held to what they declare.
    for table, columns in {**there.tables, **form.layout.tables}.items():
        if table not in there.tables:
            yield f"the table {table} is missing"
        elif lacking := {c.name for c in columns} - {c.name for c in there.tables[table]}:
            yield f"the table {table} has no {', '.join(sorted(lacking))}"
        else:
            yield from _bad_rows(connection, table, columns, form.texts)
    yield from _orphans(connection)


def _bad_rows(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[Column],
    texts: Mapping[tuple[str, str], Check],
) -> Iterator[str]:
    counts: dict[str, int] = {}
    checks = [texts.get((table, column.name)) for column in columns]
    names = ", ".join(f'"{column.name}"' for column in columns)
    try:
        for row in connection.execute(f'SELECT {names} FROM "{table}"'):
            for column, check, value in zip(columns, checks, row, strict=True):
                if wrong := _wrong(column, check, value):
                    counts[wrong] = counts.get(wrong, 0) + 1
    except UNREADABLE as error:
        yield f"the table {table} cannot be read to its end: {error}"
    for wrong, count in counts.items():
        yield f"{count} row{'s' if count > 1 else ''} of {table}: {wrong}"


def _wrong(column: Column, check: Check | None, value: Any) -> str:
    """Say what is wrong with a value; "" for nothing."""
    if isinstance(value, BadText):
        return f"{column.name} is no UTF-8"
    if not fits(column, value):
        return f"{column.name} is no {column.kind}"
    if check and value is not None:
        try:
            check(value)
        except (ValueError, TypeError, KeyError, RecursionError):
            return f"{column.name} is not of its form"
    return ""


def fits(column: Column, value: object) -> bool:
    """Whether a value is of the kind that its column was declared with."""
    if value is None:
        return column.nullable
    return isinstance(value, _KINDS.get(column.kind, object))


_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "TEXT": str,
    "INTEGER": int,
    "BLOB": bytes,
    "REAL": (float, int),
}


def _orphans(connection: sqlite3.Connection) -> Iterator[str]:
    counts: dict[tuple[str, str], int] = {}
    try:
        for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"):
            counts[table, parent] = counts.get((table, parent), 0) + 1
    except UNREADABLE as error:
        yield f"what rows belong to cannot be told: {error}"
    for (table, parent), count in counts.items():
        yield f"{count} of {table} belong to none of {parent}"
