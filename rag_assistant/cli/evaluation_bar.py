"""The bar that shows how far an evaluation is."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rag_assistant.evaluation.running.running import DOING, Progress


@dataclass(slots=True)
class EvaluationBar:
    """Hears of progress; `run` is the number that what is done is kept under, 0 before there is."""

    draw: Callable[[Progress], None]
    run: int = 0

    def show(self, progress: Progress) -> None:
        """Draw how far it is."""
        self.run = progress.run
        self.draw(progress)


@contextmanager
def evaluation_bar() -> Iterator[EvaluationBar]:
    """Draw a bar on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield EvaluationBar(lambda _: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[spent]}", markup=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {stage: bar.add_task(DOING[stage], visible=False, spent="") for stage in DOING}

        def draw(progress: Progress) -> None:
            spent = f"cost {progress.cost:.4f}" if progress.cost else ""
            bar.update(
                tasks[progress.stage],
                total=progress.total,
                completed=progress.done,
                visible=True,
                spent=spent,
            )

        yield EvaluationBar(draw)
