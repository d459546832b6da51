"""The heads over columns of values: which lines above them are heads, and which columns each of
their words is over, where one head may be over several.
"""

from collections.abc import Sequence
from itertools import product

from rag_assistant.ingest.parsing.pdf.tables.boxes import Chunk, Line
from rag_assistant.ingest.parsing.pdf.tables.columns import Extent, edges_between
from rag_assistant.ingest.parsing.pdf.tables.grid import GridCell, reading_order
from rag_assistant.ingest.parsing.pdf.tables.rules import DrawnRule
from rag_assistant.ingest.parsing.tables.cell_values import YEAR, is_value

_LONGEST = 12  # words of a head in one line
_ALIGNED = 2.0  # points that two edges in line may differ by


def is_head_line(line: Line, columns: Sequence[Extent]) -> bool:
    """Say whether a line above the body may be heads: it stands over columns, in few words."""
    over = [chunk for chunk in line.chunks if chunk.right > columns[1][0] - 2]
    if not over:
        # Words over the labels alone are their head if they are short: "(in millions)".
        return len(line.chunks) == 1 and len(list(line.words)) <= 4 and _small(line)
    if any(is_value(c.text) and not YEAR.fullmatch(c.text.strip()) for c in over[:1]):
        return False
    if any(len(chunk.words) > _LONGEST for chunk in line.chunks):
        return False
    first = line.chunks[0]
    crosses = first.left < columns[0][1] and first.right > columns[1][0] + 4
    return not (crosses and first.left < columns[0][0] + 12 and len(first.words) > 3)


def _small(line: Line) -> bool:
    text = line.chunks[0].text
    return text.startswith("(") and text.endswith(")")


def head_cells(
    lines: Sequence[Line], columns: Sequence[Extent], across: Sequence[DrawnRule]
) -> list[GridCell]:
    """Make cells of head lines. Lines over the same columns are one head that goes over lines."""
    placed = [
        [(chunk, _span(chunk, line, columns, across)) for chunk in line.chunks] for line in lines
    ]
    rows: list[list[GridCell]] = []
    for number, line in enumerate(placed):
        cells: list[GridCell] = []
        for chunk, (first, last) in line:
            cells.append(GridCell(0, first, 1, last - first + 1, list(chunk.words)))
        cells = _apart(cells)
        if rows and _continues(rows[-1], cells, lines[number - 1], lines[number], across):
            _join(rows[-1], cells)
        else:
            rows.append(cells)
    for number, row in enumerate(rows):
        for cell in row:
            cell.row = number
            cell.words = reading_order(cell.words)
    return [cell for row in rows for cell in row]


def _span(
    chunk: Chunk, line: Line, columns: Sequence[Extent], across: Sequence[DrawnRule]
) -> tuple[int, int]:
    """Give the first and last column that a head is over: as far as the rule below it is drawn,
    or those whose common middle is nearest to its own.
    """
    rule = _rule_below(chunk, line, across, columns)
    middles = [_middle_of(column) for column in columns]
    if rule is not None:
        under = [n for n, at in enumerate(middles) if rule.start - 3 <= at <= rule.end + 3]
        if under:
            return under[0], under[-1]
    shared = _shared(chunk, line, columns)
    if shared is not None:
        return shared
    over = [n for n, (a, b) in enumerate(columns) if chunk.left < b and chunk.right > a]
    if over and over[0] == 0 and len(over) > 1 and chunk.left <= columns[0][0] + 15:
        over = [0]
    if not over:
        near = min(range(len(columns)), key=lambda n: abs(middles[n] - chunk.center))
        return near, near
    if len(over) == 1 and _within_one(chunk, columns, over[0]):
        return over[0], over[0]
    return _centred(chunk, line, columns, over)


def _within_one(chunk: Chunk, columns: Sequence[Extent], number: int) -> bool:
    """Say whether a head that touches one column is of this alone: it is hardly wider, or begins
    or ends where the column does and keeps to its room.
    """
    left, right = columns[number]
    if number and chunk.right - chunk.left < 1.3 * (right - left) and left <= chunk.center <= right:
        return True
    before = columns[number - 1][1] if number else chunk.left
    after = columns[number + 1][0] if number + 1 < len(columns) else chunk.right
    room = before <= chunk.left and chunk.right <= after
    return room and (abs(chunk.left - left) < _ALIGNED or abs(chunk.right - right) < _ALIGNED)


def _centred(
    chunk: Chunk, line: Line, columns: Sequence[Extent], over: Sequence[int]
) -> tuple[int, int]:
    """Give the columns whose common middle is nearest to that of a head, without other heads'."""
    others = [other for other in line.chunks if other is not chunk]
    low = max((o.right for o in others if o.right <= chunk.left), default=columns[0][1])
    high = min((o.left for o in others if o.left >= chunk.right), default=columns[-1][1] + 1e6)
    best = (abs(_middle(columns, over[0], over[-1]) - chunk.center), over[0], over[-1])
    if len(others) >= len(columns) - 2 or not over[0]:
        return over[0], over[-1]
    for first, last in product(range(over[0], 0, -1), range(over[-1], len(columns))):
        if _middle_of(columns[first]) >= low and _middle_of(columns[last]) <= high:
            off = abs(_middle(columns, first, last) - chunk.center)
            if off < best[0] - 6:
                best = (off, first, last)
    return best[1], best[2]


def _shared(chunk: Chunk, line: Line, columns: Sequence[Extent]) -> tuple[int, int] | None:
    """Share the columns of values evenly out among fewer heads, if each is over its own."""
    edges = edges_between(columns)
    over = [one for one in line.chunks if one.center > edges[1]]
    count = len(columns) - 1
    if chunk not in over or len(over) < 2 or count % len(over) or count == len(over):
        return None
    each = count // len(over)
    for number, one in enumerate(over):
        first = 1 + number * each
        if not edges[first] - 3 <= one.center <= edges[first + each] + 3:
            return None
    first = 1 + over.index(chunk) * each
    return first, first + each - 1


def _middle(columns: Sequence[Extent], first: int, last: int) -> float:
    return (columns[first][0] + columns[last][1]) / 2


def _middle_of(column: Extent) -> float:
    return (column[0] + column[1]) / 2


def _rule_below(
    chunk: Chunk, line: Line, across: Sequence[DrawnRule], columns: Sequence[Extent]
) -> DrawnRule | None:
    """Give the rule that is drawn right below a head and not below all of the table."""
    whole = columns[-1][1] - columns[0][0]
    for rule in across:
        near = line.bottom - 0.35 * line.height <= rule.at <= line.bottom + 0.8 * line.height
        over = [one for one in line.chunks if rule.start - 3 <= one.center <= rule.end + 3]
        # One that goes on below the next head as well says nothing of either.
        if near and over == [chunk] and rule.end - rule.start < 0.8 * whole:
            return rule
    return None


def _apart(cells: list[GridCell]) -> list[GridCell]:
    """Let no two heads of a line be over one column: they are one, or share the columns."""
    kept: list[GridCell] = []
    for cell in cells:
        before = kept[-1] if kept else None
        if before is not None and before.column + before.columns > cell.column:
            if before.columns == 1 or before.column == cell.column:
                before.columns = max(before.columns, cell.column + cell.columns - before.column)
                before.words.extend(cell.words)
                continue
            before.columns = cell.column - before.column
        kept.append(cell)
    return kept


def _continues(
    above: Sequence[GridCell],
    cells: Sequence[GridCell],
    upper: Line,
    line: Line,
    across: Sequence[DrawnRule],
) -> bool:
    """Say whether a head line goes on with that above it: none is over others, or ruled off."""
    if line.middle - upper.middle > 1.7 * max(line.height, upper.height):
        return False
    spans = {(cell.column, cell.columns) for cell in above}
    mine = {(cell.column, cell.columns) for cell in cells}
    if any(columns > 1 for _, columns in spans ^ mine) or (
        not spans & mine and len(spans) > 1 < len(mine)
    ):
        return False
    between = (upper.middle, line.middle)
    ruled = any(between[0] < rule.at < between[1] for rule in across)
    wide = any(columns > 1 for _, columns in spans)
    return not ruled and not (wide and spans != mine)


def _join(row: list[GridCell], cells: Sequence[GridCell]) -> None:
    known = {cell.column: cell for cell in row}
    for cell in cells:
        if cell.column in known:
            known[cell.column].words.extend(cell.words)
        else:
            row.append(cell)
