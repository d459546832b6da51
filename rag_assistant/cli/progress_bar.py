"""How far something is, on a terminal only: a bar on standard error, or with --plain lines."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rag_assistant.cli.drawn import is_drawn
from rag_assistant.cli.session import say
from rag_assistant.library.progress import Listener, SyncProgress

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def drawn_bar(*, time_left: bool = False, of_bytes: bool = False) -> "Iterator[Progress | None]":
    """Draw the tasks of a bar with their counts and what is in their field `state`.

    `time_left` is guessed by the counts, which may be `of_bytes`. Gives None where standard error
    is no terminal.
    """
    if not is_drawn(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn() if of_bytes else MofNCompleteColumn(),
        *[TimeRemainingColumn()] * time_left,
        TextColumn("{task.fields[state]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield bar


@contextmanager
def indexing_bar() -> Iterator[Listener]:
    """Draw how far the reading of a folder is: files, rate, failures, time left."""
    with drawn_bar() as bar:
        if bar is None:
            yield _Lines().show if sys.stderr.isatty() else lambda _: None
            return
        task = bar.add_task("listing", total=None, state="")

        def show(progress: SyncProgress) -> None:
            if progress.total:
                bar.update(
                    task,
                    description="indexing",
                    total=progress.total,
                    completed=progress.done,
                    state=_state(progress),
                )

        yield show


class _Lines:
    """Says how far it is each time that another fifth is done, where nothing may be drawn anew."""

    def __init__(self) -> None:
        self._said = 0

    def show(self, progress: SyncProgress) -> None:
        """Take how far it is."""
        fifth = 5 * progress.done // progress.total if progress.total else 0
        if fifth > self._said:
            self._said = fifth
            say(f"{progress.done:,} of {progress.total:,} {_state(progress)}")


def _state(progress: SyncProgress) -> str:
    """Say in a line what the counts of a bar do not."""
    parts = ["files", f"{progress.bytes_done / 1e6:.1f} of {progress.bytes_total / 1e6:.1f} MB"]
    if progress.seconds >= 0.5:
        parts.append(f"{progress.bytes_done / 1e6 / progress.seconds:.1f} MB/s")
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if (left := progress.seconds_left) is not None:
        parts.append(f"{left:.0f} s left")
    return " · ".join(parts)
