"""The findings of injection in a database, and which of them the person lets models read.

Leave is given for an entry as long as its text stays as it was, or for the whole database; it is
the person's, so no loader, model or document writes here. It is for words of the text: names and
what was left out stay out of prompts in any case.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from rag_assistant.values.documents import HIDDEN, Suspicion

if TYPE_CHECKING:
    from rag_assistant.values.suspicions import SuspicionCounts, SuspicionRow

ALLOW_ALL = "suspicious_allowed"
"""The key of `meta` that lets models read all of a database."""

WHOLE = -1
"""Stands for the start of a span where the leave is for all of an entry."""

_SHOWN = 300
_ALLOWED = f"""
    suspicions.place = 'text' AND (EXISTS (SELECT 1 FROM meta WHERE key = '{ALLOW_ALL}') OR EXISTS (
        SELECT 1 FROM allowed JOIN entries ON entries.id = allowed.entry_id
        WHERE allowed.entry_id = suspicions.entry_id AND allowed.text_hash = entries.text_hash
        AND allowed.start IN ({WHOLE}, suspicions.start)
    ))
"""


def add(connection: sqlite3.Connection, entry_id: int, found: Iterable[Suspicion]) -> None:
    """Write what was found in an entry."""
    connection.executemany(
        'INSERT INTO suspicions (entry_id, place, kind, start, "end", reason)'
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(entry_id, one.place, one.kind, one.start, one.end, one.reason) for one in found],
    )


def forget(connection: sqlite3.Connection, entry_id: int) -> None:
    """Remove what was found in an entry; leave that was given stays, for the text it was for."""
    connection.execute("DELETE FROM suspicions WHERE entry_id = ?", (entry_id,))


def allow(
    connection: sqlite3.Connection, entry_id: int | None, *, start: int | None, allowed: bool
) -> None:
    """Let models read all of a database, an entry as its text is now, or its span at `start`.

    Taking it back for the database takes back all, for an entry that for its spans.
    """
    if entry_id is None:
        connection.execute("DELETE FROM meta WHERE key = ?", (ALLOW_ALL,))
        if allowed:
            connection.execute("INSERT INTO meta (key, value) VALUES (?, '1')", (ALLOW_ALL,))
        else:
            connection.execute("DELETE FROM allowed")
    elif allowed:
        connection.execute(
            "INSERT OR REPLACE INTO allowed (entry_id, text_hash, start)"
            " SELECT id, text_hash, ? FROM entries WHERE id = ?",
            (WHOLE if start is None else start, entry_id),
        )
    elif start is None:
        connection.execute("DELETE FROM allowed WHERE entry_id = ?", (entry_id,))
    else:
        connection.execute(
            "DELETE FROM allowed WHERE entry_id = ? AND start = ?", (entry_id, start)
        )


class SqliteSuspicions:
    """Reads what was found; `store.reading.Suspicions`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def of_entries(self, entry_ids: Collection[int]) -> dict[int, tuple[Suspicion, ...]]:
        """Give what was found in entries, by id, in order of start; those without are left out."""
        rows = self._connection.execute(
            f'SELECT entry_id, kind, start, "end", reason, place, {_ALLOWED} FROM suspicions'
            " WHERE entry_id IN (SELECT value FROM json_each(?)) ORDER BY entry_id, start, id",
            (json.dumps(list(entry_ids)),),
        )
        found: dict[int, list[Suspicion]] = {}
        for entry_id, kind, start, end, reason, place, allowed in rows:
            one = Suspicion(kind, start, end, reason, place, bool(allowed))
            found.setdefault(entry_id, []).append(one)
        return {entry_id: tuple(there) for entry_id, there in found.items()}

    def entries(self) -> list[int]:
        """Give the entries in whose text something was found."""
        rows = self._connection.execute(
            "SELECT DISTINCT entry_id FROM suspicions WHERE place = 'text'"
        )
        return [entry_id for (entry_id,) in rows]

    def listed(self, entry_id: int | None = None) -> "list[SuspicionRow]":
        """List what was found, in all entries or in one, by path."""
        from rag_assistant.values.suspicions import SuspicionRow  # noqa: PLC0415 - a search lists none

        rows = self._connection.execute(
            f"""
            SELECT entries.id, entries.title, files.path, kind, suspicions.start, suspicions."end",
                suspicions.reason, place, {_ALLOWED}, page, line,
                substr(text, suspicions.start - passages.start + 1,
                    min({_SHOWN}, suspicions."end" - suspicions.start)),
                substr(text, 1, suspicions.start - passages.start)
            FROM suspicions JOIN entries ON entries.id = suspicions.entry_id
            JOIN files ON files.id = file_id
            LEFT JOIN passages ON passages.entry_id = entries.id AND place = 'text'
                AND passages.start <= suspicions.start AND passages."end" > suspicions.start
            WHERE ? IS NULL OR entries.id = ?
            ORDER BY files.path, entries.id, suspicions.start, suspicions.id
            """,
            (entry_id, entry_id),
        )
        found: list[SuspicionRow] = []
        for row in rows:
            kind, start, end, reason, place, allowed, page, line, text, at = row[3:]
            one = Suspicion(kind, start, end, reason, place, bool(allowed))
            on = None if line is None else line + at.count("\n")
            found.append(SuspicionRow(row[0], row[1], row[2], one, page, on, text or ""))
        return found

    def counts(self) -> "SuspicionCounts":
        """Count what was found."""
        from rag_assistant.values.suspicions import SuspicionCounts  # noqa: PLC0415

        row = self._connection.execute(
            f"SELECT count(*), count(DISTINCT entry_id), coalesce(sum({_ALLOWED}), 0),"
            " coalesce(sum(kind = ?), 0) FROM suspicions",
            (HIDDEN,),
        ).fetchone()
        return SuspicionCounts(*row)
