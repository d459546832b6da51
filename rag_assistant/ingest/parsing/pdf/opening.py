"""Opening a PDF, of one that is encrypted or broken saying which; one thread reads at a time."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_PDFIUM = threading.Lock()  # PDFium is not thread-safe: it then fails with false format errors
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD of fpdfview.h


@contextmanager
def opened(data: bytes) -> Iterator["PdfDocument"]:
    """Open a document for this thread alone; the others wait for its end."""
    with _PDFIUM, _unlocked(data) as pdf:
        yield pdf


@contextmanager
def _unlocked(data: bytes) -> Iterator["PdfDocument"]:
    import pypdfium2  # noqa: PLC0415  its library loads with it; only PDF files should cost that

    header = data.find(b"%PDF-")
    attempts = [data]
    if header > 0:
        attempts.append(data[header:])
    elif header < 0:
        attempts.append(b"%PDF-1.7\n" + data)
    said = ""
    for attempt in attempts:
        try:
            pdf = pypdfium2.PdfDocument(attempt)
            break
        except pypdfium2.PdfiumError as error:
            if error.err_code == _PASSWORD_ERROR:
                raise LoadError(
                    "password-protected", hint="Save a copy without a password."
                ) from None
            said = said or str(error)
    else:
        reason = re.sub(r".*PDFium: |[().]+$", "", said).lower()
        if reason in ("", "success", "unknown error"):  # depends on what was read before
            reason = "data format error"
        raise LoadError(f"broken PDF: {reason}", hint="Open it and save it anew.")
    try:
        yield pdf
    finally:
        pdf.close()
