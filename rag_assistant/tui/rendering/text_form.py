"""Texts that were made of documents of other formats: headings, items of lists, rows of tables.

They are told by the document's outline, and by how such texts are written (`TextBuilder`).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rag_assistant.library.entry_tables import EntryTable, entry_tables
from rag_assistant.text.blocks import Span
from rag_assistant.text.table_rows import BAR, is_row, is_rule
from rag_assistant.tui.rendering.forms import HEADINGS, lines_of
from rag_assistant.tui.rendering.leaves import BULLET
from rag_assistant.tui.rendering.parts import Part, WordsPart, moved
from rag_assistant.tui.rendering.rows import RowPart, TableShape, shape_of
from rag_assistant.tui.rendering.shown_lines import ShownRun, ShownRuns, verbatim
from rag_assistant.values.outline import Outline

LOOKED_BACK = 20_000
"""Characters before an excerpt in which the head of a table is looked for that goes on in it."""

LONGEST_HEAD = 4_000
"""Characters at the beginning of a list of records in which its heads are looked for."""

_ITEM = re.compile(r"( *)(-|\d{1,4}[.)]|[a-z][.)]) +")
_NO_HEADINGS = frozenset({"definition", "page", "cell"})


@dataclass(frozen=True, slots=True)
class _TableRow:
    """A row of an excerpt; `cells` are places in it, `heads` counts those of its table."""

    cells: Mapping[int, Span]
    shape: TableShape
    is_head: bool
    ruled: bool


class TextForm:
    """A text with an outline. `read` gives its characters; `headed` says that its first row has
    the heads of all others, as in a list of records.
    """

    remark = ""

    def __init__(
        self, outline: Outline, read: Callable[[int, int], str], *, headed: bool = False
    ) -> None:
        self._headings = {
            part.start: (part.level, part.label)
            for part in outline
            if part.kind not in _NO_HEADINGS
        }
        self._read = read
        self._headed = headed
        self._shapes: dict[tuple[str, ...], TableShape] = {}

    def block(self, at: int) -> Span | None:
        """Leave it to the lines."""
        return None

    def parts(self, start: int, text: str) -> tuple[Part, ...]:
        """Give a part for each line, but for those that only part the heads of a table."""
        rows = self._rows(start, text)
        found: list[Part] = []
        was_row = False
        for first, last, end in lines_of(text):
            row = rows.get(first)
            if row is not None:
                found.append(_row(row, start, start + first, start + end, text))
            elif not (was_row and is_rule(text[first:last].strip())):
                found.append(self._line(text, start, (first, last), end))
            was_row = row is not None
        return tuple(found)

    def _line(self, text: str, start: int, words: Span, end: int) -> Part:
        first, last = words
        level, label = self._headings.get(start + first, (0, ""))
        if level and text[first:last].strip().startswith(label[:40]):
            runs = verbatim(text, first, last, HEADINGS.get(level, "bold"))
            return WordsPart(start + first, start + end, (moved(runs, start),))
        item = _ITEM.match(text, first, last)
        if item is None:
            return WordsPart(start + first, start + end, (moved(verbatim(text, *words), start),))
        sign = ShownRun(
            BULLET if item[2] == "-" else item[2], item.start(2), item.end(2), "$foreground 60%"
        )
        indent = ShownRun(item[1])
        hanging = (ShownRun(" " * (len(item[1]) + len(sign.text) + 1)),)
        runs = moved(verbatim(text, item.end(), last), start)
        signs = moved((indent, sign, ShownRun(" ")), start)
        return WordsPart(start + first, start + end, (runs,), signs, hanging)

    def _rows(self, start: int, text: str) -> dict[int, _TableRow]:
        """Give the rows of an excerpt by where they begin in it."""
        if BAR not in text:
            return {}
        before = self._before(start, text)
        found: dict[int, _TableRow] = {}
        for table in entry_tables(before + text):
            found.update(self._rows_of(table, len(before), before + text))
        return found

    def _before(self, start: int, text: str) -> str:
        """Give what tells the heads of a table that goes on in an excerpt."""
        if not start or not is_row(text.partition("\n")[0]):
            return ""
        before = self._read(max(0, start - LOOKED_BACK), start)
        if self._headed and len(before) < start:
            top = (line for line in self._read(0, LONGEST_HEAD).split("\n") if is_row(line))
            head = next(top, "")
            return f"{head}\n" if head else ""
        return before

    def _rows_of(self, table: EntryTable, before: int, text: str) -> dict[int, _TableRow]:
        cells: list[dict[int, Span]] = [{} for _ in table.lines]
        for cell in table.table.cells:
            cells[cell.row][cell.column] = (cell.start, cell.end)
        heads = table.table.heads
        columns = table.table.columns
        key = tuple(text[a:b] for _, (a, b) in sorted(cells[0].items()))
        shape = self._shapes.get(key)
        if shape is None or len(shape.natural) < columns:
            shown = [[_runs(text, row.get(n)) for n in range(columns)] for row in cells]
            shape = self._shapes[key] = shape_of(shown, heads)
        return {
            line[0] - before: _TableRow(
                {n: (a - before, b - before) for n, (a, b) in cells[number].items()},
                shape,
                number < heads,
                number == heads - 1,
            )
            for number, line in enumerate(table.lines)
            if line[0] >= before
        }


def _runs(text: str, span: Span | None, style: str = "") -> ShownRuns:
    return verbatim(text, *span, style) if span else ()


def _row(row: _TableRow, start: int, begin: int, end: int, text: str) -> Part:
    style = "bold" if row.is_head else ""
    cells = tuple(
        moved(_runs(text, row.cells.get(n), style), start) for n in range(len(row.shape.natural))
    )
    return RowPart(begin, end, cells, row.shape, row.is_head, row.ruled)
