"""The tables of conversations.db: a conversation has exchanges, an exchange all the rest.

An exchange is a question with its answer; `events` holds its whole run, one JSON object a row, and
the other tables what people look for in it. A file of an earlier version is upgraded in place, step
by step, each step a transaction that ends with its number in `PRAGMA user_version`.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING

from rag_assistant.files.layout import Layout, layout_of
from rag_assistant.history import digests
from rag_assistant.text.terms import TOKENIZER

if TYPE_CHECKING:
    from sqlite_utils import Database

_TABLES = (
    """CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given out again
    title TEXT NOT NULL,
    titled_by TEXT NOT NULL CHECK (titled_by IN ('question', 'model', 'person')),
    started TEXT NOT NULL,                 -- times are ISO 8601, in UTC
    updated TEXT NOT NULL,
    databases TEXT NOT NULL,               -- of the latest question: a JSON list of names
    model TEXT NOT NULL,                   -- of the latest question
    -- Of a branch: where it comes from, and the last exchange that it shares with it.
    parent INTEGER REFERENCES conversations (id) ON DELETE SET NULL,
    parent_ordinal INTEGER
)""",
    """CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,              -- from 1
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'answered', 'stopped', 'interrupted')),
    reason TEXT NOT NULL,                  -- why there is no whole answer
    process TEXT NOT NULL,                 -- names the lock that is held while it is running
    started TEXT NOT NULL,
    elapsed_ms INTEGER NOT NULL,
    databases TEXT NOT NULL,
    model TEXT NOT NULL,
    usage TEXT NOT NULL,                   -- tokens and requests of all models, as JSON
    usage_by_model TEXT NOT NULL,          -- of each, as a JSON list
    cost REAL,                             -- where the models have prices
    variants TEXT NOT NULL,                -- further words that it is found by
    UNIQUE (conversation, ordinal)
)""",
    "CREATE INDEX running_exchanges ON exchanges (state) WHERE state = 'running'",
    """CREATE TABLE events (
    exchange INTEGER NOT NULL REFERENCES exchanges (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    event TEXT NOT NULL,                   -- the line that `ask --events` prints
    PRIMARY KEY (exchange, ordinal)
)""",
    """CREATE TABLE messages (
    exchange INTEGER NOT NULL REFERENCES exchanges (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    role TEXT NOT NULL,                    -- system, user, assistant or tool
    text TEXT NOT NULL,
    more TEXT NOT NULL,                    -- as JSON: tool calls, images, whose result it is
    PRIMARY KEY (exchange, ordinal)
)""",
    """CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    exchange INTEGER NOT NULL REFERENCES exchanges (id) ON DELETE CASCADE,
    "database" TEXT NOT NULL,
    query TEXT NOT NULL,
    confidence INTEGER NOT NULL,
    found TEXT NOT NULL                    -- the whole of it, as JSON
)""",
    "CREATE INDEX evidence_of_exchange ON evidence (exchange)",
    """CREATE TABLE citations (
    id INTEGER PRIMARY KEY,
    exchange INTEGER NOT NULL REFERENCES exchanges (id) ON DELETE CASCADE,
    marker INTEGER NOT NULL,               -- its number in the answer
    "database" TEXT NOT NULL,
    entry_id INTEGER NOT NULL,
    title TEXT NOT NULL,
    path TEXT NOT NULL,
    quote TEXT NOT NULL,
    start INTEGER NOT NULL,                -- characters of the entry's text
    "end" INTEGER NOT NULL,
    page INTEGER,
    heading TEXT,
    line INTEGER,
    verified INTEGER NOT NULL,             -- whether the quote was found there
    text_hash TEXT NOT NULL                -- of the entry's text at that time; '' if unknown
)""",
    "CREATE INDEX citations_of_exchange ON citations (exchange)",
)

_APPLICATION_ID = 0x52414763
"""Marks a file as one of conversations ("RAGc"), so that no other is taken for one."""


def _make_tables(database: "Database") -> None:
    for statement in _TABLES:
        database.execute(statement)


def _make_full_text(database: "Database") -> None:
    tokenizer = TOKENIZER.replace("''", "'")  # enable_fts doubles the quotes itself
    for table, columns in (
        ("exchanges", ["question", "answer", "variants"]),
        ("conversations", ["title"]),
    ):
        database.table(table).enable_fts(columns, tokenize=tokenizer, create_triggers=True)


def _make_labels(database: "Database") -> None:
    database.execute(
        """CREATE TABLE wrong_citations (
    exchange INTEGER NOT NULL REFERENCES exchanges (id) ON DELETE CASCADE,
    marker INTEGER NOT NULL,               -- the citation that the person holds for wrong
    marked TEXT NOT NULL,                  -- when
    PRIMARY KEY (exchange, marker)
)"""
    )


def _make_digests(database: "Database") -> None:
    database.execute(digests.TABLE)
    digests.keep_all(database.conn)


def _make_carried(database: "Database") -> None:
    database.execute(
        """CREATE TABLE carried (
    exchange INTEGER NOT NULL REFERENCES exchanges (id) ON DELETE CASCADE,
    "database" TEXT NOT NULL,              -- whose words may be in what was said
    entry_id INTEGER                       -- whose words are; NULL where a database is named
)"""
    )
    database.execute("CREATE INDEX carried_of_exchange ON carried (exchange)")


Step = Callable[["Database"], None]

STEPS: tuple[Step, ...] = (
    _make_tables,
    _make_full_text,
    _make_labels,
    _make_digests,
    _make_carried,
)
"""What makes each version of the one before it. Steps are only ever added."""

VERSION = len(STEPS)


MOST_VERSIONS = 1_000
"""No file calls itself one of a later version than this, unless the number is damaged."""


@cache
def layout_of_version(version: int) -> Layout:
    """Give what a file of a version must have."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        upgrade(empty, STEPS[:version])
        return layout_of(empty)


def read_version(connection: sqlite3.Connection) -> int:
    """Give the version of a file, 0 for an empty one.

    Raises sqlite3.DatabaseError where it is not a file of conversations.
    """
    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None:
        return 0
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        raise sqlite3.DatabaseError("it is a file of something else")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if not 0 <= version <= MOST_VERSIONS:
        raise sqlite3.DatabaseError("its version is no number of ours")
    return version


def upgrade(connection: sqlite3.Connection, steps: Sequence[Step] = STEPS) -> None:
    """Bring a file to the version of the last step; what it holds stays."""
    # Imported here: it takes 150 ms, and only a new or an old file needs it.
    from sqlite_utils import Database  # noqa: PLC0415

    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    database = Database(connection)
    done = read_version(connection)
    for version, step in enumerate(steps[done:], done + 1):
        with database.atomic():
            step(database)
            connection.execute(f"PRAGMA user_version = {version}")
