"""Indexing folders beside all screens: it goes on whichever is left, and each is told how far."""

from copy import copy
from pathlib import Path
from typing import Any

from textual.app import App
from textual.message import Message
from textual.worker import Worker, get_current_worker

from rag_assistant.library.library import Library
from rag_assistant.tui.indexing.progress import IndexTarget, index_folder

INDEX = "index"
"""The group of the workers that index folders."""


class IndexingLeft(Message):
    """Nothing indexes a folder any more, whether it came to its end or was stopped."""

    def __init__(self, target: IndexTarget) -> None:
        super().__init__()
        self.target = target


def running(app: App[Any], target: IndexTarget, group: str = INDEX) -> Worker[Any] | None:
    """Give what indexes a folder now, or what else a group of workers does with it."""
    for worker in app.workers:
        if worker.group == group and not worker.is_finished and _target_of(worker).meets(target):
            return worker
    return None


def name_of(target: IndexTarget) -> str:
    """Give the name of a worker for a folder, which tells it."""
    return f"{target.database}\n{target.folder}"


def _target_of(worker: Worker[Any]) -> IndexTarget:
    database, _, folder = worker.name.partition("\n")
    return IndexTarget(Path(folder), database)


def start_indexing(
    app: App[Any], library: Library, target: IndexTarget, *, retry: bool = False
) -> bool:
    """Index a folder beside everything else; say whether it was not being indexed already."""
    if running(app, target):
        return False

    def tell(message: Message) -> None:
        for screen in list(app.screen_stack):
            screen.post_message(copy(message))

    def run() -> None:
        worker = get_current_worker()
        index_folder(library, target, tell, lambda: worker.is_cancelled, retry=retry)
        tell(IndexingLeft(target))

    app.run_worker(run, name=name_of(target), group=INDEX, thread=True, exit_on_error=False)
    return True
