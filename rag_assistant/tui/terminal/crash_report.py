"""A defect of the interface: a file for those who mend it, and one paragraph for the person.

The file says where the program failed, and nothing of documents, questions or settings beyond what
the error itself says.
"""

import platform
import traceback
from datetime import datetime
from pathlib import Path

from rag_assistant import __version__
from rag_assistant.safe_text import clean, clean_line

CRASHED = 70
"""The exit code: an internal error of the software (EX_SOFTWARE of sysexits.h)."""

FOLDER = "crashes"
"""Where reports are written, in the home directory."""


def write_report(home: Path, error: BaseException) -> Path:
    """Write a report; give its path. Raises OSError."""
    path = home / FOLDER / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    told = "".join(traceback.format_exception(error))
    where = (
        f"rag-assistant {__version__}, Python {platform.python_version()}, {platform.platform()}"
    )
    path.write_text(f"{where}\n\n{clean(told)}", encoding="utf-8", errors="replace")
    return path


def paragraph(error: BaseException, report: Path | None, kept: bool) -> str:
    """Say what happened, what is kept and what to do, as one line."""
    what = clean_line(f"{type(error).__name__}: {error}")[:200]
    lost = "" if kept else " What you had not sent could not be kept."
    safe = " What you had written is kept: the next start offers it." if kept else lost
    where = f" Report: {clean_line(str(report))}" if report else " No report could be written."
    return f"rag-assistant met a defect of its own and ended ({what}).{safe}{where}"
