"""Files that could not be looked for in the last run: their folder cannot be read, or is gone.

Nobody knows whether they are still there, so nothing of them is deleted. Their entries keep their
ids and rows and are hidden from all that reads, since they can be compared with nothing; they come
back when a run can look for them again.
"""

import sqlite3
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_assistant.values.ledger import LedgerLine

_HIDDEN = {
    "entries": "id NOT IN (SELECT id FROM withheld_entries)",
    "passages": "entry_id NOT IN (SELECT id FROM withheld_entries)",
    "passage_terms": "entry_id NOT IN (SELECT id FROM withheld_entries)",
    "entry_terms": "entry_id NOT IN (SELECT id FROM withheld_entries)",
    "previous_texts": "entry_id NOT IN (SELECT id FROM withheld_entries)",
    "versions": "entry_id NOT IN (SELECT id FROM withheld_entries)",
    "suspicions": "entry_id NOT IN (SELECT id FROM withheld_entries)",
}


def withhold(connection: sqlite3.Connection, reasons: Mapping[int, str]) -> None:
    """Withhold these files, by id with the reason, and no others any more."""
    before = dict(connection.execute("SELECT file_id, reason FROM withheld").fetchall())
    if before != dict(reasons):
        connection.execute("DELETE FROM withheld")
        connection.executemany("INSERT INTO withheld VALUES (?, ?)", reasons.items())


def is_any_withheld(connection: sqlite3.Connection) -> bool:
    """Whether a database withholds anything; one of before there was such a thing does not."""
    table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'withheld'"
    if connection.execute(table).fetchone() is None:
        return False
    return connection.execute("SELECT 1 FROM main.withheld LIMIT 1").fetchone() is not None


def withheld_lines(connection: sqlite3.Connection) -> "list[LedgerLine]":
    """List the files that are withheld, with reasons, by path."""
    from rag_assistant.values.ledger import LedgerLine  # noqa: PLC0415 - a search lists none

    if not is_any_withheld(connection):
        return []
    rows = connection.execute(
        "SELECT path, withheld.reason FROM withheld JOIN main.files ON files.id = file_id"
        " ORDER BY path"
    )
    return [LedgerLine(*row) for row in rows]


def hide_withheld(connection: sqlite3.Connection) -> None:
    """Hide their entries from all statements to come, where no scope does."""
    connection.execute("CREATE TEMP TABLE withheld_entries (id INTEGER PRIMARY KEY)")
    connection.execute(
        "INSERT INTO withheld_entries SELECT entries.id FROM withheld"
        " JOIN main.entries ON entries.file_id = withheld.file_id"
    )
    for table, condition in _HIDDEN.items():
        connection.execute(
            f"CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE {condition}"
        )
