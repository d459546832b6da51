"""The tables in an entry's text, read back from the lines that they are written as, every row.

Every format writes a table so: a line for each row, cells with strokes between them, heads above a
line of dashes where the format says which they are; or, from plain tables, heads in the first line
and "head: value" in every cell below.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_assistant.ingest.parsing.tables.head_rows import count_heads
from rag_assistant.text.blocks import cells
from rag_assistant.text.table_rows import LONGEST_CAPTION, is_row, is_rule, unescaped
from rag_assistant.values.tables import DocumentTable, TableCell

_BAR = re.compile(r" \| |$")

Line = tuple[int, int]
"""Where a line of a text begins and ends."""


@dataclass(frozen=True, slots=True)
class EntryTable:
    """A table of an entry, with where each of its rows stands: the characters of its line."""

    table: DocumentTable
    lines: tuple[Line, ...]


def entry_tables(text: str) -> list[EntryTable]:
    """Give the tables of a text, of at least two rows and two columns, in order."""
    found: list[EntryTable] = []
    for run, caption in _runs(text):
        made = _table(text, run, caption)
        if made is not None and made.table.rows > 1 and made.table.columns > 1:
            found.append(made)
    return found


def _runs(text: str) -> Iterator[tuple[list[Line], str]]:
    """Give lines of cells that follow one another, with what stands over them if it is short."""
    run: list[Line] = []
    above = caption = ""
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if is_row(line):
            caption = caption if run else above
            run.append((start, end))
        else:
            if run:
                yield run, caption
                run = []
            if line.strip():
                above = line.strip() if len(line) <= LONGEST_CAPTION else ""
        start = end + 1
    if run:
        yield run, caption


def _table(text: str, run: Sequence[Line], caption: str) -> EntryTable | None:
    rules = [n for n, (start, end) in enumerate(run) if is_rule(text[start:end])]
    lines = [line for n, line in enumerate(run) if n not in rules[:1]]
    caption = caption.lstrip("#*_ ").rstrip("*_: ")
    if named := _named(text, lines):
        rows, heads = named, 1
    else:
        rows = [[(at, *span) for at, span in enumerate(cells(text, *line))] for line in lines]
        heads = 1 if rules and rules[0] == 1 else -1
    made = [
        TableCell(number, column, unescaped(text[start:end]), start=start, end=end)
        for number, row in enumerate(rows)
        for column, start, end in row
        if start < end
    ]
    if not made:
        return None
    if heads < 0:
        heads = count_heads(made, len(rows))
    columns = 1 + max(cell.column for cell in made)
    table = DocumentTable(
        len(rows),
        columns,
        tuple(made),
        heads,
        caption=caption,
        start=lines[0][0],
        end=lines[-1][1],
        named_rows=bool(named),
    )
    return EntryTable(table, tuple(lines))


Placed = tuple[int, int, int]
"""A cell of a row: its column, where it begins and ends in the text."""


def _named(text: str, lines: Sequence[Line]) -> list[list[Placed]]:
    """Read rows whose cells bear the heads of the first line; [] where they do not."""
    heads = [(text[start:end], start, end) for start, end in _parts(text, lines[0])]
    names = {name.strip(): column for column, (name, _, _) in enumerate(heads) if name.strip()}
    if len(lines) < 2 or len(names) < 2:
        return []
    rows = [[(column, start, end) for column, (_, start, end) in enumerate(heads)]]
    for line in lines[1:]:
        row: list[Placed] = []
        for start, end in _parts(text, line):
            name, colon, _ = text[start:end].partition(": ")
            if colon and name in names and (not row or names[name] > row[-1][0]):
                row.append((names[name], start + len(name) + len(colon), end))
            elif row:  # a stroke within a value
                row[-1] = (row[-1][0], row[-1][1], end)
            else:
                return []
        rows.append(row)
    return rows


def _parts(text: str, line: Line) -> Iterator[Line]:
    start = line[0]
    for bar in _BAR.finditer(text[line[0] : line[1]]):
        yield start, line[0] + bar.start()
        start = line[0] + bar.end()
