"""The rows within what is drawn as one row: lines of values, or labels that stand apart."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from rag_assistant.ingest.parsing.pdf.tables.boxes import Line, lines_of
from rag_assistant.ingest.parsing.pdf.tables.grid import Grid, GridCell, in_one_line
from rag_assistant.ingest.parsing.tables.cell_values import is_value


def split_rows(grid: Grid) -> Grid:
    """Part rows that hold a value in each of several lines: their rows are not drawn."""
    split: dict[int, list[float]] = {}
    for row in range(grid.rows):
        cells = [cell for cell in grid.cells if cell.row == row and cell.words]
        if all(cell.rows == 1 for cell in cells):
            bounds = _inner_bounds(cells)
            if bounds:
                split[row] = bounds
    if not split:
        return grid
    start = {}
    number = 0
    for row in range(grid.rows + 1):
        start[row] = number
        number += len(split.get(row, ())) + 1
    cells = []
    for cell in grid.cells:
        bounds = split.get(cell.row, [])
        if not bounds or cell.rows > 1:
            rows = start[cell.row + cell.rows] - start[cell.row]
            cells.append(GridCell(start[cell.row], cell.column, rows, cell.columns, cell.words))
            continue
        for at in range(len(bounds) + 1):
            words = [word for word in cell.words if bisect_right(bounds, word.middle) == at]
            cells.append(GridCell(start[cell.row] + at, cell.column, 1, cell.columns, words))
    return Grid(
        start[grid.rows], grid.columns, cells, grid.edges, grid.top, grid.bottom, ruled=True
    )


def _inner_bounds(cells: Sequence[GridCell]) -> list[float]:
    """Give where a row of cells is to be parted: above each line that has values."""
    if len(cells) < 2 or sum(not in_one_line(cell.words) for cell in cells) < 2:
        return []
    valued = [_value_lines(cell) for cell in cells if cell.column]
    full = [lines for lines in valued if lines]
    if not full or 2 * len(full) < len(valued):
        return _label_bounds(cells)
    tops = max(full, key=len)
    if len(tops) < 2:
        return []
    heights = [line.middle for line in tops]
    labels = [line for cell in cells if not cell.column for line in lines_of(cell.words)]
    bounds = []
    for above, below in pairwise(heights):
        # A label over two lines has its value beside the first or the last of them.
        between = [line.middle for line in labels if above + 2 < line.middle < below - 2]
        bounds.append(((between[-1] if between else above) + below) / 2)
    return bounds


def _label_bounds(cells: Sequence[GridCell]) -> list[float]:
    """Give the tops of labels that stand apart from one another, each beside other words."""
    labels = [line for cell in cells if not cell.column for line in lines_of(cell.words)]
    if len(labels) < 3:
        return []
    height = labels[0].height
    if any(below.middle - above.middle < 1.5 * height for above, below in pairwise(labels)):
        return []
    others = [line.middle for cell in cells if cell.column for line in lines_of(cell.words)]
    if not all(any(abs(line.middle - y) < 0.4 * height for y in others) for line in labels):
        return []
    return [line.top - 0.1 * height for line in labels[1:]]


def _value_lines(cell: GridCell) -> list[Line]:
    lines = lines_of(cell.words)
    values = [line for line in lines if all(is_value(chunk.text) for chunk in line.chunks)]
    return values if len(lines) > 1 and len(values) >= 0.7 * len(lines) else []
