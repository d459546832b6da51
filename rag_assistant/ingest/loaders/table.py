"""Tables in plain text (.csv, .tsv, .tab; RFC 4180 and what programs make of it): a line for each
row, in which every cell bears its column's name, so that a row found far down still says what its
values are. No row is dropped: odd ones come without names, and what is past the limit is told.
"""

import re
from collections import Counter
from itertools import chain, islice

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.tables.cell_values import YEAR
from rag_assistant.ingest.parsing.tables.row_tables import RowCell, RowTables
from rag_assistant.ingest.parsing.tables.table_rows import rows_of
from rag_assistant.ingest.parsing.text_start import decode_start
from rag_assistant.ingest.room import span
from rag_assistant.text.table_rows import BAR
from rag_assistant.values.documents import Document

_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_FEW_NULS = 0.01
_LONGEST_NAME = 60
_LONGEST_HEADER_CELL = 100
_HEADER_WITHIN = 10
_VALUE = re.compile(r"[-+(]?[$€£]?\d[\d.,:/\s-]*%?\)?|true|false|n/?a|null|nan|-", re.IGNORECASE)


def load(source: LoadInput) -> list[Document]:
    """Read a table into one document. The header is the first of the top rows that looks like one.

    What does not fit is counted in rows, or in lines where rows go over several.
    """
    start = decode_start(_without_nuls(source.data), source.most)
    text = start.decoded.text
    if start.characters:
        text = text[: text.rfind("\n") + 1] or text  # a row that is cut counts as left out
    lines: list[str] = []
    names: list[str] = []
    length = beyond = number = 0
    tables = RowTables(named=True)
    rows = rows_of(text, tabs=not source.path.lower().endswith(".csv"))
    top = list(islice(rows, _HEADER_WITHIN))
    header = _header_of(top)
    for number, row in enumerate(chain(top, rows)):
        if number == header:
            names = [_name(cell) for cell in row]
        line, cells = ("", []) if beyond else _line(row, names if number != header else [])
        if beyond or (lines and length + len(line) > source.most):
            beyond += any(map(str.strip, row))
        elif line:
            if number >= (header or 0):
                tables.add(length, line, cells, head=number == header)
            lines.append(line)
            length += len(line) + 1
    metadata = {"rows": str(len(lines)), "columns": ", ".join(filter(None, names))[:1000]}
    if start.decoded.encoding != "utf-8":
        metadata["encoding"] = start.decoded.encoding
    kept = {name: value for name, value in metadata.items() if value}
    left_out = ""
    if left := beyond + start.lines:
        left_out = span("row", len(lines) + 1, len(lines) + left)
        if start.lines and number + 2 < text.count("\n"):
            left_out = f"rows from {len(lines) + 1:,} on ({left:,} rows and lines)"
    return [
        Document(
            "\n".join(lines),
            LOADER.media_type,
            metadata=kept,
            left_out=left_out,
            tables=tables.tables(),
        )
    ]


def _without_nuls(data: bytes) -> bytes:
    """Take out the few NULs that some exports hold."""
    if not data.startswith(_MARKS) and 0 < data.count(b"\0") <= _FEW_NULS * len(data):
        return data.replace(b"\0", b"")
    return data


def _header_of(top: list[list[str]]) -> int | None:
    """Find the header among the first rows: names only, all different, in as many cells as most.

    What stands before it, such as a title or an empty row, has fewer cells.
    """
    widths = Counter(count for row in top if (count := sum(map(bool, map(str.strip, row)))) > 1)
    if not widths:
        return None
    usual = max(widths, key=lambda width: (widths[width], width))
    for number, row in enumerate(top[:-1]):  # the last row would be a header of nothing
        cells = [cell.strip() for cell in row if cell.strip()]
        if len(cells) < max(2, usual - usual // 4):
            continue
        if len({cell.lower() for cell in cells}) < len(cells):
            return None
        if any(len(cell) > _LONGEST_HEADER_CELL for cell in cells):
            return None
        below = top[number + 1 :]
        if any(_VALUE.fullmatch(cell) and not _is_head_year(row, cell, below) for cell in cells):
            return None
        return number
    return None


def _is_head_year(row: list[str], cell: str, below: list[list[str]]) -> bool:
    """Whether a cell is a year that heads values, none of which is a year itself."""
    column = [cell.strip() for cell in row].index(cell)
    values = [other[column].strip() for other in below if column < len(other)]
    labelled = not _VALUE.fullmatch(row[0].strip())
    is_year = YEAR.fullmatch(cell) and not any(map(YEAR.fullmatch, values))
    return bool(labelled and is_year and any(map(_VALUE.fullmatch, values)))


def _name(cell: str) -> str:
    return " ".join(cell.split())[:_LONGEST_NAME].rstrip(" :")


def _line(row: list[str], names: list[str]) -> tuple[str, list[RowCell]]:
    """Write a row as `name: value | name: value` without its empty cells, or as it is.

    Gives the line, and where the values stand in it.
    """
    cells = [" ".join(cell.split()) for cell in row]
    parts: list[str] = []
    places: list[RowCell] = []
    length = 0
    for column, cell in enumerate(cells):
        name = names[column] if column < len(names) else ""
        if cell or not names:
            part = f"{name}: {cell}" if name else cell
            after = length + len(part)
            if cell:
                places.append(RowCell(column, after - len(cell), after))
            parts.append(part)
            length = after + len(BAR)
    return BAR.join(parts).rstrip(BAR), places


LOADER = Loader("table", 3, frozenset({".csv", ".tsv", ".tab"}), "text/csv", load, plain=True)
