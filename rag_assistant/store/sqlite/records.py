"""The terms of passages and entries, read back."""

import json
import sqlite3
from collections.abc import Collection, Iterable

from rag_assistant.store.record_format import read_entry, read_passage
from rag_assistant.values.term_records import EntryTerms, PassageRecord, TermTotals


class SqliteRecords:
    """Reads the terms of passages and entries; `store.searching.Records`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def passages(self, ids: Iterable[int]) -> dict[int, PassageRecord]:
        """Give the terms of passages, by id."""
        rows = self._connection.execute(
            "SELECT passage_id, entry_id, terms FROM json_each(?) AS wanted"
            " CROSS JOIN passage_terms ON passage_id = wanted.value",
            (json.dumps(list(ids)),),
        )
        return {row[0]: read_passage(*row) for row in rows}

    def of_entry(self, entry_id: int) -> list[PassageRecord]:
        """Give the terms of the passages of an entry, in order."""
        rows = self._connection.execute(
            "SELECT passages.id, passages.entry_id, terms FROM passages"
            " JOIN passage_terms ON passage_id = passages.id"
            " WHERE passages.entry_id = ? ORDER BY start",
            (entry_id,),
        )
        return [read_passage(*row) for row in rows]

    def entries(self, ids: Collection[int]) -> dict[int, EntryTerms]:
        """Give the terms that place entries, by id."""
        rows = self._connection.execute(
            "SELECT entries.id, title, media_type, terms FROM json_each(?) AS wanted"
            " CROSS JOIN entries ON entries.id = wanted.value"
            " JOIN entry_terms ON entry_id = entries.id",
            (json.dumps(list(ids)),),
        )
        return {row[0]: EntryTerms(*row[:3], *read_entry(row[3])) for row in rows}

    def totals(self) -> TermTotals:
        """Count the passages of the whole database, and their words."""
        row = self._connection.execute(
            "SELECT passages, words, heading_words FROM term_totals"
        ).fetchone()
        return TermTotals(*row)
