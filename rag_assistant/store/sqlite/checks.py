"""Whether a database file is whole: its structures and rows, the full-text index, every text.

An entry has kept the hash of its text since the first version, so that a letter that has turned
into another is found wherever it stands, in files of any age.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from functools import cache
from hashlib import blake2b
from itertools import groupby
from pathlib import Path

from rag_assistant.files.checking import Check, ExpectedFile
from rag_assistant.files.checking import problems as file_problems
from rag_assistant.files.faults import UNREADABLE, is_held
from rag_assistant.files.layout import Layout, layout_of
from rag_assistant.store.sqlite.schema import LATER_TABLES, SCHEMA_VERSION, create_plain_tables
from rag_assistant.store.sqlite.sketches import sketch_problems
from rag_assistant.store.sqlite.term_checks import term_problems
from rag_assistant.store.sqlite.term_tables import create_term_tables
from rag_assistant.values.outline import outline_of


def problems(connection: sqlite3.Connection) -> list[str]:
    """List what is wrong with an index, each in one line; nothing when it is whole.

    All of it is read. `full_text_problems` says what this cannot tell.
    """
    found = file_problems(connection, _form())
    version = connection.execute("PRAGMA user_version").fetchone()[0] if not found else 0
    if version not in (0, SCHEMA_VERSION):
        found.append(f"it calls itself one of version {version}")
    try:
        return [
            *found,
            *_miscounts(connection),
            *_other_texts(connection),
            *_odd_facts(connection),
            *sketch_problems(connection),
            *term_problems(connection),
        ]
    except (*UNREADABLE, TypeError, AttributeError):
        # These build on rows that can be read.
        return found or ["its rows cannot be compared with one another"]


def _miscounts(connection: sqlite3.Connection) -> Iterator[str]:
    for sentence, query in _COUNTS.items():
        count = connection.execute(query).fetchone()[0]
        if count:
            yield f"{count} {sentence}"


def full_text_problems(connection: sqlite3.Connection) -> list[str]:
    """Say whether the full-text index holds other words than the passages do.

    Needs a connection that may write: FTS5 offers its integrity check as an INSERT.
    """
    try:
        # rank 1: compare the index with the passages' text, not only with itself.
        connection.execute(
            "INSERT INTO passages_fts (passages_fts, rank) VALUES ('integrity-check', 1)"
        )
        connection.rollback()
    except UNREADABLE as error:
        return [f"the full-text index does not match the passages: {error}"]
    return []


def is_damaged(path: Path) -> bool:
    """Whether something is wrong with a database that nobody need be writing: it is only read."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return bool(problems(connection))
    except UNREADABLE as error:
        return not is_held(error)


@cache
def _form() -> ExpectedFile:
    with closing(sqlite3.connect(":memory:")) as sound:
        create_plain_tables(sound)
        create_term_tables(sound)
        layout = layout_of(sound)
    full_text = ("passages_fts", "passages_ad", "passages_au")
    # What may be lacking is held to what it declares, where it is there.
    tables = {name: of for name, of in layout.tables.items() if name not in LATER_TABLES}
    others = {name for name in layout.others if not name.startswith(LATER_TABLES)}
    whole = Layout(tables, frozenset(others.union(full_text)))
    forms = {
        ("entries", "metadata"): _is_object,
        ("entry_facts", "authors"): _is_array,
        ("entry_facts", "outline"): _is_outline,
        ("versions", "dated"): _is_day,
    }
    return ExpectedFile(whole, forms)


def _is_object(text: str) -> None:
    if not isinstance(json.loads(text), dict):
        raise TypeError("no JSON object")


def _is_array(text: str) -> None:
    if not isinstance(json.loads(text), list):
        raise TypeError("no JSON array")


def _is_outline(text: str) -> None:
    outline_of(json.loads(text))


def _is_day(text: str) -> None:
    if text:
        datetime.fromisoformat(text)


def _other_texts(connection: sqlite3.Connection) -> Iterator[str]:
    """Compare texts with the hashes that were made of them, and titles with one another."""
    rows = connection.execute(
        "SELECT entries.id, text_hash, entries.title, passages.title, text FROM passages"
        " JOIN entries ON entries.id = entry_id ORDER BY entry_id, start"
    )
    texts = titles = 0
    for (_, text_hash, title), passages in groupby(rows, key=lambda row: row[:3]):
        whole = blake2b(digest_size=16)
        same = True
        for *_, shown, text in passages:
            whole.update(text.encode("utf-8", "replace"))
            same = same and shown == title
        texts += whole.hexdigest() != text_hash
        titles += not same
    if texts:
        yield f"{texts} entries have a text that is not the one that was read"
    if titles:
        yield f"{titles} entries have another title than their passages"
    rows = connection.execute("SELECT text_hash, text FROM previous_texts")
    changed = sum(
        blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest() != text_hash
        for text_hash, text in rows
    )
    if changed:
        yield f"{changed} previous texts are not those that were read"


def _odd_facts(connection: sqlite3.Connection) -> Iterator[str]:
    """Look at what is known of the database itself."""
    facts = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    for key, check in _FACTS.items():
        with suppress(KeyError):
            try:
                check(facts[key])
            except (ValueError, TypeError, RecursionError):
                yield f"the fact {key!r} is not of its form"


_FACTS: dict[str, Check] = {
    "indexed_at": datetime.fromisoformat,
    "reading": _is_object,
    "vectors_dimension": int,
}

_COUNTS = {
    "passages do not begin where the one before ended": """
        SELECT count(*) FROM (
            SELECT start, lag("end", 1, 0) OVER (PARTITION BY entry_id ORDER BY start) AS before
            FROM passages
        ) WHERE start <> before
    """,
    "passages have a text of another length than their span": """
        SELECT count(*) FROM passages WHERE length(text) <> "end" - start
    """,
    "entries do not end where their last passage ends": """
        SELECT count(*) FROM entries WHERE length <> (
            SELECT coalesce(max("end"), 0) FROM passages WHERE entry_id = entries.id
        )
    """,
    "passages belong to no entry": """
        SELECT count(*) FROM passages WHERE entry_id NOT IN (SELECT id FROM entries)
    """,
    "facts belong to no entry": """
        SELECT count(*) FROM entry_facts WHERE entry_id NOT IN (SELECT id FROM entries)
    """,
    "previous texts belong to no entry": """
        SELECT count(*) FROM previous_texts WHERE entry_id NOT IN (SELECT id FROM entries)
    """,
    "sketches or versions belong to no entry": """
        SELECT count(*) FROM (SELECT entry_id FROM sketches UNION SELECT entry_id FROM versions)
        WHERE entry_id NOT IN (SELECT id FROM entries)
    """,
    "suspicions belong to no entry, or lie outside of its text": """
        SELECT count(*) FROM suspicions LEFT JOIN entries ON entries.id = entry_id
        WHERE entries.id IS NULL OR start > "end" OR "end" > length
    """,
    "entries belong to no file": """
        SELECT count(*) FROM entries WHERE file_id NOT IN (SELECT id FROM files)
    """,
}
