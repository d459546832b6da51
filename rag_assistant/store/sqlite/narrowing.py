"""A connection that sees a part of a database: the names of its tables mean what is in scope.

Whatever reads through it, by words or by an id, finds nothing else.
"""

import json
import sqlite3

from rag_assistant.values.scope import Scope

_TABLES = """
    CREATE TEMP TABLE scope_files (id INTEGER PRIMARY KEY);
    CREATE TEMP TABLE scope_entries (id INTEGER PRIMARY KEY);
"""
_NARROWED = {
    "files": "id IN (SELECT id FROM scope_files)",
    "entries": "id IN (SELECT id FROM scope_entries)",
    "passages": "entry_id IN (SELECT id FROM scope_entries)",
    "passage_terms": "entry_id IN (SELECT id FROM scope_entries)",
    "entry_terms": "entry_id IN (SELECT id FROM scope_entries)",
    "entry_facts": "entry_id IN (SELECT id FROM scope_entries)",
    "previous_texts": "entry_id IN (SELECT id FROM scope_entries)",
    "versions": "entry_id IN (SELECT id FROM scope_entries)",
    "suspicions": "entry_id IN (SELECT id FROM scope_entries)",
}


def narrow(connection: sqlite3.Connection, scope: Scope, *, withholds: bool = False) -> None:
    """Hide what is out of scope, or withheld, from all statements to come.

    The full-text index stays whole: what it finds counts only where it is joined to `passages`.
    """
    for statement in filter(str.strip, _TABLES.split(";")):
        connection.execute(statement)
    folders = [path for path in scope.paths if path.endswith("/")]
    files = [path for path in scope.paths if not path.endswith("/")]
    connection.execute(
        "INSERT OR IGNORE INTO scope_files SELECT files.id FROM json_each(?) AS wanted"
        " CROSS JOIN main.files ON files.path = wanted.value",
        (json.dumps(files),),
    )
    for folder in folders:
        # "0" comes after "/": all paths that begin so, by the index of paths.
        connection.execute(
            "INSERT OR IGNORE INTO scope_files SELECT id FROM main.files"
            " WHERE path >= ? AND path < ?",
            (folder, f"{folder[:-1]}0"),
        )
    connection.execute(
        "INSERT INTO scope_entries SELECT entries.id FROM scope_files"
        " CROSS JOIN main.entries ON file_id = scope_files.id"
    )
    if scope.entries:
        connection.execute(
            "INSERT OR IGNORE INTO scope_entries SELECT entries.id FROM json_each(?) AS wanted"
            " CROSS JOIN main.entries ON entries.id = wanted.value",
            (json.dumps(scope.entries),),
        )
        connection.execute(
            "INSERT OR IGNORE INTO scope_files SELECT file_id FROM scope_entries"
            " CROSS JOIN main.entries ON entries.id = scope_entries.id"
        )
    if withholds:
        connection.execute(
            "DELETE FROM scope_entries WHERE id IN (SELECT entries.id FROM withheld"
            " JOIN main.entries ON entries.file_id = withheld.file_id)"
        )
    for table, condition in _NARROWED.items():
        connection.execute(
            f"CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE {condition}"
        )


def is_narrowed(connection: sqlite3.Connection) -> bool:
    """Whether a connection sees a part of a database only: by its scope, or what is withheld."""
    view = "SELECT 1 FROM sqlite_temp_master WHERE type = 'view' AND name = 'entries'"
    return connection.execute(view).fetchone() is not None
