"""Folders that are indexed and watched now: how far each is, and what is said of beginning or
ending it. The work itself goes on in threads of the application's, whatever screen is left.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content

from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.indexing.progress import IndexingProgress
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
        self._progress: dict[Path, IndexingProgress] = {}

    @property
    def goes_on(self) -> bool:
        """Whether anything is being indexed."""
        return bool(self._progress)

    def state_of(self, app: App[Any], folder: str) -> FolderState:
        """Give what goes on with a folder: nothing where none is known."""
        if not folder:
            return FolderState()
        path = Path(folder)
        return FolderState(self._progress.get(path), watching(app, path) is not None)

    def new_names(self, known: Collection[str]) -> list[str]:
        """Give the names of folders that are indexed and are not among those that are known."""
        return [folder.name for folder in self._progress if str(folder) not in known]

    def take(self, progress: IndexingProgress) -> None:
        """Take note of how far a folder is."""
        self._progress[progress.folder] = progress

    def end(self, folder: Path) -> bool:
        """Take note that a folder is not being indexed any more; tell whether it was."""
        return self._progress.pop(folder, None) is not None

    def index(self, app: App[Any], folder: Path, *, retry: bool = False) -> Content:
        """Begin to index a folder, if it is not being indexed; say so."""
        if not start_indexing(app, self._library, folder, retry=retry):
            return one_line(f"{folder} is being indexed already", WARN)
        self.take(IndexingProgress(folder))
        return one_line(f"indexing {folder}; it goes on when you leave", QUIET)

    def stop(self, app: App[Any], folder: Path | None) -> Content:
        """Stop indexing a folder; what was read is kept. Say so."""
        worker = running(app, folder) if folder else None
        if worker is None:
            return plain("nothing is being indexed here", QUIET)
        worker.cancel()
        return plain("stopped: what was read is kept, r continues", QUIET)

    def toggle_watch(self, app: App[Any], folder: Path) -> Content:
        """Follow a folder, or leave off; say which."""
        if toggle_watch(app, self._library, folder):
            said = f"watching {folder}: changes are indexed as long as rag-assistant is open"
        else:
            said = f"{folder} is not watched any more"
        return one_line(said, QUIET)
