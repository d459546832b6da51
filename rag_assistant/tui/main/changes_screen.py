"""The part of the main screen that knows how many files have changed since they were indexed, and
reads the databases in scope again when the person wants it.
"""

from pathlib import Path

from textual import on, work
from textual.message import Message
from textual.reactive import reactive
from textual.worker import get_current_worker

from rag_assistant.errors import RagError
from rag_assistant.library.source_files import count_changed
from rag_assistant.tui.indexing.progress import IndexingEnded
from rag_assistant.tui.main.indexing_screen import IndexingScreen
from rag_assistant.tui.main.status_bar import StatusBar


class ChangesCounted(Message):
    """The files of some databases were compared with what was indexed."""

    def __init__(self, changed: int) -> None:
        super().__init__()
        self.changed = changed


class ChangesScreen(IndexingScreen):
    """A screen that says when databases lag behind their folders. `changed` counts such files."""

    changed: reactive[int] = reactive(0)

    def on_mount(self) -> None:
        """Look now, and when other databases are asked or the person comes back from elsewhere."""
        self.watch(self, "rows", self.look_for_changes, init=False)
        self.watch(self, "left_out", self.look_for_changes, init=False)
        self.watch(self.app, "app_focus", self.look_for_changes, init=False)

    def watch_changed(self) -> None:
        """Say how many."""
        for bar in self.query(StatusBar):
            bar.changed = self.changed

    def look_for_changes(self) -> None:
        """Count anew, beside everything else."""
        if self.app.app_focus:
            self._count_changes(self.asked)

    @work(thread=True, exclusive=True, group="changes", exit_on_error=False)
    def _count_changes(self, names: tuple[str, ...]) -> None:
        worker, changed = get_current_worker(), 0
        for name in names:
            try:
                database = self._assistant.library.database(name)
                changed += count_changed(database, lambda: worker.is_cancelled)
            except RagError:
                continue  # the list of databases says what is wrong with it
        if not worker.is_cancelled:
            self.post_message(ChangesCounted(changed))

    @on(ChangesCounted)
    def _take_count(self, event: ChangesCounted) -> None:
        self.changed = event.changed

    @on(IndexingEnded)
    def _count_again(self) -> None:
        self.look_for_changes()

    def action_rescan(self) -> None:
        """Read the databases in scope again: what changed, what is new, what is gone."""
        folders = [row.folder for row in self.rows if row.name in self.asked and row.folder]
        if not folders:
            self.remark("nothing to read again: no database is asked")
            return
        begun = [folder for folder in folders if self._start(Path(folder))]
        many = f"{len(begun)} folder{'' if len(begun) == 1 else 's'}"
        self.remark(f"reading {many} again" if begun else "they are being read already")
