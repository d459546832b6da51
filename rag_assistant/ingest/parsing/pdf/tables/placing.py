"""The tables of pages put into their lines as Markdown, where the first of their words stood; those
that go on from the page before with its heads.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rag_assistant.ingest.parsing.pdf.tables.boxes import joined
from rag_assistant.ingest.parsing.pdf.tables.grid import Grid, GridCell
from rag_assistant.ingest.parsing.tables.captions_above import LONGEST_CAPTION, NUMBERED
from rag_assistant.ingest.parsing.tables.cell_values import units_in
from rag_assistant.ingest.parsing.tables.markdown_table import markdown_lines, placed
from rag_assistant.text.table_rows import escaped
from rag_assistant.values.tables import DocumentTable, TableCell

_CAPTION = re.compile(r"\s*(?:table|exhibit|schedule|appendix|tabelle|tableau)\b", re.IGNORECASE)
_MOST_CAPTION_LINES = 3
_ALIKE = 8.0  # points that the columns of a table may move from page to page
_MOST_BETWEEN, _LONGEST_BETWEEN = 3, 100


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table of a page: the number of the line that it is put before, and the bounds of its
    columns as the page shows them.
    """

    line: int
    table: DocumentTable
    edges: tuple[float, ...]

    @property
    def lines(self) -> list[str]:
        """Its lines, a blank one before and behind them."""
        return ["", *markdown_lines(self.table), ""]


def table_of(grid: Grid, written: Callable[[int, int], str]) -> DocumentTable:
    """Make the value of a table that was found on a page; `written` gives the words of a span."""
    cells = tuple(
        TableCell(cell.row, cell.column, _words(cell, written), cell.rows, cell.columns)
        for cell in grid.cells
        if cell.words
    )
    caption = " ".join(word.text for word in grid.titled)
    units = units_in("\n".join([caption, *(c.text for c in cells if c.row <= grid.heads)]))
    return DocumentTable(grid.rows, grid.columns, cells, grid.heads, 1, caption, units)


def _words(cell: GridCell, written: Callable[[int, int], str]) -> str:
    return joined(word._replace(text=written(word.start, word.end)) for word in cell.words)


def without_words(
    lines: Sequence[tuple[int, int]], grids: Sequence[Grid]
) -> tuple[list[list[tuple[int, int]] | None], list[tuple[int, Grid]]]:
    """Say what is left of lines when the words of tables are taken out of them.

    A line that no table touches is None; of others, the spans between the words taken are given.
    Each table comes with the line that has the first of its words.
    """
    taken = sorted(
        (word.start, word.end, number)
        for number, grid in enumerate(grids)
        for cell in grid.cells
        for word in cell.words
    )
    left: list[list[tuple[int, int]] | None] = []
    first: dict[int, int] = {}
    at = 0
    for number, (start, end) in enumerate(lines):
        while at < len(taken) and taken[at][1] <= start:
            at += 1
        spans, position, here = [], start, at
        while here < len(taken) and taken[here][0] < end:
            begin, after, grid = taken[here]
            first.setdefault(grid, number)
            if begin > position:
                spans.append((position, begin))
            position, here = max(position, after), here + 1
        if here == at:
            left.append(None)
        else:
            left.append([*spans, (position, end)] if position < end else spans)
    return left, [(first.get(number, 0), grid) for number, grid in enumerate(grids)]


def with_captions(tables: Sequence[PageTable], lines: Sequence[str]) -> list[PageTable]:
    """Give tables the captions, and units, that the lines right above them say, or the line below.

    A caption with another table close behind it is that one's.
    """
    found = []
    for number, one in enumerate(tables):
        said = "" if one.table.caption else _caption_above(lines[: one.line])
        close = one.line + _MOST_CAPTION_LINES
        alone = all(other.line > close for other in tables[number + 1 : number + 2])
        if not (said or one.table.caption) and alone and one.line < len(lines):
            below = lines[one.line]
            said = " ".join(below.split()) if NUMBERED.match(below) else ""
        table = one.table
        if said:
            units = table.units or units_in(said)
            table = replace(table, caption=said[:LONGEST_CAPTION], units=units)
        found.append(replace(one, table=table))
    return found


def _caption_above(lines: Sequence[str]) -> str:
    """Give the caption that lines end with, which may go on for a few; empty without one."""
    for count in range(1, min(_MOST_CAPTION_LINES, len(lines)) + 1):
        # A line that mentions a table begins no caption of several lines.
        begins = _CAPTION if count == 1 else NUMBERED
        if begins.match(lines[-count]):
            return " ".join(" ".join(lines[-count:]).split())
    return ""


def continued(
    pages: Sequence[tuple[Sequence[PageTable], Sequence[str]]],
) -> list[list[PageTable]]:
    """Join the tables of pages, each with its lines, over the ends of pages.

    A table that begins a page, with the columns of that which ends the page before, goes on with
    it: it has its heads, again or not. Only heads and feet of the pages may stand between.
    """
    found: list[list[PageTable]] = []
    before: PageTable | None = None
    for tables, lines in pages:
        here = list(tables)
        if here and before is not None and _is_margin(lines[: here[0].line]):
            here[0] = _going_on(before, here[0])
        before = here[-1] if here and _is_margin(lines[here[-1].line :]) else None
        found.append(here)
    return found


def _is_margin(lines: Sequence[str]) -> bool:
    return len(lines) <= _MOST_BETWEEN and sum(map(len, lines)) <= _LONGEST_BETWEEN


def _going_on(before: PageTable, one: PageTable) -> PageTable:
    if len(before.edges) != len(one.edges) or before.table.columns != one.table.columns:
        return one
    if any(abs(a - b) > _ALIKE for a, b in zip(before.edges, one.edges, strict=True)):
        return one
    last, table = before.table, one.table
    heads = [" ".join(escaped(head) for head in last.heads_of(n)) for n in range(last.columns)]
    if not any(heads):
        return one
    repeated = replace(table, heads=last.heads)
    if last.heads and [repeated.heads_of(n) for n in range(table.columns)] == [
        last.heads_of(n) for n in range(last.columns)
    ]:
        return replace(one, table=replace(repeated, continued=True))
    cells = (replace(cell, row=cell.row + 1) for cell in table.cells)
    top = tuple(TableCell(0, number, head) for number, head in enumerate(heads) if head)
    whole = replace(
        table,
        rows=table.rows + 1,
        heads=1,
        cells=(*top, *cells),
        continued=True,
        caption=table.caption or last.caption,
        units=table.units or last.units,
    )
    return replace(one, table=whole)


def lines_with(lines: Sequence[str], tables: Sequence[PageTable]) -> tuple[list[str], list[int]]:
    """Give the lines of a page with its tables put in, and the number that each line then has.

    The numbers have one more, for what follows the last line.
    """
    by_line: dict[int, list[str]] = {}
    for one in tables:
        by_line.setdefault(one.line, []).extend(one.lines)
    found: list[str] = []
    numbers: list[int] = []
    for number in range(len(lines) + 1):
        found.extend(by_line.get(number, ()))
        numbers.append(len(found))
        if number < len(lines):
            found.append(lines[number])
    return found, numbers


def in_text(
    tables: Sequence[PageTable], numbers: Sequence[int], text: str, span: tuple[int, int]
) -> Iterator[DocumentTable]:
    """Give the tables of a page, which is a span of a text, with their places in it."""
    starts = [span[0]]
    while (found := text.find("\n", starts[-1], span[1])) >= 0:
        starts.append(found + 1)
    behind: dict[int, int] = {}
    for one in reversed(tables):  # tables that stand before one line follow one another
        first = numbers[one.line] - behind.get(one.line, 0) - len(one.lines) + 1
        behind[one.line] = behind.get(one.line, 0) + len(one.lines)
        yield placed(one.table, text, starts[first])
