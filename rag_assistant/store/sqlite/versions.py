"""Versions: which entries are of one document, read from the tables of an index."""

import json
import sqlite3
from collections.abc import Collection

from rag_assistant.values.documents import Version


class SqliteVersions:
    """Reads families of versions; `store.reading.Versions`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def others(self, entry_id: int) -> tuple[Version, ...]:
        """Give the other versions of an entry's document, newest first; none for most entries."""
        rows = self._connection.execute(
            "SELECT others.entry_id, title, path, others.place, own.place, dated, others.told_by,"
            " own.told_by,"
            " entries.text_hash = (SELECT text_hash FROM entries WHERE id = own.entry_id)"
            " FROM (SELECT entry_id, family, place, told_by FROM versions WHERE entry_id = ?)"
            " AS own JOIN versions AS others ON others.family = own.family"
            " JOIN entries ON entries.id = others.entry_id JOIN files ON files.id = file_id"
            " WHERE others.entry_id <> own.entry_id ORDER BY others.place",
            (entry_id,),
        )
        return tuple(
            Version(
                other,
                title,
                path,
                "copy" if is_copy else "newer" if place < own_place else "older",
                dated,
                told if place > own_place else own_told,
            )
            for other, title, path, place, own_place, dated, told, own_told, is_copy in rows
        )

    def newest(self, entry_ids: Collection[int]) -> dict[int, int]:
        """Give, for those entries that are of a family, the id of its newest version."""
        return dict(
            self._connection.execute(
                "SELECT own.entry_id, (SELECT newest.entry_id FROM versions AS newest"
                " WHERE newest.family = own.family ORDER BY newest.place LIMIT 1)"
                " FROM json_each(?) AS wanted CROSS JOIN versions AS own"
                " ON own.entry_id = wanted.value",
                (json.dumps(list(entry_ids)),),
            ).fetchall()
        )
