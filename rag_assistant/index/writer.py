"""Writing an index: the ledger of files, their entries, and the passages of each entry.

Nothing is committed before `commit`; a reader, or the next run after a crash, sees a file's old
passages or its new ones and never a part.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from rag_assistant.documents import Document, Passage

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


_COLUMNS = attrgetter("path", "size", "mtime_ns", "ctime_ns", "hash", "loader", "status", "reason")


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A ledger line read back, with its row id."""

    id: int
    record: FileRecord


class IndexWriter:
    """The one writer of an index. The caller holds the lock and decides when to commit."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._connection.execute("BEGIN")
        self._next_passage = 1 + int(
            connection.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()[0]
        )

    def known_files(self) -> dict[str, KnownFile]:
        """Give the whole ledger by path."""
        rows = self._connection.execute(
            "SELECT id, path, size, mtime_ns, ctime_ns, hash, loader, status, reason FROM files"
        )
        return {row[1]: KnownFile(row[0], FileRecord(*row[1:])) for row in rows}

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Remember facts of the database itself."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", values.items()
        )

    def holds_nothing(self) -> bool:
        """Whether no file was ever read or tried: all there is on the ledger are skips."""
        query = "SELECT 1 FROM files WHERE status <> 'skipped' LIMIT 1"
        return self._connection.execute(query).fetchone() is None

    def record(self, file: FileRecord, known: KnownFile | None = None) -> int:
        """Write a ledger line, over the one of `known` if there is one; give its row id."""
        # No upsert and no RETURNING: with either, FTS5 writes out what it holds at every row.
        values = _COLUMNS(file)
        if known is None:
            return self._insert(
                "INSERT INTO files (path, size, mtime_ns, ctime_ns, hash, loader, status, reason)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
        self._connection.execute(
            "UPDATE files SET path = ?, size = ?, mtime_ns = ?, ctime_ns = ?, hash = ?,"
            " loader = ?, status = ?, reason = ? WHERE id = ?",
            (*values, known.id),
        )
        return known.id

    def _insert(self, statement: str, values: tuple[object, ...]) -> int:
        row_id = self._connection.execute(statement, values).lastrowid
        assert row_id is not None
        return row_id

    def store(
        self,
        file: FileRecord,
        known: KnownFile | None,
        documents: Iterable[tuple[Document, Sequence[Passage]]],
    ) -> int:
        """Write a file's entries in place of what it held; give the number of passages."""
        file_id = self.record(file, known)
        old = self._entry_ids(file_id) if known else {}
        count = 0
        for document, passages in documents:
            entry_id = self._store_entry(file_id, old.pop(document.key, None), document, file.path)
            self._insert_passages(entry_id, document.title or name_of(file.path), passages)
            count += len(passages)
        for entry_id in old.values():
            self._delete_entry(entry_id)
        return count

    def _entry_ids(self, file_id: int) -> dict[str, int]:
        rows = self._connection.execute("SELECT key, id FROM entries WHERE file_id = ?", (file_id,))
        return dict(rows.fetchall())

    def _store_entry(
        self, file_id: int, entry_id: int | None, document: Document, path: str
    ) -> int:
        values = (
            document.title or name_of(path),
            not document.title,
            document.media_type,
            len(document.text),
            json.dumps(dict(document.metadata), ensure_ascii=False) if document.metadata else "{}",
        )
        if entry_id is None:
            return self._insert(
                "INSERT INTO entries (file_id, key, title, titled_by_name, media_type, length,"
                " metadata) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (file_id, document.key, *values),
            )
        self._connection.execute(
            "UPDATE entries SET title = ?, titled_by_name = ?, media_type = ?, length = ?,"
            " metadata = ? WHERE id = ?",
            (*values, entry_id),
        )
        self._connection.execute("DELETE FROM passages WHERE entry_id = ?", (entry_id,))
        return entry_id

    def _insert_passages(self, entry_id: int, title: str, passages: Sequence[Passage]) -> None:
        rows = [
            (self._next_passage + number, entry_id, *_place(p), title, p.location.heading, p.text)
            for number, p in enumerate(passages)
        ]
        self._next_passage += len(rows)
        self._connection.executemany(
            'INSERT INTO passages (id, entry_id, start, "end", page, line, title, heading, text)'
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        self._connection.executemany(
            "INSERT INTO passages_fts (rowid, title, heading, text) VALUES (?, ?, ?, ?)",
            [(row[0], *row[6:]) for row in rows],
        )

    def move(self, file: KnownFile, record: FileRecord) -> None:
        """Give a file its new path; its entries keep their ids and their text."""
        self.drop_ledger_line(record.path)
        self._connection.execute(
            "UPDATE files SET path = ?, size = ?, mtime_ns = ?, ctime_ns = ? WHERE id = ?",
            (record.path, record.size, record.mtime_ns, record.ctime_ns, file.id),
        )
        title = name_of(record.path)
        self._connection.execute(
            "UPDATE passages SET title = ? WHERE entry_id IN"
            " (SELECT id FROM entries WHERE file_id = ? AND titled_by_name)",
            (title, file.id),
        )
        self._connection.execute(
            "UPDATE entries SET title = ? WHERE file_id = ? AND titled_by_name", (title, file.id)
        )

    def drop_ledger_line(self, path: str) -> None:
        """Forget a path that holds no entries (a failure or a skip that is over)."""
        self._connection.execute(
            "DELETE FROM files WHERE path = ? AND id NOT IN (SELECT file_id FROM entries)", (path,)
        )

    def delete_entries(self, file_id: int) -> None:
        """Remove the entries of a file and keep its ledger line."""
        for entry_id in self._entry_ids(file_id).values():
            self._delete_entry(entry_id)

    def delete(self, file_id: int) -> None:
        """Remove a file with its entries."""
        self.delete_entries(file_id)
        self._connection.execute("DELETE FROM files WHERE id = ?", (file_id,))

    def _delete_entry(self, entry_id: int) -> None:
        self._connection.execute("DELETE FROM passages WHERE entry_id = ?", (entry_id,))
        self._connection.execute("DELETE FROM entries WHERE id = ?", (entry_id,))

    def commit(self) -> None:
        """Make everything since the last commit durable."""
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN")

    def roll_back(self) -> None:
        """Undo everything since the last commit."""
        self._connection.execute("ROLLBACK")
        self._connection.execute("BEGIN")


def _place(passage: Passage) -> tuple[int, int, int | None, int | None]:
    place = passage.location
    return place.start, place.end, place.page, place.line


def name_of(path: str) -> str:
    """Give the title of a file that names none: its name without the suffix."""
    name = path.rsplit("/", 1)[-1]
    stem = name.rsplit(".", 1)[0]
    return stem or name
