"""The tables of a database file, and how a file of another version is told apart.

The index is a cache of a folder: there are no migrations. A file whose `PRAGMA user_version`
differs is rebuilt from its folder, and only the ids of its entries are carried over.
"""

import sqlite3
from pathlib import Path

from rag_assistant.errors import IndexOutdated, LibraryError
from rag_assistant.files.faults import UNREADABLE, is_damage
from rag_assistant.store.damage import damaged
from rag_assistant.store.sqlite.term_tables import are_terms_current, create_term_tables
from rag_assistant.text.terms import TOKENIZER

SCHEMA_VERSION = 8
"""Raised with every change to the tables, and to what they hold of the same files."""

FTS_COLUMNS = ("title", "heading", "text", "variants")
"""The indexed columns of `passages`, in the order of the ranking's weights."""

PAGE_BYTES = 8_192
"""Of a page of the file. A database of small records is .1 of its text smaller than with 4,096."""

_TABLES = """
    -- What is known of the database itself: its folder, when it was last brought into step.
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

    -- The ledger: every path that was met, as it was when it was last read, and what came of it.
    CREATE TABLE files (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        ctime_ns INTEGER NOT NULL,
        hash TEXT NOT NULL,
        loader TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('indexed', 'failed', 'skipped')),
        reason TEXT NOT NULL
    );

    -- AUTOINCREMENT keeps an id from ever being given out again.
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        file_id INTEGER NOT NULL REFERENCES files (id),
        key TEXT NOT NULL,
        title TEXT NOT NULL,
        titled_by_name INTEGER NOT NULL,
        media_type TEXT NOT NULL,
        length INTEGER NOT NULL,
        text_hash TEXT NOT NULL,
        metadata TEXT NOT NULL,
        UNIQUE (file_id, key)
    );

    -- What is known of an entry besides: see values/outline.py. `authors` and `outline` are JSON
    -- arrays, `author_words` the words of their names as they are compared.
    CREATE TABLE entry_facts (
        entry_id INTEGER PRIMARY KEY REFERENCES entries (id),
        kind TEXT NOT NULL,
        pages INTEGER,
        words INTEGER NOT NULL,
        authors TEXT NOT NULL,
        author_words TEXT NOT NULL,
        language TEXT NOT NULL,
        created TEXT NOT NULL,
        modified TEXT NOT NULL,
        outline TEXT NOT NULL
    );

    -- The text that an entry had before its last change: citations of it can still be shown.
    CREATE TABLE previous_texts (
        entry_id INTEGER PRIMARY KEY REFERENCES entries (id),
        text_hash TEXT NOT NULL,
        replaced_at TEXT NOT NULL,
        text TEXT NOT NULL
    );

    -- The passages of an entry, in order of start, are its whole text, which stands nowhere else.
    CREATE TABLE passages (
        id INTEGER PRIMARY KEY,
        entry_id INTEGER NOT NULL REFERENCES entries (id),
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        page INTEGER,
        line INTEGER,
        title TEXT NOT NULL,
        heading TEXT,
        text TEXT NOT NULL,
        -- Words that the passage should also be found by (terms.variants_of); empty for most.
        variants TEXT NOT NULL,
        -- Of a passage that holds parts of several sections: a JSON array of [start, heading path].
        sections TEXT
    );
    CREATE INDEX passages_of_entry ON passages (entry_id, start);

    -- Of an entry that is a whole file: its path without marks of versions, and hashes of some of
    -- its sentences. While `compared` is 0, the family of its versions is still to be looked for.
    CREATE TABLE sketches (
        entry_id INTEGER PRIMARY KEY REFERENCES entries (id),
        stem TEXT NOT NULL,
        sentences BLOB NOT NULL,
        compared INTEGER NOT NULL
    );
    CREATE INDEX sketches_to_compare ON sketches (entry_id) WHERE compared = 0;

    -- What an entry with a sketch is looked up by (sketches.keys_of): entries that may be versions
    -- of one document share one.
    CREATE TABLE sketch_keys (
        key INTEGER NOT NULL,
        entry_id INTEGER NOT NULL,
        PRIMARY KEY (key, entry_id)
    ) WITHOUT ROWID;

    -- Entries that are versions of one document, of the same `family`; `place` 0 is the newest.
    -- `dated` is the day it is of; `told_by` says what tells it from the next newer one in time.
    CREATE TABLE versions (
        entry_id INTEGER PRIMARY KEY REFERENCES entries (id),
        family INTEGER NOT NULL,
        place INTEGER NOT NULL,
        dated TEXT NOT NULL,
        told_by TEXT NOT NULL
    );
    CREATE INDEX versions_of_family ON versions (family, place);

    -- Spans of an entry's text that look as if they were written for a model. `place` is 'text', or
    -- 'name', 'title', 'metadata' or 'left out' for what is no span of it; both ends are 0 then.
    CREATE TABLE suspicions (
        id INTEGER PRIMARY KEY,
        entry_id INTEGER NOT NULL REFERENCES entries (id),
        place TEXT NOT NULL,
        kind TEXT NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        reason TEXT NOT NULL
    );
    CREATE INDEX suspicions_of_entry ON suspicions (entry_id, start);

    -- What models may read although it is suspicious: the span of an entry that begins at `start`,
    -- or all of it (-1), as long as its text has this hash.
    CREATE TABLE allowed (
        entry_id INTEGER NOT NULL,
        text_hash TEXT NOT NULL,
        start INTEGER NOT NULL,
        PRIMARY KEY (entry_id, start)
    );
"""

_COLUMNS = ", ".join(FTS_COLUMNS)
_OLD, _NEW = (", ".join(f"{row}.{name}" for name in FTS_COLUMNS) for row in ("old", "new"))
_FORGET = (
    f"INSERT INTO passages_fts (passages_fts, rowid, {_COLUMNS}) VALUES ('delete', old.id, {_OLD});"
)

# FTS5 writes out what it holds before every row that comes by a trigger; the writer inserts into
# both tables itself, in half the time. Updates and deletions are rare: they come by triggers.
_FULL_TEXT = f"""
    CREATE VIRTUAL TABLE passages_fts
    USING fts5 ({_COLUMNS}, tokenize='{TOKENIZER}', content='passages', content_rowid='id');

    CREATE TRIGGER passages_ad AFTER DELETE ON passages BEGIN {_FORGET} END;

    CREATE TRIGGER passages_au AFTER UPDATE ON passages BEGIN
        {_FORGET}
        INSERT INTO passages_fts (rowid, {_COLUMNS}) VALUES (new.id, {_NEW});
    END;

    INSERT INTO passages_fts (passages_fts, rank) VALUES ('hashsize', 67108864);
"""

_LATER_TABLES = """
    -- Files that the last run could not look for, and why: see withheld.py.
    CREATE TABLE IF NOT EXISTS withheld (
        file_id INTEGER PRIMARY KEY REFERENCES files (id),
        reason TEXT NOT NULL
    );

    -- Ids of entries that were deleted, by what finds them again: see former_ids.py.
    CREATE TABLE IF NOT EXISTS former_ids (
        entry_id INTEGER PRIMARY KEY,
        path TEXT NOT NULL,
        key TEXT NOT NULL,
        hash TEXT NOT NULL,
        deleted TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS former_ids_by_path ON former_ids (path);
    CREATE INDEX IF NOT EXISTS former_ids_by_hash ON former_ids (hash);
"""
LATER_TABLES = ("withheld", "former_ids")
"""Tables that a file of this version may lack: a writer makes them when it opens it."""


def create_plain_tables(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty file, without the full-text index."""
    connection.executescript(_TABLES)
    create_later_tables(connection)


def create_later_tables(connection: sqlite3.Connection) -> None:
    """Make the tables that a file of this version may lack."""
    connection.executescript(_LATER_TABLES)


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty file and stamp its version."""
    # Before the first table, or they have no effect. A page of 4 KB holds four usual passages and
    # wastes a tenth of itself; merging the full-text index leaves pages free.
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    create_plain_tables(connection)
    connection.executescript(_FULL_TEXT)
    create_term_tables(connection)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise IndexOutdated, with the next step, where the file is not one of this version."""
    version = read_version(connection, path)
    if version > SCHEMA_VERSION:
        raise IndexOutdated(_newer(path), hint=_for_newer(path))
    if version != SCHEMA_VERSION or not are_terms_current(connection):
        raise IndexOutdated(
            f"The database {path.stem!r} was made by another version of rag-assistant.",
            hint="Index its folder again: `rag-assistant index FOLDER`.",
        )


def refuse_newer(version: int, path: Path) -> None:
    """Raise LibraryError where a file is of a newer version: that must not be undone unasked."""
    if version > SCHEMA_VERSION:
        raise LibraryError(_newer(path), hint=_for_newer(path))


def _newer(path: Path) -> str:
    return f"The database {path.stem!r} was made by a newer version of rag-assistant."


def _for_newer(path: Path) -> str:
    return (
        "Update rag-assistant, or have it made anew for this version: "
        f"`rag-assistant databases repair {path.stem}`."
    )


def read_version(connection: sqlite3.Connection, path: Path) -> int:
    """Give the schema version of a file. Raises IndexDamaged where it is no SQLite file."""
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    except UNREADABLE as error:
        if is_damage(error) or isinstance(error, UnicodeDecodeError):
            raise damaged(path, error) from error
        raise
