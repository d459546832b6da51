"""Writing the terms of passages and entries in step with the passages themselves.

How many passages a term is in is kept up to date by what is added and taken away, as long as that
is little beside what there is; else all terms are counted anew at the end of the run.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from rag_assistant.store.record_format import read_passage
from rag_assistant.store.record_making import EntryText, PassageText, RecordMaker, lead_of
from rag_assistant.store.sqlite.term_tables import add_counts, count_all_terms
from rag_assistant.text.terms import terms_by_word

FEW, SHARE = 1_000, 8
"""Passages, or one of so many of all there are, whose terms are counted one by one. To do so takes
some 150 us a passage; to count all anew some 10 us for each that there is."""


class TermWriter:
    """Writes what a search reads of passages. It never commits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._records = RecordMaker()
        self.discard()

    def discard(self) -> None:
        """Begin anew with what the tables hold: what was written since is rolled back."""
        passages, counts_all = self._connection.execute(
            "SELECT passages, counted FROM term_totals"
        ).fetchone()
        # What is written into an empty database is counted in one go, however little it is.
        self._room = max(FEW, passages // SHARE) if counts_all and passages else 0
        self._changes: Counter[str] = Counter()
        self._passages = self._words = self._heading_words = 0

    def add(self, passages: Sequence[PassageText]) -> None:
        """Write the terms of new passages."""
        rows: list[tuple[int, int, bytes]] = []
        for row, (blob, words, heading_words) in zip(
            passages, self._records.of_passages(passages), strict=True
        ):
            rows.append((row[0], row[1], blob))
            self._words += words
            self._heading_words += heading_words
        self._passages += len(rows)
        self._connection.executemany(
            "INSERT INTO passage_terms (passage_id, entry_id, terms) VALUES (?, ?, ?)", rows
        )
        self._count(passages, 1)

    def add_entries(self, entries: Sequence[EntryText]) -> None:
        """Write the terms of what places entries that have none."""
        blobs = self._records.of_entries(entries)
        self._connection.executemany(
            "INSERT INTO entry_terms (entry_id, terms) VALUES (?, ?)",
            [(row[0], blob) for row, blob in zip(entries, blobs, strict=True)],
        )

    def place(self, entry_id: int, path: str) -> None:
        """Write anew what places an entry that has moved to a path."""
        title, authors = self._connection.execute(
            "SELECT title, coalesce(authors, '[]') FROM entries"
            " LEFT JOIN entry_facts ON entry_id = id WHERE id = ?",
            (entry_id,),
        ).fetchone()
        texts = self._connection.execute(
            "SELECT text FROM passages WHERE entry_id = ? ORDER BY start LIMIT 2", (entry_id,)
        )
        lead = lead_of([text for (text,) in texts])
        self._connection.execute("DELETE FROM entry_terms WHERE entry_id = ?", (entry_id,))
        self.add_entries([(entry_id, title, path, ", ".join(json.loads(authors)), lead)])

    def forget(self, entry_id: int) -> None:
        """Delete the terms of an entry, whose passages are still there, and of these."""
        rows = self._connection.execute(
            "SELECT id, entry_id, title, coalesce(heading, ''), text, variants FROM passages"
            " WHERE entry_id = ?",
            (entry_id,),
        ).fetchall()
        ids = json.dumps([row[0] for row in rows])
        blobs = self._connection.execute(
            "SELECT terms FROM passage_terms WHERE passage_id IN (SELECT value FROM json_each(?))",
            (ids,),
        ).fetchall()
        self._count(rows, -1)
        records = [read_passage(0, entry_id, blob) for (blob,) in blobs]
        self._passages -= len(records)
        self._words -= sum(record.length for record in records)
        self._heading_words -= sum(record.heading_length for record in records)
        self._connection.execute(
            "DELETE FROM passage_terms WHERE passage_id IN (SELECT value FROM json_each(?))",
            (ids,),
        )
        self._connection.execute("DELETE FROM entry_terms WHERE entry_id = ?", (entry_id,))

    def settle(self) -> None:
        """Write what was counted, before a commit."""
        self._connection.execute(
            "UPDATE term_totals SET passages = passages + ?, words = words + ?,"
            " heading_words = heading_words + ?, counted = counted AND ?",
            (self._passages, self._words, self._heading_words, self._room > 0),
        )
        self._passages = self._words = self._heading_words = 0
        if self._room > 0:
            add_counts(self._connection, self._changes)
        self._changes.clear()

    def finish(self) -> None:
        """Count all terms anew where they were not counted one by one."""
        self.settle()
        if self._room <= 0:
            count_all_terms(self._connection)
            self.discard()

    def _count(self, passages: Iterable[PassageText], sign: int) -> None:
        for row in passages:
            self._room -= 1
            if self._room <= 0:
                self._changes.clear()
                return
            terms = set(terms_by_word(" ".join(row[2:])).values())
            self._changes.update(dict.fromkeys(terms, sign))
