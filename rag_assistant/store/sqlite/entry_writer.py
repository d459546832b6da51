"""Writing the entries of files: each with its passages, its sketch and what is suspicious in it.

Rows of several entries are written together, since each call has its price: `flush` writes those
that wait.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from rag_assistant.store.record_making import EntryText, lead_of, name_of
from rag_assistant.store.sketching import SketchRow, sketch_row
from rag_assistant.store.sqlite import entry_facts, family_tables, sketches, suspicions
from rag_assistant.store.sqlite.former_ids import former_id, remember, remember_one, take_back
from rag_assistant.store.sqlite.term_writing import TermWriter
from rag_assistant.text.terms import variants_of
from rag_assistant.values.ledger import FileRecord, PassageRow, ReadEntry

WRITTEN_TOGETHER = 500
"""Passages that are written together, of small entries or of one: each call has its price."""

_Taken = tuple[int, int, str, int, int, int | None, int | None, str | None, str, str, str | None]


class EntryWriter:
    """Writes entries by the id of their file's line in the ledger. It never commits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._taken: list[_Taken] = []
        self._sketches: list[SketchRow] = []
        self._facts: list[entry_facts.FactsRow] = []
        self._named: list[EntryText] = []
        self._terms = TermWriter(connection)
        self._next_passage = 1 + int(
            connection.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()[0]
        )

    def replace(
        self, file_id: int, file: FileRecord, entries: Iterable[ReadEntry], *, same_loader: bool
    ) -> tuple[int, list[int]]:
        """Write a file's entries in place of those it held.

        Entries of the `same_loader` whose texts are as they were keep their passages. Gives how
        many passages are new, and the ids that records wanted and others have.
        """
        old = self._entries_of(file_id)
        passages, renumbered = 0, []
        for entry in entries:
            before = old.pop(entry.key, None)
            title = entry.title or name_of(file.path)
            if before and same_loader and before[1:] == (entry.text_hash, title):
                self._update(before[0], entry, title)
                self._facts.append(entry_facts.row_of(before[0], entry.facts))
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
            if entry.previous:
                self._put_previous_text(entry_id, *entry.previous)
            if not entry.key:
                self._sketches.append(sketch_row(entry_id, file.path, entry))
            self._take_passages(entry_id, title, entry.passages)
            lead = lead_of([row[5] for row in entry.passages[:2]])
            self._named.append((entry_id, title, file.path, ", ".join(entry.facts.authors), lead))
            suspicions.add(self._connection, entry_id, entry.suspicions)
            self._facts.append(entry_facts.row_of(entry_id, entry.facts))
            passages += len(entry.passages)
        self.flush()
        for entry_id, *_ in old.values():
            remember_one(self._connection, entry_id)
            self._delete(entry_id)
        return passages, renumbered

    def retitle(self, file_id: int, path: str) -> None:
        """Give a file's entries the name of its new path, where they have no title of their own."""
        title = name_of(path)
        entries = self._connection.execute(
            "SELECT id, titled_by_name FROM entries WHERE file_id = ?", (file_id,)
        ).fetchall()
        for entry_id, titled_by_name in entries:
            if titled_by_name:
                self._retitle(entry_id, title)
            self._terms.place(entry_id, path)
        family_tables.rename(self._connection, file_id, path)

    def _retitle(self, entry_id: int, title: str) -> None:
        rows = self._connection.execute(
            "SELECT id, heading, text FROM passages WHERE entry_id = ?", (entry_id,)
        ).fetchall()
        self._terms.forget(entry_id)
        made = [
            (row_id, entry_id, title, heading or "", text, variants_of(title, heading, text))
            for row_id, heading, text in rows
        ]
        self._connection.executemany(
            "UPDATE passages SET title = ?, variants = ? WHERE id = ?",
            [(title, variants, row_id) for row_id, *_, variants in made],
        )
        self._terms.add(made)
        self._connection.execute("UPDATE entries SET title = ? WHERE id = ?", (title, entry_id))

    def are_any_of(self, file_id: int) -> bool:
        """Whether a file holds entries, as a failed one does that was read before."""
        query = "SELECT 1 FROM entries WHERE file_id = ? LIMIT 1"
        return self._connection.execute(query, (file_id,)).fetchone() is not None

    def delete_all_of(self, file_id: int) -> None:
        """Delete the entries of a file; their ids are remembered."""
        remember(self._connection, file_id)
        for entry_id, *_ in self._entries_of(file_id).values():
            self._delete(entry_id)

    def flush(self) -> None:
        """Write the rows that wait."""
        self._connection.executemany(
            'INSERT INTO passages (id, entry_id, title, start, "end", page, line, heading, text,'
            " variants, sections) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            self._taken,
        )
        self._connection.executemany(
            "INSERT INTO passages_fts (rowid, title, heading, text, variants)"
            " VALUES (?, ?, ?, ?, ?)",
            [(row[0], row[2], row[7], row[8], row[9]) for row in self._taken],
        )
        self._terms.add([(*row[:3], row[7] or "", row[8], row[9]) for row in self._taken])
        self._taken.clear()
        self._terms.add_entries(self._named)
        self._named.clear()
        sketches.add_sketches(self._connection, self._sketches)
        self._sketches.clear()
        entry_facts.add(self._connection, self._facts)
        self._facts.clear()

    def settle(self) -> None:
        """Count what was written, before a commit."""
        self._terms.settle()

    def finish(self) -> None:
        """Count what was written, at the end of a run."""
        self._terms.finish()

    def discard(self) -> None:
        """Forget the rows that wait: what they are of is rolled back."""
        self._taken.clear()
        self._named.clear()
        self._terms.discard()
        self._sketches.clear()
        self._facts.clear()

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
        row_id = self._connection.execute(
            "INSERT INTO entries (id, file_id, key, title, titled_by_name, media_type, length,"
            " text_hash, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (wanted, file_id, entry.key, *_facts(entry, title)),
        ).lastrowid
        assert row_id is not None
        return row_id

    def _update(self, entry_id: int, entry: ReadEntry, title: str) -> None:
        entry_facts.forget(self._connection, entry_id)
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
            self._put_previous_text(entry_id, text_hash, text)

    def _put_previous_text(self, entry_id: int, text_hash: str, text: str) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._connection.execute(
            "INSERT OR REPLACE INTO previous_texts VALUES (?, ?, ?, ?)",
            (entry_id, text_hash, now, text),
        )

    def _take_passages(self, entry_id: int, title: str, passages: Sequence[PassageRow]) -> None:
        """Number passages to be written, in one go with those of other entries."""
        for row in passages:
            variants = variants_of(title, row[4], row[5])
            sections = json.dumps(row[6], ensure_ascii=False) if row[6] else None
            self._taken.append((self._next_passage, entry_id, title, *row[:6], variants, sections))
            self._next_passage += 1
            if len(self._taken) >= WRITTEN_TOGETHER:
                self.flush()

    def _delete(self, entry_id: int) -> None:
        self._forget_text(entry_id)
        self._connection.execute("DELETE FROM previous_texts WHERE entry_id = ?", (entry_id,))
        entry_facts.forget(self._connection, entry_id)
        self._connection.execute("DELETE FROM allowed WHERE entry_id = ?", (entry_id,))
        self._connection.execute("DELETE FROM entries WHERE id = ?", (entry_id,))

    def _forget_text(self, entry_id: int) -> None:
        """Remove the passages of an entry, and what was known by them."""
        family_tables.forget_version(self._connection, entry_id)
        suspicions.forget(self._connection, entry_id)
        sketches.forget_sketch(self._connection, entry_id)
        self._terms.forget(entry_id)
        self._connection.execute("DELETE FROM passages WHERE entry_id = ?", (entry_id,))


def _facts(entry: ReadEntry, title: str) -> tuple[str, bool, str, int, str, str]:
    metadata = dict(entry.metadata)
    written = json.dumps(metadata, ensure_ascii=False) if metadata else "{}"
    return title, not entry.title, entry.media_type, entry.length, entry.text_hash, written
