"""The size of the type of a PDF page's characters: many files write size 1 and scale it by the
matrix, so both count.
"""

import ctypes
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage


def size_of_type(textpage: "PdfTextPage", at: int) -> float:
    """Give the size in points of the character at a place of a page's text; 0 if not known."""
    return sizes_of_type(textpage, [(at, at + 1)])[0]


def sizes_of_type(textpage: "PdfTextPage", places: Iterable[tuple[int, int]]) -> tuple[float, ...]:
    """Give for each span the size in points of its first character that has one, 0 if none has."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    handle = textpage.raw
    index_of, get_matrix = pdfium.FPDFText_GetCharIndexFromTextIndex, pdfium.FPDFText_GetMatrix
    matrix = pdfium.FS_MATRIX()
    given = ctypes.byref(matrix)
    sizes: list[float] = []
    for start, end in places:
        size = 0.0
        for offset in range(start, end):
            index = index_of(handle, offset)
            if index >= 0 and get_matrix(handle, index, given):
                scale = (matrix.c**2 + matrix.d**2) ** 0.5
                size = round(pdfium.FPDFText_GetFontSize(handle, index) * scale, 1)
                break
        sizes.append(size)
    return tuple(sizes)


def sizes_of_lines(
    textpage: "PdfTextPage", whole: str, spans: Sequence[tuple[int, int]]
) -> tuple[float, ...]:
    """Measure the type of lines, each at the first printed character from its middle on."""
    return sizes_of_type(textpage, (_middle(whole, *span) for span in spans))


def _middle(whole: str, start: int, end: int) -> tuple[int, int]:
    middle = (start + end) // 2
    while middle < end - 1 and whole[middle].isspace():
        middle += 1
    return middle, min(end, middle + 3)
