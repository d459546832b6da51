"""Making the terms of all passages anew where they are absent or of another version.

They follow from the passages alone, so that no document has to be read again.
"""

import re
import sqlite3

from rag_assistant.store.sqlite.term_tables import TABLES, TERM_TABLES, TERMS_KEY, TERMS_VERSION
from rag_assistant.store.sqlite.term_writing import TermWriter

TOGETHER = 500
"""Passages that are read at once."""


def remake_terms(connection: sqlite3.Connection) -> None:
    """Make the tables anew, of all passages, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for table in TERM_TABLES:
            connection.execute(f"DROP TABLE IF EXISTS {table}")
        for statement in re.sub("--.*", "", TABLES).split(";"):
            connection.execute(statement)
        _fill(connection)
        connection.execute(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (TERMS_KEY, TERMS_VERSION)
        )
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _fill(connection: sqlite3.Connection) -> None:
    writer = TermWriter(connection)
    last = 0
    while rows := connection.execute(
        "SELECT id, entry_id, title, coalesce(heading, ''), text, variants FROM passages"
        " WHERE id > ? ORDER BY id LIMIT ?",
        (last, TOGETHER),
    ).fetchall():
        writer.add(rows)
        last = rows[-1][0]
    entries = connection.execute(
        "SELECT entries.id, path FROM entries JOIN files ON files.id = file_id"
    ).fetchall()
    for entry_id, path in entries:
        writer.place(entry_id, path)
    writer.finish()
