"""The frozen value of a table, the same whatever format it comes from: its grid of cells with their
places in the entry's text, which rows are heads, and what is said of all of it. A value is read
with its row's label and its column's heads; `heads_of` and `label_of` say which these are.
"""

from dataclasses import dataclass, replace
from functools import cached_property


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell with words: its first row and column, from 0, how many it spans, and its words.

    `start` and `end` are its place in the entry's text; equal where the words stand there but in
    the cells that join them, as those of a head over several columns do.
    """

    row: int
    column: int
    text: str
    rows: int = 1
    columns: int = 1
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class DocumentTable:
    """A table: `rows` by `columns` places, the cells that have words in order of row and column.

    The first `heads` rows are heads, the first `labels` columns name their rows. `start` and `end`
    are the table's place in the entry's text, its caption aside. `continued` says that it goes on
    from the page before, whose heads it then has. `units` is what its values are in, as written:
    "in millions". `named_rows`: each row says the names of its columns itself.
    """

    rows: int
    columns: int
    cells: tuple[TableCell, ...]
    heads: int = 0
    labels: int = 1
    caption: str = ""
    units: str = ""
    start: int = 0
    end: int = 0
    continued: bool = False
    named_rows: bool = False

    @cached_property
    def _places(self) -> dict[tuple[int, int], TableCell]:
        return {
            (row, column): cell
            for cell in self.cells
            for row in range(cell.row, cell.row + cell.rows)
            for column in range(cell.column, cell.column + cell.columns)
        }

    def moved(self, by: int) -> "DocumentTable":
        """Give the same table where its text stands further on, by so many characters."""
        cells = tuple(
            replace(cell, start=cell.start + by, end=cell.end + by) for cell in self.cells
        )
        return replace(self, cells=cells, start=self.start + by, end=self.end + by)

    def at(self, row: int, column: int) -> TableCell | None:
        """Give the cell that covers a place, None where there are no words."""
        return self._places.get((row, column))

    def heads_of(self, column: int) -> tuple[str, ...]:
        """Give the heads of a column from the top, each once."""
        found = [self.at(row, column) for row in range(self.heads)]
        return tuple(dict.fromkeys(cell.text for cell in found if cell))

    def label_of(self, row: int) -> tuple[str, ...]:
        """Give the words that name a row: its section, if it is in one, then its labels."""
        own = [self.at(row, column) for column in range(self.labels)]
        labels = tuple(dict.fromkeys(cell.text for cell in own if cell))
        for above in range(row, self.heads - 1, -1):
            if self.is_section(above):
                cell = self.at(above, 0)
                return (cell.text, *labels) if cell and above != row else labels
        return labels

    def is_section(self, row: int) -> bool:
        """Say whether a row only names those below it: words in its first column and no other.

        Without heads, one that ends in a colon is a field that is not filled in.
        """
        first = self.at(row, 0)
        if row < self.heads or first is None or first.row != row or first.rows > 1:
            return False
        if not self.heads and first.text.endswith(":"):
            return False
        others = (self.at(row, column) for column in range(self.columns))
        return all(cell is None or cell is first for cell in others)
