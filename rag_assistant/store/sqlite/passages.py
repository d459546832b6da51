"""The passages of entries: spans of a text, what search knows of them, and their sources."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from rag_assistant.values.documents import Location, Passage

if TYPE_CHECKING:
    from rag_assistant.values.search_plan import CandidatePassage, PassageSource

_AS_RANKED = (
    "passages.id, passages.title, coalesce(heading, ''), text, variants, start, entries.media_type"
)


class SqlitePassages:
    """Reads passages; `store.reading.Passages`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def of_entry(self, entry_id: int, start: int = 0, end: int | None = None) -> list[Passage]:
        """Give the passages of an entry that overlap `start` to `end`, in order."""
        rows = self._connection.execute(
            'SELECT text, start, "end", page, heading, line, sections FROM passages'
            ' WHERE entry_id = ? AND start < ? AND "end" > ? ORDER BY start',
            (entry_id, (1 << 62) if end is None else end, start),
        )
        return [_passage(row) for row in rows]

    def of_entries(self, entry_ids: Collection[int]) -> dict[int, list[Passage]]:
        """Give all passages of entries, by id, in order."""
        found = {one: self.of_entry(one) for one in entry_ids}
        return {one: passages for one, passages in found.items() if passages}

    def around(self, entry_id: int, offset: int, neighbours: int) -> list[Passage]:
        """Give the passage that holds the character at `offset`, with so many on either side."""
        before = self._connection.execute(
            'SELECT text, start, "end", page, heading, line, sections FROM passages'
            " WHERE entry_id = ? AND start <= ? ORDER BY start DESC LIMIT ?",
            (entry_id, max(0, offset), neighbours + 1),
        ).fetchall()
        after = self._connection.execute(
            'SELECT text, start, "end", page, heading, line, sections FROM passages'
            " WHERE entry_id = ? AND start > ? ORDER BY start LIMIT ?",
            (entry_id, max(0, offset), neighbours),
        ).fetchall()
        return [_passage(row) for row in (*before[::-1], *after)]

    def count(self, entry_id: int) -> int:
        """Count the passages of an entry."""
        query = "SELECT count(*) FROM passages WHERE entry_id = ?"
        return int(self._connection.execute(query, (entry_id,)).fetchone()[0])

    def text(self, entry_id: int, start: int = 0, end: int | None = None) -> str:
        """Give the characters `start` to `end` of an entry's text (shorter at the text's end)."""
        found = self.of_entry(entry_id, start, end)
        if not found:
            return ""
        first = found[0].location.start
        whole = "".join(passage.text for passage in found)
        return whole[max(0, start - first) : None if end is None else end - first]

    def candidates(self, ids: Collection[int]) -> "dict[int, CandidatePassage]":
        """Read passages as ranking knows them, by id."""
        rows = self._connection.execute(
            f"SELECT {_AS_RANKED} FROM json_each(?) AS wanted"
            " CROSS JOIN passages ON passages.id = wanted.value"
            " JOIN entries ON entries.id = entry_id",
            (json.dumps(list(ids)),),
        )
        from rag_assistant.values.search_plan import CandidatePassage  # noqa: PLC0415 - for searches

        return {row[0]: CandidatePassage(*row) for row in rows}

    def candidates_of(self, entry_id: int) -> "list[CandidatePassage]":
        """Read all passages of an entry as ranking knows them, in order."""
        rows = self._connection.execute(
            f"SELECT {_AS_RANKED} FROM passages JOIN entries ON entries.id = entry_id"
            " WHERE entry_id = ? ORDER BY start",
            (entry_id,),
        )
        from rag_assistant.values.search_plan import CandidatePassage  # noqa: PLC0415 - for searches

        return [CandidatePassage(*row) for row in rows]

    def starts(self, ids: Collection[int]) -> dict[int, int]:
        """Give where passages begin in the texts of their entries, by id."""
        rows = self._connection.execute(
            "SELECT passages.id, start FROM json_each(?) AS wanted"
            " CROSS JOIN passages ON passages.id = wanted.value",
            (json.dumps(list(ids)),),
        )
        return dict(rows.fetchall())

    def sources(self, ids: Collection[int]) -> "dict[int, PassageSource]":
        """Read passages with what names their entries, by id."""
        rows = self._connection.execute(
            "SELECT passages.id, entry_id, entries.title, files.path, entries.key, text, start,"
            " \"end\", page, heading, line, sections, variants <> '' FROM json_each(?) AS wanted"
            " CROSS JOIN passages ON passages.id = wanted.value"
            " JOIN entries ON entries.id = entry_id JOIN files ON files.id = file_id",
            (json.dumps(list(ids)),),
        )
        from rag_assistant.values.search_plan import PassageSource  # noqa: PLC0415 - for searches

        found: dict[int, PassageSource] = {}
        for passage_id, entry_id, title, path, key, *row, varies in rows:
            passage = _passage(row)
            found[passage_id] = PassageSource(entry_id, title, path, key, passage, bool(varies))
        return found

    def entries_of(self, ids: Collection[int]) -> dict[int, int]:
        """Give the entry of each passage, by id."""
        rows = self._connection.execute(
            "SELECT passages.id, entry_id"
            " FROM json_each(?) AS wanted CROSS JOIN passages ON passages.id = wanted.value",
            (json.dumps(list(ids)),),
        )
        return dict(rows.fetchall())


def _passage(row: Sequence[Any]) -> Passage:
    """Read text, start, end, page, heading path, line and sections."""
    text, *place, sections = row
    known = tuple((at, path) for at, path in json.loads(sections)) if sections else ()
    return Passage(text, Location(*place), known)
