"""Tables of documents: each row by itself, in the columns that its table has.

A table that is too wide for columns is shown row below row, each value with its head.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_assistant.tui.drawing.table import fit
from rag_assistant.tui.rendering.parts import fitting
from rag_assistant.tui.rendering.shown_lines import (
    ShownLine,
    ShownRun,
    ShownRuns,
    cells_of,
    wrapped,
)

GAP = 2
"""Cells between columns."""

LEAST_COLUMN = 6
"""Cells; where columns would be narrower, a table is shown row below row."""

WIDEST = 80
"""Cells that a column asks for at most."""

_HEAD = "$foreground 60%"
_RULE = "$foreground 40%"


@dataclass(frozen=True, slots=True)
class TableShape:
    """The columns of a table: the cells that each asks for, those of numbers, and its heads."""

    natural: tuple[int, ...]
    right: frozenset[int] = frozenset()
    heads: tuple[str, ...] = ()

    def widths(self, room: int) -> tuple[int, ...]:
        """Give the widths of the columns; none where they do not fit."""
        return _widths(self.natural, room)


@lru_cache(maxsize=64)
def _widths(natural: tuple[int, ...], room: int) -> tuple[int, ...]:
    left = room - GAP * (len(natural) - 1)
    if left < sum(min(LEAST_COLUMN, cells) for cells in natural):
        return ()
    return tuple(fit(natural, left))


def shape_of(rows: Sequence[Sequence[ShownRuns]], heads: int) -> TableShape:
    """Give the columns of a table by some of its rows, of which so many are heads."""
    columns = max(map(len, rows), default=0)
    natural = [1] * columns
    numbers = [0] * columns
    words = [0] * columns
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            natural[column] = max(natural[column], min(WIDEST, cells_of(cell)))
            if number >= heads and (text := "".join(run.text for run in cell).strip()):
                is_number = (
                    text[-1] in "0123456789%)" and text.lstrip("+-–(€$£").strip()[:1].isdigit()
                )
                numbers[column] += is_number and not any(map(str.isalpha, text))
                words[column] += 1
    right = frozenset(n for n in range(columns) if numbers[n] and numbers[n] == words[n])
    named = (
        ["".join(run.text for run in cell).strip() for cell in rows[0]] if heads and rows else []
    )
    return TableShape(tuple(natural), right, tuple(named))


@dataclass(frozen=True, slots=True)
class RowPart:
    """A row, as lines; a rule stands below the last of the heads."""

    start: int
    end: int
    cells: tuple[ShownRuns, ...]
    shape: TableShape
    is_head: bool = False
    ruled: bool = False
    first: ShownRuns = ()
    rest: ShownRuns = ()
    gap: ShownRuns | None = None

    def lines(self, width: int) -> list[ShownLine]:
        """Lay it out in columns, or value below value."""
        first, rest = fitting(self.first, self.rest, width)
        room = width - max(cells_of(first), cells_of(rest))
        widths = self.shape.widths(room)
        rows = self._columns(widths) if widths else self._stacked(room)
        if self.ruled and widths:
            rules = [ShownRun("─" * cells, style=_RULE) for cells in widths]
            rows.append(_joined([(rule,) for rule in rules]))
        shown = [] if self.gap is None else [self.gap]
        if not widths and not self.is_head and self.gap is None:
            shown.append(())
        shown += [(*(rest if number else first), *row) for number, row in enumerate(rows)]
        return [ShownLine(self.start, runs) for runs in shown]

    def _columns(self, widths: Sequence[int]) -> list[ShownRuns]:
        cut = [
            [_trimmed(runs) for runs in wrapped(cell, width)]
            for cell, width in zip((*self.cells, *[()] * len(widths)), widths, strict=False)
        ]
        lines: list[ShownRuns] = []
        for number in range(max(map(len, cut))):
            parts = [
                _padded(
                    rows[number] if number < len(rows) else (), width, column in self.shape.right
                )
                for column, (rows, width) in enumerate(zip(cut, widths, strict=True))
            ]
            lines.append(_joined(parts))
        return lines

    def _stacked(self, room: int) -> list[ShownRuns]:
        if self.is_head:
            heads = [cell for cell in self.cells if cell]
            return wrapped(_joined(heads, " · "), room)
        lines: list[ShownRuns] = []
        for column, cell in enumerate(self.cells):
            name = self.shape.heads[column] if column < len(self.shape.heads) else ""
            head = (ShownRun(f"{name}: ", style=_HEAD),) if name else ()
            lines += wrapped((*head, *cell), room) if cell else []
        return lines or [()]


def _trimmed(runs: ShownRuns) -> ShownRuns:
    """Leave out the space at which a line was broken."""
    if not runs or not runs[-1].text.endswith(" "):
        return runs
    last = runs[-1]
    return (*runs[:-1], last.part(0, len(last.text.rstrip(" "))))


def _padded(runs: ShownRuns, width: int, right: bool) -> ShownRuns:
    space = ShownRun(" " * max(0, width - cells_of(runs)))
    return (space, *runs) if right else (*runs, space)


def _joined(parts: Sequence[ShownRuns], between: str = " " * GAP) -> ShownRuns:
    line: list[ShownRun] = []
    for number, part in enumerate(parts):
        line += [ShownRun(between), *part] if number else part
    return tuple(line)
