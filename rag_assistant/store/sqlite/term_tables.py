"""The tables beside the full-text index that a search reads: what each passage holds, and how rare
a term is. They are made of the passages alone, and can be made again of them at any time.
"""

import json
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial

from rag_assistant.store.record_format import ids_blob, read_ids
from rag_assistant.store.term_grams import MOST_ALIKE, grams_of
from rag_assistant.text.term_counts import term_id

TERM_TABLES = ("passage_terms", "entry_terms", "terms", "term_grams", "term_totals")
"""They are copied from no damaged file."""

TERMS_KEY, TERMS_VERSION = "terms", "1"
"""The fact in `meta` that names their version, the first where it is not there. Raised where they
would hold something else of the same passages: they are made anew then, and no document is read."""

TABLES = """
    -- The terms of a passage by number, with their counts: see record_format.py.
    CREATE TABLE passage_terms (
        passage_id INTEGER PRIMARY KEY,
        entry_id INTEGER NOT NULL,
        terms BLOB NOT NULL
    );

    -- The terms of an entry's title, path, authors and first lines: see record_format.py.
    CREATE TABLE entry_terms (
        entry_id INTEGER PRIMARY KEY,
        terms BLOB NOT NULL
    );

    -- How many passages hold a term in title, heading, text or variants; a term is what the
    -- full-text index makes of a word. Longer ones than 99 letters are left out.
    CREATE TABLE terms (
        term TEXT PRIMARY KEY,
        passages INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- The terms, by number, that hold some letters: see grams_of.
    CREATE TABLE term_grams (
        gram TEXT PRIMARY KEY,
        terms BLOB NOT NULL
    ) WITHOUT ROWID;

    -- One row: the passages, the words of their texts and headings, and whether `terms` counts all
    -- of them, which it does but while very many are written.
    CREATE TABLE term_totals (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        passages INTEGER NOT NULL,
        words INTEGER NOT NULL,
        heading_words INTEGER NOT NULL,
        counted INTEGER NOT NULL
    );
    INSERT INTO term_totals VALUES (1, 0, 0, 0, 1);
"""

LONGEST_TERM = 99
"""Letters of a term that is counted in `terms`."""

GRAMMED_FROM, LARGE = 3, 20_000
"""Passages that hold a term whose grams are kept, where there are so many: most terms of a large
database are in fewer."""


def create_term_tables(connection: sqlite3.Connection) -> None:
    """Make them in a file that has none."""
    connection.executescript(TABLES)


def are_terms_current(connection: sqlite3.Connection) -> bool:
    """Whether the tables are there, and of this version."""
    tables, version = connection.execute(
        "SELECT (SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name IN"
        f" ({', '.join('?' * len(TERM_TABLES))})), (SELECT value FROM meta WHERE key = ?)",
        (*TERM_TABLES, TERMS_KEY),
    ).fetchone()
    return bool(tables == len(TERM_TABLES) and (version or "1") == TERMS_VERSION)


def open_vocabulary(connection: sqlite3.Connection) -> None:
    """Make FTS5's own tables `temp.vocabulary` and `temp.occurrences` readable on a connection."""
    for table, kind in (("vocabulary", "row"), ("occurrences", "instance")):
        connection.execute(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{table}"
            f" USING fts5vocab('main', 'passages_fts', '{kind}')"
        )


def count_all_terms(connection: sqlite3.Connection) -> None:
    """Count in how many passages each term is, anew, from the full-text index."""
    open_vocabulary(connection)
    least = _grammed_from(connection)
    grams: defaultdict[str, array[int]] = defaultdict(partial(array, "I"))
    connection.execute("DELETE FROM terms")
    connection.execute("DELETE FROM term_grams")
    # Porter's rules count bytes, and leave a part of a character now and then.
    connection.create_function("whole", 1, _whole, deterministic=True)
    connection.execute(
        "INSERT OR IGNORE INTO terms (term, passages) SELECT"
        " CASE WHEN term GLOB '*[^a-z0-9]*' THEN whole(CAST(term AS BLOB)) ELSE term END, doc"
        f" FROM temp.vocabulary WHERE length(term) <= {LONGEST_TERM}"
    )
    rows = connection.execute("SELECT term FROM terms WHERE passages >= ?", (least,))
    for (term,) in rows:
        if found := grams_of(term):
            number = term_id(term)
            for gram in found:
                grams[gram].append(number)
    connection.executemany(
        "INSERT INTO term_grams (gram, terms) VALUES (?, ?)",
        ((gram, _kept(grams[gram])) for gram in sorted(grams)),
    )
    connection.execute("UPDATE term_totals SET counted = 1")


def _whole(term: bytes | None) -> str:
    """Give a term as it can be read."""
    return (term or b"").decode("utf-8", "replace")


def _grammed_from(connection: sqlite3.Connection) -> int:
    """Give how many passages hold a term whose grams are kept."""
    (passages,) = connection.execute("SELECT passages FROM term_totals").fetchone()
    return GRAMMED_FROM if passages > LARGE else 1


def _kept(terms: "array[int]") -> bytes:
    """Write the terms of a gram; of very many only so many as show that it is of no use."""
    return ids_blob(terms[: MOST_ALIKE + 1])


def add_counts(connection: sqlite3.Connection, changes: Mapping[str, int]) -> None:
    """Add to the passages of some terms, or take away."""
    changed = {term: n for term, n in changes.items() if n and len(term) <= LONGEST_TERM}
    known: dict[str, int] = dict(
        connection.execute(
            "SELECT term, passages FROM json_each(?) AS changed"
            " CROSS JOIN terms ON term = changed.value",
            (json.dumps(list(changed)),),
        ).fetchall()
    )
    left = {term: known[term] + changed[term] for term in known}
    new = {term: n for term, n in changed.items() if term not in known and n > 0}
    connection.executemany(
        "UPDATE terms SET passages = ? WHERE term = ?",
        [(n, term) for term, n in left.items() if n > 0],
    )
    connection.executemany(
        "DELETE FROM terms WHERE term = ?", [(term,) for term, n in left.items() if n <= 0]
    )
    connection.executemany("INSERT INTO terms (term, passages) VALUES (?, ?)", new.items())
    counts, least = new | left, _grammed_from(connection)
    _add_grams(
        connection,
        [term for term, n in counts.items() if known.get(term, 0) < least <= n],
    )


def _add_grams(connection: sqlite3.Connection, terms: Iterable[str]) -> None:
    """Take in the grams of terms. Those of terms that are gone stay: they find nothing."""
    added: defaultdict[str, set[int]] = defaultdict(set)
    for term in terms:
        number = term_id(term)
        for gram in grams_of(term):
            added[gram].add(number)
    known = dict(
        connection.execute(
            "SELECT gram, terms FROM json_each(?) AS added"
            " CROSS JOIN term_grams ON gram = added.value",
            (json.dumps(list(added)),),
        ).fetchall()
    )
    for gram, ids in added.items():
        before = read_ids(known[gram]) if gram in known else array("I")
        # A term that was gone and comes back is there already.
        before.extend(sorted(ids.difference(before)))
        if gram in known:
            connection.execute(
                "UPDATE term_grams SET terms = ? WHERE gram = ?", (_kept(before), gram)
            )
        else:
            connection.execute("INSERT INTO term_grams VALUES (?, ?)", (gram, _kept(before)))
