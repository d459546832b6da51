"""The screen: databases on the left, the conversation, the sources on the right, the question
below. It passes messages of the parts to one another and holds no rule of the domain.
"""

import asyncio
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from rag_assistant.assistant import Assistant
from rag_assistant.evidence import Citation
from rag_assistant.tui.answer_queue import AnswerQueue
from rag_assistant.tui.conversation import Conversation
from rag_assistant.tui.database_rows import DatabaseRow, read_rows
from rag_assistant.tui.databases_panel import DatabasesPanel
from rag_assistant.tui.evidence_panel import EvidencePanel, PassageScroll
from rag_assistant.tui.exchange import Exchange
from rag_assistant.tui.exchange_blocks import problem
from rag_assistant.tui.folder_dialog import FolderDialog
from rag_assistant.tui.help_screen import HelpScreen
from rag_assistant.tui.indexing import (
    IndexingEnded,
    IndexingMoved,
    IndexingProgress,
    index_folder,
)
from rag_assistant.tui.key_bar import KeyBar
from rag_assistant.tui.question_box import QuestionBox
from rag_assistant.tui.report_lines import report_lines
from rag_assistant.tui.run_state import Phase, RunState
from rag_assistant.tui.source_passage import read_passage
from rag_assistant.tui.status_bar import StatusBar

NO_DATABASE = "there is no database yet: Ctrl+O adds a folder"
QUIT = [Binding("ctrl+q", "quit", "Quit"), Binding("ctrl+p", "command_palette", "Commands")]
"""Keys of the application itself, for the list of keys."""


class MainScreen(Screen[None]):
    """Everything but dialogs. `view` names what a narrow terminal shows instead of the chat."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", priority=True),
        Binding("ctrl+g", "next_citation", "Next source", priority=True),
        Binding("ctrl+t", "sources", "Sources", priority=True),
        Binding("ctrl+o", "add_folder", "Add folder", priority=True),
        Binding("ctrl+l", "databases", "Databases", priority=True),
    ]

    rows: reactive[tuple[DatabaseRow, ...]] = reactive(())
    left_out: reactive[frozenset[str]] = reactive(frozenset())
    progress: reactive[tuple[IndexingProgress, ...]] = reactive(())
    view: reactive[str] = reactive("chat")

    def __init__(self, assistant: Assistant) -> None:
        super().__init__()
        self._assistant = assistant
        self._queue = AnswerQueue(assistant, self._start_answer, self._answer_changed)
        self._shown: Exchange | None = None
        self._opened_by_person = False
        self._folder_draft = ""

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield StatusBar(self._assistant.config).data_bind(
            MainScreen.rows, MainScreen.left_out, MainScreen.progress
        )
        with Horizontal(id="columns"):
            with VerticalScroll(id="left", can_focus=False):
                yield DatabasesPanel(id="databases").data_bind(
                    MainScreen.rows, MainScreen.left_out, MainScreen.progress
                )
            yield Conversation(id="conversation")
            yield EvidencePanel(id="evidence")
        with Vertical(id="prompt"):
            yield QuestionBox()
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin with the question."""
        self._to_question()
        self._refresh_databases()

    # Databases

    def _refresh_databases(self) -> None:
        self.run_worker(self._read_rows(), group="rows", exclusive=True, exit_on_error=False)

    async def _read_rows(self) -> None:
        self.rows = await asyncio.to_thread(read_rows, self._assistant.library)
        self.query_one(Conversation).welcome(has_databases=bool(self.rows))

    @on(DatabasesPanel.Toggled)
    def _toggle_database(self, event: DatabasesPanel.Toggled) -> None:
        self.left_out ^= {event.name}

    @on(DatabasesPanel.Left)
    def _leave_databases(self) -> None:
        self._to_question()

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
        if any(progress.folder == folder for progress in self.progress):
            self.query_one(StatusBar).remark = f"{folder} is being indexed already"
            return
        self.progress = (*self.progress, IndexingProgress(folder))
        work = partial(self._index_in_thread, folder)
        self.run_worker(work, group="index", thread=True, exit_on_error=False)

    def _index_in_thread(self, folder: Path) -> None:
        worker = get_current_worker()
        library = self._assistant.library
        index_folder(library, folder, self.post_message, lambda: worker.is_cancelled)

    @on(IndexingMoved)
    def _show_progress(self, event: IndexingMoved) -> None:
        moved = event.progress
        self.progress = tuple(
            moved if progress.folder == moved.folder else progress for progress in self.progress
        )

    @on(IndexingEnded)
    def _end_indexing(self, event: IndexingEnded) -> None:
        self.progress = tuple(
            progress for progress in self.progress if progress.folder != event.folder
        )
        conversation = self.query_one(Conversation)
        if event.report is None:
            self._folder_draft = str(event.folder)
            conversation.notice(problem(event.reason, event.hint))
        else:
            self._folder_draft = ""
            conversation.notice(*report_lines(event.report))
        self._refresh_databases()

    # Questions

    @on(QuestionBox.Sent)
    def _ask(self, event: QuestionBox.Sent) -> None:
        asked = tuple(
            row.name for row in self.rows if row.name not in self.left_out and not row.problem
        )
        if not asked:
            missing = "no database is ticked: Ctrl+L, then Space" if self.rows else NO_DATABASE
            self.query_one(StatusBar).remark = missing
            self.query_one(QuestionBox).take_back(event.text)
            return
        self.view = "chat"
        exchange = Exchange(RunState(event.text, asked))
        self.query_one(Conversation).add(exchange)
        self._queue.put(exchange)

    def _start_answer(self, answer: Coroutine[None, None, None]) -> Worker[None]:
        self._opened_by_person = False
        return self.run_worker(answer, group="answer", exit_on_error=False)

    def _answer_changed(self, exchange: Exchange) -> None:
        """Keep the sources in step with the answer that is coming in."""
        state, panel = exchange.state, self.query_one(EvidencePanel)
        if self._shown is not exchange:
            # Whoever reads a source keeps it, until there is another one to read.
            if self._opened_by_person or not (state.citations or state.over):
                return
            self._shown, panel.chosen, panel.passage = exchange, 0, None
        panel.citations = tuple(state.citations)
        if panel.citations and not panel.chosen and state.phase is Phase.ANSWERED:
            self._open(exchange, panel.citations[0].marker)

    @on(QuestionBox.StopWanted)
    def _stop(self) -> None:
        if not self.query_one(Conversation).display:
            self._to_question()
        else:
            self._queue.stop()

    @on(Conversation.Left)
    def _leave_conversation(self, event: Conversation.Left) -> None:
        if event.stop_wanted:
            self._queue.stop()
        self._to_question()

    def _to_question(self) -> None:
        self.view = "chat"
        self.query_one(QuestionBox).focus()

    # Sources

    @on(Exchange.CitationChosen)
    def _open_clicked(self, event: Exchange.CitationChosen) -> None:
        self._open_by_person(event.exchange, event.marker)

    @on(EvidencePanel.Chosen)
    def _open_card(self, event: EvidencePanel.Chosen) -> None:
        if self._shown:
            self._open_by_person(self._shown, event.marker)

    @on(Conversation.DigitPressed)
    def _open_digit(self, event: Conversation.DigitPressed) -> None:
        if self._shown:
            self._open_by_person(self._shown, event.marker)

    @on(PassageScroll.Left)
    def _leave_passage(self) -> None:
        self._to_question()

    def action_next_citation(self) -> None:
        """Open the next citation of the answer whose sources are shown, and go to its source."""
        markers = [c.marker for c in self._shown.state.citations] if self._shown else []
        if self._shown is None or not markers:
            self.query_one(StatusBar).remark = "nothing is cited yet"
            return
        chosen = self.query_one(EvidencePanel).chosen
        # A source that opened by itself is the first one the key goes to.
        here = markers.index(chosen) if self._opened_by_person and chosen in markers else -1
        self._open_by_person(self._shown, markers[(here + 1) % len(markers)])
        self.query_one(PassageScroll).focus()

    def action_sources(self) -> None:
        """Show or hide the sources."""
        if self.has_class("-wide"):
            self.toggle_class("-no-sources")
        else:
            self.view = "chat" if self.view == "sources" else "sources"

    def action_databases(self) -> None:
        """Go to the databases."""
        self.view = "databases"
        self.query_one(DatabasesPanel).focus()

    def watch_view(self) -> None:
        """Show the chat, or on a narrow terminal what is wanted instead."""
        for view in ("chat", "sources", "databases"):
            self.set_class(self.view == view, f"-view-{view}")

    def _open_by_person(self, exchange: Exchange, marker: int) -> None:
        if marker not in [citation.marker for citation in exchange.state.citations]:
            self.query_one(StatusBar).remark = f"the answer has no citation {marker}"
            return
        self._opened_by_person = True
        self.view = "sources"
        self.remove_class("-no-sources")
        self._open(exchange, marker)

    def _open(self, exchange: Exchange, marker: int) -> None:
        panel = self.query_one(EvidencePanel)
        self._shown = exchange
        panel.citations = tuple(exchange.state.citations)
        panel.chosen = marker
        citation = next(c for c in panel.citations if c.marker == marker)
        load = self._load(citation)
        self.run_worker(load, group="passage", exclusive=True, exit_on_error=False)

    async def _load(self, citation: Citation) -> None:
        passage = await asyncio.to_thread(read_passage, self._assistant.library, citation)
        self.query_one(EvidencePanel).passage = passage

    def action_help(self) -> None:
        """List the keys."""
        groups = [
            ("Anywhere", [*MainScreen.BINDINGS, *QUIT]),
            ("Question", QuestionBox.BINDINGS),
            ("Conversation", Conversation.BINDINGS),
            ("Databases", DatabasesPanel.BINDINGS),
            ("Source", PassageScroll.BINDINGS),
        ]
        self.app.push_screen(HelpScreen(groups))
