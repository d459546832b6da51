"""Writing the vectors of passages, which are tied to the model that made them.

The tables are made on first use. A vector goes with its passage: triggers delete it when the
passage is deleted or its words change. When a database is made anew, vectors are kept by the words
that they were made of, until passages with these words are there.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rag_assistant.store.sqlite.vector_format import (
    DIMENSION_KEY,
    MODEL_KEY,
    STATE_KEY,
    vector_facts,
)
from rag_assistant.store.vector_blobs import words_mark
from rag_assistant.values.embeddings import PassageWords, VectorKind

_FORGET = f"""
    DELETE FROM vectors WHERE passage_id = old.id;
    UPDATE meta SET value = hex(randomblob(8)) WHERE key = '{STATE_KEY}';
"""
PLAIN_VECTORS = (
    "CREATE TABLE IF NOT EXISTS vectors (passage_id INTEGER PRIMARY KEY, vector BLOB NOT NULL)"
)
"""Makes the table alone, without what keeps it in step with the passages."""
_TABLES = (
    PLAIN_VECTORS,
    f"""
    CREATE TRIGGER IF NOT EXISTS vectors_of_deleted AFTER DELETE ON passages
    WHEN EXISTS (SELECT 1 FROM vectors WHERE passage_id = old.id) BEGIN {_FORGET} END
    """,
    f"""
    CREATE TRIGGER IF NOT EXISTS vectors_of_changed AFTER UPDATE OF title, heading, text ON passages
    WHEN (old.title, old.heading, old.text) IS NOT (new.title, new.heading, new.text)
    AND EXISTS (SELECT 1 FROM vectors WHERE passage_id = old.id) BEGIN {_FORGET} END
    """,
)
_KEPT = "CREATE TABLE kept_vectors (words BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"


def store_vectors(
    connection: sqlite3.Connection,
    kind: VectorKind,
    passages: Sequence[PassageWords],
    blobs: Sequence[bytes],
) -> int:
    """Write vectors in one transaction, leaving out those whose passage changed meanwhile.

    Gives how many were written. Vectors of another kind are deleted with the first of a new one.
    `passages` are in order of their ids; `blobs` are of `quantised`. The caller holds the lock.
    """
    with _transaction(connection):
        for statement in _TABLES:
            connection.execute(statement)
        facts = vector_facts(connection)
        if facts is None or facts.kind != kind:
            connection.execute("DELETE FROM vectors")
            connection.execute("DROP TABLE IF EXISTS kept_vectors")
            _set_facts(connection, kind)
        last = connection.execute("SELECT max(passage_id) FROM vectors").fetchone()[0]
        if last is not None and passages and passages[0].id <= last:
            _set_facts(connection, kind)
        before = connection.total_changes
        connection.executemany(
            "INSERT OR REPLACE INTO vectors SELECT id, ? FROM passages"
            " WHERE id = ? AND title = ? AND heading IS ? AND text = ?",
            [
                (blob, passage.id, passage.title, passage.heading, passage.text)
                for passage, blob in zip(passages, blobs, strict=True)
            ],
        )
        return connection.total_changes - before


def keep_vectors(connection: sqlite3.Connection, old: str) -> None:
    """Copy the vectors of the attached database `old`, whose passages are to be made anew.

    They are put to use by `restore_vectors`. Raises sqlite3.OperationalError or KeyError where that
    database has no vectors, or has them in another form. The caller holds the lock.
    """
    facts = dict(connection.execute(f"SELECT key, value FROM {old}.meta").fetchall())
    kind = VectorKind(facts[MODEL_KEY], int(facts[DIMENSION_KEY]))
    connection.create_function("words_mark", 3, words_mark, deterministic=True)
    with _transaction(connection):
        for statement in (*_TABLES, _KEPT):
            connection.execute(statement)
        connection.execute(
            "INSERT OR IGNORE INTO kept_vectors SELECT words_mark(title, heading, text), vector"
            f" FROM {old}.vectors JOIN {old}.passages ON id = passage_id"
        )
        _set_facts(connection, kind)


def restore_vectors(connection: sqlite3.Connection) -> None:
    """Give passages the vectors kept for their words, and forget those left over.

    Nothing happens where none are kept. The caller holds the lock and commits.
    """
    kept = "SELECT 1 FROM sqlite_master WHERE name = 'kept_vectors'"
    facts = vector_facts(connection)
    if facts is None or connection.execute(kept).fetchone() is None:
        return
    connection.create_function("words_mark", 3, words_mark, deterministic=True)
    connection.execute(
        "INSERT OR IGNORE INTO vectors SELECT id, vector FROM passages JOIN kept_vectors"
        " ON words = words_mark(title, heading, text)"
    )
    connection.execute("DROP TABLE kept_vectors")
    _set_facts(connection, facts.kind)


def _set_facts(connection: sqlite3.Connection, kind: VectorKind) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?), (?, ?), (?, hex(randomblob(8)))",
        (MODEL_KEY, kind.model, DIMENSION_KEY, str(kind.dimension), STATE_KEY),
    )


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
