"""The entries of an index: what each is, what it goes by, and the text it had before."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from rag_assistant.errors import EntryNotFound
from rag_assistant.store.sqlite.versions import SqliteVersions
from rag_assistant.store.sqlite.withheld import is_any_withheld
from rag_assistant.text.likeness import LONGEST, ComparedText, compared_text
from rag_assistant.values.documents import Entry, EntryName

if TYPE_CHECKING:
    from rag_assistant.values.outline import EntryFacts, ThreadMail

_ENTRY_COLUMNS = (
    "entries.id, entries.title, files.path, entries.media_type, entries.length,"
    " entries.text_hash, entries.key, entries.metadata,"
    " CASE WHEN files.mtime_ns > 0"
    " THEN strftime('%Y-%m-%dT%H:%M:%S', files.mtime_ns / 1000000000, 'unixepoch') ELSE '' END"
)


class SqliteEntries:
    """Reads entries; `store.reading.Entries`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, entry_id: int) -> Entry:
        """Give one entry, with its other versions. Raises EntryNotFound."""
        row = self._connection.execute(
            f"SELECT {_ENTRY_COLUMNS} FROM entries JOIN files ON files.id = file_id"
            " WHERE entries.id = ?",
            (entry_id,),
        ).fetchone()
        if row is None:
            self._refuse_withheld(entry_id)
            raise EntryNotFound(
                f"No entry has the id {entry_id}.", hint="Search to see the ids that there are."
            )
        return replace(_entry_of(row), versions=SqliteVersions(self._connection).others(entry_id))

    def _refuse_withheld(self, entry_id: int) -> None:
        if not is_any_withheld(self._connection):
            return
        row = self._connection.execute(
            "SELECT path, withheld.reason FROM withheld JOIN main.entries USING (file_id)"
            " JOIN main.files ON files.id = withheld.file_id WHERE entries.id = ?",
            (entry_id,),
        ).fetchone()
        if row:
            raise EntryNotFound(
                f"The entry {entry_id}, {row[0]}, is withheld: {row[1]}.",
                hint="Let its folder be read again, and index it.",
            )

    def all(self) -> list[Entry]:
        """List all entries by path."""
        rows = self._connection.execute(
            f"SELECT {_ENTRY_COLUMNS} FROM entries JOIN files ON files.id = file_id"
            " ORDER BY files.path, entries.id"
        )
        return [_entry_of(row) for row in rows]

    def names(self) -> list[EntryName]:
        """List what all entries go by, by id; nothing else of them is read."""
        rows = self._connection.execute(
            "SELECT entries.id, files.path, entries.key FROM entries"
            " JOIN files ON files.id = file_id ORDER BY entries.id"
        )
        return [EntryName(*row) for row in rows]

    def titles(self, entry_ids: Collection[int]) -> dict[int, str]:
        """Give the titles of entries by id."""
        return dict(
            self._connection.execute(
                "SELECT entries.id, title FROM json_each(?) AS wanted"
                " CROSS JOIN entries ON entries.id = wanted.value",
                (json.dumps(list(entry_ids)),),
            ).fetchall()
        )

    def digest(self) -> str:
        """Give a digest of all entries: another one as soon as a path, a key or a text is."""
        from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, which a search needs not

        whole = sha256()
        for row in self._connection.execute(
            "SELECT files.path, entries.key, entries.text_hash FROM entries"
            " JOIN files ON files.id = file_id ORDER BY files.path, entries.key, entries.id"
        ):
            whole.update(repr(row).encode("utf-8", "surrogatepass"))
        return whole.hexdigest()[:16]

    def facts(self, entry_id: int) -> "EntryFacts":
        """Give what is known of an entry besides, and its outline."""
        from rag_assistant.store.sqlite import entry_facts  # noqa: PLC0415 - nor outlines

        return entry_facts.read(self._connection, entry_id)

    def facts_of(self, entry_ids: Collection[int]) -> "dict[int, EntryFacts]":
        """Give what is known of entries besides, by id."""
        return {one: self.facts(one) for one in entry_ids}

    def kinds(self, entry_ids: Collection[int]) -> dict[int, str]:
        """Give the kinds of entries by id."""
        rows = self._connection.execute(
            "SELECT entry_id, kind FROM json_each(?) AS wanted"
            " CROSS JOIN entry_facts ON entry_id = wanted.value",
            (json.dumps(list(entry_ids)),),
        )
        return dict(rows.fetchall())

    def thread(self, entry_id: int) -> "tuple[ThreadMail, ...]":
        """Give the mails of an entry's thread, by time."""
        from rag_assistant.store.sqlite import entry_facts  # noqa: PLC0415

        return entry_facts.thread(self._connection, entry_id)

    def authors(self) -> dict[str, int]:
        """Count the entries of each author."""
        rows = self._connection.execute(
            "SELECT value, count(*) FROM entry_facts, json_each(authors) GROUP BY value"
        )
        return dict(rows.fetchall())

    def languages(self) -> dict[str, int]:
        """Count the entries of each language."""
        rows = self._connection.execute(
            "SELECT language, count(*) FROM entry_facts GROUP BY language"
        )
        return dict(rows.fetchall())

    def previous_text(self, entry_id: int) -> tuple[str, str] | None:
        """Give the hash and the text that an entry had before its last change, if it had any."""
        row: tuple[str, str] | None = self._connection.execute(
            "SELECT text_hash, text FROM previous_texts WHERE entry_id = ?", (entry_id,)
        ).fetchone()
        return row

    def previous_texts(self, entry_ids: Collection[int]) -> dict[int, tuple[str, str]]:
        """Give the hashes and texts that entries had before, by id."""
        found = {one: self.previous_text(one) for one in entry_ids}
        return {one: previous for one, previous in found.items() if previous}

    def compared(self, entry_id: int) -> ComparedText:
        """Read an entry's text as texts are compared with one another."""
        text_hash, length = self._connection.execute(
            "SELECT text_hash, length FROM entries WHERE id = ?", (entry_id,)
        ).fetchone()
        rows = self._connection.execute(
            "SELECT text FROM passages WHERE entry_id = ? AND start < ? ORDER BY start",
            (entry_id, LONGEST),
        )
        return compared_text(text_hash, length, "".join(row[0] for row in rows))


def _entry_of(row: tuple[int, str, str, str, int, str, str, str, str]) -> Entry:
    return Entry(*row[:7], metadata=json.loads(row[7]), changed=row[8])
