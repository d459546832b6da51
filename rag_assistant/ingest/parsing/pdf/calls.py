"""PDFium's functions that are asked for each character or object of a page.

They take plain addresses (`address_of`, `ctypes.addressof`): ctypes then makes no pointers, and
needs half the time.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

_Call = Callable[..., int]


@dataclass(frozen=True, slots=True)
class PdfiumCalls:
    """The functions, in the order of their arguments in fpdf_text.h and fpdf_edit.h.

    Those for objects give an address, None for none; the others a number.
    """

    index_of: _Call
    loose_box: _Call
    is_generated: _Call
    rect: _Call
    page_object: Callable[..., int | None]
    form_object: Callable[..., int | None]
    kind_of: _Call


@cache
def pdfium_calls() -> PdfiumCalls:
    """Give the functions; the library loads with the first call."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    whole, place = ctypes.c_int, ctypes.c_void_p
    return PdfiumCalls(
        _call(pdfium.FPDFText_GetCharIndexFromTextIndex, whole, place, whole),
        _call(pdfium.FPDFText_GetLooseCharBox, whole, place, whole, place),
        _call(pdfium.FPDFText_IsGenerated, whole, place, whole),
        _call(pdfium.FPDFText_GetRect, whole, place, whole, *[place] * 4),
        _call(pdfium.FPDFPage_GetObject, place, place, whole),
        _call(pdfium.FPDFFormObj_GetObject, place, place, ctypes.c_ulong),
        _call(pdfium.FPDFPageObj_GetType, whole, place),
    )


def _call(function: Any, *types: Any) -> Callable[..., Any]:
    return ctypes.PYFUNCTYPE(*types)(address_of(function))


def address_of(pointer: Any) -> int:
    """Give the address that a pointer of ctypes, or a function, has."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0
