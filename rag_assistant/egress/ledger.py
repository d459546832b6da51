"""The record of what left this machine, and the leave a person gave: egress.sqlite in the home.

Sizes, places and ids only, never the text itself. A row is on the disk before its request leaves.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rag_assistant.egress.provenance import Entries
from rag_assistant.errors import EgressError
from rag_assistant.evidence import Sent

FILE_NAME = "egress.sqlite"
BUSY_SECONDS = 5.0
VERSION = 1

_TABLES = """
    CREATE TABLE IF NOT EXISTS sent (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,              -- ISO 8601, in UTC
        host TEXT NOT NULL,
        model TEXT NOT NULL,
        purpose TEXT NOT NULL,         -- one of provenance.Purpose
        databases TEXT NOT NULL,       -- a JSON list of names: whose words may be in it
        characters INTEGER NOT NULL,   -- of text, after masking
        bytes INTEGER NOT NULL,        -- of the whole request, pictures as well
        tokens INTEGER,                -- as the endpoint counted them, where it did
        masked INTEGER NOT NULL        -- secrets taken out
    );
    CREATE INDEX IF NOT EXISTS sent_at ON sent (at);
    CREATE TABLE IF NOT EXISTS sent_entries (
        sent INTEGER NOT NULL REFERENCES sent (id) ON DELETE CASCADE,
        "database" TEXT NOT NULL,
        entry INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS entries_of ON sent_entries (sent);
    CREATE TABLE IF NOT EXISTS leave (
        "database" TEXT NOT NULL,
        host TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY ("database", host)
    );
"""


@dataclass(frozen=True, slots=True)
class Departure:
    """A request that is about to leave."""

    host: str
    model: str
    purpose: str
    databases: tuple[str, ...]
    entries: Entries
    characters: int
    bytes: int
    masked: int


@dataclass(frozen=True, slots=True)
class DayOfHost:
    """What went to one host on one day (UTC); `entries` counts each once."""

    day: str
    host: str
    requests: int
    entries: int
    characters: int
    bytes: int
    tokens: int
    masked: int
    models: tuple[str, ...]
    purposes: tuple[str, ...]
    databases: tuple[str, ...]


def day_line(day: DayOfHost) -> str:
    """Say in a line what went to a host on a day."""
    sent = Sent(day.host, day.requests, day.entries, day.characters, day.masked)
    return f"{day.day} {sent.words}"


class Ledger:
    """The file of one home; made when something first leaves. Every method may raise EgressError.

    Each opens it anew, so it may be used from any thread.
    """

    def __init__(self, home: Path) -> None:
        self.path = home / FILE_NAME

    def write(self, departure: Departure) -> int:
        """Keep a request that is about to leave; give its number."""
        d = departure
        what = (d.host, d.model, d.purpose, json.dumps(d.databases))
        with self._writing() as connection:
            row = connection.execute(
                "INSERT INTO sent (at, host, model, purpose, databases, characters, bytes, masked)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (_now(), *what, d.characters, d.bytes, d.masked),
            )
            number = row.lastrowid or 0
            connection.executemany(
                "INSERT INTO sent_entries VALUES (?, ?, ?)",
                [(number, database, entry) for database, entry in d.entries],
            )
        return number

    def count_tokens(self, number: int, tokens: int) -> None:
        """Add to a request how many tokens its endpoint counted."""
        with self._writing() as connection:
            connection.execute("UPDATE sent SET tokens = ? WHERE id = ?", (tokens, number))

    def allow(self, databases: Sequence[str], host: str) -> None:
        """Remember that the text of databases may go to a host."""
        with self._writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO leave VALUES (?, ?, ?)",
                [(database, host, _now()) for database in databases],
            )

    def forget(self, database: str) -> None:
        """Forget the leave that was given for a database; the person is asked again."""
        if self.path.is_file():
            with self._writing() as connection:
                connection.execute('DELETE FROM leave WHERE "database" = ?', (database,))

    def allowed(self) -> set[tuple[str, str]]:
        """Give what may go where: databases and hosts."""
        with self._reading() as connection:
            return set(connection.execute('SELECT "database", host FROM leave').fetchall())

    def by_day_and_host(self, since: str = "") -> list[DayOfHost]:
        """Give what left from a moment on (ISO 8601, UTC; all by default), the latest day first."""
        with self._reading() as connection:
            days = connection.execute(
                "SELECT substr(at, 1, 10) AS day, host, count(*), sum(characters), sum(bytes),"
                " coalesce(sum(tokens), 0), sum(masked), json_group_array(DISTINCT model),"
                " json_group_array(DISTINCT purpose), json_group_array(DISTINCT databases)"
                " FROM sent WHERE at >= ? GROUP BY day, host ORDER BY day DESC, host",
                (since,),
            ).fetchall()
            return [self._day(connection, row, since) for row in days]

    def entries_since(self, since: str = "") -> int:
        """Count the entries of which something left from a moment on, each once."""
        with self._reading() as connection:
            (count,) = connection.execute(
                'SELECT count(*) FROM (SELECT DISTINCT "database", entry FROM sent_entries'
                " JOIN sent ON sent = id WHERE at >= ?)",
                (since,),
            ).fetchone()
            return int(count)

    @staticmethod
    def _day(connection: sqlite3.Connection, row: tuple[object, ...], since: str) -> DayOfHost:
        day, host, requests, characters, size, tokens, masked, models, purposes, lists = row
        (entries,) = connection.execute(
            'SELECT count(*) FROM (SELECT DISTINCT "database", entry FROM sent_entries JOIN sent'
            " ON sent = id WHERE substr(at, 1, 10) = ? AND host = ? AND at >= ?)",
            (day, host, since),
        ).fetchone()
        names = sorted({name for written in json.loads(str(lists)) for name in json.loads(written)})
        return DayOfHost(
            str(day),
            str(host),
            int(str(requests)),
            entries,
            int(str(characters)),
            int(str(size)),
            int(str(tokens)),
            int(str(masked)),
            models=tuple(sorted(json.loads(str(models)))),
            purposes=tuple(sorted(json.loads(str(purposes)))),
            databases=tuple(names),
        )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._told():
            if not self.path.exists():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.path.touch(mode=0o600)
            with closing(self._connect()) as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._told():
            there = self.path.exists()
            connection = self._connect() if there else sqlite3.connect(":memory:")
            with closing(connection):
                if not there:
                    connection.executescript(_TABLES)
                yield connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            if connection.execute("PRAGMA user_version").fetchone()[0] < VERSION:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; END;")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise EgressError(
                f"The record of what leaves this machine, {self.path}, cannot be used: {error}.",
                hint="Nothing is sent without it: check the disk, or move the file away.",
            ) from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
