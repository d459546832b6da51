"""The databases that there are, and the folders that are being indexed into them."""

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.errors import RagError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.tui.beside import beside, once_drawn
from rag_assistant.tui.drawing.signs import problem
from rag_assistant.tui.indexing.progress import (
    IndexingEnded,
    IndexingProgress,
    IndexTarget,
    VectorsMoved,
    vectors_beside,
    with_news,
)
from rag_assistant.tui.indexing.report_line import report_line
from rag_assistant.tui.indexing.workers import start_indexing
from rag_assistant.tui.main.controller import Controller
from rag_assistant.tui.main.database_rows import DatabaseRow, read_rows

if TYPE_CHECKING:
    from rag_assistant.library.background import VectorNews
    from rag_assistant.library.makeup import Makeup

OFFERED = 3
"""Questions to begin with."""

COUNT_SECONDS = 2.0
"""How often the entries are counted anew while more of them come."""


class IndexingController(Controller):
    """Lists the databases as `rows`, and has folders indexed.

    `progress` is of folders being indexed, `vectors` of databases whose vectors are being made.
    """

    rows: reactive[tuple[DatabaseRow, ...]] = reactive(())
    progress: reactive[tuple[IndexingProgress, ...]] = reactive(())
    vectors: "reactive[tuple[VectorNews, ...]]" = reactive(())

    class RowsRead(Message):
        """The databases were listed, whether or not there are others than before."""

    @dataclass
    class QuestionsFound(Message):
        """These questions may be asked first: of what was indexed, or is there at the start.

        `makeup` counts the files of all databases.
        """

        questions: tuple[str, ...]
        makeup: "Makeup"

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._folder_draft = ""
        self._counted = (0.0, -1)
        self._resumed = False
        self._embedding = vectors_beside(library, self.post_message)

    def on_mount(self) -> None:
        """Look what there is."""
        self.refresh_rows()

    def on_unmount(self) -> None:
        """Leave vectors that are not made to the next time."""
        if self._embedding:
            self._embedding.stop(0)

    # The databases

    def refresh_rows(self) -> None:
        """Read anew which databases there are."""
        beside(self, self._read_rows, "rows")

    async def _read_rows(self) -> None:
        rows = await asyncio.to_thread(read_rows, self._library)
        if not self.is_running:
            return  # the program has ended meanwhile
        self.rows = rows
        self.post_message(self.RowsRead())
        if not self._resumed:
            self._resumed = True
            await self._resume_indexing()
            there = [row.name for row in rows if row.whole and row.entries]
            find = partial(self._find_questions, there)
            once_drawn(self, partial(beside, self, find, "questions"))

    async def _resume_indexing(self) -> None:
        """Go on with what was begun and never came to its end, and say what cannot be read."""
        for row in self.rows:
            if row.problem:
                folder = await asyncio.to_thread(self._library.last_folder, row.name)
                self.notice(problem(row.problem, f"Its folder: {folder}" if folder else ""))
            elif not row.whole and row.folder and self.start(row.target):
                self.remark(f"resuming {row.name}, which was not fully indexed")

    # Folders

    def action_add_folder(self) -> None:
        """Ask for a folder and index it."""
        from rag_assistant.tui.library.folder_dialog import FolderDialog  # noqa: PLC0415

        self.app.push_screen(FolderDialog(self._library, self._folder_draft), self.index)

    def index(self, path: str | None) -> None:
        """Index a folder, or say that it is being indexed already."""
        if not path:
            return
        held = (row.name for row in self.rows if row.folder == path)
        self._begin(IndexTarget(Path(path), next(held, "")))

    def refresh_index(self, row: DatabaseRow) -> None:
        """Bring a database into step with its folder, or say that this is going on already."""
        self._begin(row.target)

    def _begin(self, target: IndexTarget) -> None:
        if not self.start(target):
            self.remark(f"{target.folder} is already being indexed")

    def start(self, target: IndexTarget) -> bool:
        """Index a folder; tells whether it was not being indexed already."""
        if not start_indexing(self.app, self._library, target):
            return False
        self.progress = (*self.progress, IndexingProgress(target))
        return True

    def read_again(self, names: Sequence[str]) -> None:
        """Index the folders of some databases again: what changed, what is new, what is gone."""
        targets = [row.target for row in self.rows if row.name in names and row.folder]
        if not targets:
            self.remark("nothing to reread: no database is ticked")
            return
        begun = [target for target in targets if self.start(target)]
        many = f"{len(begun)} folder{'' if len(begun) == 1 else 's'}"
        self.remark(f"rereading {many}" if begun else "they are already being read")

    def take_progress(self, moved: IndexingProgress) -> None:
        """Take in how far a folder is, whichever screen it was begun on."""
        if all(progress.target != moved.target for progress in self.progress):
            self.progress = (*self.progress, moved)
        self.progress = tuple(
            moved if progress.target == moved.target else progress for progress in self.progress
        )
        counted_at, counted = self._counted
        now = time.monotonic()
        is_time = counted <= 0 or now - counted_at >= COUNT_SECONDS
        if moved.total and moved.searchable != counted and is_time:
            self._counted = (now, moved.searchable)
            self.refresh_rows()

    def take_end(self, event: IndexingEnded) -> None:
        """Take in that a folder was indexed, or could not be."""
        self.progress = tuple(
            progress for progress in self.progress if progress.target != event.target
        )
        if event.report is None:
            self._folder_draft = str(event.target.folder)
            self.notice(problem(event.reason, event.hint))
        else:
            self._folder_draft = ""
            self.notice(report_line(event.report))
            beside(self, partial(self._find_questions, [event.report.database]), "questions")
            if self._embedding:
                self._embedding.want(self._library.database(event.report.database))
        self.refresh_rows()

    async def _find_questions(self, names: Sequence[str]) -> None:
        """Offer questions of the first of some databases, and of the next while they are few; then
        questions about these as a whole.
        """
        self.post_message(await asyncio.to_thread(self._questions_of, names))

    def _questions_of(self, names: Sequence[str]) -> QuestionsFound:
        # Both load patterns for 100 ms, which neither the first picture nor a key may wait for.
        from rag_assistant.library.folder_openings import questions_to_begin_with  # noqa: PLC0415
        from rag_assistant.library.makeup import makeup_of  # noqa: PLC0415

        questions = questions_to_begin_with(self._readable(names), OFFERED)
        return self.QuestionsFound(questions, makeup_of(self._readable(self._library.names())))

    def _readable(self, names: Iterable[str]) -> Iterator[Database]:
        for name in names:
            with suppress(RagError):  # it is said where the databases are listed
                database = self._library.database(name)
                database.figures()
                yield database

    @on(VectorsMoved)
    def _take_vectors(self, event: VectorsMoved) -> None:
        event.stop()
        self.vectors = with_news(self.vectors, event.news)
        if event.news.state in ("made", "failed"):
            self.refresh_rows()
