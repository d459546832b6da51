"""The bar that shows how far an evaluation is."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

from rag_assistant.evaluation.running.running import DOING, Progress
from rag_assistant.tools.permission import Decision, PermissionRequest, Permit


@dataclass(slots=True)
class EvaluationBar:
    """Hears of progress; `run` is the number that what is done is kept under, 0 before there is.

    `away` takes the bar off the terminal for a while.
    """

    draw: Callable[[Progress], None]
    away: Callable[[], AbstractContextManager[None]] = nullcontext
    run: int = 0

    def show(self, progress: Progress) -> None:
        """Draw how far it is."""
        self.run = progress.run
        self.draw(progress)

    def asking(self, permit: Permit) -> Permit:
        """Let a person be asked without the bar drawing over the question."""

        async def asked(request: PermissionRequest) -> Decision:
            with self.away():
                return await permit(request)

        return asked


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

        @contextmanager
        def away() -> Iterator[None]:
            bar.stop()
            try:
                yield
            finally:
                bar.start()

        yield EvaluationBar(draw, away)
