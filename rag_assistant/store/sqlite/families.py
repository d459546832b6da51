"""Families of versions: entries that are whole files, of one name or nearly one text, newest first.

Only what is new, or lost a relative, is compared; whatever was cut off before its end is compared
in the next run. A file of records has no families: its names are not its own.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from rag_assistant.store.sqlite.sketches import (
    Sketch,
    Sketches,
    key_new,
    rename_sketch,
    sharing,
)
from rag_assistant.store.sqlite.version_order import Dated, in_order
from rag_assistant.store.sqlite.version_texts import MOST_COMPARED, VersionTexts

SHARED_HASHES = 0.5
"""Of the hashes of the smaller sketch: what two texts share that are compared at all."""

MOST_IN_ORDER = 1_000
"""Entries that share a sentence whose paths are read for it."""


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


def group_versions(connection: sqlite3.Connection) -> list[str]:
    """Find the families of what is to be compared; give what a person should know of it.

    Of entries with the same stem, and of those that share a sentence, each is compared with its
    neighbours, so the work grows with their number and not with its square.
    """
    new = key_new(connection)
    if not new:
        return []
    families = _Families()
    for entry_id, family in connection.execute("SELECT entry_id, family FROM versions"):
        if entry_id not in new:
            families.join(-family, entry_id)  # no entry has a number below one
    dated = _Known(connection)
    texts = VersionTexts(connection)
    notes: list[str] = []
    for one, other in _pairs(connection, new, dated):
        if families.joined(one, other):
            continue
        if texts.compared == MOST_COMPARED:
            notes.append(
                f"{MOST_COMPARED:,} pairs of files that are alike were compared for versions of"
                " one document; the others count as different documents"
            )
            break
        if texts.are_versions(dated[one], dated[other]):
            families.join(one, other)
    _store(connection, families, new, dated)
    connection.execute("UPDATE sketches SET compared = 1 WHERE compared = 0")
    return notes


class _Known(dict[int, Dated]):
    """What is known of entries, read when it is asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def __missing__(self, entry_id: int) -> Dated:
        row = self._connection.execute(
            "SELECT entries.id, path, metadata, mtime_ns FROM entries"
            " JOIN files ON files.id = file_id WHERE entries.id = ?",
            (entry_id,),
        ).fetchone()
        self[entry_id] = known = Dated.of(*row)
        return known


class _Families:
    """Which entries belong together: a forest, each tree a family (R. Tarjan, 1975)."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}

    def root(self, entry_id: int) -> int:
        """Give the same number for all of a family."""
        parent = self._parents.get(entry_id, entry_id)
        while parent != entry_id:
            grandparent = self._parents.get(parent, parent)
            self._parents[entry_id] = grandparent
            entry_id, parent = parent, grandparent
        return entry_id

    def joined(self, one: int, other: int) -> bool:
        """Say whether two are of one family already."""
        return self.root(one) == self.root(other)

    def join(self, one: int, other: int) -> None:
        """Make one family of two."""
        self._parents.setdefault(one, one)
        self._parents.setdefault(other, other)
        self._parents[self.root(other)] = self.root(one)

    def members(self) -> Iterator[list[int]]:
        """Give the entries of each family."""
        found: dict[int, list[int]] = {}
        for entry_id in self._parents:
            if entry_id > 0:
                found.setdefault(self.root(entry_id), []).append(entry_id)
        return (sorted(family) for family in found.values() if len(family) > 1)


def _pairs(
    connection: sqlite3.Connection, new: Collection[int], dated: Mapping[int, Dated]
) -> Iterator[tuple[int, int]]:
    """Give the pairs that may be versions, by their names first; one of each is new."""
    sketches = Sketches(connection)
    for key, ids in sharing(connection, new):
        if key < 0:
            yield from _of_one_stem(ids, sketches, new, dated)
            continue
        for a, b in pairwise(_by_path(ids, dated)):
            if a in new or b in new:
                ours, theirs = sketches[a].hashes, sketches[b].hashes
                if len(ours & theirs) >= SHARED_HASHES * min(len(ours), len(theirs)):
                    yield a, b


def _by_path(ids: Sequence[int], dated: Mapping[int, Dated]) -> Sequence[int]:
    """Put entries in an order that is the same however they were indexed, unless they are many."""
    return sorted(ids, key=lambda one: dated[one].path) if len(ids) <= MOST_IN_ORDER else ids


def _of_one_stem(
    ids: Sequence[int],
    sketches: Mapping[int, Sketch],
    new: Collection[int],
    dated: Mapping[int, Dated],
) -> Iterator[tuple[int, int]]:
    """Give the neighbours in time of entries whose stems have the same number."""
    for stem in dict.fromkeys(sketches[entry_id].stem for entry_id in ids):
        same = [dated[entry_id] for entry_id in ids if sketches[entry_id].stem == stem]
        ordered = [one.entry_id for one, _ in in_order(same)]
        yield from ((a, b) for a, b in pairwise(ordered) if a in new or b in new)


def _store(
    connection: sqlite3.Connection,
    families: _Families,
    new: Collection[int],
    dated: Mapping[int, Dated],
) -> None:
    """Write the families that hold something new; take out those that are none any more."""
    gone = ((entry_id,) for entry_id in new)
    connection.executemany("DELETE FROM versions WHERE entry_id = ?", gone)
    for members in families.members():
        if not any(member in new for member in members):
            continue
        connection.executemany(
            "DELETE FROM versions WHERE entry_id = ?", [(member,) for member in members]
        )
        connection.executemany(
            "INSERT INTO versions (entry_id, family, place, dated, told_by) VALUES (?, ?, ?, ?, ?)",
            [
                (one.entry_id, members[0], place, one.day, told_by)
                for place, (one, told_by) in enumerate(
                    in_order([dated[member] for member in members])
                )
            ],
        )
