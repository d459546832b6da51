"""A table of an answer, laid out for a width: columns as wide as they need, or as there is room."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, plain

_GAP = plain("  ")
_LEAST_COLUMN = 6


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the first row being the heads; `right` names the right-aligned columns."""

    rows: tuple[tuple[Content, ...], ...]
    right: frozenset[int] = frozenset()

    def lines(self, width: int) -> list[Content]:
        """Give the rows with a rule below the heads; every cell wraps within its column."""
        columns = max((len(row) for row in self.rows), default=0)
        if not columns:
            return []
        widths = fit(self._natural(columns), width - len(_GAP) * (columns - 1))
        lines: list[Content] = []
        for number, row in enumerate(self.rows):
            cells = [row[index] if index < len(row) else EMPTY for index in range(columns)]
            lines += self._row(cells, widths)
            if number == 0:
                rules = [plain("─" * column, "$foreground 40%") for column in widths]
                lines.append(joined(rules, _GAP).truncate(width))
        return lines

    def _natural(self, columns: int) -> list[int]:
        return [
            max((row[index].cell_length for row in self.rows if index < len(row)), default=1) or 1
            for index in range(columns)
        ]

    def _row(self, cells: list[Content], widths: list[int]) -> list[Content]:
        wrapped = [cell.wrap(width) or [EMPTY] for cell, width in zip(cells, widths, strict=True)]
        height = max(len(lines) for lines in wrapped)
        rows: list[Content] = []
        for number in range(height):
            parts = [
                _pad(lines[number] if number < len(lines) else EMPTY, width, index in self.right)
                for index, (lines, width) in enumerate(zip(wrapped, widths, strict=True))
            ]
            rows.append(joined(parts, _GAP).rstrip())
        return rows


def _pad(cell: Content, width: int, right: bool) -> Content:
    space = plain(" " * max(0, width - cell.cell_length))
    return joined([space, cell] if right else [cell, space])


def fit(natural: Sequence[int], room: int) -> list[int]:
    """Narrow the widest columns until all fit, none below a readable least."""
    widths = list(natural)
    while sum(widths) > room and max(widths) > _LEAST_COLUMN:
        widths[widths.index(max(widths))] -= 1
    return widths
