"""Versions: which entries are of one document, read from the tables of an index."""

import json
import sqlite3
from collections.abc import Collection

from rag_assistant.store.version_order import VersionRow, others_than
from rag_assistant.values.documents import Version


class SqliteVersions:
    """Reads families of versions; `store.reading.Versions`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def others(self, entry_id: int) -> tuple[Version, ...]:
        """Give the other versions of an entry's document, newest first; none for most entries."""
        rows = self._connection.execute(
            "SELECT versions.entry_id, title, path, place, dated, told_by, text_hash FROM versions"
            " JOIN entries ON entries.id = versions.entry_id JOIN files ON files.id = file_id"
            " WHERE family = (SELECT family FROM versions WHERE entry_id = ?)",
            (entry_id,),
        )
        return others_than(entry_id, [VersionRow(*row) for row in rows])

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
