"""A table as a page shows it: cells by row and column with the words within, before any text is
made of it; and what all detectors share: where the rows of plain lines end.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from rag_assistant.ingest.parsing.pdf.tables.boxes import Chunk, Line, Word, joined, lines_of
from rag_assistant.ingest.parsing.tables.cell_values import is_value

MOST_ROWS, MOST_COLUMNS = 500, 60
"""Of a table on one page."""

_NARROWEST = 9.0  # points of a column that may be empty
_CONNECTED = re.compile(
    r"(?:[,(–—/&-]|\b(?:and|or|of|in|from|for|the|to|by|with|on|at|per|than|a|an))$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class GridCell:
    """A cell: its place and span in the grid, and its words in reading order."""

    row: int
    column: int
    rows: int = 1
    columns: int = 1
    words: list[Word] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its words as one text."""
        return joined(self.words)


@dataclass(slots=True)
class Grid:
    """A table on a page; `edges` are the bounds of its columns, from the left one of the first.

    `ruled` says that its cells were bounded by what is drawn, `lattice` that all of them were.
    `titled` are the words of a row over all of it, which are its caption.
    """

    rows: int
    columns: int
    cells: list[GridCell]
    edges: tuple[float, ...]
    top: float
    bottom: float
    heads: int = 0
    ruled: bool = False
    titled: list[Word] = field(default_factory=list)
    lattice: bool = False

    @property
    def words(self) -> Iterable[Word]:
        """All of its words."""
        return [*self.titled, *(word for cell in self.cells for word in cell.words)]

    def row_cells(self, row: int) -> list[GridCell]:
        """Give the cells that begin in a row and have words."""
        return [cell for cell in self.cells if cell.row == row and cell.words]


def in_one_line(words: Sequence[Word]) -> bool:
    """Say whether words are no higher together than one of them: a quick look before a slow one."""
    if len(words) < 2:
        return True
    high = max(word.bottom for word in words) - min(word.top for word in words)
    return high < 1.3 * words[0].height


def reading_order(words: Iterable[Word]) -> list[Word]:
    """Put the words of a cell in order: by line, then from left to right."""
    words = list(words)
    if in_one_line(words):
        return sorted(words, key=lambda word: word.left)
    return [word for line in lines_of(words) for word in line.words]


def compact(grid: Grid) -> Grid | None:
    """Drop rows and columns without words; None where no table is left."""
    rows = sorted({cell.row for cell in grid.cells if cell.words})
    filled = {cell.column for cell in grid.cells if cell.words}
    columns = sorted(filled)
    if grid.lattice and len(filled) > 1:
        # A column that is drawn is one, though it is still to be filled in.
        drawn = {n for n in range(grid.columns) if grid.edges[n + 1] - grid.edges[n] > _NARROWEST}
        columns = sorted(filled | drawn)
    if len(filled) < 2 or not rows or len(rows) > MOST_ROWS or len(columns) > MOST_COLUMNS:
        return None
    cells = []
    for cell in grid.cells:
        if cell.words:
            low, after = cell.row + cell.rows, cell.column + cell.columns
            spanned = sum(cell.row <= row < low for row in rows)
            wide = sum(cell.column <= column < after for column in columns)
            row, column = rows.index(cell.row), columns.index(cell.column)
            cells.append(GridCell(row, column, spanned, wide, cell.words))
    edges = (*(grid.edges[column] for column in columns), grid.edges[-1])
    cells.sort(key=lambda cell: (cell.row, cell.column))
    heads = sum(row < grid.heads for row in rows)
    return replace(
        grid, rows=len(rows), columns=len(columns), cells=cells, edges=edges, heads=heads
    )


def without_title(grid: Grid) -> Grid:
    """Take a first row that is one cell over the whole table for the table's caption."""
    while grid.rows > 2:
        first = grid.row_cells(0)
        if len(first) != 1 or first[0].columns < grid.columns or first[0].rows > 1:
            break
        grid.titled.extend(first[0].words)
        grid.cells = [cell for cell in grid.cells if cell is not first[0]]
        for cell in grid.cells:
            cell.row -= 1
        grid.rows -= 1
        grid.heads = max(grid.heads - 1, 0)
    return grid


def column_of(chunk: Chunk | Word, edges: Sequence[float]) -> int:
    """Give the column that the middle of a chunk or word is in."""
    middle = (chunk.left + chunk.right) / 2
    found = 0
    for number, edge in enumerate(edges[1:-1], 1):
        if middle >= edge:
            found = number
    return found


def rows_of_lines(lines: Sequence[Line], edges: Sequence[float]) -> list[list[Line]]:
    """Group the lines of a table into rows: a cell's words may go over several lines."""
    if not lines:
        return []
    filled = [{column_of(chunk, edges) for chunk in line.chunks} for line in lines]
    by_gap = _by_gaps(lines, filled, edges)
    rows: list[list[Line]] = [[lines[0]]]
    for number in range(1, len(lines)):
        if by_gap is not None:
            goes_on = not by_gap[number - 1]
        else:
            goes_on = _goes_on(lines, filled, number, edges)
        if goes_on:
            rows[-1].append(lines[number])
        else:
            rows.append([lines[number]])
    return rows


def _by_gaps(
    lines: Sequence[Line], filled: Sequence[set[int]], edges: Sequence[float]
) -> list[bool] | None:
    """Say after which lines a row ends, by the wider gaps; None where gaps do not tell."""
    steps = [after.middle - line.middle for line, after in pairwise(lines)]
    if len(steps) < 2:
        return None
    least = sorted(steps)[len(steps) // 10]
    ends = [step > 1.17 * least for step in steps]
    if all(ends) or not any(ends):
        return None
    # Where a tight gap parts two lines with a value in the same column, each line is a row.
    for number, end in enumerate(ends):
        if not end and _valued(lines[number], edges) & _valued(lines[number + 1], edges):
            return None
    wide = [step for step, end in zip(steps, ends, strict=True) if end]
    tight = [step for step, end in zip(steps, ends, strict=True) if not end]
    if min(wide) < 1.12 * max(tight):
        return None
    _end_before_full_lines(ends, filled, len(edges) - 1)
    bounds = [0, *(number + 1 for number, end in enumerate(ends) if end), len(lines)]
    whole = sum(len(set().union(*filled[a:b])) > 1 for a, b in pairwise(bounds))
    return ends if whole >= 0.6 * (len(bounds) - 1) else None


def _end_before_full_lines(ends: list[bool], filled: Sequence[set[int]], columns: int) -> None:
    """Let a row that began with its label end where, behind lines without one, a line has a label
    and words in most columns: a full cell leaves no gap to the row below it.
    """
    first = 0
    for number in range(1, len(filled)):
        fuller = len(filled[number]) > max(len(filled[number - 1]), columns / 2)
        if not ends[number - 1] and fuller and 0 in filled[first] & filled[number]:
            ends[number - 1] = 0 not in filled[number - 1]
        if ends[number - 1]:
            first = number


def _valued(line: Line, edges: Sequence[float]) -> set[int]:
    return {column_of(chunk, edges) for chunk in line.chunks if is_value(chunk.text)} - {0}


def _goes_on(
    lines: Sequence[Line], filled: Sequence[set[int]], number: int, edges: Sequence[float]
) -> bool:
    """Say whether a line goes on with the row of the line before it."""
    line, before = lines[number], lines[number - 1]
    if line.middle - before.middle > 1.9 * max(line.height, before.height):
        return False
    if filled[number] & filled[number - 1] - {0} and _valued(line, edges):
        return False
    if 0 not in filled[number]:
        return not _valued(line, edges) or not filled[number - 1] - {0}
    if 0 not in filled[number - 1]:
        return False
    one = filled[number] == {0} or filled[number - 1] == {0}
    return one and _wraps(before.chunks[0], line.chunks[0], edges[1])


def _wraps(above: Chunk, below: Chunk, limit: float) -> bool:
    """Say whether a label goes on in the line below: by its words, or for want of room."""
    words = below.text.lstrip("(–—- ")
    if below.text.endswith(":"):
        return False  # it names what follows
    if words[:1].islower() or _CONNECTED.search(above.text):
        return True
    first = below.words[0]
    space = 0.3 * first.height
    room = limit - above.right
    return (
        below.left >= above.left - 1
        and room < first.right - first.left + 2 * space
        and (above.right - above.left > 0.5 * (limit - above.left))
    )
