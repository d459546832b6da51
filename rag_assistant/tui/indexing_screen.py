"""The part of the main screen that knows the databases and has folders indexed."""

import asyncio
from pathlib import Path

from textual import on
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen

from rag_assistant.assistant import Assistant
from rag_assistant.library.background import VectorNews
from rag_assistant.tui.conversation import Conversation
from rag_assistant.tui.database_rows import DatabaseRow, read_rows
from rag_assistant.tui.databases_panel import DatabasesPanel
from rag_assistant.tui.exchange_blocks import problem
from rag_assistant.tui.folder_dialog import FolderDialog
from rag_assistant.tui.indexing import (
    IndexingEnded,
    IndexingMoved,
    IndexingProgress,
    VectorsMoved,
    vectors_beside,
    with_news,
)
from rag_assistant.tui.indexing_workers import start_indexing
from rag_assistant.tui.report_lines import report_lines
from rag_assistant.tui.status_bar import StatusBar


class IndexingScreen(Screen[None]):
    """A screen with a status bar and a conversation, where databases are chosen and added."""

    rows: reactive[tuple[DatabaseRow, ...]] = reactive(())
    left_out: reactive[frozenset[str]] = reactive(frozenset())
    progress: reactive[tuple[IndexingProgress, ...]] = reactive(())
    vectors: reactive[tuple[VectorNews, ...]] = reactive(())

    def __init__(self, assistant: Assistant) -> None:
        super().__init__()
        self._assistant = assistant
        self._folder_draft = ""
        self._embedding = vectors_beside(assistant.library, self.post_message)

    @property
    def asked(self) -> tuple[str, ...]:
        """The databases that a question goes to."""
        return tuple(
            row.name for row in self.rows if row.name not in self.left_out and not row.problem
        )

    def on_mount(self) -> None:
        """Look what there is."""
        self.refresh_databases()

    async def on_unmount(self) -> None:
        """Leave vectors that are not made to the next time."""
        if self._embedding:
            self._embedding.stop(0)

    def remark(self, text: str) -> None:
        """Say something in passing."""
        self.query_one(StatusBar).remark = text

    def notice(self, *lines: Content) -> None:
        """Say something that stays in the conversation."""
        self.query_one(Conversation).notice(*lines)

    def refresh_databases(self) -> None:
        """Read anew which databases there are."""
        self.run_worker(self._read_rows(), group="rows", exclusive=True, exit_on_error=False)

    async def _read_rows(self) -> None:
        self.rows = await asyncio.to_thread(read_rows, self._assistant.library)
        self.query_one(Conversation).welcome(has_databases=bool(self.rows))

    @on(DatabasesPanel.Toggled)
    def _toggle_database(self, event: DatabasesPanel.Toggled) -> None:
        self.left_out ^= {event.name}

    @on(DatabasesPanel.RefreshWanted)
    def _refresh_index(self, event: DatabasesPanel.RefreshWanted) -> None:
        self._index(event.row.folder)

    @on(DatabasesPanel.AddWanted)
    def action_add_folder(self) -> None:
        """Ask for a folder and index it."""
        self.app.push_screen(FolderDialog(self._folder_draft), self._index)

    def _index(self, path: str | None) -> None:
        if not path:
            return
        folder = Path(path)
        if not start_indexing(self.app, self._assistant.library, folder):
            self.remark(f"{folder} is being indexed already")
            return
        self.progress = (*self.progress, IndexingProgress(folder))

    @on(IndexingMoved)
    def _show_progress(self, event: IndexingMoved) -> None:
        moved = event.progress
        if all(progress.folder != moved.folder for progress in self.progress):
            self.progress = (*self.progress, moved)  # begun on another screen
        self.progress = tuple(
            moved if progress.folder == moved.folder else progress for progress in self.progress
        )

    @on(IndexingEnded)
    def _end_indexing(self, event: IndexingEnded) -> None:
        self.progress = tuple(
            progress for progress in self.progress if progress.folder != event.folder
        )
        if event.report is None:
            self._folder_draft = str(event.folder)
            self.notice(problem(event.reason, event.hint))
        else:
            self._folder_draft = ""
            self.notice(*report_lines(event.report))
            if self._embedding:
                self._embedding.want(self._assistant.library.database(event.report.database))
        self.refresh_databases()

    @on(VectorsMoved)
    def _show_vectors(self, event: VectorsMoved) -> None:
        self.vectors = with_news(self.vectors, event.news)
        if event.news.state in ("made", "failed"):
            self.refresh_databases()
