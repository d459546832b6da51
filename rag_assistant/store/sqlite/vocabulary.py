"""The vocabulary of an index: how many passages hold a term, and which terms begin with a prefix.

It reads FTS5's own index (`fts5vocab`), so there is nothing to keep in step with it.
"""

import sqlite3
from collections.abc import Iterator, Mapping

from rag_assistant.text.terms import terms_by_word

LAST = "\U0010ffff"
"""Sorts after every letter, so that prefix + LAST is the end of the prefix's range."""

COUNTED, STRATA = 600, 6
"""Passages of a word that are counted; beyond, in how many parts of the index a few are."""

MANY, COUNTED_OF_MANY = 600, 50
"""Words above which fewer passages are counted of each: a whole document was pasted."""


class SqliteVocabulary:
    """Reads the terms of FTS5's index; `store.searching.Vocabulary`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._is_open = False

    def passages(self) -> int:
        """Count the passages of the index."""
        return int(self._connection.execute("SELECT count(*) FROM passages").fetchone()[0])

    def frequencies(self, words: Mapping[str, str]) -> dict[str, int]:
        """Count the passages that hold each term; exact up to COUNTED, estimated beyond.

        Counting half a million takes longer than to search. The estimate looks at the beginnings
        of STRATA parts of the index, since a folder's files stand together and its words with them.
        Of very many words a coarse estimate must do.
        """
        # Two questions, since SQLite answers min and max together by reading the table.
        low, high = self._connection.execute(
            "SELECT (SELECT min(id) FROM passages), (SELECT max(id) FROM passages)"
        ).fetchone()
        most = COUNTED if len(words) <= MANY else COUNTED_OF_MANY
        found: dict[str, int] = {}
        for term, word in words.items():
            count, last = self._hits(word, 0, high or 0, most)
            if count == COUNTED:
                step = (high - low) // STRATA + 1
                parts = range(low - 1, high, step)
                count = max(count, sum(self._part(word, part, step) for part in parts))
            elif count == most:
                count = count * (high - low + 1) // (last - low + 1)
            if count:
                found[term] = count
        return found

    def _part(self, word: str, after: int, step: int) -> int:
        """Estimate how many of the `step` passages that follow the id `after` hold a word."""
        most = COUNTED // STRATA
        count, last = self._hits(word, after, after + step, most)
        return count if count < most else count * step // (last - after)

    def _hits(self, word: str, after: int, last: int, most: int) -> tuple[int, int]:
        """Count a word's passages between two ids, `most` at most, and give the last one's id."""
        row: tuple[int, int] = self._connection.execute(
            "SELECT count(*), coalesce(max(rowid), 0) FROM (SELECT rowid FROM passages_fts"
            " WHERE passages_fts MATCH ? AND rowid > ? AND rowid <= ? LIMIT ?)",
            (f'"{word}"', after, last, most),
        ).fetchone()
        return row

    def beginning_with(self, prefix: str, limit: int) -> Iterator[tuple[str, int]]:
        """Give the first `limit` terms that begin with `prefix`, with their passages."""
        self._open()
        rows = self._connection.execute(
            "SELECT CAST(term AS BLOB), doc FROM temp.vocabulary"
            " WHERE term >= ? AND term <= ? AND length(term) < 100 LIMIT ?",
            (prefix, prefix + LAST, limit),
        )
        # Porter's rules count bytes, and leave a part of a character now and then.
        yield from (((term or b"").decode("utf-8", "replace"), count) for term, count in rows)

    def words_of(self, term: str) -> set[str]:
        """Give the words, in lower case, that a few passages have for this term."""
        self._open()
        rows = self._connection.execute(
            "SELECT title || ' ' || coalesce(heading, '') || ' ' || text || ' ' || variants"
            " FROM passages WHERE id IN (SELECT doc FROM temp.occurrences WHERE term = ? LIMIT 5)",
            (term,),
        )
        by_word = terms_by_word(" ".join(text for (text,) in rows))
        return {word.lower() for word, found in by_word.items() if found == term}

    def _open(self) -> None:
        """Make the tables `vocabulary` and `occurrences` readable on this connection."""
        if self._is_open:
            return
        for table, kind in (("vocabulary", "row"), ("occurrences", "instance")):
            self._connection.execute(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{table}"
                f" USING fts5vocab('main', 'passages_fts', '{kind}')"
            )
        self._is_open = True
