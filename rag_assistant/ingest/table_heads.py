"""What a passage that begins within a table is told of it: its caption, its units and the heads of
its columns, which stand in an earlier passage.
"""

from collections.abc import Sequence

from rag_assistant.values.tables import DocumentTable

_MOST_COLUMNS = 60
_LONGEST = 300  # characters: of heads that are whole sentences, the first


class TableHeads:
    """The heads of the tables of a text, asked for from place to place, in order."""

    def __init__(self, tables: Sequence[DocumentTable]) -> None:
        self._tables = sorted(tables, key=lambda table: table.start)
        self._next = 0

    def above(self, place: int) -> str:
        """Give the words over the rows of the table that a place is in the middle of, if it is."""
        while self._next < len(self._tables) and self._tables[self._next].end <= place:
            self._next += 1
        if self._next == len(self._tables) or place <= self._tables[self._next].start:
            return ""
        return _said(self._tables[self._next])


def _said(table: DocumentTable) -> str:
    columns = range(0 if table.named_rows else min(table.columns, _MOST_COLUMNS))
    named = (" ".join(table.heads_of(column)) for column in columns)
    heads = " | ".join(filter(None, named))
    units = "" if table.units in table.caption + heads else table.units
    return ", ".join(filter(None, (table.caption, units, heads)))[:_LONGEST].rstrip()
