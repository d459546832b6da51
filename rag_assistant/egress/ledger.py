"""The record of what left this machine, and of permissions: egress.sqlite in the home.

Sizes, places and ids only, never the text itself. A row is on the disk before its request leaves.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rag_assistant.egress.ledger_file import TABLES, connect, keep_digest, mend, problems
from rag_assistant.egress.provenance import Entries
from rag_assistant.errors import EgressError
from rag_assistant.files.faults import is_damage, is_suspect
from rag_assistant.files.private_files import private_file, private_folder
from rag_assistant.values.evidence import Sent

FILE_NAME = "egress.sqlite"
REPAIR = f"rag-assistant databases repair {FILE_NAME}"


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


class EgressLedger:
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
            keep_digest(connection, number)
        return number

    def count_tokens(self, number: int, tokens: int) -> None:
        """Add to a request how many tokens its endpoint counted."""
        with self._writing() as connection:
            connection.execute("UPDATE sent SET tokens = ? WHERE id = ?", (tokens, number))
            keep_digest(connection, number)

    def allow(self, databases: Sequence[str], host: str) -> None:
        """Remember that the text of databases may go to a host."""
        with self._writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO leave VALUES (?, ?, ?)",
                [(database, host, _now()) for database in databases],
            )

    def forget(self, database: str) -> None:
        """Forget the permission that was given for a database; the person is asked again."""
        if self.path.is_file():
            with self._writing() as connection:
                connection.execute('DELETE FROM leave WHERE "database" = ?', (database,))

    def forget_host(self, host: str) -> list[str]:
        """Forget all permission that was given for a host; give the databases it was for."""
        if not self.path.is_file():
            return []
        with self._writing() as connection:
            rows = connection.execute('SELECT "database" FROM leave WHERE host = ?', (host,))
            names = sorted(database for (database,) in rows.fetchall())
            connection.execute("DELETE FROM leave WHERE host = ?", (host,))
        return names

    def hosts(self) -> list[str]:
        """Name all hosts that something went to, or that permission was given for."""
        with self._reading() as connection:
            rows = connection.execute("SELECT host FROM sent UNION SELECT host FROM leave")
            return sorted(host for (host,) in rows)

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
                private_folder(self.path.parent)
                private_file(self.path)
            with closing(connect(self.path)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._told():
            there = self.path.exists()
            connection = connect(self.path) if there else sqlite3.connect(":memory:")
            with closing(connection):
                if not there:
                    connection.executescript(TABLES)
                yield connection

    def problems(self) -> list[str]:
        """List what is wrong with the file, each in one line; nothing when it is whole."""
        return problems(self.path)

    def repair(self) -> str:
        """Make the file anew of the rows that can be read; say what became of it."""
        with self._told():
            return mend(self.path)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except EgressError:
            raise
        except Exception as error:
            damaged = is_damage(error) or (is_suspect(error) and bool(problems(self.path)))
            if not damaged and not isinstance(error, sqlite3.Error | OSError):
                raise
            step = f"Mend it: `{REPAIR}`." if damaged else "Check the disk, or move the file away."
            word = "is damaged" if damaged else "cannot be used"
            raise EgressError(
                f"The record of what leaves this machine, {self.path}, {word}: {error}.",
                hint=f"Nothing is sent without it. {step}",
            ) from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
