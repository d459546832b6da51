"""Families of versions in the tables of an index: what ends one, and what finding them asks for."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence

from rag_assistant.store.families import FamilyMember
from rag_assistant.store.sqlite.entries import SqliteEntries
from rag_assistant.store.sqlite.sketches import Sketches, key_new, rename_sketch, sharing
from rag_assistant.store.version_order import Dated


def rename(connection: sqlite3.Connection, file_id: int, path: str) -> None:
    """Note that a file goes by another name now; its entry may be of another family."""
    whole = connection.execute(
        "SELECT id FROM entries WHERE file_id = ? AND key = ''", (file_id,)
    ).fetchone()
    if whole:
        forget_version(connection, whole[0])
        rename_sketch(connection, whole[0], path)


def forget_version(connection: sqlite3.Connection, entry_id: int) -> None:
    """Take an entry out of its family; the others are compared anew: it may have joined them."""
    family = connection.execute(
        "SELECT family FROM versions WHERE entry_id = ?", (entry_id,)
    ).fetchone()
    if family:
        connection.execute(
            "UPDATE sketches SET compared = 0"
            " WHERE entry_id IN (SELECT entry_id FROM versions WHERE family = ?)",
            family,
        )
        connection.execute("DELETE FROM versions WHERE entry_id = ?", (entry_id,))


def compare_again(connection: sqlite3.Connection, file_id: int) -> None:
    """Let the family of a file be put in order anew: its time has changed."""
    connection.execute(
        "UPDATE sketches SET compared = 0 WHERE entry_id IN"
        " (SELECT versions.entry_id FROM versions JOIN entries ON entries.id = versions.entry_id"
        " WHERE file_id = ?)",
        (file_id,),
    )


class _Dated(dict[int, Dated]):
    """What tells the age of entries, read when it is asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def __missing__(self, entry_id: int) -> Dated:
        path, metadata, changed = self._connection.execute(
            "SELECT path, metadata, mtime_ns FROM entries"
            " JOIN files ON files.id = file_id WHERE entries.id = ?",
            (entry_id,),
        ).fetchone()
        self[entry_id] = known = Dated.of(entry_id, path, json.loads(metadata), changed)
        return known


class FamilyTables:
    """Families and sketches for one run; `store.families.FamilyKeeper`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.sketches = Sketches(connection)
        self.dated = _Dated(connection)
        self.compared = SqliteEntries(connection).compared

    def new(self) -> set[int]:
        """Give the entries whose families are to be looked for, and let them be looked up."""
        return key_new(self._connection)

    def families(self) -> Iterable[tuple[int, int]]:
        """Give each entry that is of a family, with the family."""
        return self._connection.execute("SELECT entry_id, family FROM versions")

    def sharing(self, new: Collection[int]) -> Iterator[tuple[int, list[int]]]:
        """Give the entries that share a key with a new one, by id, with the key; stems first."""
        return sharing(self._connection, new)

    def expect(self, entry_ids: Iterable[int]) -> None:
        """Do nothing: a text is read when it is asked for."""

    def replace(self, gone: Collection[int], members: Sequence[FamilyMember]) -> None:
        """Take entries out of their families, and write the families that were found."""
        self._connection.executemany(
            "DELETE FROM versions WHERE entry_id = ?", [(entry_id,) for entry_id in gone]
        )
        self._connection.executemany(
            "INSERT INTO versions (entry_id, family, place, dated, told_by) VALUES (?, ?, ?, ?, ?)",
            [(one.entry_id, one.family, one.place, one.dated, one.told_by) for one in members],
        )
        self._connection.execute("UPDATE sketches SET compared = 1 WHERE compared = 0")
