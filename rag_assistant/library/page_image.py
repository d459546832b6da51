"""A page of a PDF as a picture, with the words that were cited marked where the page has them."""

import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import ImageError
from rag_assistant.ingest.loaders.pdf import opened

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

MOST_BYTES = 500 * 1024**2
LONGEST_SIDE = 4_000
"""Pixels of a picture's side at most: a page may be as large as it says."""

_MARK = (255, 226, 110)
_EDGE = (214, 150, 40)

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, each as a share of the page."""


@dataclass(frozen=True, slots=True)
class PageImage:
    """A picture as PNG, and the boxes of the words in it, in order; none where they are not found.

    `number` counts from 1 to `pages`.
    """

    png: bytes
    number: int
    pages: int
    boxes: tuple[Box, ...] = ()


def page_image(file: Path, number: int, words: str, width: int) -> PageImage:
    """Draw a page, `width` pixels wide. It blocks: call it in a thread.

    Raises ImageError where the page is not there or Pillow is not, LoadError for a damaged file.
    """
    try:
        from PIL import Image, ImageChops, ImageDraw  # noqa: PLC0415 - an extra, and slow to load
    except ImportError:
        raise ImageError(
            "Pictures of pages need the extra 'images'.",
            hint=f"Run `{how_to_add('images')}`.",
        ) from None
    with opened(_bytes(file)) as pdf:
        page = _page(pdf, file, number)
        across, down = page.get_size()
        scale = min(width / max(across, 1), LONGEST_SIDE / max(across, down, 1))
        drawn = page.render(scale=scale)
        size = (drawn.width, drawn.height)
        pixels = drawn.to_pil().convert("RGB")
        boxes = tuple(_boxes(page, words))
        count = len(pdf)
    if boxes:
        layer = Image.new("RGB", size, "white")
        pen = ImageDraw.Draw(layer)
        for box in boxes:
            corners = [box[0] * size[0], box[1] * size[1], box[2] * size[0], box[3] * size[1]]
            pen.rectangle(corners, fill=_MARK, outline=_EDGE)
        pixels = ImageChops.multiply(pixels, layer)  # as a pen does: what is black stays so
    kept = io.BytesIO()
    pixels.save(kept, "PNG")
    return PageImage(kept.getvalue(), number, count, boxes)


def _bytes(file: Path) -> bytes:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ImageError(f"{file.name} is too large for a picture.", hint="o opens the file.")
        return file.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ImageError(f"{file.name} cannot be read: {reason}.", hint="Is it there?") from error


def _page(pdf: "PdfDocument", file: Path, number: int) -> "PdfPage":
    from pypdfium2 import PdfiumError  # noqa: PLC0415 - its library loads with it

    if not 1 <= number <= len(pdf):
        raise ImageError(
            f"{file.name} has no page {number}: it has {len(pdf)}.",
            hint="F5 reads the file again.",
        )
    try:
        return pdf[number - 1]
    except PdfiumError:
        raise ImageError(
            f"Page {number} of {file.name} is damaged.", hint="o opens the file."
        ) from None


def _boxes(page: "PdfPage", words: str) -> list[Box]:
    """Find where words stand on a page, whatever white space is between them there."""
    wanted = words.split()
    if not wanted:
        return []
    text = page.get_textpage()
    written = text.get_text_range()
    pattern = r"[\s\ufffe\u0002-]*".join(map(re.escape, wanted))
    found = re.search(pattern, written)
    if found is None:
        return []
    left, bottom, right, top = page.get_bbox()
    across, down = max(right - left, 1), max(top - bottom, 1)
    boxes: list[Box] = []
    count = text.count_rects(found.start(), found.end() - found.start())
    for number in range(count):
        x, low, end, high = text.get_rect(number)
        box = ((x - left) / across, (top - high) / down, (end - left) / across, (top - low) / down)
        boxes.append(box)
    return boxes
