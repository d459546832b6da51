"""Tables as Markdown, and back to where each cell stands: the form in which people, models and
search meet a table of any format. One line is one row; heads over one another are one head, from
the top down; a row that names a section has words in its first cell alone.
"""

from dataclasses import replace

from rag_assistant.text.blocks import Span, cells
from rag_assistant.text.table_rows import delimiter_line, escaped, row_line, unescaped
from rag_assistant.values.tables import DocumentTable, TableCell


def markdown_lines(table: DocumentTable) -> list[str]:
    """Write a table as lines: its heads, the delimiters, and each row below them."""
    heads = [" ".join(escaped(head) for head in table.heads_of(n)) for n in range(table.columns)]
    lines = [row_line(heads), delimiter_line(table.columns)]
    by_row: dict[int, dict[int, str]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, {})[cell.column] = escaped(cell.text)
    for row in range(table.heads, table.rows):
        words = by_row.get(row, {})
        lines.append(row_line(words.get(column, "") for column in range(table.columns)))
    return lines


def placed(table: DocumentTable, text: str, start: int) -> DocumentTable:
    """Give a table whose Markdown begins at `start` of a text with the places of its cells.

    The words of body cells are read from there, so that they are what the text has.
    """
    rows: dict[int, list[Span]] = {}
    position = last = start
    for line in range(table.rows - table.heads + 2):
        last = text.find("\n", position)
        last = len(text) if last < 0 else last
        if line != 1:
            row = table.heads - 1 if line == 0 else table.heads + line - 2
            rows[row] = list(cells(text, position, last))
        position = min(last + 1, len(text))
    found = tuple(
        _at(cell, text, rows.get(cell.row), body=cell.row >= table.heads) for cell in table.cells
    )
    return replace(table, cells=found, start=start, end=last)


def _at(cell: TableCell, text: str, row: list[Span] | None, *, body: bool) -> TableCell:
    if row is None or cell.column >= len(row):
        return cell
    start, end = row[cell.column]
    if body:
        return replace(cell, start=start, end=end, text=unescaped(text[start:end]))
    # A head may be joined with others: it stands at the end of them, if it does at all.
    words = escaped(cell.text)
    if text[start:end].endswith(words):
        return replace(cell, start=end - len(words), end=end)
    return cell
