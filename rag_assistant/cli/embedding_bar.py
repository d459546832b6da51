"""The bar that shows how far the making of vectors is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rag_assistant.cli.session import say
from rag_assistant.library.embedding import EmbedListener, EmbedProgress


@contextmanager
def embedding_bar(name: str) -> Iterator[EmbedListener]:
    """Draw a bar on standard error when that is a terminal; else only say that it has to wait."""
    if not sys.stderr.isatty():
        yield _Waiting(name)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"embedding {name}", total=None, state="")

        def show(progress: EmbedProgress) -> None:
            bar.update(
                task, total=progress.total, completed=progress.done, state=describe(progress)
            )

        yield show


class _Waiting:
    """Says once that another process is waited for."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._said = False

    def __call__(self, progress: EmbedProgress) -> None:
        if progress.waiting and not self._said:
            self._said = True
            say(f"{self._name} is being changed by another process; waiting for it to end.")


def describe(progress: EmbedProgress) -> str:
    """Say in a line what the counts of a bar do not."""
    if progress.waiting:
        return "waiting for another process that changes the database"
    if (left := progress.seconds_left) is None:
        return "passages"
    return f"passages · {progress.made / progress.seconds:.0f} a second · {left:.0f} s left"
