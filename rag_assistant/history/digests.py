"""A digest of every answer that came to its end, so that a letter that turns into another is found.

It is of what is never changed afterwards: the question, the answer, its events, its evidence, its
citations and what the conversation goes on from. Ids are left out: a branch is a copy.
"""

import sqlite3
from collections.abc import Iterator
from hashlib import blake2b

TABLE = """CREATE TABLE digests (
    exchange INTEGER PRIMARY KEY REFERENCES exchanges (id) ON DELETE CASCADE,
    digest TEXT NOT NULL
)"""

_PARTS = (
    "SELECT question, answer, state, reason, databases, model, usage, usage_by_model, cost"
    " FROM exchanges WHERE id = ?",
    "SELECT ordinal, event FROM events WHERE exchange = ? ORDER BY ordinal",
    "SELECT ordinal, role, text, more FROM messages WHERE exchange = ? ORDER BY ordinal",
    'SELECT "database", query, confidence, found FROM evidence WHERE exchange = ? ORDER BY id',
    'SELECT marker, "database", entry_id, title, path, quote, start, "end", page, heading, line,'
    " verified, text_hash FROM citations WHERE exchange = ? ORDER BY id",
)


def keep_digest(connection: sqlite3.Connection, exchange: int) -> None:
    """Keep the digest of an exchange that is over."""
    connection.execute(
        "INSERT OR REPLACE INTO digests (exchange, digest) VALUES (?, ?)",
        (exchange, _digest(connection, exchange)),
    )


def keep_all(connection: sqlite3.Connection) -> None:
    """Keep the digests of all exchanges that are over, as they are now."""
    over = "SELECT id FROM exchanges WHERE state <> 'running'"
    for (exchange,) in connection.execute(over).fetchall():
        keep_digest(connection, exchange)


def changed(connection: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """Give the exchanges that are not what was kept, each by its conversation and its number."""
    rows = connection.execute(
        "SELECT exchange, digest, conversation, ordinal FROM digests"
        " JOIN exchanges ON exchanges.id = exchange ORDER BY conversation, ordinal"
    ).fetchall()
    for exchange, digest, conversation, ordinal in rows:
        if digest != _digest(connection, exchange):
            yield conversation, ordinal


def _digest(connection: sqlite3.Connection, exchange: int) -> str:
    whole = blake2b(digest_size=16)
    for part in _PARTS:
        for row in connection.execute(part, (exchange,)):
            whole.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
    return whole.hexdigest()
