"""The screen: databases on the left, the conversation, the sources on the right, the question
below. It passes messages of the parts to one another and holds no rule of the domain.
"""

import time
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.beside import beside
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.drawing.safe_widgets import Line, plain
from rag_assistant.tui.library.indexing_bar import IndexingBar
from rag_assistant.tui.main.chat_screen import ChatScreen
from rag_assistant.tui.main.commands import CHOICES
from rag_assistant.tui.main.databases_panel import DatabasesPanel
from rag_assistant.tui.main.help_screen import ANSWER_MARKS, HelpScreen
from rag_assistant.tui.main.key_bar import KeyBar
from rag_assistant.tui.main.restoring import offer_lines
from rag_assistant.tui.main.status_bar import StatusBar
from rag_assistant.tui.permission.card import PermissionCard
from rag_assistant.tui.permission.desk import QUIET_SECONDS, PermissionDesk
from rag_assistant.tui.question.offered_questions import OfferedQuestions
from rag_assistant.tui.question.prompt import Prompt
from rag_assistant.tui.question.question_box import QuestionBox
from rag_assistant.tui.sources.evidence_panel import EvidencePanel
from rag_assistant.tui.sources.passage_view import PassageView
from rag_assistant.tui.terminal.clipboard import copy_beside
from rag_assistant.tui.terminal.idle_collection import Typing
from rag_assistant.tui.terminal.unfinished import Unfinished

LEAST_SIZE = (40, 10)
"""Columns and rows below which nothing can be read."""

QUIT_SECONDS = 2.0
"""How soon Ctrl+C must come again to quit."""

APP_KEYS = [Binding("ctrl+q", "quit", "Quit"), Binding("ctrl+p", "command_palette", "Commands")]
"""Keys of the application itself, for the list of keys."""


class MainScreen(ChatScreen):
    """Everything but dialogs. Settings are those of `config_path`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", priority=True),
        Binding("ctrl+f", "find", "Find", priority=True),
        Binding("ctrl+g", "next_citation", "Next source", priority=True),
        Binding("ctrl+t", "sources", "Sources", priority=True),
        Binding("ctrl+o", "add_folder", "Add folder", priority=True),
        Binding("ctrl+l", "scope", "Scope", priority=True),
        Binding("ctrl+r", "history", "History", priority=True),
        Binding("ctrl+n", "new_conversation", "New conversation", priority=True),
        Binding("ctrl+s", "follow_up", "Ask what is suggested", show=False, priority=True),
        Binding("f2", "settings", "Settings", show=False, priority=True),
        Binding("f3", "model", "Model", show=False, priority=True),
        Binding("f4", "library", "Library", show=False, priority=True),
        Binding("f5", "rescan", "Read changed files again", show=False, priority=True),
        Binding("f8", "edit_outside", "Write in your editor", show=False, priority=True),
        Binding("f9", "evaluate", "Evaluate", show=False, priority=True),
        Binding("ctrl+c", "interrupt", "Copy, stop, clear, quit", show=False, priority=True),
        Binding("tab", "next_part", "Next part, or what waits for you", show=False),
        Binding("shift+tab", "part_before", "From the question to the conversation", show=False),
    ]

    def __init__(
        self,
        assistant: Assistant,
        typing: Typing,
        store: ConversationStore | None = None,
        config_path: Path | None = None,
    ) -> None:
        super().__init__(assistant, store)
        self._typing = typing
        self._config_path = config_path
        self._interrupted_at = 0.0
        self._left = Unfinished()

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield StatusBar(self._assistant.config).data_bind(
            MainScreen.rows, MainScreen.left_out, MainScreen.progress, MainScreen.reach
        )
        yield IndexingBar(id="indexing").data_bind(MainScreen.progress)
        with Horizontal(id="columns"):
            with VerticalScroll(id="left", can_focus=False):
                yield DatabasesPanel(id="databases").data_bind(
                    MainScreen.rows, MainScreen.left_out, MainScreen.progress, MainScreen.vectors
                )
            yield ConversationView(self._assistant.library, id="conversation")
            yield EvidencePanel(self._assistant.library, id="evidence")
        yield Line(plain("↓ new text: End", "$text-accent"), id="newer")
        yield self._desk
        yield Prompt(id="prompt")
        yield OfferedQuestions(id="offered")
        yield KeyBar(id="keys")
        yield Line(id="too-small")

    def on_mount(self) -> None:
        """Begin with the question."""
        self.query_one("#newer").display = False
        self.query_one(QuestionBox).commands = CHOICES
        self._to_question()

    def on_resize(self, event: events.Resize) -> None:
        """Say so where nothing could be read; all that there is stays as it is below."""
        width, height = LEAST_SIZE
        small = event.size.width < width or event.size.height < height
        self.set_class(small, "-too-small")
        now = f"{event.size.width}×{event.size.height}"
        said = f"rag-assistant needs {width}×{height} (now {now})"
        self.query_one("#too-small", Line).show(plain(said))

    # Where the focus goes

    def _to_question(self) -> None:
        self.view = "chat"
        self.query_one(QuestionBox).focus()

    def _is_pausing(self) -> bool:
        quiet = self._typing.quiet_seconds >= QUIET_SECONDS
        empty = not self.query_one(QuestionBox).text
        return quiet and empty and self.is_current and self.app.app_focus

    @on(DatabasesPanel.Left)
    @on(ConversationView.Left)
    @on(PassageView.Left)
    def _go_back(self) -> None:
        self._to_question()

    @on(QuestionBox.StopWanted)
    def _stop(self) -> None:
        if not self.query_one(ConversationView).display:
            self._to_question()
        else:
            self.action_stop_answer()

    @on(ConversationView.Typed)
    def _say_where_letters_go(self) -> None:
        self.remark("Reading: Esc to type")

    @on(ConversationView.Followed)
    def _tell_of_new_text(self, event: ConversationView.Followed) -> None:
        self.query_one("#newer").display = self._queue.running and not event.at_end

    @on(PermissionDesk.Closed)
    def _go_on_typing(self, event: PermissionDesk.Closed) -> None:
        box = self.query_one(QuestionBox)
        box.focus()
        if event.typed:
            box.insert(event.typed)

    def action_next_part(self) -> None:
        """Go to what waits for the person, or to the next part of the screen."""
        if not self._desk.open():
            self.focus_next()

    def action_part_before(self) -> None:
        """Go from the question to the newest answer, from elsewhere to the part before."""
        if self.focused is self.query_one(QuestionBox):
            self.view = "chat"
            self.query_one(ConversationView).focus()
        else:
            self.focus_previous()

    def action_databases(self) -> None:
        """Go to the databases."""
        self.view = "databases"
        self.query_one(DatabasesPanel).focus()

    def action_interrupt(self) -> None:
        """Copy what is selected, or stop the answer, or clear the box, or quit when repeated."""
        box = self.query_one(QuestionBox)
        selected = box.selected_text or self.get_selected_text()
        if selected:
            copy_beside(self, selected)
        elif self._queue.stop():
            pass
        elif box.text:
            box.forget()
            self.remark("cleared: ↑ brings it back")
        elif time.monotonic() - self._interrupted_at < QUIT_SECONDS:
            self.app.exit()
        else:
            self._interrupted_at = time.monotonic()
            self.remark("Ctrl+C again to quit")

    @property
    def unfinished(self) -> Unfinished:
        """What would be lost if the program ended now."""
        return Unfinished(self.query_one(QuestionBox).text, self._dialogue.kept_as)

    def offer_left(self, left: Unfinished) -> None:
        """Offer to go on where the last session ended."""
        self._left = left
        self.notice(*offer_lines(left))

    def action_restore(self) -> None:
        """Go on where the last session ended."""
        left, self._left = self._left, Unfinished()
        if left.conversation:
            self.resume(left.conversation)
        if left.draft:
            self._write(left.draft)
        if not left:
            self.remark("there is nothing to restore")

    def action_quit_app(self) -> None:
        """Quit."""
        self.app.exit()

    # Other screens, loaded when they are first wanted

    def action_help(self) -> None:
        """List the keys."""
        groups = [
            ("Anywhere", [*MainScreen.BINDINGS, *APP_KEYS]),
            ("Question", QuestionBox.BINDINGS),
            ("Conversation", ConversationView.BINDINGS),
            ("Databases", DatabasesPanel.BINDINGS),
            ("Source", [*EvidencePanel.BINDINGS, *PassageView.BINDINGS]),
            ("A tool asks for leave", PermissionCard.BINDINGS),
        ]
        self.app.push_screen(HelpScreen(groups, ANSWER_MARKS))

    def action_evaluate(self) -> None:
        """Measure search and answers on sets of questions."""
        from rag_assistant.tui.evaluate.screen import EvaluateScreen  # noqa: PLC0415

        self.app.push_screen(EvaluateScreen(self._assistant, self._store))

    def action_edit_outside(self) -> None:
        """Write the question in the person's own editor."""
        from rag_assistant.tui.terminal.outside_editor import edit_draft  # noqa: PLC0415

        edited = partial(edit_draft, self.query_one(QuestionBox), self.remark)
        beside(self, edited, "editor")

    def action_find(self) -> None:
        """Find passages, without a model; what stands in the box is what is looked for."""
        from rag_assistant.tui.find.results import AskAbout  # noqa: PLC0415
        from rag_assistant.tui.find.screen import FindScreen  # noqa: PLC0415

        def ask_about(wanted: AskAbout | None) -> None:
            if wanted:
                self.take_scope(wanted.scope)
                self._write(wanted.question)

        query = self.query_one(QuestionBox).text.strip()
        self.app.push_screen(FindScreen(self._assistant, self.wanted, query), ask_about)

    def action_history(self) -> None:
        """List the kept conversations, to go on with one."""
        if self._store is None:
            self.remark("conversations are not kept: history = true in the settings keeps them")
            return
        from rag_assistant.tui.history.screen import HistoryScreen, Resume  # noqa: PLC0415

        def go_on(wanted: Resume | None) -> None:
            if wanted:
                self.resume(wanted.conversation_id)

        self.app.push_screen(HistoryScreen(self._store), go_on)

    def action_library(self, failures_of: str = "") -> None:
        """Show the databases and their files."""
        from rag_assistant.tui.library.screen import LibraryScreen  # noqa: PLC0415

        screen = LibraryScreen(self._assistant, failures_of)
        self.app.push_screen(screen, lambda _: self.refresh_databases())

    def action_settings(self) -> None:
        """Show the settings."""
        if self._config_path is None:
            self.remark("there is no file of settings here")
            return
        from rag_assistant.tui.settings.screen import SettingsScreen  # noqa: PLC0415

        self.app.push_screen(SettingsScreen(self._config_path))

    def action_model(self) -> None:
        """Choose what answers the next question."""
        if self._config_path is None:
            self.remark("there is no file of settings here")
            return
        from rag_assistant.tui.models.screen import ModelScreen  # noqa: PLC0415

        def use(name: str | None) -> None:
            if name:
                self.use_model(name)

        self.app.push_screen(ModelScreen(self._assistant, self._config_path), use)
