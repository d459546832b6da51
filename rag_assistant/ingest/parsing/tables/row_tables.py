"""The tables that lines of rows make: rows that follow one another are one, in which each cell
stands where its line has it. Heads are those that the document says, else what names the columns.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rag_assistant.ingest.parsing.tables.cell_values import units_in
from rag_assistant.ingest.parsing.tables.head_rows import count_heads
from rag_assistant.values.tables import DocumentTable, TableCell

_MOST_TITLES = 3  # rows over the heads
_LONGEST_CAPTION = 300
_MOST_CELLS = 20_000
"""Of a table whose cells are all kept; of a larger one its first rows are, which hold its heads."""

_MOST_COVERED = 200_000  # places that its cells cover


class RowCell(NamedTuple):
    """A cell of a line: its column from 0, where its words are in the line, how many it spans."""

    column: int
    start: int
    end: int
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class _Open:
    """A table that is being written: its cells, where its first rows start, how many are heads."""

    end: int
    caption: str
    cells: list[TableCell] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    rows: int = 0
    columns: int = 0
    heads: int = 0


class RowTables:
    """Gathers rows as they are written, and gives the tables that they were."""

    def __init__(self, *, named: bool = False) -> None:
        self._named = named
        self._done: list[DocumentTable] = []
        self._open: _Open | None = None

    def begin(self, caption: str = "") -> None:
        """End the table before, if any: what comes is another one, of this caption."""
        self._close()
        self._open = _Open(0, caption[:_LONGEST_CAPTION])

    def name(self, caption: str) -> None:
        """Give the table that was written last its caption, if it is without one."""
        if self._open is not None:
            self._open.caption = self._open.caption or caption[:_LONGEST_CAPTION]

    def add(self, start: int, line: str, cells: Sequence[RowCell], *, head: bool = False) -> None:
        """Take a row, written from `start` on; `head`: the document says that it is one."""
        if self._open is None:
            self._open = _Open(start, "")
        table = self._open
        if len(table.cells) < _MOST_CELLS:
            table.cells += (
                TableCell(
                    table.rows,
                    cell.column,
                    line[cell.start : cell.end],
                    cell.rows,
                    cell.columns,
                    start + cell.start,
                    start + cell.end,
                )
                for cell in cells
                if cell.end <= len(line)
            )
        if len(table.starts) <= _MOST_TITLES:
            table.starts.append(start)
        if head and table.heads == table.rows:
            table.heads += 1
        table.rows += 1
        table.columns = max(table.columns, *(cell.column + cell.columns for cell in cells), 0)
        table.end = start + len(line)

    def tables(self) -> tuple[DocumentTable, ...]:
        """Give the tables of at least two rows and columns, in order."""
        self._close()
        return tuple(self._done)

    def _close(self) -> None:
        table, self._open = self._open, None
        if table is None or not table.rows:
            return
        titles = 0 if table.heads else _titles(table)
        caption = " ".join(cell.text for cell in table.cells[:titles])
        cells = [
            replace(cell, row=cell.row - titles, rows=min(cell.rows, table.rows - cell.row))
            for cell in table.cells[titles:]
        ]
        rows = table.rows - titles
        if sum(cell.rows * cell.columns for cell in cells) > _MOST_COVERED:
            cells = [replace(cell, rows=1, columns=1) for cell in cells]  # nobody's table
        if rows > 1 and table.columns > 1:
            heads = min(table.heads or count_heads(cells, rows), rows - 1)
            caption = table.caption or caption
            said = [caption, *(cell.text for cell in cells if cell.row < heads)]
            whole = DocumentTable(
                rows,
                table.columns,
                tuple(cells),
                heads,
                caption=caption,
                units=units_in("\n".join(said)),
                start=table.starts[titles],
                end=table.end,
                named_rows=self._named,
            )
            self._done.append(whole)


def _titles(table: _Open) -> int:
    """Count the rows of one cell that a table begins with, which name all of it."""
    for number in range(min(_MOST_TITLES, table.rows - 2) + 1):
        after = bisect_left(table.cells, number + 1, key=lambda cell: cell.row)
        first = bisect_left(table.cells, number, key=lambda cell: cell.row)
        if after - first > 1:
            return number
    return 0
