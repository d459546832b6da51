"""What is written on a PDF page besides its content: the values filled into its form, with their
labels, and the notes people put on it. PDFium's text of a page has neither.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_MOST_NOTES = 2_000  # of a page
_LONGEST = 20_000  # characters of one
_MOST_TEXT = 200_000  # characters of a page


def notes_of(page: "PdfPage") -> tuple[str, ...]:
    """Give a line for each filled field, `label: value`, then those of the annotations in order.

    Hidden ones are left out, as nobody sees them; so are links and the windows of other notes.
    """
    values: list[str] = []
    notes: list[str] = []
    length = 0
    for kind, text in _annotations(page):
        length += len(text)
        if length > _MOST_TEXT:
            break
        (values if kind == "field" else notes).extend(_lines(text))
    return (*values, *notes)


def _annotations(page: "PdfPage") -> Iterator[tuple[str, str]]:
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    unread = {pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP}
    unseen = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_NOTES)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind in unread or pdfium.FPDFAnnot_GetFlags(annotation) & unseen:
                continue
            if kind == pdfium.FPDF_ANNOT_WIDGET:
                if value := _string(annotation, b"V"):
                    label = _string(annotation, b"TU") or _string(annotation, b"T")
                    yield "field", f"{label}: {value}" if label else value
            elif said := _string(annotation, b"Contents"):
                author = _string(annotation, b"T")
                yield "note", f"Note by {author}: {said}" if author else f"Note: {said}"
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _string(annotation: Any, key: bytes) -> str:
    """Read a text of an annotation's dictionary (UTF-16, and a NUL at its end)."""
    import ctypes  # noqa: PLC0415  of which pypdfium2 is made, and nothing else here

    import pypdfium2.raw as pdfium  # noqa: PLC0415

    size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pointer = ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR))
    pdfium.FPDFAnnot_GetStringValue(annotation, key, pointer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "ignore").strip()[:_LONGEST]


def _lines(text: str) -> list[str]:
    return [folded for line in text.splitlines() if (folded := " ".join(line.split()))]
