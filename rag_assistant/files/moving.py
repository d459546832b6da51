"""Files put in one another's place and deleted, also where the system does not let open ones go.

Windows refuses both for a file that any program has open: another copy of this one, what looks for
viruses, what indexes the disk. Most of them let go of it within a moment.
"""

import time
from collections.abc import Callable
from pathlib import Path

from rag_assistant.errors import RagError

PATIENCE = 5.0
"""Seconds that are waited for whoever has a file open; a search lets go of it after two."""

_HELD = (5, 32)
"""ERROR_ACCESS_DENIED, of a file that is to be replaced, and ERROR_SHARING_VIOLATION."""


class FileInUse(RagError):
    """A file cannot be moved or deleted while another program has it open."""


def move(source: Path, target: Path) -> None:
    """Give a file the place of another, or a free one, in one step. Raises OSError, FileInUse."""
    _patiently(target if target.exists() else source, lambda: source.replace(target))


def delete(path: Path) -> None:
    """Delete a file if it is there. Raises OSError, FileInUse."""
    _patiently(path, lambda: path.unlink(missing_ok=True))


def _patiently(path: Path, act: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            act()
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _HELD:
                raise
            if time.monotonic() > deadline:
                raise FileInUse(
                    f"{path} is open in another program.",
                    hint="Close that (this program in another window?), then try again.",
                ) from error
        time.sleep(0.05)
