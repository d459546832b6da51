"""A defect of the interface: a file for those who mend it, and one paragraph for the person.

The file says where the program failed, and nothing of documents, questions or settings beyond what
the error itself says. Keys from the environment are taken out of that, too.
"""

import os
import platform
import traceback
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from rag_assistant import __version__
from rag_assistant.files.private_files import private_folder, write_private
from rag_assistant.text.safe_text import clean, clean_line

CRASHED = 70
"""The exit code: an internal error of the software (EX_SOFTWARE of sysexits.h)."""

FOLDER = "crashes"
"""Where reports are written, in the home directory."""

LEAST_SECRET = 8
"""Characters; shorter values are words that may stand anywhere."""

_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD")


def write_report(home: Path, error: BaseException) -> Path:
    """Write a report; give its path. Raises OSError."""
    path = home / FOLDER / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.txt"
    private_folder(path.parent)
    told = "".join(traceback.format_exception(error))
    where = (
        f"rag-assistant {__version__}, Python {platform.python_version()}, {platform.platform()}"
    )
    write_private(path, f"{where}\n\n{without_keys(clean(told))}")
    return path


def without_keys(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Put the name of an environment variable that holds a secret in the place of its value."""
    for name, value in environ.items():
        if name.upper().endswith(_SECRET) and len(value) >= LEAST_SECRET:
            text = text.replace(value, f"[{name}]")
    return text


def paragraph(error: BaseException, report: Path | None, kept: bool) -> str:
    """Say what happened, what is kept and what to do, as one line."""
    what = without_keys(clean_line(f"{type(error).__name__}: {error}"))[:200]
    lost = "" if kept else " What you had not sent could not be kept."
    safe = " What you had written is kept: the next start offers it." if kept else lost
    where = f" Report: {clean_line(str(report))}" if report else " No report could be written."
    return f"rag-assistant met a defect of its own and ended ({what}).{safe}{where}"
