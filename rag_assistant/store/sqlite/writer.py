"""The one writer of an index: the ledger of files, and by `entry_writer` what they hold.

Nothing is committed before `commit`; a reader, or the next run after a crash, sees a file's old
passages or its new ones and never a part.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from rag_assistant.store.families import group_versions
from rag_assistant.store.sqlite.entry_writer import EntryWriter
from rag_assistant.store.sqlite.family_tables import FamilyTables, compare_again
from rag_assistant.store.sqlite.former_ids import forget_old
from rag_assistant.store.sqlite.ledger import COLUMNS, SqliteLedger
from rag_assistant.store.sqlite.vector_writing import restore_vectors
from rag_assistant.store.sqlite.withheld import withhold
from rag_assistant.values.ledger import FileChange, FileRecord, FileWritten, KnownFile

KEPT = " (the text of the last good reading is kept)"
"""Follows the reason of a failure where entries of before stay."""

_line_of = attrgetter(*COLUMNS)
_MARKS = ", ".join("?" * len(COLUMNS))


class SqliteWriter:
    """Writes what a run finds; `store.writing.StoreWriter`. Whoever made it holds the lock."""

    commit_pause = 0.0

    def __init__(self, connection: sqlite3.Connection, notes: Sequence[str] = ()) -> None:
        self.notes = tuple(notes)
        self.ledger = SqliteLedger(connection)
        self._connection = connection
        self._connection.execute("BEGIN")
        self._entries = EntryWriter(connection)

    def set_facts(self, values: Mapping[str, str]) -> None:
        """Remember facts of the database itself."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", values.items()
        )

    def write(self, change: FileChange) -> FileWritten:
        """Write what came of one file."""
        file, known = change.file, change.known
        match change.action:
            case "store":
                return self._store(change)
            case "move" | "move and store" if known:
                self._move(known, file)
                if change.action == "move and store":
                    return self._store(change)
            case "delete" if known:
                self._entries.delete_all_of(known.id)
                self._connection.execute("DELETE FROM files WHERE id = ?", (known.id,))
            case action:
                if known and action == "skip":
                    self._entries.delete_all_of(known.id)
                if known and action == "fail" and self._entries.are_any_of(known.id):
                    file = replace(file, reason=file.reason + KEPT)
                self._record(file, known)
        return FileWritten(file)

    def _store(self, change: FileChange) -> FileWritten:
        known, file = change.known, change.file
        file_id = self._record(file, known)
        same_loader = known is not None and known.record.loader == file.loader
        passages, renumbered = self._entries.replace(
            file_id, file, change.entries, same_loader=same_loader
        )
        return FileWritten(file, passages, tuple(renumbered))

    def _record(self, file: FileRecord, known: KnownFile | None) -> int:
        """Write a ledger line, over the one of `known` if there is one; give its row id."""
        # No upsert and no RETURNING: with either, FTS5 writes out what it holds at every row.
        values = _line_of(file)
        if known is None:
            row_id = self._connection.execute(
                f"INSERT INTO files ({', '.join(COLUMNS)}) VALUES ({_MARKS})",
                values,
            ).lastrowid
            assert row_id is not None
            return row_id
        self._connection.execute(
            f"UPDATE files SET {', '.join(f'{name} = ?' for name in COLUMNS)} WHERE id = ?",
            (*values, known.id),
        )
        if known.record.mtime_ns != file.mtime_ns:
            compare_again(self._connection, known.id)
        return known.id

    def _move(self, known: KnownFile, file: FileRecord) -> None:
        """Give a file its new path; its entries keep their ids and their text."""
        # A line of the new path can only be of a failure or a skip that is over.
        self._connection.execute(
            "DELETE FROM files WHERE path = ? AND id NOT IN (SELECT file_id FROM entries)",
            (file.path,),
        )
        self._connection.execute(
            "UPDATE files SET path = ?, size = ?, mtime_ns = ?, ctime_ns = ? WHERE id = ?",
            (file.path, file.size, file.mtime_ns, file.ctime_ns, known.id),
        )
        self._entries.retitle(known.id, file.path)

    def withhold(self, reasons: Mapping[int, str]) -> None:
        """Withhold these files, by id with the reason, and no others any more."""
        withhold(self._connection, reasons)

    def commit(self) -> None:
        """Make everything since the last commit durable."""
        self._entries.settle()
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN")

    def roll_back(self) -> None:
        """Undo everything since the last commit."""
        self._connection.execute("ROLLBACK")
        self._entries.discard()
        self._connection.execute("BEGIN")

    def finish(self) -> list[str]:
        """End a whole run: put in order what only then can be, commit, and give back room."""
        forget_old(self._connection)
        restore_vectors(self._connection)
        notes = group_versions(FamilyTables(self._connection))
        self._entries.finish()
        self._connection.execute("COMMIT")
        # A long run leaves a log that is many times what it wrote.
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        # As a script: `execute` takes a single step of it, which frees one page.
        self._connection.executescript("PRAGMA incremental_vacuum")
        self._connection.execute("BEGIN")
        return notes
