"""Writing the terms of passages and entries in step with the passages themselves.

How many passages a term is in is kept up to date by what is added and taken away, as long as that
is little beside what there is; else all terms are counted anew at the end of the run.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from rag_assistant.store.sqlite.record_format import (
    ENTRY_FIELDS,
    MOST_OF_A_FIELD,
    MOST_WORDS,
    entry_blob,
    passage_blob,
    read_passage,
)
from rag_assistant.store.sqlite.term_tables import add_counts, count_all_terms
from rag_assistant.text.quoting import quotes_a_mail
from rag_assistant.text.term_counts import TermCounter, counted, in_order, words_counted
from rag_assistant.text.terms import terms_by_word

FEW, SHARE = 1_000, 8
"""Passages, or one of so many of all there are, whose terms are counted one by one. To do so takes
some 150 us a passage; to count all anew some 10 us for each that there is."""

LEAD_WORDS = 50
"""First words of an entry of several passages."""

PassageText = tuple[int, int, str, str, str, str]
"""Id, entry, title, heading path, text and variants of a passage."""

EntryText = tuple[int, str, str, str, str]
"""Id, title, path, authors and first words of an entry."""


def lead_of(texts: Sequence[str]) -> str:
    """Give what an entry begins with, of the texts of its passages; nothing of a single one."""
    return " ".join(texts[0].split(None, LEAD_WORDS)[:LEAD_WORDS]) if len(texts) > 1 else ""


class TermWriter:
    """Writes what a search reads of passages. It never commits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._counter = TermCounter()
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
        bodies = self._counter.numbered([words_counted(row[4], row[5]) for row in passages])
        headings = self._counter.numbered([words_counted(row[3]) for row in passages])
        rows: list[tuple[int, int, bytes]] = []
        for (passage_id, entry_id, _, path, text, _), body, heading in zip(
            passages, bodies, headings, strict=True
        ):
            quotes = quotes_a_mail(text, path)
            blob = passage_blob(counted(body), in_order(heading), len(heading), quotes=quotes)
            rows.append((passage_id, entry_id, blob))
            self._words += min(MOST_WORDS, len(body))
            self._heading_words += min(MOST_OF_A_FIELD, len(heading))
        self._passages += len(rows)
        self._connection.executemany(
            "INSERT INTO passage_terms (passage_id, entry_id, terms) VALUES (?, ?, ?)", rows
        )
        self._count(passages, 1)

    def add_entries(self, entries: Sequence[EntryText]) -> None:
        """Write the terms of what places entries that have none."""
        fields = [words_counted(field) for _, *given in entries for field in given]
        ids = map(in_order, self._counter.numbered(fields))
        of_each = zip(*([ids] * ENTRY_FIELDS), strict=True)
        self._connection.executemany(
            "INSERT INTO entry_terms (entry_id, terms) VALUES (?, ?)",
            [
                (entry_id, entry_blob(*given))
                for (entry_id, *_), given in zip(entries, of_each, strict=True)
            ],
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
