"""The tables that lines of rows make: rows that follow one another are one, in which each cell
stands where its line has it. The first rows are heads where they name the columns below.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_assistant.ingest.parsing.cell_values import YEAR, is_value
from rag_assistant.values.tables import DocumentTable, TableCell

_WITHIN = 4  # rows that titles and heads take
_MOST_CELLS = 20_000
"""Of a table whose cells are all kept; of a larger one its first rows are, which hold its heads."""

RowCell = tuple[int, int, int]
"""A cell of a line: its column from 0, and where its words begin and end in the line."""


@dataclass(slots=True)
class _Open:
    """A table that is being written."""

    cells: list[TableCell]
    start: int
    end: int
    rows: int = 0
    columns: int = 0


class RowTables:
    """Gathers rows as they are written, and gives the tables that they were."""

    def __init__(self) -> None:
        self._done: list[DocumentTable] = []
        self._open: _Open | None = None

    def add(self, start: int, line: str, cells: Sequence[RowCell], *, follows: bool) -> None:
        """Take a row, written from `start` on; `follows`: it goes on with the table before it."""
        if not follows or self._open is None:
            self._close()
            self._open = _Open([], start, start)
        table = self._open
        if len(table.cells) < _MOST_CELLS:
            table.cells += (
                TableCell(table.rows, column, line[a:b], start=start + a, end=start + b)
                for column, a, b in cells
                if b <= len(line)
            )
        table.rows += 1
        table.columns = max(table.columns, *(column + 1 for column, _, _ in cells), 0)
        table.end = start + len(line)

    def tables(self) -> tuple[DocumentTable, ...]:
        """Give the tables of at least two rows and columns, in order."""
        self._close()
        return tuple(self._done)

    def _close(self) -> None:
        table, self._open = self._open, None
        if table is not None and table.rows > 1 and table.columns > 1:
            heads = _count_heads(table.cells, table.rows)
            whole = DocumentTable(table.rows, table.columns, tuple(table.cells), heads)
            self._done.append(_placed(whole, table))


def _placed(table: DocumentTable, written: _Open) -> DocumentTable:
    return DocumentTable(
        table.rows,
        table.columns,
        table.cells,
        table.heads,
        start=written.start,
        end=written.end,
    )


def _count_heads(cells: Sequence[TableCell], rows: int) -> int:
    """Say how many rows there are to the end of the first that names columns; 0 without one."""
    for number, row in _first_rows(cells):
        if number + 1 >= min(rows, _WITHIN + 1):
            return 0
        if len(row) > 1:
            named = all(not is_value(cell.text) or YEAR.fullmatch(cell.text) for cell in row)
            return number + 1 if named else 0
    return 0


def _first_rows(cells: Sequence[TableCell]) -> Iterator[tuple[int, list[TableCell]]]:
    row: list[TableCell] = []
    for cell in cells:
        if row and cell.row != row[0].row:
            yield row[0].row, row
            row = []
        row.append(cell)
    if row:
        yield row[0].row, row
