"""The size of the type of a PDF page's characters: many files write size 1 and scale it by the
matrix, so both count.
"""

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage


def size_of_type(textpage: "PdfTextPage", start: int, end: int) -> float:
    """Give the size in points of the first character that has one, from `start` of a page's text
    up to `end`; 0 where none has.
    """
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    matrix = pdfium.FS_MATRIX()
    given = ctypes.byref(matrix)
    for offset in range(start, end):
        index = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage.raw, offset)
        if index >= 0 and pdfium.FPDFText_GetMatrix(textpage.raw, index, given):
            scale = (matrix.c**2 + matrix.d**2) ** 0.5
            return round(float(pdfium.FPDFText_GetFontSize(textpage.raw, index) * scale), 1)
    return 0.0


def sizes_of_lines(
    textpage: "PdfTextPage", whole: str, spans: Sequence[tuple[int, int]]
) -> tuple[float, ...]:
    """Measure the type of lines, each in its middle."""
    sizes: list[float] = []
    for start, end in spans:
        middle = (start + end) // 2
        while middle < end - 1 and whole[middle].isspace():
            middle += 1
        sizes.append(size_of_type(textpage, middle, min(end, middle + 3)))
    return tuple(sizes)
