"""What tables a file must have: read from a sound one, compared with, or copied to, another."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A column as it was declared; a `needed` one ties its row to others, or tells it from them."""

    name: str
    kind: str
    nullable: bool
    needed: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The plain tables of a file with their columns, and the names of all else in its schema."""

    tables: Mapping[str, tuple[Column, ...]]
    others: frozenset[str]


def layout_of(connection: sqlite3.Connection) -> Layout:
    """Read the layout of a sound file; virtual tables, and those that they keep, are no plain ones.

    Raises sqlite3.DatabaseError.
    """
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    virtual = [name for kind, name, sql in rows if kind == "table" and _is_virtual(sql)]
    own = [
        name
        for kind, name, _ in rows
        if kind == "table"
        and not name.startswith("sqlite_")
        and not any(name == one or name.startswith(f"{one}_") for one in virtual)
    ]
    tables = {name: _columns(connection, name) for name in own}
    names = {name for _, name, _ in rows if not name.startswith("sqlite_")}
    return Layout(tables, frozenset(names - set(own)))


def _is_virtual(sql: str | None) -> bool:
    return (sql or "").upper().startswith("CREATE VIRTUAL")


def _columns(connection: sqlite3.Connection, table: str) -> tuple[Column, ...]:
    needed = {row[3] for row in connection.execute(f'PRAGMA foreign_key_list("{table}")')}
    for index in connection.execute(f'PRAGMA index_list("{table}")').fetchall():
        if index[2]:  # unique
            needed |= {row[2] for row in connection.execute(f'PRAGMA index_info("{index[1]}")')}
    return tuple(
        Column(name, kind.upper(), not (not_null or place), name in needed or place > 0)
        for _, name, kind, not_null, _, place in connection.execute(f'PRAGMA table_info("{table}")')
    )
