"""The columns of plain lines: where no word stands from line to line, and what makes aligned words
a table rather than prose in columns, a list, a table of contents or a form's blank lines.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from rag_assistant.ingest.parsing.pdf.tables.boxes import CURRENCY, Chunk, Line
from rag_assistant.ingest.parsing.tables.cell_values import is_value

_MARKER = re.compile(
    r"[•●○▪■◦‣·*o–—-]|[\[(]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]:]|\d{1,2}|[•●▪].*"
)
_LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|_{3,}")

Extent = tuple[float, float]
"""Where a column begins and ends, from left to right."""


def columns_of(lines: Sequence[Line]) -> list[Extent]:
    """Find the columns of lines by the gaps that hardly any of them crosses."""
    body = [line for line in lines if len(line.chunks) > 1]
    if not body:
        return []
    height = median(line.height for line in body)
    widest = max(line.chunks[-1].right - line.chunks[0].left for line in body)
    # A line of one chunk may be all that a cell has there; one that goes far is none.
    body += [
        line
        for line in lines
        if len(line.chunks) == 1 and line.chunks[0].right - line.chunks[0].left < 0.35 * widest
    ]
    tolerated = 0 if len(body) < 5 else max(1, len(body) // 12)
    events = sorted(
        event
        for line in body
        for chunk in line.chunks
        for event in ((chunk.left, 1), (chunk.right, -1))
    )
    columns: list[Extent] = []
    open_, left = 0, 0.0
    for x, step in events:
        before, open_ = open_, open_ + step
        if before <= tolerated < open_:
            near = columns and x - columns[-1][1] < 0.3 * height
            left = columns.pop()[0] if near else x
        elif open_ <= tolerated < before:
            columns.append((left, x))
    return _without_signs(columns, body)


def _without_signs(columns: list[Extent], lines: Sequence[Line]) -> list[Extent]:
    """Join columns of nothing but currency signs, or of what closes a value, to their values."""
    kept: list[Extent] = []
    opening: float | None = None
    for left, right in columns:
        texts = {
            chunk.text
            for line in lines
            for chunk in line.chunks
            if left - 1 <= chunk.center <= right + 1
        }
        if texts and texts <= CURRENCY:
            if kept and texts <= {")", "%", ")%"}:
                kept[-1] = (kept[-1][0], right)
            else:
                opening = left if opening is None else opening
            continue
        kept.append((left if opening is None else opening, right))
        opening = None
    return kept


def edges_between(columns: Sequence[Extent]) -> tuple[float, ...]:
    """Give the bounds of columns: the middles of the gaps, and the outer ends."""
    middles = [(one[1] + two[0]) / 2 for one, two in pairwise(columns)]
    return (columns[0][0], *middles, columns[-1][1])


def value_columns(lines: Sequence[Line], columns: Sequence[Extent]) -> list[int]:
    """Give the columns, most chunks of which are values."""
    found = []
    for number, column in enumerate(columns):
        chunks = [chunk for line in lines for chunk in line.chunks if within(chunk, column)]
        values = sum(is_value(chunk.text) for chunk in chunks)
        if chunks and values >= 0.6 * len(chunks):
            found.append(number)
    return found


def within(chunk: Chunk, column: Extent) -> bool:
    """Say whether the middle of a chunk is in a column."""
    return column[0] - 1 <= chunk.center <= column[1] + 1


def looks_tabular(lines: Sequence[Line], columns: Sequence[Extent], *, framed: bool) -> bool:
    """Say whether lines in columns are a table; rules around them are evidence that they are."""
    rows = [line for line in lines if len(line.chunks) > 1]
    if len(columns) < 2 or len(rows) < 2 or len(columns) > 40:
        return False
    cells = [[c for line in lines for c in line.chunks if within(c, column)] for column in columns]
    if _is_list(cells) or _leads(lines):
        return False
    values = [number for number in value_columns(rows, columns) if number]
    if values:
        return _values_hold(rows, cells, values, framed=framed)
    aligned = sum(_aligned(column) for column in cells)
    if framed:
        return aligned >= 0.5 * len(cells)
    gaps = [two[0] - one[1] for one, two in pairwise(columns)]
    apart = min(gaps) >= 0.55 * median(line.height for line in rows)
    enough = len(rows) > 2 and aligned >= 0.75 * len(cells)
    return apart and enough and not _is_prose(cells, columns)


def _values_hold(
    rows: Sequence[Line], cells: Sequence[list[Chunk]], values: list[int], *, framed: bool
) -> bool:
    if framed or len(values) > 1:
        return True
    texts = [chunk.text for chunk in cells[values[0]]]
    if len(rows) < 3 or sum(map(is_value, texts)) < 3:
        return False
    pages = [int(text) for text in texts if text.isdecimal() and len(text) < 4]
    rising = len(pages) == len(texts) and pages == sorted(pages)
    return not (rising and len(cells) == 2)


def _is_list(cells: Sequence[list[Chunk]]) -> bool:
    """Whether the first column holds nothing but bullets or numbers of items."""
    texts = [chunk.text for chunk in cells[0]]
    marked = sum(_MARKER.fullmatch(text) is not None for text in texts)
    return bool(texts) and marked >= 0.6 * len(texts) and len(cells) < 4


def _leads(lines: Sequence[Line]) -> bool:
    """Whether dots or blanks to fill in run through many of the lines."""
    led = sum(any(_LEADERS.search(chunk.text) for chunk in line.chunks) for line in lines)
    return led >= 0.3 * len(lines)


def _aligned(chunks: Sequence[Chunk]) -> bool:
    """Whether most chunks of a column share their left ends, right ends or middles."""
    if len(chunks) < 2:
        return True
    for places in (
        [chunk.left for chunk in chunks],
        [chunk.right for chunk in chunks],
        [chunk.center for chunk in chunks],
    ):
        places.sort()
        if max(sum(abs(b - a) < 3 for b in places) for a in places) >= 0.65 * len(places):
            return True
    return False


def _is_prose(cells: Sequence[list[Chunk]], columns: Sequence[Extent]) -> bool:
    """Whether most lines of two columns or more are filled by several words, as prose is."""
    filled = 0
    for chunks, (left, right) in zip(cells, columns, strict=True):
        if not chunks:
            continue
        full = sum(chunk.right - chunk.left > 0.8 * (right - left) for chunk in chunks)
        words = median(len(chunk.words) for chunk in chunks)
        filled += full >= 0.55 * len(chunks) and words >= 4
    return filled >= 2 or (filled == 1 and len(columns) == 2 and _starts_alike(cells))


def _starts_alike(cells: Sequence[list[Chunk]]) -> bool:
    """Whether the lines of both columns are as long: a page in two columns, not names and texts."""
    words = [median(len(chunk.words) for chunk in chunks) if chunks else 0 for chunks in cells]
    return min(words) >= 4
