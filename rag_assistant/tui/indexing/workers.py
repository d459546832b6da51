"""Indexing folders beside all screens: it goes on whichever is left, and each is told how far."""

from copy import copy
from pathlib import Path
from typing import Any

from textual.app import App
from textual.message import Message
from textual.worker import Worker, get_current_worker

from rag_assistant.library.library import Library
from rag_assistant.tui.indexing.progress import index_folder

INDEX = "index"
"""The group of the workers that index folders; each has its folder as its name."""


class IndexingLeft(Message):
    """Nothing indexes a folder any more, whether it came to its end or was stopped."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder


def running(app: App[Any], folder: Path) -> Worker[Any] | None:
    """Give what indexes a folder now."""
    found = (w for w in app.workers if w.group == INDEX and w.name == str(folder))
    return next((worker for worker in found if not worker.is_finished), None)


def start_indexing(app: App[Any], library: Library, folder: Path, *, retry: bool = False) -> bool:
    """Index a folder beside everything else; say whether it was not being indexed already."""
    if running(app, folder):
        return False

    def tell(message: Message) -> None:
        for screen in list(app.screen_stack):
            screen.post_message(copy(message))

    def run() -> None:
        worker = get_current_worker()
        index_folder(library, folder, tell, lambda: worker.is_cancelled, retry=retry)
        tell(IndexingLeft(folder))

    app.run_worker(run, name=str(folder), group=INDEX, thread=True, exit_on_error=False)
    return True
