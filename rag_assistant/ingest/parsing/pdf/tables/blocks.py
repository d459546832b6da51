"""Tables that nothing is drawn around: lines of values, with their heads looked up upwards, or of
aligned words. Also what tells a page in two columns from a table of two.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from rag_assistant.ingest.parsing.pdf.tables.boxes import (
    Chunk,
    Line,
    Word,
    chunk_of,
    lines_of,
    refined,
)
from rag_assistant.ingest.parsing.pdf.tables.columns import (
    Extent,
    columns_of,
    edges_between,
    looks_tabular,
    value_columns,
)
from rag_assistant.ingest.parsing.pdf.tables.grid import (
    Grid,
    GridCell,
    column_of,
    reading_order,
    rows_of_lines,
)
from rag_assistant.ingest.parsing.pdf.tables.heads import head_cells, is_head_line
from rag_assistant.ingest.parsing.pdf.tables.rules import DrawnRule
from rag_assistant.ingest.parsing.tables.cell_values import YEAR, is_value

MOST_LINES = 400
_NARROW_GAP = 0.36  # of the height of the type: more than a space, less than between cells
_MOST_HEAD_LINES = 8
_CAPTION = re.compile(r"\s*(?:table|exhibit|schedule|figure|appendix|note)\b", re.IGNORECASE)


def blocks(all_lines: Sequence[Line], across: Sequence[DrawnRule]) -> list[Grid]:
    """Find tables in plain lines, those of each column of the page by themselves."""
    found: list[Grid] = []
    for lines in _page_columns(all_lines):
        if len(lines) > MOST_LINES:
            continue
        taken = 0
        for first, after in _runs(lines):
            grid = _from_run(lines, max(first, taken), after, taken, across)
            if grid is not None:
                found.append(grid)
                taken = after
    return found


def _page_columns(lines: Sequence[Line]) -> Sequence[Sequence[Line]]:
    """Give the lines of a page, those of each column by themselves where it is set in two; lines
    that cross the gutter between these belong to neither.
    """
    if len(lines) < 12:
        return [lines]
    words = [word for line in lines for word in line.words]
    left = min(word.left for word in words)
    right = max(word.right for word in words)
    gutter = _gutter(lines, left, right)
    if gutter is None:
        return [lines]
    crossing = [line for line in lines if any(c.left < gutter < c.right for c in line.chunks)]
    spans = {id(word) for line in crossing for word in line.words}
    sides: list[list[Word]] = [[], []]
    for word in words:
        if id(word) not in spans:
            sides[word.left > gutter].append(word)
    return [lines_of(side) for side in sides if side]


def _gutter(lines: Sequence[Line], left: float, right: float) -> float | None:
    middle = (left + right) / 2
    reach = 0.12 * (right - left)
    best: tuple[int, float] | None = None
    for x in (middle + reach * step / 8 for step in range(-8, 9)):
        crossed = sum(any(c.left < x < c.right for c in line.chunks) for line in lines)
        if best is None or crossed < best[0]:
            best = crossed, x
    if best is None or best[0] > 0.3 * len(lines):
        return None
    gutter = best[1]
    for begin, end in ((left, gutter), (gutter, right)):
        side = [
            c for line in lines for c in line.chunks if begin - 1 <= c.left and c.right <= end + 1
        ]
        full = sum(c.right - c.left > 0.75 * (end - begin) for c in side)
        if full < 8 or full < 0.4 * len(side):
            return None
    return gutter


def _runs(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Give runs of lines with several chunks: first, and after the last; few others are between."""
    start: int | None = None
    last = -1
    for number, line in enumerate(lines):
        rowlike = len(line.chunks) > 1
        if start is not None and _parted(lines, last, number, rowlike=rowlike):
            yield start, last + 1
            start = None
        if rowlike:
            start = number if start is None else start
            last = number
    if start is not None:
        yield start, last + 1


def _parted(lines: Sequence[Line], last: int, number: int, *, rowlike: bool) -> bool:
    """Whether what comes at `number` is no longer in the run that has its last row at `last`."""
    line, before = lines[number], lines[number - 1]
    step = line.middle - before.middle
    if step > 3.2 * max(line.height, before.height):
        return True
    if not rowlike:
        widest = max(lines[last].chunks[-1].right - lines[last].chunks[0].left, 1)
        own = line.chunks[0]
        long = own.right - own.left > 0.62 * widest and len(own.words) > 6
        return long or number - last > 3
    return False


def _from_run(
    lines: Sequence[Line], first: int, after: int, floor: int, across: Sequence[DrawnRule]
) -> Grid | None:
    run = lines[first:after]
    if sum(len(line.chunks) > 1 for line in run) < 2:
        return None
    valued = [n for n, line in enumerate(run) if _has_values(line)]
    if len(valued) >= 2:
        grid = _value_block(lines, (first + valued[0], first + valued[-1] + 1), floor, across)
        if grid is not None:
            return grid
    columns = columns_of(run)
    if not looks_tabular(run, columns, framed=False):
        return None
    return assemble([], run, columns, across)


def _has_values(line: Line) -> bool:
    values = [chunk for chunk in line.chunks if is_value(chunk.text)]
    return (bool(values) and len(line.chunks) > 1 and line.chunks[-1] in values) or len(values) > 1


def _value_block(
    lines: Sequence[Line], span: tuple[int, int], floor: int, across: Sequence[DrawnRule]
) -> Grid | None:
    first, after = span
    body = lines[first:after]
    while first < after and _is_years(lines[first]):
        first += 1
    valued = [line for line in lines[first:after] if _has_values(line)]
    columns = columns_of(valued)
    if not looks_tabular(valued, columns, framed=False):
        return None
    if 0 in value_columns(valued, columns) and len(columns) > 1:
        labels = [c for line in body for c in line.chunks if c.right < columns[0][0]]
        if labels:
            columns = [(min(c.left for c in labels), max(c.right for c in labels)), *columns]
    start = first
    while start > floor and first - start < _MOST_HEAD_LINES:
        line, below = refined(lines[start - 1]), lines[start]
        if below.middle - line.middle > 2.6 * max(line.height, below.height):
            break
        if not is_head_line(line, columns):
            break
        start -= 1
    return assemble(lines[start:first], lines[first:after], columns, across)


def _is_years(line: Line) -> bool:
    values = [chunk for chunk in line.chunks if is_value(chunk.text)]
    return bool(values) and all(YEAR.fullmatch(chunk.text) for chunk in values)


def assemble(
    heads: Sequence[Line],
    body: Sequence[Line],
    columns: Sequence[Extent],
    across: Sequence[DrawnRule],
) -> Grid:
    """Make a grid of head lines, which may be none, and those below them."""
    edges = edges_between(columns)
    rows = rows_of_lines(body, edges)
    above = head_cells([refined(line) for line in heads], columns, across)
    count = 1 + max((cell.row for cell in above), default=-1)
    cells = cells_of_rows(rows, edges, count)
    height = median([line.height for line in body])
    return Grid(
        count + len(rows),
        len(columns),
        [*above, *cells],
        edges,
        (heads or body)[0].top - 0.1 * height,
        body[-1].bottom,
        count,
    )


def cells_of_rows(
    rows: Iterable[Sequence[Line]], edges: Sequence[float], first: int = 0
) -> list[GridCell]:
    """Make the cells of rows of lines; the first row is numbered `first`."""
    cells: list[GridCell] = []
    for number, row in enumerate(rows, first):
        by_column: dict[int, list[Word]] = {}
        spanning: dict[int, int] = {}
        for chunk in (part for line in row for one in line.chunks for part in _parts(one, edges)):
            column, reach = _place(chunk, edges)
            by_column.setdefault(column, []).extend(chunk.words)
            spanning[column] = max(spanning.get(column, 1), reach)
        for column, words in sorted(by_column.items()):
            free = next((c for c in sorted(by_column) if c > column), len(edges) - 1) - column
            reach = min(spanning[column], free)
            cells.append(GridCell(number, column, 1, reach, reading_order(words)))
    return cells


def _parts(chunk: Chunk, edges: Sequence[float]) -> list[Chunk]:
    """Part a chunk over several columns where it has a gap between two of them."""
    cuts = [
        number
        for number, (one, two) in enumerate(pairwise(chunk.words), 1)
        if two.left - one.right > _NARROW_GAP * one.height
        and column_of(one, edges) != column_of(two, edges)
    ]
    groups = [chunk.words[a:b] for a, b in pairwise([0, *cuts, len(chunk.words)])]
    return [chunk_of(group) for group in groups] if cuts else [chunk]


def _place(chunk: Chunk, edges: Sequence[float]) -> tuple[int, int]:
    """Give the column of a chunk and how many it spans: a label may reach over others' room."""
    if is_value(chunk.text) or len(chunk.words) < 2:
        return column_of(chunk, edges), 1
    first = column_of(chunk.words[0], edges)
    last = column_of(chunk.words[-1], edges)
    if first == last:
        return first, 1
    own = column_of(chunk, edges)
    return (first, last - first + 1) if first == 0 or own != first else (own, 1)
