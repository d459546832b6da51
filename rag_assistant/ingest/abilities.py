"""What this installation can read beyond the light formats, so that a new ability is noticed.

Files that failed for want of a parser or a recogniser are read again when that was installed.
"""

import shutil
from importlib.util import find_spec

from rag_assistant.ingest.parsing.images.ocr import has_rapidocr

EXTRA_MODULES = ("olefile", "python_calamine", "zstandard")
"""The modules of the extra `formats`."""

CODE_MODULE = "tree_sitter"
"""The module of the extra `code` that all its grammars need."""


def abilities() -> str:
    """Name what is there, in a form to be kept and compared."""
    there = [module for module in (*EXTRA_MODULES, CODE_MODULE) if find_spec(module)]
    if shutil.which("tesseract"):
        there.append("tesseract")
    if has_rapidocr():
        there.append("rapidocr")
    return " ".join(there)
