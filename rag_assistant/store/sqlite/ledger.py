"""The ledger of an index read back: its files, the facts of the database itself, its figures."""

import sqlite3
from dataclasses import fields

from rag_assistant.store.sqlite.term_tables import TERMS_KEY
from rag_assistant.store.sqlite.vector_format import DIMENSION_KEY, MODEL_KEY, STATE_KEY
from rag_assistant.store.sqlite.withheld import withheld_lines
from rag_assistant.values.ledger import (
    FileRecord,
    IndexedFile,
    IndexFigures,
    KnownFile,
    LedgerLine,
    Listed,
)

COLUMNS = tuple(field.name for field in fields(FileRecord))
"""The columns of a line, which are called as the value's fields are."""

OF_TABLES = frozenset((TERMS_KEY, MODEL_KEY, DIMENSION_KEY, STATE_KEY))
"""Keys that tell of tables of this file: in a copy they would tell of tables that it has not."""

_LINE = f"SELECT id, {', '.join(COLUMNS)} FROM files"


class SqliteLedger:
    """Reads the ledger and the facts of a database; `store.reading.Ledger`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def facts(self) -> dict[str, str]:
        """Give what is known of the database itself, by key."""
        facts = dict(self._connection.execute("SELECT key, value FROM meta").fetchall())
        return {key: value for key, value in facts.items() if key not in OF_TABLES}

    def figures(self) -> IndexFigures:
        """Count what the index holds."""
        facts = self.facts()
        statuses = dict(
            self._connection.execute(
                "SELECT status, count(*) FROM files GROUP BY status"
            ).fetchall()
        )
        return IndexFigures(
            folder=facts.get("folder", ""),
            indexed_at=facts.get("indexed_at", ""),
            unfinished=bool(facts.get("unfinished")),
            entries=self._connection.execute("SELECT count(*) FROM entries").fetchone()[0],
            passages=self._connection.execute("SELECT count(*) FROM passages").fetchone()[0],
            failed=statuses.get("failed", 0),
            skipped=statuses.get("skipped", 0),
            withheld=len(withheld_lines(self._connection)),
            partial=len(self.lines("partial")),
        )

    def characters(self) -> int:
        """Count the characters of all entries."""
        query = 'SELECT coalesce(sum("end" - start), 0) FROM passages'
        return int(self._connection.execute(query).fetchone()[0])

    def files(self) -> dict[str, KnownFile]:
        """Give the whole ledger by path."""
        return {row[1]: _known(row) for row in self._connection.execute(_LINE)}

    def file(self, path: str) -> KnownFile | None:
        """Give the line of a path, None where there is none."""
        row = self._connection.execute(f"{_LINE} WHERE path = ?", (path,)).fetchone()
        return None if row is None else _known(row)

    def lines(self, listed: Listed) -> list[LedgerLine]:
        """List the paths that are not searchable, or not all of them, by path with the reason."""
        if listed == "withheld":
            return withheld_lines(self._connection)
        stored = "indexed" if listed == "partial" else listed
        rows = self._connection.execute(
            "SELECT path, reason FROM files WHERE status = ? AND (? <> 'indexed' OR reason <> '')"
            " ORDER BY path",
            (stored, stored),
        )
        return [LedgerLine(*row) for row in rows]

    def indexed(self) -> list[IndexedFile]:
        """List the files of which something is indexed, by path."""
        rows = self._connection.execute(
            "SELECT files.path, group_concat(entries.id), min(entries.title) FROM files"
            " JOIN entries ON entries.file_id = files.id GROUP BY files.id ORDER BY files.path"
        )
        return [
            IndexedFile(path, tuple(map(int, ids.split(","))), title) for path, ids, title in rows
        ]


def _known(row: tuple[int, str, int, int, int, str, str, str, str]) -> KnownFile:
    return KnownFile(row[0], FileRecord(*row[1:]))  # type: ignore[arg-type]
