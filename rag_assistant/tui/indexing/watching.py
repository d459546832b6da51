"""Following folders beside all screens: what changes in one is indexed as long as it is watched."""

import threading
import time
from copy import copy
from pathlib import Path
from typing import Any

from textual.app import App
from textual.message import Message
from textual.worker import Worker, get_current_worker

from rag_assistant.library.library import Library
from rag_assistant.library.progress import SyncReport
from rag_assistant.library.watch import watch
from rag_assistant.tui.indexing.progress import IndexingEnded, IndexTarget, index_folder
from rag_assistant.tui.indexing.workers import IndexingLeft, name_of, running

WATCH = "watch"
"""The group of the workers that watch folders."""


_LOOK_SECONDS = 0.05


class WatchTold(Message):
    """A folder that is watched is gone or back, or can only be looked at now and then."""

    def __init__(self, folder: Path, note: str) -> None:
        super().__init__()
        self.folder = folder
        self.note = note


class _Stop(threading.Event):
    """Is set as soon as a worker is cancelled; the watch looks often."""

    def __init__(self, worker: Worker[Any]) -> None:
        super().__init__()
        self._worker = worker

    def is_set(self) -> bool:
        return self._worker.is_cancelled or super().is_set()

    def wait(self, timeout: float | None = None) -> bool:
        ends = time.monotonic() + (threading.TIMEOUT_MAX if timeout is None else timeout)
        while not self.is_set() and time.monotonic() < ends:
            super().wait(_LOOK_SECONDS)
        return self.is_set()


def watching(app: App[Any], target: IndexTarget) -> Worker[Any] | None:
    """Give what watches a folder now."""
    worker = running(app, target, WATCH)
    return None if worker is None or worker.is_cancelled else worker


def toggle_watch(app: App[Any], library: Library, target: IndexTarget) -> bool:
    """Watch a folder, or leave off; tell whether it is watched now."""
    folder = target.folder
    if worker := watching(app, target):
        worker.cancel()
        return False

    def tell(message: Message) -> None:
        if isinstance(message, IndexingEnded) and message.report and not _is_news(message.report):
            return
        for screen in list(app.screen_stack):
            screen.post_message(copy(message))

    def run() -> None:
        stop = _Stop(get_current_worker())

        def changed() -> None:
            index_folder(library, target, tell, stop.is_set)
            tell(IndexingLeft(target))

        watch(
            folder,
            changed,
            stop,
            note=lambda said: tell(WatchTold(folder, said)),
            # Our own writing is no change, should the home directory lie in the folder.
            counts=lambda path: not (folder / path).is_relative_to(library.home),
        )

    app.run_worker(run, name=name_of(target), group=WATCH, thread=True, exit_on_error=False)
    return True


def _is_news(report: SyncReport) -> bool:
    return bool(report.added or report.updated or report.moved or report.deleted or report.withheld)
