"""Footnotes of a PDF page put after the paragraphs that have their marks, and captions of figures
after those that they interrupt: at the foot of a column or beside a figure they stand between the
halves of a sentence. Lines are put into another order and nothing else; where anything is in doubt,
they stay.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.pdf.characters import size_of_type
from rag_assistant.ingest.parsing.pdf.columns import extents

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

Span = tuple[int, int]

_SMALLER = 0.93  # of the usual size, at most, that footnotes are set in
_RAISED = 0.8  # of the usual size, at most, that a mark is set in
_MARK = r"(\d{1,2}|[*†‡§¶]{1,3})"
_BEGINS = re.compile(rf"\s*{_MARK}\s?(?=[^\W\d_]|[“\"(‘])")
_AT_START = re.compile(rf"\s*{_MARK}(?=[^\w*†‡§¶.)]|$)")
_BEHIND_WORDS = re.compile(rf"(?<=[^\s\d]) ?{_MARK}(?![\w*†‡§¶])")
_CAPTION = re.compile(
    r"\s*(?:fig(?:ure|ura|\.)?|abb(?:ildung|\.)?|chart|diagram|plate|photo|scheme|map)"
    r"\s+(?:\d{1,3}|[A-Z]\.?\d{0,3}|[IVX]{1,5})(?:[.\-–]\d{1,3})*[a-z]?\s*[.:|–—-]\s*\S",
    re.IGNORECASE,
)
_MOST_LINES = 12  # of one footnote or caption
_MOST_OF_A_PAGE = 0.4
_STOP = re.compile(rf"[.!?:;][”’\"')\]]*\s*{_MARK}?\s*$")
_SHORT = 0.1  # of its column's width that the last line of a paragraph leaves free, at least
_INDENT, _MOST_INDENTED = 5.0, 40.0  # points
_EDGE = 0.9  # share of the lines of a column that end before its right edge, or at it


def with_footnotes(
    textpage: "PdfTextPage", whole: str, spans: Sequence[Span], sizes: Sequence[float]
) -> list[int]:
    """Give the numbers of a page's lines in order, footnotes behind what they are notes on, and
    captions behind the paragraph that they stand in.

    `spans` are the lines of `whole`, the text of the page, with the sizes of their type.
    """
    order = list(range(len(spans)))
    usual = _usual(spans, sizes)
    notes = _notes(whole, spans, sizes, usual)
    noted = {line for lines, _ in notes for line in lines}
    captions = [
        # One that begins the page interrupts nothing.
        one
        for one in _captions(whole, spans, sizes, usual)
        if one[0] and noted.isdisjoint(one)
    ]
    if not (notes or captions):
        return order
    taken = noted.union(*captions)
    page = _NotedPage(textpage, whole, spans, sizes, usual, [n for n in order if n not in taken])
    behind: dict[int, list[int]] = {}
    for lines in captions:
        before = max((line for line in page.text if line < lines[0]), default=None)
        if before is None:
            return order
        after = page.end_from(before)
        behind.setdefault(before if after is None else after, []).extend(lines)
    for lines, mark in notes:
        after = page.paragraph_end(mark)
        if after is None:  # it stays behind the line that it stood behind
            after = max((line for line in page.text if line < lines[0]), default=None)
        if after is None:
            return order
        behind.setdefault(after, []).extend(lines)
    return [number for line in page.text for number in (line, *behind.get(line, ()))]


def _usual(spans: Sequence[Span], sizes: Sequence[float]) -> float:
    """Give the size that most of a page is set in, 0 where none is known."""
    counts = Counter[float]()
    for (start, end), size in zip(spans, sizes, strict=True):
        counts[size] += end - start
    del counts[0.0]
    return counts.most_common(1)[0][0] if counts else 0.0


def _notes(
    whole: str, spans: Sequence[Span], sizes: Sequence[float], usual: float
) -> list[tuple[list[int], str]]:
    """Give the footnotes of a page, each with the numbers of its lines and its mark."""
    notes: list[tuple[list[int], str]] = []
    size = 0.0  # of the type of the footnote that goes on
    for number, (span, own) in enumerate(zip(spans, sizes, strict=True)):
        begins = None
        if _RAISED * usual * _RAISED < own <= _SMALLER * usual:
            begins = _BEGINS.match(whole, *span)
        if begins is not None:
            notes.append(([number], begins[1]))
            size = own
        elif size and size == own:
            notes[-1][0].append(number)
        else:
            size = 0.0
    marks = [mark for _, mark in notes]
    numbers = [int(mark) for mark in marks if mark.isdecimal()]
    sound = (
        sum(len(note) for note, _ in notes) <= _MOST_OF_A_PAGE * len(spans)
        and all(len(note) <= _MOST_LINES for note, _ in notes)
        and len(set(marks)) == len(marks)
        and numbers == sorted(numbers)
    )
    return notes if sound else []


def _captions(
    whole: str, spans: Sequence[Span], sizes: Sequence[float], usual: float
) -> list[list[int]]:
    """Give the captions of figures that are set in other type than the text: their lines."""
    captions: list[list[int]] = []
    for number, (span, own) in enumerate(zip(spans, sizes, strict=True)):
        last = captions[-1] if captions else []
        if own and own < usual and _CAPTION.match(whole, *span):
            captions.append([number])
        elif last and number == last[-1] + 1 and own == sizes[last[0]]:
            last.append(number)
    return [lines for lines in captions if len(lines) <= _MOST_LINES]


@dataclass(frozen=True)
class _NotedPage:
    """A page with footnotes or captions.

    `text` are the numbers of its other lines, `usual` is the size that most are set in.

    PDFium begins a line at a raised mark, which may be all of it.
    """

    textpage: "PdfTextPage"
    whole: str
    spans: Sequence[Span]
    sizes: Sequence[float]
    usual: float
    text: Sequence[int]

    @cached_property
    def edges(self) -> dict[int, tuple[float, float]]:
        """The left and right edges of the lines of the usual size."""
        return {
            line: extents(self.textpage, self.spans[line])
            for line in self.text
            if self.sizes[line] == self.usual
        }

    @cached_property
    def marks(self) -> list[tuple[str, int]]:
        """The raised marks in the text, each with its place in `text`."""
        found = []
        for at, line in enumerate(self.text):
            start, end = self.spans[line]
            words = self.whole[start:end]
            first = _AT_START.match(words)
            for mark in filter(None, (first, *_BEHIND_WORDS.finditer(words))):
                place = start + mark.start(1)
                if 0 < size_of_type(self.textpage, place) <= _RAISED * self.usual:
                    found.append((mark[1], at))
        return found

    def paragraph_end(self, mark: str) -> int | None:
        """Give the last line of the paragraph that has a mark, if just one does and it ends."""
        places = [at for found, at in self.marks if found == mark]
        return self._end_from(places[0]) if len(places) == 1 else None

    def end_from(self, line: int) -> int | None:
        """Give the last line of the paragraph that a line is of; None where no end is told."""
        return self._end_from(self.text.index(line))

    def _end_from(self, place: int) -> int | None:
        for at in range(place, len(self.text)):
            if self._ends(at):
                return self.text[at]
            line = self.text[at]
            if line not in self.edges and not self._is_mark(line):
                return None  # a heading, or what is no prose, within a paragraph
        return None

    def _is_mark(self, line: int) -> bool:
        """Say whether a line is no more than a raised mark."""
        found = _AT_START.match(self.whole, *self.spans[line])
        return found is not None and not self.whole[found.end() : self.spans[line][1]].strip()

    def _ends(self, at: int) -> bool:
        """Say whether a paragraph ends with a line, given its place in the text."""
        line = self.text[at]
        if self._is_mark(line):
            return at > 0 and self._ends_before(self.text[at - 1], at + 1)
        following = self.text[at + 1] if at + 1 < len(self.text) else None
        if following is not None and _AT_START.match(self.whole, *self.spans[following]):
            return False  # its mark follows
        return self._ends_before(line, at + 1)

    def _ends_before(self, line: int, at: int) -> bool:
        """Say whether a line ends a paragraph, given the place of what is then read."""
        if line not in self.edges or not _STOP.search(self.whole, *self.spans[line]):
            return False
        following = self.text[at] if at < len(self.text) else None
        if following not in self.edges:
            return True
        left, right = self.edges[line]
        column = [(a, b) for a, b in self.edges.values() if a < right and b > left]
        first = min(a for a, _ in column)
        last = sorted(b for _, b in column)[int(_EDGE * (len(column) - 1))]
        indented = _INDENT < self.edges[following][0] - first < _MOST_INDENTED
        return indented or right < last - _SHORT * (last - first)
