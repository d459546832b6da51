"""What a person has not finished, kept on disk so that no end of the program loses it.

A file stands for each program that runs; one that ended well leaves none. What one left that was
killed, or met a defect, is offered at the next start.
"""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from rag_assistant.files.private_files import private_folder, write_private

_PREFIX = "unfinished-"

_CLOCKS = 2.0
"""Seconds by which the clock of a disk and that of processes may differ: a process that began later
than its file was written has only got its number."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What was written and not sent, and the kept conversation that it was written in (0: none)."""

    draft: str = ""
    conversation: int = 0

    def __bool__(self) -> bool:
        return bool(self.draft or self.conversation)


class UnfinishedFile:
    """The file of the program that runs; its methods block, and raise OSError."""

    def __init__(self, home: Path) -> None:
        self._path = home / f"{_PREFIX}{os.getpid()}.json"
        self._kept = Unfinished()

    def keep(self, unfinished: Unfinished) -> None:
        """Write it where it is another than before; nothing is kept of nothing."""
        if unfinished == self._kept:
            return
        if unfinished:
            private_folder(self._path.parent)  # there is none yet where nothing is indexed
            beside = self._path.with_suffix(".part")
            write_private(beside, json.dumps(asdict(unfinished)))
            beside.replace(self._path)
        else:
            self._path.unlink(missing_ok=True)
        self._kept = unfinished


def left_behind(home: Path) -> Unfinished:
    """Take what the program left that ended last without ending well; each is given once."""
    found = Unfinished()
    files = [path for path in home.glob(f"{_PREFIX}*.json") if not _runs(path)]
    with suppress(OSError):  # another program took it first
        for path in sorted(files, key=lambda path: path.stat().st_mtime):
            found = _read(path) or found
            path.unlink()
    return found


def _runs(path: Path) -> bool:
    """Whether the program that a file belongs to still runs, this one included."""
    import psutil  # noqa: PLC0415 - only what was left behind needs it

    try:
        # Signal 0, which asks on other systems, is Ctrl-C on Windows.
        began = psutil.Process(int(path.stem.removeprefix(_PREFIX))).create_time()
        return began <= path.stat().st_mtime + _CLOCKS
    except (ValueError, OverflowError, OSError, psutil.Error):
        return False


def _read(path: Path) -> Unfinished:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return Unfinished(str(values["draft"]), int(values["conversation"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Unfinished()
