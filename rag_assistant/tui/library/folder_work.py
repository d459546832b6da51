"""Folders that are indexed and watched now: how far each is, and what is said of beginning or
ending it. The work itself goes on in threads of the application's, whatever screen is left.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from textual.app import App
from textual.content import Content

from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.indexing.progress import IndexingProgress, IndexTarget
from rag_assistant.tui.indexing.watching import toggle_watch, watching
from rag_assistant.tui.indexing.workers import running, start_indexing


@dataclass(frozen=True, slots=True)
class FolderState:
    """How far a folder is, None where it is not being indexed; and whether it is watched."""

    progress: IndexingProgress | None = None
    watched: bool = False


class FolderWork:
    """What goes on with the folders of a library; its owner passes on what threads tell it."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._progress: dict[IndexTarget, IndexingProgress] = {}

    @property
    def goes_on(self) -> bool:
        """Whether anything is being indexed."""
        return bool(self._progress)

    def state_of(self, app: App[Any], target: IndexTarget | None) -> FolderState:
        """Give what goes on with a folder: nothing where none is known."""
        if target is None:
            return FolderState()
        progress = (far for one, far in self._progress.items() if one.meets(target))
        return FolderState(next(progress, None), watching(app, target) is not None)

    def new_names(self, known: Collection[IndexTarget]) -> list[str]:
        """Give the names of folders that are indexed and are not among those that are known."""
        return [one.name for one in self._progress if not any(one.meets(row) for row in known)]

    def take(self, progress: IndexingProgress) -> None:
        """Take note of how far a folder is."""
        self._progress[progress.target] = progress

    def end(self, target: IndexTarget) -> bool:
        """Take note that a folder is not being indexed any more; tell whether it was."""
        return self._progress.pop(target, None) is not None

    def index(self, app: App[Any], target: IndexTarget, *, retry: bool = False) -> Content:
        """Begin to index a folder, if it is not being indexed; say so."""
        if not start_indexing(app, self._library, target, retry=retry):
            return one_line(f"{target.folder} is being indexed already", WARN)
        self.take(IndexingProgress(target))
        return one_line(f"indexing {target.folder}; it goes on when you leave", QUIET)

    def stop(self, app: App[Any], target: IndexTarget | None) -> Content:
        """Stop indexing a folder; what was read is kept. Say so."""
        worker = running(app, target) if target else None
        if worker is None:
            return plain("nothing is being indexed here", QUIET)
        worker.cancel()
        return plain("stopped: what was read is kept, r continues", QUIET)

    def toggle_watch(self, app: App[Any], target: IndexTarget) -> Content:
        """Follow a folder, or leave off; say which."""
        folder = target.folder
        if toggle_watch(app, self._library, target):
            said = f"watching {folder}: changes are indexed as long as rag-assistant is open"
        else:
            said = f"{folder} is not watched any more"
        return one_line(said, QUIET)
