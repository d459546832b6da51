"""The reading order of a PDF page whose columns were written line by line across the page: PDFium
gives each pair of lines as one. They are told apart by the gutter between them, and read one column
after the other. A table has cells of all widths; lines of prose fill their column.
"""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.pdf.calls import address_of, pdfium_calls

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

Span = tuple[int, int]
Extent = tuple[float, float]

_LEAST_LINES = 10  # that run across both columns
_LONG = 50  # characters of such a line
_LEAST_GAPS = 0.5  # share of long lines with a gap, where they run across columns
_GUTTER = 9.0  # points
_LEAST_WIDTH = 0.3  # of both columns together
_FULL = 0.75  # of its column's width that a line of prose has
_MOST_SHORT = 0.35  # share of lines in a column that have less: ends of paragraphs
_MOST_DIGITS = 0.1  # share of characters


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with the extents of its pieces, from left to right, in points."""

    span: Span
    pieces: tuple[Extent, ...]

    def gaps(self) -> list[Extent]:
        """Give the gaps between its pieces that may be a gutter."""
        ends = accumulate((right for _, right in self.pieces), max)
        starts = (left for left, _ in self.pieces[1:])
        return [
            (end, start) for end, start in zip(ends, starts, strict=False) if start - end >= _GUTTER
        ]


def in_reading_order(textpage: "PdfTextPage", whole: str, spans: Sequence[Span]) -> list[Span]:
    """Give the spans of a page's lines in the order of reading, those of two columns cut in two.

    `spans` are the lines of `whole`, the text of the page, in PDFium's order.
    """
    long = [span for span in spans if span[1] - span[0] >= _LONG]
    if len(long) < _LEAST_LINES:
        return list(spans)
    # Most pages have one column, and some lines tell that: to ask PDFium for all takes long.
    sample = [_Line(span, _pieces(textpage, span)) for span in long[:: len(long) // _LEAST_LINES]]
    if sum(bool(line.gaps()) for line in sample) < _LEAST_GAPS * len(sample):
        return list(spans)
    lines = [_Line(span, _pieces(textpage, span)) for span in spans]
    gutter = _gutter(lines)
    if gutter is None or not _is_prose(lines, gutter, whole):
        return list(spans)
    return _ordered(textpage, lines, gutter)


def extents(textpage: "PdfTextPage", span: Span) -> Extent:
    """Give the left and right edges of a line in points, equal where they are not known."""
    pieces = _pieces(textpage, span)
    return min((left for left, _ in pieces), default=0.0), max((r for _, r in pieces), default=0.0)


def _pieces(textpage: "PdfTextPage", span: Span) -> tuple[Extent, ...]:
    """Give the extents of what was written in one go in a line."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    calls, handle = pdfium_calls(), address_of(textpage.raw)
    index = calls.index_of(handle, span[0])
    if index < 0:
        return ()
    edges = tuple(ctypes.c_double() for _ in range(4))
    given = [*map(ctypes.addressof, edges)]
    found: list[Extent] = []
    for number in range(pdfium.FPDFText_CountRects(textpage.raw, index, span[1] - span[0])):
        if calls.rect(handle, number, *given):
            found.append((edges[0].value, edges[2].value))
    return tuple(sorted(found))


def _gutter(lines: Sequence[_Line]) -> float | None:
    """Give where the gutter is: a place that is in a gap of most of the lines with gaps."""
    gaps = [gap for line in lines for gap in line.gaps()]
    if len(gaps) < _LEAST_LINES:
        return None
    middles = sorted((left + right) / 2 for left, right in gaps)
    place = middles[len(middles) // 2]
    across = sum(left < place < right for left, right in gaps)
    return place if across >= max(_LEAST_LINES, len(gaps) // 2) else None


def _is_prose(lines: Sequence[_Line], gutter: float, whole: str) -> bool:
    """Say whether the lines on both sides of the gutter fill their columns, with words."""
    both = [line for line in lines if any(a < gutter < b for a, b in line.gaps())]
    width = max(line.pieces[-1][1] for line in both) - min(line.pieces[0][0] for line in both)
    for side in (0, 1):
        extents = [_extent(line, gutter, side) for line in both]
        left, right = min(a for a, _ in extents), max(b for _, b in extents)
        if right - left < _LEAST_WIDTH * width:  # the numbers of a list, or the labels of a form
            return False
        short = sum(b - a < _FULL * (right - left) for a, b in extents)
        if short > _MOST_SHORT * len(extents):
            return False
    text = "".join(whole[slice(*line.span)] for line in both)
    return sum(map(str.isdigit, text)) <= _MOST_DIGITS * len(text)


def _extent(line: _Line, gutter: float, side: int) -> Extent:
    pieces = [piece for piece in line.pieces if (piece[0] > gutter) == bool(side)]
    return pieces[0][0], max(right for _, right in pieces)


def _ordered(textpage: "PdfTextPage", lines: Sequence[_Line], gutter: float) -> list[Span]:
    ordered: list[Span] = []
    columns: tuple[list[Span], list[Span]] = ([], [])
    for line in lines:
        sides = {left > gutter for left, right in line.pieces if not left < gutter < right}
        spanning = any(left < gutter < right for left, right in line.pieces)
        if spanning or not sides or (len(sides) == 2 and not _parted(line, gutter)):
            ordered += [*columns[0], *columns[1], line.span]
            columns = ([], [])
        elif len(sides) == 2:
            cut = _cut(textpage, line.span, gutter)
            columns[0].append((line.span[0], cut))
            columns[1].append((cut, line.span[1]))
        else:
            columns[sides.pop()].append(line.span)
    return [*ordered, *columns[0], *columns[1]]


def _parted(line: _Line, gutter: float) -> bool:
    return any(left < gutter < right for left, right in line.gaps())


def _cut(textpage: "PdfTextPage", span: Span, gutter: float) -> int:
    """Give the offset of the first character of a line that stands right of the gutter."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    low, high = span
    while low < high:
        middle = (low + high) // 2
        index = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, middle)
        pdfium.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
        if left.value > gutter:
            high = middle
        else:
            low = middle + 1
    return low
