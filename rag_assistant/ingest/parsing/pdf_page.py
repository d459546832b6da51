"""The lines of one PDF page, each with the size of its type, as PDFium reads them.

Words that a producer set without spaces are set apart again, and text outside the page, which no
reader sees, is left out.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.pdf_columns import in_reading_order
from rag_assistant.ingest.parsing.pdf_hidden import HiddenLine, hidden_lines

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

_LINE = re.compile(r"[^\r\n]+")
_MOST_OFF_PAGE = 0.02
_MOSTLY_GENERATED = 0.9
_WORD_GAP = 0.12  # of the height of the type, measured between loose boxes
_IMAGE_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of a page and the size of each line's type in points, 0 where it is not known.

    `image`: no text, but an image over much of the page. `broken`: PDFium cannot read it. `hidden`
    are those of its lines that nobody sees.
    """

    lines: tuple[str, ...]
    sizes: tuple[float, ...]
    image: bool = False
    broken: bool = False
    hidden: tuple[HiddenLine, ...] = ()

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
        sizes = tuple(_size(textpage, *_middle(whole, *span)) for span in spans)
        if _sets_no_spaces(textpage, whole, spans):
            lines = [_spaced(textpage, whole[a:b], a) for a, b in spans]
        else:
            lines = [whole[a:b] for a, b in spans]
        hidden = hidden_lines(textpage, whole, spans, sizes)
        return PageLines(tuple(line.rstrip() for line in lines), sizes, hidden=hidden)
    finally:
        textpage.close()


def shows_images(page: "PdfPage") -> bool:
    """Say whether images cover much of a page, as in a scan."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    width, height = page.get_size()
    covered = 0.0
    for image in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = image.get_bounds()
        covered += abs(right - left) * abs(top - bottom)
    return bool(covered > _IMAGE_SHARE * width * height)


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


def _middle(whole: str, start: int, end: int) -> tuple[int, int]:
    """Choose a printed character of a line to measure: (offset, offset of the line's end)."""
    middle = (start + end) // 2
    while middle < end - 1 and whole[middle].isspace():
        middle += 1
    return middle, end


def _size(textpage: "PdfTextPage", position: int, end: int) -> float:
    """Measure the type at an offset: many files write size 1 and scale it by the matrix."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    matrix = pdfium.FS_MATRIX()
    for offset in range(position, min(end, position + 3)):
        index = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, offset)
        if index >= 0 and pdfium.FPDFText_GetMatrix(textpage, index, matrix):
            size = pdfium.FPDFText_GetFontSize(textpage, index)
            return float(round(size * (matrix.c**2 + matrix.d**2) ** 0.5, 1))
    return 0.0


def _sets_no_spaces(textpage: "PdfTextPage", whole: str, spans: list[tuple[int, int]]) -> bool:
    """Say whether the spaces are PDFium's own, by one space of each line."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    sampled = generated = 0
    for start, end in spans:
        space = whole.find(" ", start, end)
        if space < 0:
            continue
        sampled += 1
        index = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, space)
        generated += index >= 0 and pdfium.FPDFText_IsGenerated(textpage, index) == 1
    return sampled > 0 and generated > _MOSTLY_GENERATED * sampled


def _spaced(textpage: "PdfTextPage", line: str, start: int) -> str:
    """Put a space wherever two characters of a line stand apart by more than letters do."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    box = pdfium.FS_RECTF()
    parts: list[str] = []
    end_of_last: float | None = None
    for offset, character in enumerate(line, start):
        if character.isspace():
            end_of_last = None
        else:
            index = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, offset)
            if index < 0 or not pdfium.FPDFText_GetLooseCharBox(textpage, index, box):
                end_of_last = None
            else:
                gap = None if end_of_last is None else box.left - end_of_last
                if gap is not None and gap > _WORD_GAP * abs(box.top - box.bottom):
                    parts.append(" ")
                end_of_last = box.right
        parts.append(character)
    return "".join(parts)
