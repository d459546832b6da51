"""Reading an index: entries, spans of their text, the ledger, and the figures of a database."""

import json
import sqlite3
from dataclasses import dataclass, replace
from hashlib import sha256

from rag_assistant.errors import EntryNotFound
from rag_assistant.store.sqlite.ledger import LedgerLine
from rag_assistant.store.sqlite.version_rows import other_versions
from rag_assistant.store.sqlite.withheld import is_any_withheld, withheld_lines
from rag_assistant.values.documents import Entry, Location, Passage

_ENTRY_COLUMNS = (
    "entries.id, entries.title, files.path, entries.media_type, entries.length,"
    " entries.text_hash, entries.key, entries.metadata,"
    " CASE WHEN files.mtime_ns > 0"
    " THEN strftime('%Y-%m-%dT%H:%M:%S', files.mtime_ns / 1000000000, 'unixepoch') ELSE '' END"
)


@dataclass(frozen=True, slots=True)
class IndexFigures:
    """What an index holds.

    `indexed_at` is when the last whole run ended, ISO 8601 in UTC, empty before the first.
    `unfinished` says that a later run was interrupted, or is going on. `withheld` counts files that
    could not be looked for; their entries are not among `entries`. `partial` counts the files of
    which something is left out because they are too long.
    """

    folder: str
    indexed_at: str
    unfinished: bool
    entries: int
    passages: int
    failed: int
    skipped: int
    withheld: int = 0
    partial: int = 0


def meta(connection: sqlite3.Connection) -> dict[str, str]:
    """Give what is known of the database itself, by key."""
    return dict(connection.execute("SELECT key, value FROM meta").fetchall())


def figures(connection: sqlite3.Connection) -> IndexFigures:
    """Count what the index holds."""
    facts = meta(connection)
    statuses = dict(
        connection.execute("SELECT status, count(*) FROM files GROUP BY status").fetchall()
    )
    return IndexFigures(
        folder=facts.get("folder", ""),
        indexed_at=facts.get("indexed_at", ""),
        unfinished=bool(facts.get("unfinished")),
        entries=connection.execute("SELECT count(*) FROM entries").fetchone()[0],
        passages=connection.execute("SELECT count(*) FROM passages").fetchone()[0],
        failed=statuses.get("failed", 0),
        skipped=statuses.get("skipped", 0),
        withheld=len(withheld_lines(connection)),
        partial=len(ledger(connection, "partial")),
    )


def characters(connection: sqlite3.Connection) -> int:
    """Count the characters of all entries."""
    row = connection.execute('SELECT coalesce(sum("end" - start), 0) FROM passages').fetchone()
    return int(row[0])


def ledger(connection: sqlite3.Connection, status: str) -> list[LedgerLine]:
    """List the paths that `failed`, were `skipped`, are `withheld`, or `partial`: read in part."""
    if status == "withheld":
        return withheld_lines(connection)
    stored = "indexed" if status == "partial" else status
    rows = connection.execute(
        "SELECT path, reason FROM files WHERE status = ? AND (? <> 'indexed' OR reason <> '')"
        " ORDER BY path",
        (stored, stored),
    )
    return [LedgerLine(*row) for row in rows]


def entry(connection: sqlite3.Connection, entry_id: int) -> Entry:
    """Give one entry, with its other versions. Raises EntryNotFound."""
    row = connection.execute(
        f"SELECT {_ENTRY_COLUMNS} FROM entries JOIN files ON files.id = file_id"
        " WHERE entries.id = ?",
        (entry_id,),
    ).fetchone()
    if row is None:
        if is_any_withheld(connection):
            _refuse_withheld(connection, entry_id)
        raise EntryNotFound(
            f"No entry has the id {entry_id}.", hint="Search to see the ids that there are."
        )
    return replace(_entry_of(row), versions=other_versions(connection, entry_id))


def _refuse_withheld(connection: sqlite3.Connection, entry_id: int) -> None:
    row = connection.execute(
        "SELECT path, withheld.reason FROM withheld JOIN main.entries USING (file_id)"
        " JOIN main.files ON files.id = withheld.file_id WHERE entries.id = ?",
        (entry_id,),
    ).fetchone()
    if row:
        raise EntryNotFound(
            f"The entry {entry_id}, {row[0]}, is withheld: {row[1]}.",
            hint="Let its folder be read again, and index it.",
        )


def entries(connection: sqlite3.Connection) -> list[Entry]:
    """List all entries by path."""
    rows = connection.execute(
        f"SELECT {_ENTRY_COLUMNS} FROM entries JOIN files ON files.id = file_id"
        " ORDER BY files.path, entries.id"
    )
    return [_entry_of(row) for row in rows]


def digest(connection: sqlite3.Connection) -> str:
    """Give a digest of all entries: another one as soon as a path, a key or a text is another."""
    whole = sha256()
    for row in connection.execute(
        "SELECT files.path, entries.key, entries.text_hash FROM entries"
        " JOIN files ON files.id = file_id ORDER BY files.path, entries.key, entries.id"
    ):
        whole.update(repr(row).encode("utf-8", "surrogatepass"))
    return whole.hexdigest()[:16]


def _entry_of(row: tuple[int, str, str, str, int, str, str, str, str]) -> Entry:
    return Entry(*row[:7], metadata=json.loads(row[7]), changed=row[8])


def previous_text(connection: sqlite3.Connection, entry_id: int) -> tuple[str, str] | None:
    """Give the hash and the text that an entry had before its last change, if it had any."""
    row: tuple[str, str] | None = connection.execute(
        "SELECT text_hash, text FROM previous_texts WHERE entry_id = ?", (entry_id,)
    ).fetchone()
    return row


def passages(
    connection: sqlite3.Connection, entry_id: int, start: int = 0, end: int | None = None
) -> list[Passage]:
    """Give the passages of an entry that overlap `start` to `end`, in order."""
    rows = connection.execute(
        'SELECT text, start, "end", page, heading, line FROM passages'
        ' WHERE entry_id = ? AND start < ? AND "end" > ? ORDER BY start',
        (entry_id, (1 << 62) if end is None else end, start),
    )
    return [Passage(row[0], Location(*row[1:])) for row in rows]


def around(
    connection: sqlite3.Connection, entry_id: int, offset: int, neighbours: int
) -> list[Passage]:
    """Give the passage that holds the character at `offset`, with so many on either side, in order.

    Behind the text's end that is the last one; an entry without text has none.
    """
    before = connection.execute(
        'SELECT text, start, "end", page, heading, line FROM passages'
        " WHERE entry_id = ? AND start <= ? ORDER BY start DESC LIMIT ?",
        (entry_id, max(0, offset), neighbours + 1),
    ).fetchall()
    after = connection.execute(
        'SELECT text, start, "end", page, heading, line FROM passages'
        " WHERE entry_id = ? AND start > ? ORDER BY start LIMIT ?",
        (entry_id, max(0, offset), neighbours),
    ).fetchall()
    return [Passage(row[0], Location(*row[1:])) for row in (*before[::-1], *after)]


def count(connection: sqlite3.Connection, entry_id: int) -> int:
    """Count the passages of an entry."""
    query = "SELECT count(*) FROM passages WHERE entry_id = ?"
    return int(connection.execute(query, (entry_id,)).fetchone()[0])


def text(
    connection: sqlite3.Connection, entry_id: int, start: int = 0, end: int | None = None
) -> str:
    """Give the characters `start` to `end` of an entry's text (shorter at the text's end)."""
    found = passages(connection, entry_id, start, end)
    if not found:
        return ""
    first = found[0].location.start
    whole = "".join(passage.text for passage in found)
    return whole[max(0, start - first) : None if end is None else end - first]
