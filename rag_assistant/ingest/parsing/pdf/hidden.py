"""The lines of a PDF page that nobody sees: drawn invisibly, in white on white, or without size.

Invisible text over an image is what text recognition lays over a scan, a page whose text is mostly
invisible shows it by other means, and white text on a shape of another colour is a heading in a
bar: all are seen, in their way, and not told. What cannot be told counts as seen.
"""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from rag_assistant.ingest.parsing.markup.hidden_marks import (
    NOT_SHOWN,
    OF_THE_PAGES_COLOUR,
    TOO_SMALL,
)

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

SMALLEST = 1.5
"""Points of type from which on a person may read it."""

_LIGHTEST, _CLEAREST = 0xF5, 12
_LEAST = 4
_MOST_DEPTH, _MOST_SHAPES = 8, 5_000
_TEXT_LAYER = 0.5
"""Of the letters of a page: when so many are drawn invisibly, something else shows the words."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class HiddenLine:
    """The place of a line among those of its page, and why nobody sees it."""

    line: int
    reason: str


def hidden_lines(
    textpage: "PdfTextPage", whole: str, spans: Sequence[tuple[int, int]], sizes: Sequence[float]
) -> tuple[HiddenLine, ...]:
    """Judge lines by a letter at their beginning, middle and end; all three must be hidden.

    `spans` are offsets in `whole`, the text of the page as PDFium gave it.
    """
    found: list[HiddenLine] = []
    invisible = 0
    shapes: Sequence[tuple[Box, bool]] | None = None
    wide = max(whole, default="") > "\uffff"
    for number, (start, end) in enumerate(spans):
        if sum(map(str.isalnum, whole[start:end])) < _LEAST:
            continue
        if 0 < sizes[number] < SMALLEST:
            found.append(HiddenLine(number, TOO_SMALL))
            continue
        first = whole[start:end].find(whole[start:end].strip()[0]) + start
        index = _index(textpage, whole, first, wide=wide)
        if index >= 0 and _drawn(textpage, index) == "seen":
            continue
        letters = [_index(textpage, whole, at, wide=wide) for at in _sampled(whole, start, end)]
        drawn = {_drawn(textpage, index) for index in letters if index >= 0}
        if len(drawn) != 1 or drawn == {"seen"}:
            continue
        if shapes is None:
            shapes = list(islice(_shapes(textpage.page), _MOST_SHAPES + 1))
        if len(shapes) > _MOST_SHAPES:
            continue  # what is not looked at may lie behind it
        (how,) = drawn
        boxes = [_box(textpage, index) for index in letters if index >= 0]
        if not any(_covers(shape, box, how) for shape in shapes for box in boxes):
            reason = NOT_SHOWN if how == "invisible" else OF_THE_PAGES_COLOUR
            invisible += (end - start) * (how == "invisible")
            found.append(HiddenLine(number, reason))
    if invisible > _TEXT_LAYER * sum(end - start for start, end in spans):
        return tuple(line for line in found if line.reason != NOT_SHOWN)
    return tuple(found)


def _sampled(whole: str, start: int, end: int) -> list[int]:
    printed = [at for at in range(start, end) if not whole[at].isspace()]
    return [printed[0], printed[len(printed) // 2], printed[-1]] if printed else []


def _index(textpage: "PdfTextPage", whole: str, at: int, *, wide: bool) -> int:
    """Give PDFium's index of a character; it counts in UTF-16 units."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    offset = len(whole[:at].encode("utf-16-le", "surrogatepass")) // 2 if wide else at
    return int(pdfium.FPDFText_GetCharIndexFromTextIndex(textpage.raw, offset))


def _drawn(textpage: "PdfTextPage", index: int) -> str:
    """Say how a character is drawn: "seen", "invisible" or "white" (ISO 32000-1, 9.3.6)."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    handle = textpage.raw
    text = pdfium.FPDFText_GetTextObject(handle, index)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(text) if text else 0
    if mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE:
        return "invisible"
    parts = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFText_GetFillColor(handle, index, *map(ctypes.byref, parts)):
        return "seen"
    red, green, blue, alpha = (part.value for part in parts)
    filled = mode in (pdfium.FPDF_TEXTRENDERMODE_FILL, pdfium.FPDF_TEXTRENDERMODE_FILL_CLIP)
    if filled and alpha <= _CLEAREST:
        return "invisible"
    return "white" if filled and min(red, green, blue) >= _LIGHTEST else "seen"


def _box(textpage: "PdfTextPage", index: int) -> Box:
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    box = pdfium.FS_RECTF()
    if not pdfium.FPDFText_GetLooseCharBox(textpage, index, box):
        return 0.0, 0.0, 0.0, 0.0
    return box.left, box.bottom, box.right, box.top


def _shapes(page: "PdfPage") -> Iterator[tuple[Box, bool]]:
    """Give what is drawn on a page besides text: its bounds, and whether it is an image."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    kinds = [
        pdfium.FPDF_PAGEOBJ_IMAGE,
        pdfium.FPDF_PAGEOBJ_PATH,
        pdfium.FPDF_PAGEOBJ_SHADING,
    ]
    for shape in page.get_objects(filter=kinds, max_depth=_MOST_DEPTH):
        is_image = shape.type == pdfium.FPDF_PAGEOBJ_IMAGE
        if is_image or shape.type == pdfium.FPDF_PAGEOBJ_SHADING or _has_colour(shape.raw):
            left, bottom, right, top = shape.get_bounds()
            yield (left, bottom, right, top), is_image


def _has_colour(shape: Any) -> bool:
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    parts = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(shape, *parts):
        return True  # a pattern
    return min(part.value for part in parts[:3]) < _LIGHTEST and parts[3].value > _CLEAREST


def _covers(shape: tuple[Box, bool], box: Box, how: str) -> bool:
    """Whether a shape lies where a letter is and makes it seen; an image alone does for any."""
    (left, bottom, right, top), is_image = shape
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return (is_image or how == "white") and left <= x <= right and bottom <= y <= top
