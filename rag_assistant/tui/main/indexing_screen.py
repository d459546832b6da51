"""The part of the main screen that knows the databases and has folders indexed."""

import asyncio
import time
from functools import partial
from pathlib import Path

from textual import on
from textual.content import Content
from textual.reactive import reactive

from rag_assistant.assistant import Assistant
from rag_assistant.errors import RagError
from rag_assistant.library.background import VectorNews
from rag_assistant.tui.beside import beside
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.report_lines import report_lines
from rag_assistant.tui.drawing.signs import problem
from rag_assistant.tui.first_run.beginning import Begun
from rag_assistant.tui.library.folder_dialog import FolderDialog
from rag_assistant.tui.library.indexing import (
    IndexingEnded,
    IndexingMoved,
    IndexingProgress,
    VectorsMoved,
    vectors_beside,
    with_news,
)
from rag_assistant.tui.library.indexing_workers import start_indexing
from rag_assistant.tui.main.database_rows import DatabaseRow, read_rows
from rag_assistant.tui.main.databases_panel import DatabasesPanel
from rag_assistant.tui.main.status_bar import StatusBar
from rag_assistant.tui.main.watching_screen import WatchingScreen

COUNT_SECONDS = 2.0
"""How often the entries are counted anew while more of them come."""


class IndexingScreen(WatchingScreen):
    """A screen with a status bar and a conversation, where databases are chosen and added."""

    rows: reactive[tuple[DatabaseRow, ...]] = reactive(())
    left_out: reactive[frozenset[str]] = reactive(frozenset())
    progress: reactive[tuple[IndexingProgress, ...]] = reactive(())
    vectors: reactive[tuple[VectorNews, ...]] = reactive(())

    def __init__(self, assistant: Assistant) -> None:
        super().__init__(assistant)
        self._folder_draft = ""
        self._counted = (0.0, -1)
        self._resumed = False
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
        self.query_one(ConversationView).notice(*lines)

    def refresh_databases(self) -> None:
        """Read anew which databases there are."""
        beside(self, self._read_rows, "rows")

    async def _read_rows(self) -> None:
        rows = await asyncio.to_thread(read_rows, self._assistant.library)
        if not self.is_running or not self.query(ConversationView):
            return  # the program has ended meanwhile
        self.rows = rows
        self.query_one(ConversationView).welcome(has_databases=bool(self.rows))
        if not self._resumed:
            self._resumed = True
            await self._resume_indexing()

    async def _resume_indexing(self) -> None:
        """Go on with what was begun and never came to its end, and say what cannot be read."""
        for row in self.rows:
            if row.problem:
                library = self._assistant.library
                folder = await asyncio.to_thread(library.last_folder, row.name)
                self.notice(problem(row.problem, f"Its folder: {folder}" if folder else ""))
            elif not row.whole and row.folder and self._start(Path(row.folder)):
                self.remark(f"going on with {row.name}, which was not indexed to its end")

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
        if not self._start(folder):
            self.remark(f"{folder} is being indexed already")

    def _start(self, folder: Path) -> bool:
        if not start_indexing(self.app, self._assistant.library, folder):
            return False
        self.progress = (*self.progress, IndexingProgress(folder))
        return True

    def begin(self, begun: Begun | None) -> None:
        """Begin as the person chose on the first screen: the conversation waits for nothing."""
        if begun:
            self.use_model(begun.model)
            if begun.folder:
                self._start(begun.folder)

    def use_model(self, name: str) -> None:
        """Let another model answer from now on."""
        status = self.query_one(StatusBar)
        status.config, status.model = self._assistant.config, name
        self.follow_model(name)

    @on(IndexingMoved)
    def _show_progress(self, event: IndexingMoved) -> None:
        moved = event.progress
        if all(progress.folder != moved.folder for progress in self.progress):
            self.progress = (*self.progress, moved)  # begun on another screen
        self.progress = tuple(
            moved if progress.folder == moved.folder else progress for progress in self.progress
        )
        counted_at, counted = self._counted
        now = time.monotonic()
        is_time = counted <= 0 or now - counted_at >= COUNT_SECONDS
        if moved.total and moved.searchable != counted and is_time:
            self._counted = (now, moved.searchable)
            self.refresh_databases()

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
            self._offer_questions(event.report.database)
            if self._embedding:
                self._embedding.want(self._assistant.library.database(event.report.database))
        self.refresh_databases()

    def _offer_questions(self, name: str) -> None:
        work = partial(self._read_questions, name)
        beside(self, work, "questions")

    async def _read_questions(self, name: str) -> None:
        from rag_assistant.library.opening_questions import opening_questions  # noqa: PLC0415

        try:
            database = self._assistant.library.database(name)
            questions = await asyncio.to_thread(opening_questions, database)
        except RagError:
            return  # what cannot be read is said where the databases are listed
        self.offer_questions(questions)

    def offer_questions(self, questions: tuple[str, ...]) -> None:
        """Offer questions to begin with."""
        raise NotImplementedError

    @on(VectorsMoved)
    def _show_vectors(self, event: VectorsMoved) -> None:
        self.vectors = with_news(self.vectors, event.news)
        if event.news.state in ("made", "failed"):
            self.refresh_databases()
