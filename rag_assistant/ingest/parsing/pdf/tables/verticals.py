"""Tables that have rules between columns alone: their rows are told by their lines."""

from collections.abc import Sequence

from rag_assistant.ingest.parsing.pdf.tables.boxes import Word, lines_of
from rag_assistant.ingest.parsing.pdf.tables.grid import (
    MOST_COLUMNS,
    Grid,
    GridCell,
    column_of,
    rows_of_lines,
)
from rag_assistant.ingest.parsing.pdf.tables.lattice import crossed, distinct
from rag_assistant.ingest.parsing.pdf.tables.rules import DrawnRule


def verticals(down: Sequence[DrawnRule], words: Sequence[Word]) -> list[Grid]:
    """Find tables that have rules between columns alone: rows are told by their lines."""
    found = []
    rest = sorted(down, key=lambda rule: (rule.start, rule.at))
    while rest:
        first = rest[0]
        # Those of columns under one head begin below it.
        group = [r for r in rest if r.start - first.start < 45 and abs(r.end - first.end) < 15]
        rest = [rule for rule in rest if rule not in group]
        if not 2 <= len(group) < MOST_COLUMNS:
            continue
        xs = distinct(rule.at for rule in group)
        top, bottom = min(r.start for r in group), max(r.end for r in group)
        inside = [w for w in words if top - 1 < w.middle < bottom + 1]
        if not inside or len(xs) < 2:
            continue
        left, right = min(w.left for w in inside), max(w.right for w in inside)
        xs = [
            *([left - 1] if left < xs[0] - 4 else []),
            *xs,
            *([right + 1] if right > xs[-1] + 4 else []),
        ]
        lines = lines_of(inside)
        if len(xs) < 3 or any(crossed(lines, x) for x in xs[1:-1]):
            continue
        cells: dict[tuple[int, int], GridCell] = {}
        rows = rows_of_lines(lines, xs)
        for number, row in enumerate(rows):
            for word in (word for line in row for word in line.words):
                place = number, column_of(word, xs)
                cells.setdefault(place, GridCell(*place)).words.append(word)
        if len(rows) > 1:
            grid = Grid(
                len(rows), len(xs) - 1, [*cells.values()], tuple(xs), top, bottom, ruled=True
            )
            found.append(grid)
    return found
