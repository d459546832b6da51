"""Whether the terms that a database keeps of its passages are those of their texts."""

import sqlite3
import struct
from collections.abc import Iterator, Sequence
from itertools import chain, islice, repeat

from rag_assistant.store.record_format import read_entry, read_ids, read_passage
from rag_assistant.store.sqlite.term_tables import LONGEST_TERM, open_vocabulary
from rag_assistant.text.term_counts import TermCounter, counted, words_counted

TOGETHER = 500
"""Passages that are counted anew at once."""

Row = tuple[int, int, str, str, bytes]


def term_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Say what is wrong with the stored terms, each in one line; all of them are read."""
    for sentence, query in _COUNTS.items():
        if count := connection.execute(query).fetchone()[0]:
            yield f"{count} {sentence}"
    if wrong := sum(_wrong_passages(connection)):
        yield f"the terms of {wrong} passages are not those of their texts"
    blobs = connection.execute("SELECT terms FROM entry_terms")
    if wrong := sum(not _is_entry(blob) for (blob,) in blobs):
        yield f"the terms of {wrong} entries cannot be read"
    grams = connection.execute("SELECT terms FROM term_grams")
    if wrong := sum(not _are_ids(blob) for (blob,) in grams):
        yield f"the terms of {wrong} runs of letters cannot be read"
    yield from _wrong_counts(connection)


def _wrong_passages(connection: sqlite3.Connection) -> Iterator[int]:
    """Count, some passages at a time, those whose terms are others; and compare the totals."""
    rows: Iterator[Row] = iter(
        connection.execute(
            "SELECT id, passages.entry_id, text, variants, terms FROM passages"
            " JOIN passage_terms ON passage_id = id"
        )
    )
    counter = TermCounter()
    while some := list(islice(rows, TOGETHER)):
        numbered = counter.numbered([words_counted(row[2], row[3]) for row in some])
        yield sum(not _is(row, ids) for row, ids in zip(some, numbered, strict=True))


def _is(row: Row, ids: Sequence[int]) -> bool:
    """Whether the terms of a passage are those of its text."""
    try:
        record = read_passage(row[0], row[1], row[4])
    except (ValueError, struct.error):
        return False
    own = counted(ids)
    return dict(record.terms) == dict(zip(own.ids, chain(own.counts, repeat(1)), strict=False))


def _is_entry(blob: bytes) -> bool:
    try:
        return bool(read_entry(blob))
    except ValueError:
        return False


def _are_ids(blob: bytes) -> bool:
    try:
        return bool(read_ids(blob))
    except ValueError:
        return False


def _wrong_counts(connection: sqlite3.Connection) -> Iterator[str]:
    """Compare how many passages hold a term with what the full-text index counts."""
    passages, counts_all = connection.execute(
        "SELECT passages, counted FROM term_totals"
    ).fetchone()
    there = connection.execute("SELECT count(*) FROM passage_terms").fetchone()[0]
    if passages != there:
        yield f"{passages} passages are counted, and there are {there}"
    if not counts_all:
        return  # a run was cut off; the next one counts them
    open_vocabulary(connection)
    wrong = connection.execute(
        "SELECT count(*) FROM temp.vocabulary LEFT JOIN terms USING (term)"
        f" WHERE length(term) <= {LONGEST_TERM} AND passages IS NOT doc"
    ).fetchone()[0]
    if wrong:
        yield f"{wrong} terms are in other numbers of passages than are counted"


_COUNTS = {
    "passages have no terms": """
        SELECT count(*) FROM passages WHERE id NOT IN (SELECT passage_id FROM passage_terms)
    """,
    "terms are of no passage, or of another entry's": """
        SELECT count(*) FROM passage_terms LEFT JOIN passages ON id = passage_id
        WHERE passages.entry_id IS NOT passage_terms.entry_id
    """,
    "entries with a text have no terms of their own": """
        SELECT count(*) FROM entries WHERE id NOT IN (SELECT entry_id FROM entry_terms)
        AND id IN (SELECT entry_id FROM passages)
    """,
    "terms are of no entry": """
        SELECT count(*) FROM entry_terms WHERE entry_id NOT IN (SELECT id FROM entries)
    """,
}
