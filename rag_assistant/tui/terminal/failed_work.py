"""Work beside the interface that met a defect: none of it fails without a word.

A widget tells the failures that it expects. What else ends a worker comes here, once for each
cause: most such work is begun again and again.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content
from textual.worker import Worker, WorkerState
from textual.worker_manager import WorkerManager

from rag_assistant.errors import RagError
from rag_assistant.tui.drawing.signs import problem
from rag_assistant.tui.terminal.crash_report import without_keys, write_report

FULL_DISK = "Check the space on the disk, and who may write the home directory."


class ToldWorkers(WorkerManager):
    """The workers of an application; `failed` is given each cause of a failure once."""

    def __init__(self, app: App[Any], failed: Callable[[Exception], None]) -> None:
        super().__init__(app)
        self._failed = failed
        self._known: set[str] = set()

    def _remove_worker(self, worker: Worker[Any]) -> None:
        """Look at a worker that has ended.

        There is no public place for it: a worker's own message goes to its widget alone.
        """
        super()._remove_worker(worker)
        error = worker.error
        # A widget that was closed meanwhile has nothing left to show what it waited for.
        is_there = worker.node is self._app or worker.node.is_attached
        ends = self._app.return_code is not None or not self._app.is_running
        if worker.state is not WorkerState.ERROR or not is_there or ends:
            return
        cause = f"{worker.group} {type(error).__name__}: {error}"
        if isinstance(error, Exception) and cause not in self._known:
            self._known.add(cause)
            self._failed(error)


async def told_of(error: Exception, home: Path) -> Content:
    """Give the line that tells of a failure; of a defect a report is written."""
    if isinstance(error, RagError):
        return problem(error.message, error.hint)
    if isinstance(error, OSError):
        return problem(f"Some work could not be done: {error}.", FULL_DISK)
    cause = without_keys(f"{type(error).__name__}: {error}")
    what = f"A defect of this program stopped some work: {cause}"[:300]
    where = "No report could be written."
    with suppress(OSError):
        where = f"Report: {await asyncio.to_thread(write_report, home, error)}"
    return problem(what, f"Nothing you wrote is lost. {where}")
