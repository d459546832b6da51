"""Following a folder: one call for each burst of changes below it, never two calls at once.

A call says only that something may have changed; the called one finds out what. After every change
a call begins, unless the folder is gone or the watch is stopped first.
"""

import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Generator
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a watch waits, and for what; the usual values tell of a change in half a second."""

    quiet_ms: int = 250
    """Milliseconds without a change after which a burst counts as over."""
    longest_burst: float = 1.5
    """Seconds after which a burst is told of though it goes on; with the waiting, less than 2."""
    poll_ms: int = 1_000
    """Milliseconds between two looks at all files, where the system cannot report changes."""
    batch_ms: int = 100
    """Milliseconds that the system's reports are collected for before they are handed on."""
    step_ms: int = 50
    """Milliseconds after which a stop is seen."""
    gone_seconds: float = 0.5
    """Seconds between two looks for a folder that is gone."""


_MOST_SECONDS = 60.0  # between two attempts to follow a folder that cannot be followed

_ADDED, _DELETED = 1, 3  # watchfiles.Change, whose import is put off

_Batch = AbstractSet[tuple[int, str]]


class _NotFollowed(Exception):
    """The changes of a folder are not reported; the cause is what the system said."""


def watch(
    folder: Path,
    changed: Callable[[], None],
    stop: threading.Event,
    *,
    note: Callable[[str], None] = lambda said: None,
    counts: Callable[[str], bool] = lambda path: True,
    pace: Pace = Pace(),
) -> None:
    """Call `changed`, from this thread, after changes below `folder`, until `stop` is set.

    The call comes about half a second after a single change, and at least every 2 seconds while
    changes go on (later when a call takes longer: changes during a call lead to one more after
    it). A first call comes at the beginning, once all changes from then on are reported, for those
    before. While the folder is gone nothing is called; once it is back, `changed` is. An exception
    of `changed` ends the watch. These are the times of the usual `pace`.

    `note` receives what a person should know: that the folder is gone or back, or that it is
    polled because the system's limit of watched folders is reached. `counts` is given the path of
    a change (relative to `folder`, in the system's spelling) and says whether it matters: a
    database kept inside the folder would otherwise be a change with every call. What is below a
    folder that does not matter, or behind a link, need not be followed.
    """
    _Watch(folder.absolute(), changed, stop, note, counts, pace).run()


class _Watch:
    """One folder that is followed: what is owed to `changed`, and how changes are learnt of."""

    def __init__(
        self,
        folder: Path,
        changed: Callable[[], None],
        stop: threading.Event,
        note: Callable[[str], None],
        counts: Callable[[str], bool],
        pace: Pace,
    ) -> None:
        self._folder = folder
        self._changed = changed
        self._stop = stop
        self._note = note
        self._counts = counts
        self._pace = pace
        self._polling = False
        self._owed = True  # a call, for what was changed while nobody reported it
        self._failures = 0

    def run(self) -> None:
        while self._await_folder():
            try:
                self._follow()
            except _NotFollowed as failure:
                self._owed = True
                self._after(failure)

    def _await_folder(self) -> bool:
        """Wait until the folder is there; false when the watch is to stop."""
        gone = False
        while not self._stop.is_set():
            if _identity(self._folder):
                if gone:
                    self._note(f"The folder {self._folder} is back.")
                return True
            if not gone:
                self._note(f"The folder {self._folder} is gone; it is read again when it is back.")
            gone = self._owed = True
            self._stop.wait(self._pace.gone_seconds)
        return False

    def _follow(self) -> None:
        """Follow the folder until it must be followed anew: it is another, or has new folders."""
        real = os.path.realpath(self._folder)  # systems report changes by the real path
        identity = _identity(self._folder)
        # FSEvents and Windows follow whole trees. Where each folder is followed for itself, the
        # list is made here: watchfiles' own follows links out of the folder, and ends without a
        # word (ignore_permission_denied) or with an error at the first folder it may not read.
        each = self._polling or sys.platform not in ("darwin", "win32")
        folders = (each and self._folders(real)) or {real}
        since: float | None = None
        longest = self._pace.longest_burst
        new_folders: bool | None = None
        with closing(self._batches(folders, recursive=not each)) as batches:
            for batch in batches:
                if self._stop.is_set():
                    return
                if (_DELETED, real) in batch or _identity(self._folder) != identity:
                    self._owed = True
                    return
                paths = self._mattering(batch, real)
                if new_folders is None:  # were there any before all was followed?
                    new_folders = each and self._folders(real) != folders
                new_folders = new_folders or (each and any(map(_is_new_folder, paths)))
                if (paths or new_folders) and since is None:
                    since = time.monotonic()
                if self._owed:  # from now on every change is reported that the call might miss
                    since = time.monotonic() if new_folders else None
                elif since is None or (batch and time.monotonic() - since < longest):
                    continue
                elif new_folders:
                    # Some of what was put into them may have come before they were followed, and
                    # a limit of the system that they exceed shows only at a new beginning.
                    self._owed = True
                    return
                else:
                    since = None
                self._owed = False
                self._changed()

    def _mattering(self, batch: _Batch, real: str) -> list[tuple[int, str]]:
        start = len(real.rstrip(os.sep)) + 1
        return [change for change in batch if self._counts(change[1][start:])]

    def _folders(self, real: str) -> set[str]:
        """List the folders that matter and may be read, links left out."""
        folders: set[str] = set()
        waiting = [real]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(folder) as entries:
                    inner = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
            except OSError:
                continue
            folders.add(folder)
            waiting.extend(path for path in inner if self._counts(path[len(real) :].lstrip(os.sep)))
        return folders

    def _batches(self, folders: set[str], *, recursive: bool) -> Generator[_Batch, None, None]:
        """Yield what changed, and an empty set after each quiet while without a change."""
        from watchfiles import watch as changes_of  # noqa: PLC0415 - only a watch needs it

        pace = self._pace
        try:
            yield from changes_of(
                *folders,
                watch_filter=None,
                debounce=pace.batch_ms,
                step=pace.step_ms,
                stop_event=self._stop,
                rust_timeout=pace.quiet_ms,
                yield_on_timeout=True,
                force_polling=True if self._polling else None,
                poll_delay_ms=pace.poll_ms,
                recursive=recursive,
                ignore_permission_denied=False,  # it would pass over every other error too
            )
        except (OSError, RuntimeError) as error:
            raise _NotFollowed from error

    def _after(self, failure: _NotFollowed) -> None:
        """Go over to polling, or wait before the next attempt, if polling fails too."""
        error = failure.__cause__
        if isinstance(error, FileNotFoundError):
            self._stop.wait(
                self._pace.step_ms / 1000
            )  # a folder that vanished while it was looked at
        elif self._polling:
            self._failures += 1
            self._stop.wait(min(2.0**self._failures, _MOST_SECONDS))
        else:
            self._polling = True
            limit = "limit" in str(error) or "Too many open files" in str(error)
            why = "its limit of followed folders is reached" if limit else str(error)
            self._note(
                f"The system cannot report the changes of {self._folder} ({why}), "
                f"so its files are looked at every {self._pace.poll_ms / 1000:g} s."
            )


def _is_new_folder(change: tuple[int, str]) -> bool:
    return change[0] == _ADDED and Path(change[1]).is_dir()


def _identity(folder: Path) -> tuple[int, int] | None:
    """Tell a folder from another one of the same name; None if there is none."""
    try:
        info = folder.stat()
    except OSError:
        return None
    return (info.st_dev, info.st_ino) if stat.S_ISDIR(info.st_mode) else None
