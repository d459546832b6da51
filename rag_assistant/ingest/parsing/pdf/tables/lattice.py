"""Tables whose cells are bounded by what is drawn: by rules, or by the edges of tiled fills.

Rules that meet make a lattice. Its lines are the bounds of rows and columns; where a piece of a
line is not drawn, the cells on its sides are one. Outer edges that are not drawn are taken from the
ends of the rules that cross them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rag_assistant.ingest.parsing.pdf.tables.boxes import Line, Word, lines_of
from rag_assistant.ingest.parsing.pdf.tables.grid import (
    MOST_COLUMNS,
    MOST_ROWS,
    Grid,
    GridCell,
    reading_order,
)
from rag_assistant.ingest.parsing.pdf.tables.inner_rows import split_rows
from rag_assistant.ingest.parsing.pdf.tables.rules import NEAR, DrawnRule, Fill, merged

_COVERED = 0.6
_MOST_FILLS = 2_000
_MOST_CUT = 0.4  # of the words: of cells over several columns there are fewer
_INSET = 9.0  # points between the side of a cell and its words


@dataclass(frozen=True, slots=True)
class _Part:
    """Rules that meet: their horizontals and verticals."""

    across: list[DrawnRule]
    down: list[DrawnRule]


def lattices(
    across: Sequence[DrawnRule],
    down: Sequence[DrawnRule],
    words: Sequence[Word],
    *,
    soft: bool = False,
) -> list[Grid]:
    """Find the tables in rules; with `soft`, some are edges of fills, which some rows lack."""
    found = []
    for part in _parts_of_fills(across, down) if soft else _parts(across, down):
        xs, ys = _bounds(part, words)
        least = 3 if soft else 2  # a single stripe of fills says nothing of other rows
        if 3 <= len(xs) <= MOST_COLUMNS and least <= len(ys) <= MOST_ROWS and len(xs) + len(ys) > 5:
            grid = _grid(part, xs, ys, words, soft=soft)
            if grid is not None:
                found.append(grid)
    return found


def edges_of(fills: Sequence[Fill]) -> tuple[list[DrawnRule], list[DrawnRule]]:
    """Give the edges of fills as rules; of more fills than tables have, none."""
    if len(fills) > _MOST_FILLS:
        return [], []
    fills = _without_inset(fills)
    across = [
        DrawnRule(y, fill.left, fill.right) for fill in fills for y in (fill.top, fill.bottom)
    ]
    down = [DrawnRule(x, fill.top, fill.bottom) for fill in fills for x in (fill.left, fill.right)]
    return merged(across), merged(down)


def _without_inset(fills: Sequence[Fill]) -> list[Fill]:
    """Leave out the fills that stand within another, a little in from its sides: what is behind the
    words of a cell, line by line, is no cell.
    """
    by_left = sorted(fills, key=lambda fill: fill.left)
    lefts = [fill.left for fill in by_left]
    found = []
    for fill in fills:
        first, after = bisect_left(lefts, fill.left - _INSET), bisect_left(lefts, fill.left - 0.5)
        if not any(
            0.5 < outer.right - fill.right < _INSET
            and outer.top - 1 <= fill.top
            and fill.bottom <= outer.bottom + 1
            for outer in by_left[first:after]
        ):
            found.append(fill)
    return found


def _parts(across: Sequence[DrawnRule], down: Sequence[DrawnRule]) -> Iterable[_Part]:
    """Group rules by what they meet."""
    across = sorted(across, key=lambda rule: rule.at)
    heights = [rule.at for rule in across]
    owner = list(range(len(across) + len(down)))

    def root(number: int) -> int:
        while owner[number] != number:
            owner[number] = owner[owner[number]]
            number = owner[number]
        return number

    for number, rule in enumerate(down, len(across)):
        first = bisect_left(heights, rule.start - NEAR)
        for other in range(first, bisect_right(heights, rule.end + NEAR)):
            if across[other].start - NEAR <= rule.at <= across[other].end + NEAR:
                owner[root(number)] = root(other)
    parts: dict[int, _Part] = {}
    for number, rule in enumerate([*across, *down]):
        part = parts.setdefault(root(number), _Part([], []))
        (part.across if number < len(across) else part.down).append(rule)
    return [part for part in parts.values() if part.across and part.down]


def _parts_of_fills(across: Sequence[DrawnRule], down: Sequence[DrawnRule]) -> Iterable[_Part]:
    """Group the edges of fills by the inner ones: tables under one another share the outer ones."""
    found: list[_Part] = []
    for part in _parts(across, down):
        left, right = part.down[0].at, part.down[0].at
        for rule in part.down:
            left, right = min(left, rule.at), max(right, rule.at)
        inner = [rule for rule in part.down if left + NEAR < rule.at < right - NEAR]
        found.extend(_parts(part.across, inner))
    return found


def _bounds(part: _Part, words: Sequence[Word]) -> tuple[list[float], list[float]]:
    """Give the bounds of columns and rows, outer ones that are not drawn among them."""
    xs = distinct(rule.at for rule in part.down)
    ys = distinct(rule.at for rule in part.across)
    left, right = (f(_ends(part.across)) for f in (min, max))
    top, bottom = (f(_ends(part.down)) for f in (min, max))
    inside = [w for w in words if top - NEAR < w.middle < bottom + NEAR]
    if left < xs[0] - 2 * NEAR and any(left < w.right and w.left < xs[0] for w in inside):
        xs.insert(0, left)
    if right > xs[-1] + 2 * NEAR and any(xs[-1] < w.right and w.left < right for w in inside):
        xs.append(right)
    inside = [w for w in words if left < (w.left + w.right) / 2 < right]
    if top < ys[0] - 2 * NEAR and any(top < w.middle < ys[0] for w in inside):
        ys.insert(0, top)
    if bottom > ys[-1] + 2 * NEAR and any(ys[-1] < w.middle < bottom for w in inside):
        ys.append(bottom)
    return xs, ys


def _ends(rules: Sequence[DrawnRule]) -> list[float]:
    return [end for rule in rules for end in (rule.start, rule.end)]


def distinct(values: Iterable[float]) -> list[float]:
    """Give values in order, those that are nearly the same once."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 1.5 * NEAR:
            found.append(value)
    return found


def _grid(
    part: _Part, xs: list[float], ys: list[float], words: Sequence[Word], *, soft: bool
) -> Grid | None:
    inside = [
        word
        for word in words
        if xs[0] - 1 < (word.left + word.right) / 2 < xs[-1] + 1
        and ys[0] - 1 < word.middle < ys[-1] + 1
    ]
    if len(inside) < 3 or _cut(inside, xs) > _MOST_CUT * len(inside):
        return None
    by_row: list[list[Word]] = [[] for _ in ys[1:]]
    for word in inside:
        by_row[min(max(bisect_right(ys, word.middle) - 1, 0), len(ys) - 2)].append(word)
    cells = _cells(part, xs, ys, by_row, soft=soft)
    if soft and _is_prose(cells, len(xs) - 1):
        return None
    grid = Grid(len(ys) - 1, len(xs) - 1, cells, tuple(xs), ys[0], ys[-1], ruled=True)
    return replace(split_rows(grid), lattice=not soft)


def _cut(words: Sequence[Word], xs: Sequence[float]) -> int:
    """Count the words that a bound of columns goes through."""
    return sum(bisect_right(xs, word.left + 1) < bisect_left(xs, word.right - 1) for word in words)


def _is_prose(cells: Sequence[GridCell], columns: int) -> bool:
    """Whether many rows are lines over all of the columns: prose with a colour behind it."""
    over = sum(cell.columns == columns and len(cell.words) > 5 for cell in cells)
    return over >= 0.3 * len({cell.row for cell in cells if cell.words})


def _cells(
    part: _Part, xs: list[float], ys: list[float], by_row: list[list[Word]], *, soft: bool
) -> list[GridCell]:
    upright = _near(part.down, xs)
    level = _near(part.across, ys)
    every = lines_of(word for row in by_row for word in row) if soft else []
    cells: list[GridCell] = []
    open_: dict[tuple[int, int], GridCell] = {}
    for row, words in enumerate(by_row):
        top, bottom = ys[row], ys[row + 1]
        lines = [line for line in every if top <= line.middle < bottom]
        starts = [
            at
            for at in range(len(xs) - 1)
            if not at or (not crossed(lines, xs[at]) if soft else _covers(upright[at], top, bottom))
        ]
        row_cells: dict[tuple[int, int], GridCell] = {}
        for first, after in zip(starts, [*starts[1:], len(xs) - 1], strict=True):
            above = open_.get((first, after))
            if above and not _covers(level[row], xs[first], xs[after]) and not soft:
                above.rows += 1
                row_cells[first, after] = above
            else:
                cell = GridCell(row, first, 1, after - first)
                cells.append(cell)
                row_cells[first, after] = cell
        in_order = list(row_cells.values())
        for word in words:
            at = bisect_right(xs, (word.left + word.right) / 2) - 1
            in_order[max(bisect_right(starts, at) - 1, 0)].words.append(word)
        open_ = row_cells
    for cell in cells:
        cell.words = reading_order(cell.words)
    return cells


def _near(rules: Sequence[DrawnRule], lines: Sequence[float]) -> list[list[DrawnRule]]:
    found: list[list[DrawnRule]] = [[] for _ in lines]
    for rule in rules:
        at = bisect_left(lines, rule.at - 1.5 * NEAR)
        while at < len(lines) and lines[at] <= rule.at + 1.5 * NEAR:
            found[at].append(rule)
            at += 1
    return found


def _covers(rules: Sequence[DrawnRule], start: float, end: float) -> bool:
    """Say whether rules of one line are drawn over most of a piece of it."""
    drawn = sum(max(min(rule.end, end) - max(rule.start, start), 0) for rule in rules)
    return drawn >= _COVERED * (end - start)


def crossed(lines: Sequence[Line], x: float) -> bool:
    """Say whether words of some line go on over an upright line."""
    return any(
        chunk.left < x - 1 and chunk.right > x + 1 for line in lines for chunk in line.chunks
    )
