"""Words of a page with their boxes, the lines they stand in and the chunks of these.

Coordinates are in points as the page is shown: x to the right, y downwards, from any origin.
"""

import ctypes
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from rag_assistant.ingest.parsing.pdf.calls import address_of, pdfium_calls
from rag_assistant.ingest.parsing.tables.cell_values import is_value

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

MOST_WORDS = 6_000
"""Of a page; where more stand, nobody made a table of them for a reader."""

_WORD = re.compile("[^\\s\ufffe\x02]+[\ufffe\x02]?")
_WIDER, _LEAST_GAP, _MOST_OF_A_HEAD = 1.6, 0.3, 6
_BROKEN = "\ufffe\x02"
_FURTHEST, _LOWEST, _HIGHEST = 20_000.0, 0.5, 200.0
CURRENCY = frozenset({"$", "€", "£", "¥", "US$", "C$", "%", ")", ")%", "$ (", "("})
SPACE = 0.62
"""Of the type's height: a gap that is wider than this between two words parts them."""


class Word(NamedTuple):
    """A word: its place in the page's text, and its box."""

    start: int
    end: int
    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """Its height in points, that of its type."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """The height of its middle on the page."""
        return (self.top + self.bottom) / 2


class Chunk(NamedTuple):
    """Words of one line that stand together: what is taken for one cell's line."""

    words: tuple[Word, ...]
    left: float
    right: float
    top: float
    bottom: float

    @property
    def text(self) -> str:
        """Its words as one text."""
        return joined(self.words)

    @property
    def center(self) -> float:
        """Where its middle is, from left to right."""
        return (self.left + self.right) / 2


class Line(NamedTuple):
    """A line of a page from left to right, whatever order its words were drawn in."""

    chunks: tuple[Chunk, ...]
    top: float
    bottom: float
    height: float

    @property
    def middle(self) -> float:
        """The height of its middle on the page."""
        return (self.top + self.bottom) / 2

    @property
    def words(self) -> Iterator[Word]:
        """Its words from left to right."""
        return (word for chunk in self.chunks for word in chunk.words)


def joined(words: Iterable[Word]) -> str:
    """Join words by spaces, and the halves of those that are broken at the end of a line as such.

    The marks of a break stay within, for whoever mends the words of the page.
    """
    parts: list[str] = []
    for word in words:
        if parts and parts[-1][-1] not in _BROKEN:
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)


def words_of(
    textpage: "PdfTextPage", whole: str, spans: Sequence[tuple[int, int]], turned: int
) -> list[Word]:
    """Give the words within spans of a page's text; none where there are too many to be a table's.

    `turned` is the page's rotation in quarters, clockwise. Words whose box is no box are left out.
    """
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    found = [match for a, b in spans for match in _WORD.finditer(whole, a, b)]
    if len(found) > MOST_WORDS:
        return []
    same = pdfium.FPDFText_CountChars(textpage.raw) == len(whole)
    calls, handle = pdfium_calls(), address_of(textpage.raw)
    get_box, index_of = calls.loose_box, calls.index_of
    one, two = pdfium.FS_RECTF(), pdfium.FS_RECTF()
    first, last = ctypes.addressof(one), ctypes.addressof(two)
    words: list[Word] = []
    for match in found:
        start, end = match.span()
        shown = end - 1 if match[0][-1] in _BROKEN and end - start > 1 else end
        at, to = start, shown - 1
        if not same:
            at, to = index_of(handle, at), index_of(handle, to)
        if not get_box(handle, at, first) or not get_box(handle, to, last):
            continue
        left, bottom = min(one.left, two.left), min(one.bottom, two.bottom)
        right, top = max(one.right, two.right), max(one.top, two.top)
        if turned:
            left, top, right, bottom = turned_box(left, bottom, right, top, turned)
        else:
            top, bottom = -top, -bottom
        # What is no number compares as false, whatever is asked.
        sound = -_FURTHEST < left < right < _FURTHEST and abs(top) < _FURTHEST
        if sound and _LOWEST < bottom - top < _HIGHEST:
            words.append(Word(start, end, match[0], left, top, right, bottom))
    return words


def turned_box(
    left: float, bottom: float, right: float, top: float, turned: int
) -> tuple[float, float, float, float]:
    """Turn a box of the page's own space into one as it is shown: left, top, right, bottom."""
    if turned == 1:
        return bottom, left, top, right
    if turned == 2:
        return -right, bottom, -left, top
    if turned == 3:
        return -top, -right, -bottom, -left
    return left, -top, right, -bottom


def lines_of(words: Iterable[Word], space: float = SPACE) -> list[Line]:
    """Put words into lines by their height on the page, top down; a superscript is in its line."""
    rows: list[list[Word]] = []
    top = bottom = 0.0
    for word in sorted(words, key=_twice_the_middle):
        shared = min(word.bottom, bottom) - max(word.top, top)
        # A line has the words that overlap it by most of the lower one's height.
        if rows and shared > 0.55 * min(word.bottom - word.top, bottom - top):
            rows[-1].append(word)
            if word.bottom - word.top >= 0.7 * (bottom - top):
                top, bottom = min(top, word.top), max(bottom, word.bottom)
        else:
            rows.append([word])
            top, bottom = word.top, word.bottom
    return [_line(row, space) for row in rows]


def _twice_the_middle(word: Word) -> float:
    return word.top + word.bottom


def _line(words: list[Word], space: float) -> Line:
    words.sort(key=attrgetter("left"))
    heights = sorted([word.bottom - word.top for word in words])
    height = heights[len(heights) // 2]
    groups: list[list[Word]] = [[words[0]]]
    right = words[0].right
    for word in words[1:]:
        gap = word.left - right
        if gap > space * height or (
            gap > 0.45 * height and is_value(word.text) and is_value(groups[-1][-1].text)
        ):
            groups.append([word])
        else:
            groups[-1].append(word)
        right = max(right, word.right)
    chunks = tuple([chunk_of(group) for group in groups])
    top = min([chunk.top for chunk in chunks])
    return Line(chunks, top, max([chunk.bottom for chunk in chunks]), height)


def chunk_of(words: Sequence[Word]) -> Chunk:
    """Make a chunk of words from left to right."""
    if len(words) == 1:
        (word,) = words
        return Chunk((word,), word.left, word.right, word.top, word.bottom)
    return Chunk(
        tuple(words),
        words[0].left,
        max([word.right for word in words]),
        min([word.top for word in words]),
        max([word.bottom for word in words]),
    )


def refined(line: Line) -> Line:
    """Part the chunks of a line where a gap is wider than its spaces: heads may stand close.

    A line that then has a chunk of many words is prose, and stays as it is.
    """
    inner = [two.left - one.right for chunk in line.chunks for one, two in pairwise(chunk.words)]
    if len(inner) < 2:
        return line
    wide = max(_WIDER * max(min(inner), 0.12 * line.height), _LEAST_GAP * line.height)
    found: list[Chunk] = []
    for chunk in line.chunks:
        gaps = enumerate(pairwise(chunk.words), 1)
        cuts = [number for number, (one, two) in gaps if two.left - one.right > wide]
        bounds = pairwise([0, *cuts, len(chunk.words)])
        found.extend(chunk_of(chunk.words[a:b]) for a, b in bounds)
    if max(len(chunk.words) for chunk in found) > _MOST_OF_A_HEAD:
        return line
    return line._replace(chunks=tuple(found))
