"""The facts and outlines of entries, in a table of their own."""

import json
import sqlite3
from collections.abc import Sequence

from rag_assistant.store.folding import author_words
from rag_assistant.values.outline import THREAD, EntryFacts, ThreadMail, outline_json, outline_of

FactsRow = tuple[int, str, int | None, int, str, str, str, str, str, str]


def row_of(entry_id: int, facts: EntryFacts) -> FactsRow:
    """Give the facts of an entry as they are kept."""
    return (
        entry_id,
        facts.kind,
        facts.pages,
        facts.words,
        _written(facts.authors),
        author_words(" ".join(facts.authors)),
        facts.language,
        facts.created,
        facts.modified,
        _written(outline_json(facts.outline)),
    )


def add(connection: sqlite3.Connection, rows: Sequence[FactsRow]) -> None:
    """Write the facts of entries that have none."""
    # No INSERT OR REPLACE: FTS5 writes out what it holds at every row of it.
    connection.executemany(
        "INSERT INTO entry_facts (entry_id, kind, pages, words, authors, author_words, language,"
        " created, modified, outline) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def forget(connection: sqlite3.Connection, entry_id: int) -> None:
    """Delete the facts of an entry."""
    connection.execute("DELETE FROM entry_facts WHERE entry_id = ?", (entry_id,))


def read(connection: sqlite3.Connection, entry_id: int) -> EntryFacts:
    """Give the facts of an entry; nothing is known of one that is not there."""
    row = connection.execute(
        "SELECT kind, pages, words, authors, language, created, modified, outline FROM entry_facts"
        " WHERE entry_id = ?",
        (entry_id,),
    ).fetchone()
    if row is None:
        return EntryFacts()
    kind, pages, words, authors, language, created, modified, outline = row
    made = (kind, pages, words, tuple(json.loads(authors)), language, created, modified)
    return EntryFacts(*made, outline_of(json.loads(outline)))


def thread(connection: sqlite3.Connection, entry_id: int) -> tuple[ThreadMail, ...]:
    """Give the mails of the thread that an entry is of, by time; none where it is alone."""
    rows = connection.execute(
        f"SELECT entries.id, title, authors, created FROM entries JOIN entry_facts ON"
        f" entry_id = entries.id WHERE kind = 'e-mail' AND json_extract(metadata, '$.{THREAD}') ="
        f" (SELECT json_extract(metadata, '$.{THREAD}') FROM entries WHERE id = ?)"
        " ORDER BY created, entries.id",
        (entry_id,),
    ).fetchall()
    mails = [
        ThreadMail(number, title, ", ".join(json.loads(authors)), created)
        for number, title, authors, created in rows
    ]
    return tuple(mails) if len(mails) > 1 else ()


def _written(values: object) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) if values else "[]"
