"""The process that draws a page of a PDF: a file that nobody has looked at may want any memory and
any time for it, and must not get them from the interface.

It is started by `page_image` as `python -m rag_assistant.library.page_drawing`; the order comes in
on standard input as JSON, and the picture, or why there is none, goes out in the same form.
"""

import io
import json
import os
import re
import sys
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_assistant.errors import ImageError, RagError
from rag_assistant.files.process_limits import limit_memory, limit_time
from rag_assistant.ingest.parsing.pdf.opening import opened
from rag_assistant.library.page_image import Box

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

LONGEST_SIDE = 4_000
"""Pixels of a picture's side at most: a page may be as large as it says."""

_MARK = (255, 226, 110)
_EDGE = (214, 150, 40)


def main() -> None:
    """Draw the page that is asked for."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no picture
    order = json.loads(sys.stdin.buffer.read())
    limit_memory(order["memory"])
    limit_time(order["seconds"])
    try:
        answer = _drawn(Path(order["file"]), order["page"], order["words"], order["width"])
    except RagError as error:
        answer = {"error": error.message, "hint": error.hint}
    except MemoryError:
        answer = {"error": "The page takes more memory than one may."}
    out.write(json.dumps(answer).encode())
    out.flush()


def _drawn(file: Path, number: int, words: str, width: int) -> dict[str, Any]:
    from PIL import Image, ImageChops, ImageDraw  # noqa: PLC0415 - an extra, and slow to load

    with opened(file.read_bytes()) as pdf:
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
    return {"png": b64encode(kept.getvalue()).decode(), "pages": count, "boxes": boxes}


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


if __name__ == "__main__":
    main()
