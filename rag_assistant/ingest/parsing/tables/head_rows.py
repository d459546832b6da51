"""Which of a table's first rows are heads, by what its cells say: heads stand over columns of
values and are none themselves. One rule holds for tables of pages, of documents and of sheets.
"""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import Protocol

from rag_assistant.ingest.parsing.tables.cell_values import YEAR, is_value

_MOST_HEADS = 5


class PlacedCell(Protocol):
    """A cell with words: its first row and column, from 0, how many it spans, and its words."""

    @property
    def row(self) -> int:
        """Its first row."""

    @property
    def column(self) -> int:
        """Its first column."""

    @property
    def rows(self) -> int:
        """The rows that it spans."""

    @property
    def columns(self) -> int:
        """The columns that it spans."""

    @property
    def text(self) -> str:
        """Its words."""


def count_heads(cells: Sequence[PlacedCell], rows: int) -> int:
    """Say how many of the first rows are heads: those that values do not stand in, with all that
    a spanning head has below it. A list of labels with what they mean has none.
    """
    by_column: dict[int, list[PlacedCell]] = defaultdict(list)
    by_row: dict[int, list[PlacedCell]] = defaultdict(list)
    for cell in cells:
        by_column[cell.column].append(cell)
        if cell.row <= _MOST_HEADS:
            by_row[cell.row].append(cell)
    values = {column for column, held in by_column.items() if column and _are_values(held)}
    if _names_values(by_column, values):
        return 0
    heads = 0
    named: set[int] = set()
    while heads < min(_MOST_HEADS, rows - 1):
        row = by_row[heads]
        if not _may_be_heads(row, values, heads):
            break
        reach = max((cell.row + cell.rows for cell in row), default=heads + 1)
        over = any(cell.columns > 1 and cell.column for cell in row)
        before, heads = heads, max(heads + 1, min(reach, rows - 1))
        for cell in (one for number in range(before, heads) for one in by_row[number]):
            named.update(range(cell.column, cell.column + cell.columns))
        if not over and values <= named and not _in_brackets(by_row[heads]):
            break
    return heads


def _are_values(column: Sequence[PlacedCell]) -> bool:
    """Whether most cells of a column, but its first, are values."""
    texts = [cell.text for cell in column if cell.columns == 1 and cell.row]
    values = sum(is_value(text) and not YEAR.fullmatch(text) for text in texts)
    return bool(texts) and values >= 0.5 * len(texts)


def _names_values(by_column: dict[int, list[PlacedCell]], values: set[int]) -> bool:
    """Say whether a table is a list of names with what they mean, which has no heads."""
    last = max(by_column, default=0)
    for column, cells in by_column.items():
        named = sum(cell.text.endswith(":") for cell in cells)
        if column < last and len(cells) > 1 and named > 0.5 * len(cells):
            return True
    if last > 1 or values:
        return False
    first = [len(cell.text.split()) for cell in by_column.get(1, ()) if not cell.row]
    others = [len(cell.text.split()) for cell in by_column.get(1, ()) if cell.row]
    return not first or not others or first[0] > 4 or median(others) < 2 * first[0]


def _may_be_heads(row: Sequence[PlacedCell], values: set[int], number: int) -> bool:
    over = [cell.text for cell in row if cell.column in values and cell.columns == 1]
    if not row or any(is_value(text) and not YEAR.fullmatch(text) for text in over):
        return False
    return not number or any(cell.column for cell in row)


def _in_brackets(row: Sequence[PlacedCell]) -> bool:
    """Whether all words of a row but its label are remarks in brackets: on the heads above them."""
    texts = [cell.text for cell in row if cell.column]
    return len(texts) > 1 and all(
        text.startswith("(") and text.endswith(")") and not is_value(text) for text in texts
    )
