"""The lines of one PDF page, each with the size of its type, as PDFium reads them.

Words that a producer set without spaces are set apart again, and text outside the page, which no
reader sees, is left out.
"""

import ctypes
import re
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.pdf.calls import address_of, pdfium_calls
from rag_assistant.ingest.parsing.pdf.characters import sizes_of_lines
from rag_assistant.ingest.parsing.pdf.columns import in_reading_order
from rag_assistant.ingest.parsing.pdf.footnotes import with_footnotes
from rag_assistant.ingest.parsing.pdf.hidden import HiddenLine, hidden_lines
from rag_assistant.ingest.parsing.pdf.tables.detect import tables_on
from rag_assistant.ingest.parsing.pdf.tables.placing import (
    PageTable,
    table_of,
    with_captions,
    without_words,
)

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

_LINE = re.compile(r"[^\r\n]+")
_MOST_OFF_PAGE = 0.02
_MOSTLY_GENERATED = 0.9
_WORD_GAP = 0.12  # of the height of the type, measured between loose boxes
_IMAGE_SHARE = 0.2
_GLUED = re.compile(r"\S{3,}")  # as long as two words without the space between them


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of a page and the size of each line's type in points, 0 where it is not known.

    `image`: no text, but an image over much of the page; `drawn`: no text, but anything else.
    `broken`: PDFium cannot read it. `hidden` are those of its lines that nobody sees. `tables` are
    taken out of the lines.
    """

    lines: tuple[str, ...]
    sizes: tuple[float, ...]
    image: bool = False
    drawn: bool = False
    broken: bool = False
    hidden: tuple[HiddenLine, ...] = ()
    tables: tuple[PageTable, ...] = ()

    @property
    def blank(self) -> bool:
        """Say whether there is no text on it."""
        return not (self.lines or self.tables)

    def without(self, numbers: Collection[int]) -> "PageLines":
        """Give the page without the lines of these numbers."""
        if not numbers:
            return self
        kept = [number for number in range(len(self.lines)) if number not in numbers]
        moved = {number: place for place, number in enumerate(kept)}
        return replace(
            self,
            lines=tuple(self.lines[number] for number in kept),
            sizes=tuple(self.sizes[number] for number in kept),
            hidden=tuple(
                replace(one, line=moved[one.line]) for one in self.hidden if one.line in moved
            ),
            tables=tuple(replace(one, line=bisect_left(kept, one.line)) for one in self.tables),
        )


def read_page(page: "PdfPage") -> PageLines:
    """Read the text of a page. Raises PdfiumError when the page cannot be read."""
    textpage = page.get_textpage()
    try:
        whole = textpage.get_text_range()
        if not whole.strip():
            return PageLines((), ())
        if (visible := _visible(textpage, whole)) is not None:
            return PageLines(visible, (0.0,) * len(visible))
        spans = [found.span() for found in _LINE.finditer(whole) if found[0].strip()]
        if max(whole) > "\uffff":  # PDFium counts in UTF-16 units: offsets would not agree
            unknown = (0.0,) * len(spans)
            hidden = hidden_lines(textpage, whole, spans, unknown)
            return PageLines(tuple(whole[a:b].rstrip() for a, b in spans), unknown, hidden=hidden)
        spans = in_reading_order(textpage, whole, spans)
        sizes = sizes_of_lines(textpage, whole, spans)
        order = with_footnotes(textpage, whole, spans, sizes)
        spans, sizes = [spans[n] for n in order], tuple(sizes[n] for n in order)
        hidden = hidden_lines(textpage, whole, spans, sizes)
        return _with_tables(textpage, whole, spans, PageLines((), sizes, hidden=hidden))
    finally:
        textpage.close()


def _with_tables(
    textpage: "PdfTextPage", whole: str, spans: list[tuple[int, int]], page: PageLines
) -> PageLines:
    """Give the lines of a page, and its tables apart from them; what nobody sees is in none."""
    unseen = {line.line for line in page.hidden}
    seen = [number for number in range(len(spans)) if number not in unseen]
    sizes_seen = [page.sizes[number] for number in seen]
    grids = tables_on(textpage, whole, [spans[number] for number in seen], sizes_seen)
    spaced = _sets_no_spaces(textpage, whole, spans)

    def written(start: int, end: int) -> str:
        return _spaced(textpage, whole[start:end], start) if spaced else whole[start:end]

    left, anchors = without_words(spans, grids)
    lines: list[str] = []
    sizes: list[float] = []
    numbers: list[int] = []  # of the line, as it now is, that each one begins at
    for (start, end), size, rest in zip(spans, page.sizes, left, strict=True):
        numbers.append(len(lines))
        if rest is None:
            line = written(start, end)
        else:
            line = " ".join(words for a, b in rest if (words := written(a, b).strip()))
        if line.strip():
            lines.append(line.rstrip())
            sizes.append(size)
    hidden = tuple(replace(line, line=numbers[line.line]) for line in page.hidden)
    tables = []
    for number, grid in sorted(anchors, key=lambda anchor: (anchor[0], anchor[1].top)):
        after = numbers[number + 1] if number + 1 < len(numbers) else len(lines)
        tables.append(PageTable(after, table_of(grid, written), grid.edges))
    return PageLines(
        tuple(lines),
        tuple(sizes),
        hidden=hidden,
        tables=tuple(with_captions(tables, lines)),
    )


def shows_images(page: "PdfPage") -> bool:
    """Say whether images cover much of a page, as in a scan."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    width, height = page.get_size()
    covered = 0.0
    for image in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = image.get_bounds()
        covered += abs(right - left) * abs(top - bottom)
    return bool(covered > _IMAGE_SHARE * width * height)


def shows_anything(page: "PdfPage") -> bool:
    """Say whether anything at all is put on a page."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    return bool(pdfium.FPDFPage_CountObjects(page) > 0)


def _visible(textpage: "PdfTextPage", whole: str) -> tuple[str, ...] | None:
    """Give the lines within the page's box when more than a little lies outside, else None."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    left, bottom, right, top = textpage.page.get_bbox()
    within = pdfium.FPDFText_GetBoundedText(textpage, left, top, right, bottom, None, 0)
    if within >= (1 - _MOST_OFF_PAGE) * len(whole):
        return None
    text = textpage.get_text_bounded()
    if _printed(text) >= (1 - _MOST_OFF_PAGE) * _printed(whole):
        return None  # only white space fewer
    return tuple(line.rstrip() for line in _LINE.findall(text) if line.strip())


def _printed(text: str) -> int:
    return sum(map(len, text.split()))


def _sets_no_spaces(textpage: "PdfTextPage", whole: str, spans: list[tuple[int, int]]) -> bool:
    """Say whether the spaces are PDFium's own, by one space of each line."""
    calls, handle = pdfium_calls(), address_of(textpage.raw)
    sampled = generated = 0
    for start, end in spans:
        space = whole.find(" ", start, end)
        if space < 0:
            continue
        sampled += 1
        index = calls.index_of(handle, space)
        generated += index >= 0 and calls.is_generated(handle, index) == 1
    return sampled > 0 and generated > _MOSTLY_GENERATED * sampled


def _spaced(textpage: "PdfTextPage", line: str, start: int) -> str:
    """Put a space wherever two characters of a word stand apart by more than letters do."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    calls = pdfium_calls()
    get_index, get_box = calls.index_of, calls.loose_box
    handle = address_of(textpage.raw)
    box = pdfium.FS_RECTF()
    given = ctypes.addressof(box)
    parts: list[str] = []
    done = 0
    for word in _GLUED.finditer(line):
        at = word.start()
        shift = get_index(handle, start + at) - at
        if shift + at < 0 or get_index(handle, start + word.end() - 1) - word.end() + 1 != shift:
            continue
        end_of_last: float | None = None
        for offset in range(at, word.end()):
            if not get_box(handle, shift + offset, given):
                end_of_last = None
                continue
            left = box.left
            gap = 0.0 if end_of_last is None else left - end_of_last
            if gap > 0 and gap > _WORD_GAP * abs(box.top - box.bottom):
                parts += line[done:offset], " "
                done = offset
            end_of_last = box.right
    return "".join([*parts, line[done:]])
