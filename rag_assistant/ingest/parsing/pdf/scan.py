"""The pages of a PDF that are images, read by text recognition: each is drawn in grey, recognised,
and forgotten before the next one.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.parsing.images import ocr
from rag_assistant.ingest.parsing.pdf.page import PageLines

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

_MOST_PAGES = 50
_DPI = 200
_PAGE_SECONDS = 60.0
_POINTS_PER_INCH = 72


def recognised(
    pages: list[PageLines],
    opened: Callable[[], AbstractContextManager["PdfDocument"]],
    tesseract: ocr.Recognizer,
) -> tuple[list[PageLines], list[int]]:
    """Give the pages with the text of those that are images, and the indices of those read.

    The first 50 are tried, as long as the time of `ocr.MOST_SECONDS` allows. `opened` gives the
    document to one thread; it is not held while a page is recognised, which takes seconds.
    """
    from pypdfium2 import PdfiumError  # noqa: PLC0415

    deadline = monotonic() + ocr.MOST_SECONDS
    read: list[int] = []
    pages = list(pages)
    for index in [index for index, page in enumerate(pages) if page.image][:_MOST_PAGES]:
        if monotonic() >= deadline:
            break
        try:
            with opened() as pdf:
                image = _drawn(pdf[index])
            text = tesseract.read(image, min(deadline, monotonic() + _PAGE_SECONDS), _DPI)
        except (LoadError, PdfiumError):  # one bad page; it stays among those without text
            continue
        if any(map(str.isalnum, text)):
            lines = (*text.split("\n"), *pages[index].lines)
            pages[index] = replace(
                pages[index], lines=lines, sizes=(0.0,) * len(lines), image=False
            )
            read.append(index)
    return pages, read


def _drawn(page: "PdfPage") -> bytes:
    """Draw a page as a portable graymap, at 200 dots an inch or as many as the limit allows."""
    width, height = (max(side, 1.0) for side in page.get_size())
    most = (0.95 * ocr.MOST_PIXELS / (width * height)) ** 0.5
    bitmap = page.render(
        scale=min(_DPI / _POINTS_PER_INCH, most), grayscale=True, may_draw_forms=False
    )
    try:
        rows = memoryview(bitmap.buffer).cast("B")
        stride, wide, high = bitmap.stride, bitmap.width, bitmap.height
        lines = (rows[row * stride : row * stride + wide] for row in range(high))
        return b"P5 %d %d 255\n" % (wide, high) + b"".join(lines)
    finally:
        bitmap.close()
        page.close()
