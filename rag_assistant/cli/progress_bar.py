"""The bar that shows how far the reading of a folder is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rag_assistant.library.progress import Listener, Progress


@contextmanager
def progress_bar() -> Iterator[Listener]:
    """Draw a bar on standard error when that is a terminal: files, rate, failures, time left."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("listing", total=None, state="")

        def show(progress: Progress) -> None:
            if progress.total:
                bar.update(
                    task,
                    description="indexing",
                    total=progress.total,
                    completed=progress.done,
                    state=describe(progress),
                )

        yield show


def describe(progress: Progress) -> str:
    """Say in a line what the counts of a bar do not."""
    parts = ["files", f"{progress.bytes_done / 1e6:.1f} of {progress.bytes_total / 1e6:.1f} MB"]
    if progress.seconds >= 0.5:
        parts.append(f"{progress.bytes_done / 1e6 / progress.seconds:.1f} MB/s")
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if (left := progress.seconds_left) is not None:
        parts.append(f"{left:.0f} s left")
    return " · ".join(parts)
