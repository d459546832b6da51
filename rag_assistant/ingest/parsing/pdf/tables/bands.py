"""Tables between horizontal rules of one width: a rule above and one below, one under the heads, or
one between all rows, where outer ones are often not drawn.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rag_assistant.ingest.parsing.pdf.tables.blocks import MOST_LINES, assemble, cells_of_rows
from rag_assistant.ingest.parsing.pdf.tables.boxes import Line, Word, lines_of, refined
from rag_assistant.ingest.parsing.pdf.tables.columns import (
    Extent,
    columns_of,
    edges_between,
    looks_tabular,
    value_columns,
)
from rag_assistant.ingest.parsing.pdf.tables.grid import Grid, column_of
from rag_assistant.ingest.parsing.pdf.tables.heads import head_cells
from rag_assistant.ingest.parsing.pdf.tables.rules import DrawnRule
from rag_assistant.ingest.parsing.tables.cell_values import YEAR, is_value


def bands(across: Sequence[DrawnRule], words: Sequence[Word]) -> list[Grid]:
    """Find tables between horizontal rules of one width."""
    found: list[Grid] = []
    rest = list(across)
    while rest:
        first = rest.pop(0)
        group = [first]
        for rule in rest:
            if abs(rule.start - first.start) < 8 and abs(rule.end - first.end) < 8:
                group.append(rule)
        rest = [rule for rule in rest if rule not in group]
        if len(group) < 2 or first.end - first.start < 60:
            continue
        for run in _runs_of_rules(group, words):
            inner = [r for r in across if run[0].at <= r.at <= run[-1].at]
            grid = _banded(run, inner, words)
            if grid is not None:
                found.append(grid)
    return found


def _runs_of_rules(group: list[DrawnRule], words: Sequence[Word]) -> Iterator[list[DrawnRule]]:
    """Give runs of rules between which tables stand, the longest first; rules may bound two."""
    inside = lines_of(
        word
        for word in words
        if group[0].start - 2 < (word.left + word.right) / 2 < group[0].end + 2
        and group[0].at - 2 < word.middle < group[-1].at
    )
    run: list[DrawnRule] = [group[0]]
    for above, below in pairwise(group):
        lines = [line for line in inside if above.at - 2 < line.middle < below.at]
        parted = sum(len(line.chunks) > 1 for line in lines)
        long = any(len(chunk.words) > 10 for line in lines for chunk in line.chunks[:1])
        if lines and parted < 0.4 * len(lines) and (len(lines) > 3 or (long and not parted)):
            if len(run) > 1:
                yield run
            run = [below]
        else:
            run.append(below)
    if len(run) > 1:
        yield run


def _banded(
    run: Sequence[DrawnRule], inner: Sequence[DrawnRule], words: Sequence[Word]
) -> Grid | None:
    left = min(rule.start for rule in run) - 3
    right = max(rule.end for rule in run) + 3
    near = [w for w in words if left < (w.left + w.right) / 2 < right]
    lines = _between(lines_of(near), run)[:MOST_LINES]
    if not lines:
        return None
    bounds = [rule.at for rule in run]
    under = 2 < len(bounds) < 6 and lines[0].middle > bounds[0]
    below_head = [line for line in lines if under and line.middle > bounds[1]]
    body = below_head if sum(len(line.chunks) > 1 for line in below_head) > 1 else lines
    columns = columns_of(body)
    if not looks_tabular(body, columns, framed=True):
        return None
    heads = [line for line in lines if line not in body]
    grid = assemble(heads, body, columns, inner)
    # A rule below each row: the rows are what stands between them.
    if len(bounds) + 1 >= 0.8 * len(lines) or len(bounds) > 5:
        ruled = _by_rules(lines, bounds, columns, inner)
        return ruled or grid
    return grid


def _between(lines: Sequence[Line], run: Sequence[DrawnRule]) -> list[Line]:
    """Give the lines between the first and the last rule, with a row before and behind them where
    rules part rows: the outer ones are often not drawn.
    """
    inside = [n for n, line in enumerate(lines) if run[0].at - 2 < line.middle < run[-1].at + 2]
    if not inside:
        return []
    first, last = inside[0], inside[-1]
    steps = sorted(below.at - above.at for above, below in pairwise(run))
    if len(run) < 4 or steps[len(steps) // 2] > 4 * lines[first].height:
        return [lines[number] for number in inside]
    reach = 1.3 * steps[len(steps) // 2]
    while (
        first and run[0].at - lines[first - 1].middle < reach and len(lines[first - 1].chunks) > 1
    ):
        first -= 1
    while (
        last + 1 < len(lines)
        and lines[last + 1].middle - run[-1].at < reach
        and (len(lines[last + 1].chunks) > 1 or _goes_on(lines[last], lines[last + 1]))
    ):
        last += 1
    return list(lines[first : last + 1])


def _goes_on(line: Line, below: Line) -> bool:
    """Whether a line is the next one of the label that the line above it begins with."""
    near = below.middle - line.middle < 1.35 * line.height
    return near and abs(below.chunks[0].left - line.chunks[0].left) < line.height


def _by_rules(
    lines: Sequence[Line],
    bounds: Sequence[float],
    columns: Sequence[Extent],
    across: Sequence[DrawnRule],
) -> Grid | None:
    edges = edges_between(columns)
    rows = [
        [line for line in lines if above < line.middle <= below]
        for above, below in pairwise([-math.inf, *bounds, math.inf])
    ]
    rows = [row for row in rows if row]
    if any(_several(row, edges) for row in rows):
        return None
    count = _leading_heads(rows) if value_columns(lines, columns) else 0
    heads = [refined(line) for row in rows[:count] for line in row]
    above = head_cells(heads, columns, across)
    count = 1 + max((cell.row for cell in above), default=-1)
    body = rows[_leading_heads(rows) if count else 0 :]
    cells = [*above, *cells_of_rows(body, edges, count)]
    return Grid(
        count + len(body), len(columns), cells, edges, bounds[0], bounds[-1], count, ruled=True
    )


def _leading_heads(rows: Sequence[Sequence[Line]]) -> int:
    """Count the first rows that have no values but years, with at least one row left."""
    for number, row in enumerate(rows[:-1]):
        chunks = [chunk for line in row for chunk in line.chunks]
        if any(is_value(chunk.text) and not YEAR.fullmatch(chunk.text) for chunk in chunks):
            return number
        if len(chunks) == 1 and number:
            return number  # the first section
    return 0


def _several(row: Sequence[Line], edges: Sequence[float]) -> bool:
    """Whether several lines between two rules have a value in one column: each is a row."""
    seen: set[int] = set()
    for line in row:
        here = {column_of(chunk, edges) for chunk in line.chunks if is_value(chunk.text)}
        if here & seen:
            return True
        seen |= here
    return False
