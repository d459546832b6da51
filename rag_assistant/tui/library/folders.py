"""The part of the library's screen that has folders indexed and watched.

Both go on in threads of the application's when the screen is left; every screen is told how far
they are.
"""

from pathlib import Path

from textual import on

from rag_assistant.assistant import Assistant
from rag_assistant.tui.drawing.safe_widgets import NEWLINE, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.indexing.progress import IndexingEnded, IndexingMoved, IndexingProgress
from rag_assistant.tui.indexing.report_lines import report_lines
from rag_assistant.tui.indexing.watching import WatchTold, toggle_watch, watching
from rag_assistant.tui.indexing.workers import IndexingLeft, running, start_indexing
from rag_assistant.tui.library.rows import LibraryRow
from rag_assistant.tui.lists.browse_screen import BrowseScreen


class LibraryFolders(BrowseScreen[None]):
    """Indexes and watches the folder of the database at the cursor."""

    def __init__(self, assistant: Assistant) -> None:
        super().__init__()
        self._library = assistant.library
        self._progress: dict[Path, IndexingProgress] = {}

    @property
    def chosen(self) -> LibraryRow | None:
        """The database that keys act on."""
        raise NotImplementedError

    def _redraw(self) -> None:
        self.refresh_bindings()
        self.redraw()

    def redraw(self) -> None:
        """Show how far folders are."""
        raise NotImplementedError

    def progress_of(self, row: LibraryRow) -> IndexingProgress | None:
        """Give how far the folder of a database is."""
        return self._progress.get(Path(row.folder)) if row.folder else None

    def is_watched(self, row: LibraryRow) -> bool:
        """Tell whether the folder of a database is watched."""
        return bool(row.folder and watching(self.app, Path(row.folder)))

    def action_add(self) -> None:
        """Ask for a folder and index it."""
        label = plain("Add a folder: its files are read on this computer, never changed", "bold")
        self.edit.open(label, "~/", self._add)

    def _add(self, written: str) -> None:
        folder = Path(written.strip()).expanduser().absolute()
        if not written.strip() or not folder.is_dir():
            self.complain(f"There is no folder {folder}.", "Check the path.")
            return
        self.edit.close()
        self._index(folder)

    def action_index(self, retry: bool) -> None:
        """Bring the database at the cursor into step with its folder."""
        if self.chosen and self.chosen.folder:
            self._index(Path(self.chosen.folder), retry=retry)

    def _index(self, folder: Path, *, retry: bool = False) -> None:
        if start_indexing(self.app, self._library, folder, retry=retry):
            self._progress[folder] = IndexingProgress(folder)
            self.remark(one_line(f"indexing {folder}; it goes on when you leave", QUIET))
            self._redraw()
        else:
            self.remark(one_line(f"{folder} is being indexed already", WARN))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to stop only while something is being indexed."""
        if action == "stop" and not self._progress:
            return False
        return super().check_action(action, parameters)

    def action_stop(self) -> None:
        """Stop indexing the folder at the cursor; what was read is kept."""
        worker = running(self.app, Path(self.chosen.folder)) if self.chosen else None
        if worker:
            worker.cancel()
            self.remark(plain("stopped: what was read is kept, r goes on", QUIET))
        else:
            self.remark(plain("nothing is being indexed here", QUIET))

    @on(IndexingMoved)
    def _show_progress(self, event: IndexingMoved) -> None:
        self._progress[event.progress.folder] = event.progress
        self._redraw()

    @on(IndexingEnded)
    def _end_indexing(self, event: IndexingEnded) -> None:
        self._progress.pop(event.folder, None)
        self.refresh_bindings()
        if event.report:
            self.remark(joined(report_lines(event.report)[:4], NEWLINE))
        else:
            self.complain(event.reason, event.hint)
        self.reload()

    @on(IndexingLeft)
    def _left_indexing(self, event: IndexingLeft) -> None:
        if self._progress.pop(event.folder, None):
            self.refresh_bindings()
            self.reload()

    # Watching

    def action_watch(self) -> None:
        """Follow the folder of the database at the cursor, or leave off."""
        row = self.chosen
        if row is None or not row.folder:
            return
        folder = Path(row.folder)
        if toggle_watch(self.app, self._library, folder):
            said = f"watching {folder}: changes are indexed as long as rag-assistant is open"
        else:
            said = f"{folder} is not watched any more"
        self.remark(one_line(said, QUIET))
        self._redraw()

    @on(WatchTold)
    def _show_note(self, event: WatchTold) -> None:
        self.remark(one_line(event.note, WARN))
