"""Writing an index: the ledger of files, their entries, and the passages of each entry.

Nothing is committed before `commit`; a reader, or the next run after a crash, sees a file's old
passages or its new ones and never a part.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter

from rag_assistant.store.sqlite import families, suspicion_rows
from rag_assistant.store.sqlite.former_ids import (
    forget_old,
    former_id,
    remember,
    remember_one,
    take_back,
)
from rag_assistant.store.sqlite.ledger import FileRecord, KnownFile, known_files
from rag_assistant.store.sqlite.withheld import withhold
from rag_assistant.text.terms import variants_of
from rag_assistant.values.documents import PassageRow, ReadEntry


@dataclass(frozen=True, slots=True)
class Stored:
    """What writing a file came to; `renumbered` are ids that records wanted and others have."""

    passages: int
    renumbered: tuple[int, ...] = ()


_COLUMNS = attrgetter("path", "size", "mtime_ns", "ctime_ns", "hash", "loader", "status", "reason")

WRITTEN_TOGETHER = 500
"""Passages that are written together, of small entries or of one: each call has its price."""

_Taken = tuple[int, int, str, int, int, int | None, int | None, str | None, str, str]


class IndexWriter:
    """The one writer of an index. The caller holds the lock and decides when to commit."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._taken: list[_Taken] = []
        self._sketches: list[families.SketchRow] = []
        self._connection.execute("BEGIN")
        self._next_passage = 1 + int(
            connection.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()[0]
        )

    def known_files(self) -> dict[str, KnownFile]:
        """Give the whole ledger by path."""
        return known_files(self._connection)

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Remember facts of the database itself."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", values.items()
        )

    def holds_nothing(self) -> bool:
        """Whether no file was ever read or tried: all there is on the ledger are skips."""
        query = "SELECT 1 FROM files WHERE status <> 'skipped' LIMIT 1"
        return self._connection.execute(query).fetchone() is None

    def has_entries(self, file_id: int) -> bool:
        """Whether a file holds entries, as a failed one does that was read before."""
        query = "SELECT 1 FROM entries WHERE file_id = ? LIMIT 1"
        return self._connection.execute(query, (file_id,)).fetchone() is not None

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
        if known.record.mtime_ns != file.mtime_ns:
            families.compare_again(self._connection, known.id)
        return known.id

    def _insert(self, statement: str, values: tuple[object, ...]) -> int:
        row_id = self._connection.execute(statement, values).lastrowid
        assert row_id is not None
        return row_id

    def store(
        self, file: FileRecord, known: KnownFile | None, entries: Iterable[ReadEntry]
    ) -> Stored:
        """Write a file's entries in place of what it held."""
        file_id = self.record(file, known)
        old = self._entries_of(file_id) if known else {}
        same_loader = known is not None and known.record.loader == file.loader
        passages, renumbered = 0, []
        for entry in entries:
            before = old.pop(entry.key, None)
            title = entry.title or name_of(file.path)
            if before and same_loader and before[1:] == (entry.text_hash, title):
                self._update(before[0], entry, title)
                continue
            if before:
                self._keep_previous_text(before[0], before[1])
                self._forget_text(before[0])
                self._update(before[0], entry, title)
                entry_id = before[0]
            else:
                entry_id = self._new_entry(file_id, file, entry, title)
                if entry.wanted_id not in (None, entry_id):
                    renumbered.append(entry.wanted_id or 0)
            if not entry.key:
                self._sketches.append(families.sketch_row(entry_id, file.path, entry))
            self._take_passages(entry_id, title, entry.passages)
            suspicion_rows.add(self._connection, entry_id, entry.suspicions)
            passages += len(entry.passages)
        self._write_passages()
        for entry_id, *_ in old.values():
            remember_one(self._connection, entry_id)
            self._delete_entry(entry_id)
        return Stored(passages, tuple(renumbered))

    def _entries_of(self, file_id: int) -> dict[str, tuple[int, str, str]]:
        """Give id, hash of the text and title of a file's entries by key."""
        rows = self._connection.execute(
            "SELECT key, id, text_hash, title FROM entries WHERE file_id = ?", (file_id,)
        )
        return {key: (entry_id, text_hash, title) for key, entry_id, text_hash, title in rows}

    def _new_entry(self, file_id: int, file: FileRecord, entry: ReadEntry, title: str) -> int:
        former = former_id(self._connection, file.path, entry.key, file.hash)
        wanted = former if entry.wanted_id is None else entry.wanted_id
        if wanted is not None:
            take_back(self._connection, wanted)
            taken = "SELECT 1 FROM entries WHERE id = ?"
            wanted = None if self._connection.execute(taken, (wanted,)).fetchone() else wanted
        return self._insert(
            "INSERT INTO entries (id, file_id, key, title, titled_by_name, media_type, length,"
            " text_hash, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (wanted, file_id, entry.key, *_facts(entry, title)),
        )

    def _update(self, entry_id: int, entry: ReadEntry, title: str) -> None:
        self._connection.execute(
            "UPDATE entries SET title = ?, titled_by_name = ?, media_type = ?, length = ?,"
            " text_hash = ?, metadata = ? WHERE id = ?",
            (*_facts(entry, title), entry_id),
        )

    def _keep_previous_text(self, entry_id: int, text_hash: str) -> None:
        rows = self._connection.execute(
            "SELECT text FROM passages WHERE entry_id = ? ORDER BY start", (entry_id,)
        )
        text = "".join(row[0] for row in rows)
        if text:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            self._connection.execute(
                "INSERT OR REPLACE INTO previous_texts VALUES (?, ?, ?, ?)",
                (entry_id, text_hash, now, text),
            )

    def _take_passages(self, entry_id: int, title: str, passages: Sequence[PassageRow]) -> None:
        """Number passages to be written, in one go with those of other entries."""
        for row in passages:
            variants = variants_of(title, row[4], row[5])
            self._taken.append((self._next_passage, entry_id, title, *row, variants))
            self._next_passage += 1
            if len(self._taken) >= WRITTEN_TOGETHER:
                self._write_passages()

    def _write_passages(self) -> None:
        self._connection.executemany(
            'INSERT INTO passages (id, entry_id, title, start, "end", page, line, heading, text,'
            " variants) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            self._taken,
        )
        self._connection.executemany(
            "INSERT INTO passages_fts (rowid, title, heading, text, variants)"
            " VALUES (?, ?, ?, ?, ?)",
            [(row[0], row[2], row[7], row[8], row[9]) for row in self._taken],
        )
        self._taken.clear()
        families.add_sketches(self._connection, self._sketches)
        self._sketches.clear()

    def move(self, file: KnownFile, record: FileRecord) -> None:
        """Give a file its new path; its entries keep their ids and their text."""
        self.drop_ledger_line(record.path)
        self._connection.execute(
            "UPDATE files SET path = ?, size = ?, mtime_ns = ?, ctime_ns = ? WHERE id = ?",
            (record.path, record.size, record.mtime_ns, record.ctime_ns, file.id),
        )
        title = name_of(record.path)
        rows = self._connection.execute(
            "SELECT passages.id, heading, text FROM passages JOIN entries ON entries.id = entry_id"
            " WHERE file_id = ? AND titled_by_name",
            (file.id,),
        ).fetchall()
        self._connection.executemany(
            "UPDATE passages SET title = ?, variants = ? WHERE id = ?",
            [(title, variants_of(title, heading, text), row_id) for row_id, heading, text in rows],
        )
        self._connection.execute(
            "UPDATE entries SET title = ? WHERE file_id = ? AND titled_by_name", (title, file.id)
        )
        families.rename(self._connection, file.id, record.path)

    def drop_ledger_line(self, path: str) -> None:
        """Forget a path that holds no entries (a failure or a skip that is over)."""
        self._connection.execute(
            "DELETE FROM files WHERE path = ? AND id NOT IN (SELECT file_id FROM entries)", (path,)
        )

    def delete_entries(self, file_id: int) -> None:
        """Remove the entries of a file and keep its ledger line; their ids are remembered."""
        remember(self._connection, file_id)
        for entry_id, *_ in self._entries_of(file_id).values():
            self._delete_entry(entry_id)

    def delete(self, file_id: int) -> None:
        """Remove a file with its entries, whose ids are remembered."""
        self.delete_entries(file_id)
        self._connection.execute("DELETE FROM files WHERE id = ?", (file_id,))

    def _delete_entry(self, entry_id: int) -> None:
        self._forget_text(entry_id)
        self._connection.execute("DELETE FROM previous_texts WHERE entry_id = ?", (entry_id,))
        self._connection.execute("DELETE FROM allowed WHERE entry_id = ?", (entry_id,))
        self._connection.execute("DELETE FROM entries WHERE id = ?", (entry_id,))

    def _forget_text(self, entry_id: int) -> None:
        """Remove the passages of an entry, and what was known by them."""
        families.forget_version(self._connection, entry_id)
        suspicion_rows.forget(self._connection, entry_id)
        self._connection.execute("DELETE FROM sketches WHERE entry_id = ?", (entry_id,))
        self._connection.execute("DELETE FROM passages WHERE entry_id = ?", (entry_id,))

    def commit(self) -> None:
        """Make everything since the last commit durable."""
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN")

    def withhold(self, reasons: Mapping[int, str]) -> None:
        """Withhold these files, by id with the reason, and no others any more."""
        withhold(self._connection, reasons)

    def forget_old(self) -> None:
        """Forget ids that were remembered for long enough."""
        forget_old(self._connection)

    def give_back(self) -> None:
        """Commit, and give back to the file system what merging and deleting left free."""
        self._connection.execute("COMMIT")
        # As a script: `execute` takes a single step of it, which frees one page.
        self._connection.executescript("PRAGMA incremental_vacuum")
        self._connection.execute("BEGIN")

    def roll_back(self) -> None:
        """Undo everything since the last commit."""
        self._taken.clear()
        self._sketches.clear()
        self._connection.execute("ROLLBACK")
        self._connection.execute("BEGIN")


def _facts(entry: ReadEntry, title: str) -> tuple[str, bool, str, int, str, str]:
    metadata = dict(entry.metadata)
    written = json.dumps(metadata, ensure_ascii=False) if metadata else "{}"
    return title, not entry.title, entry.media_type, entry.length, entry.text_hash, written


def name_of(path: str) -> str:
    """Give the title of a file that names none: its name without the suffix."""
    name = path.rsplit("/", 1)[-1]
    stem = name.rsplit(".", 1)[0]
    return stem or name
