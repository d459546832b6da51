"""The vocabulary of an index: how many passages hold a term, and which terms begin with a prefix.

It reads the table `terms`; while very many passages are written, which that does not count yet, it
reads FTS5's own index (`fts5vocab`).
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from rag_assistant.store.record_format import WIDTH, read_ids
from rag_assistant.store.sqlite.narrowing import is_narrowed
from rag_assistant.store.sqlite.term_tables import LONGEST_TERM, open_vocabulary
from rag_assistant.store.term_grams import MOST_ALIKE, grams_of
from rag_assistant.text.terms import terms_by_word

LAST = "\U0010ffff"
"""Sorts after every letter, so that prefix + LAST is the end of the prefix's range."""

COUNTED, STRATA = 600, 6
"""Passages of a word that are counted; beyond, in how many parts of the index a few are."""

MANY, COUNTED_OF_MANY = 600, 50
"""Words above which fewer passages are counted of each: a whole document was pasted."""


class SqliteVocabulary:
    """Reads the terms of an index; `store.searching.Vocabulary`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @cached_property
    def _is_counted(self) -> bool:
        """Whether the table `terms` counts all passages."""
        row = self._connection.execute("SELECT counted FROM term_totals").fetchone()
        return bool(row[0])

    def expect(self, words: Mapping[str, str], prefixes: Mapping[str, int]) -> None:
        """Do nothing: each question takes microseconds here."""

    def passages(self) -> int:
        """Count the passages of the index."""
        if is_narrowed(self._connection):
            return int(self._connection.execute("SELECT count(*) FROM passages").fetchone()[0])
        return int(self._connection.execute("SELECT passages FROM term_totals").fetchone()[0])

    def frequencies(self, words: Mapping[str, str]) -> dict[str, int]:
        """Count the passages that hold each term."""
        if not self._is_counted:
            return self._estimated(words)
        rows = self._connection.execute(
            "SELECT term, passages FROM json_each(?) AS wanted"
            " CROSS JOIN terms ON term = wanted.value",
            (json.dumps(list(words)),),
        )
        long = {term: word for term, word in words.items() if len(term) > LONGEST_TERM}
        return dict(rows.fetchall()) | (self._estimated(long) if long else {})

    def _estimated(self, words: Mapping[str, str]) -> dict[str, int]:
        """Count by FTS5's index; exact up to COUNTED, estimated beyond.

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
        if self._is_counted:
            yield from self._connection.execute(
                "SELECT term, passages FROM terms WHERE term >= ? AND term <= ? LIMIT ?",
                (prefix, prefix + LAST, limit),
            )
            return
        open_vocabulary(self._connection)
        rows = self._connection.execute(
            "SELECT CAST(term AS BLOB), doc FROM temp.vocabulary"
            " WHERE term >= ? AND term <= ? AND length(term) < 100 LIMIT ?",
            (prefix, prefix + LAST, limit),
        )
        # Porter's rules count bytes, and leave a part of a character now and then.
        yield from (((term or b"").decode("utf-8", "replace"), count) for term, count in rows)

    def like(self, terms: Iterable[str]) -> dict[str, Sequence[int]]:
        """Give the terms that have runs of letters of some terms, by number, for each run."""
        grams = {gram for term in terms for gram in grams_of(term)}
        rows = self._connection.execute(
            "SELECT gram, terms FROM json_each(?) AS wanted"
            " CROSS JOIN term_grams ON gram = wanted.value"
            f" WHERE length(terms) <= {MOST_ALIKE * WIDTH}",
            (json.dumps(sorted(grams)),),
        )
        return {gram: read_ids(blob) for gram, blob in rows}

    def listed(self, prefix: str, limit: int) -> Sequence[str]:
        """Give the first `limit` terms that begin with `prefix`."""
        return [term for term, _ in self.beginning_with(prefix, limit)]

    def words_of(self, terms: Collection[str]) -> dict[str, set[str]]:
        """Give the words, in lower case, that a few passages have for each term."""
        return {term: self._words_of(term) for term in terms}

    def _words_of(self, term: str) -> set[str]:
        open_vocabulary(self._connection)
        rows = self._connection.execute(
            "SELECT title || ' ' || coalesce(heading, '') || ' ' || text || ' ' || variants"
            " FROM passages WHERE id IN (SELECT doc FROM temp.occurrences WHERE term = ? LIMIT 5)",
            (term,),
        )
        by_word = terms_by_word(" ".join(text for (text,) in rows))
        return {word.lower() for word, found in by_word.items() if found == term}
