"""Ending the process at once: threads that wait for a line, or search, can be ended no other way.

What is to last is on the disk by then.
"""

import os
import signal
from types import FrameType
from typing import NoReturn

from rag_assistant.library.pattern_search import end_workers


def end_at_once(code: int = 0) -> NoReturn:
    """End, with the children that try regular expressions."""
    end_workers()
    os._exit(code)


def end_on_signals() -> None:
    """End so when asked to from outside."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), _end)


def _end(number: int, _: FrameType | None) -> None:
    end_at_once(128 + number)
