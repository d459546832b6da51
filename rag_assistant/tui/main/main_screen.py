"""The screen: a line above, the columns, the prompt below them, the keys at the bottom.

It composes these, holds the controllers, and passes keys and messages from one to another. It has
no state of its own, and no rule.
"""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen

from rag_assistant.assistant import Assistant
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.dialogue import Dialogue
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Attached, RunState
from rag_assistant.tui.drawing.interface_words import in_keys
from rag_assistant.tui.drawing.safe_widgets import ContentLine, plain
from rag_assistant.tui.evidence.passage_view import PassageView
from rag_assistant.tui.first_run.beginning import Begun
from rag_assistant.tui.indexing.bar import IndexingBar
from rag_assistant.tui.indexing.progress import IndexingEnded, IndexingMoved
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.main.answer_controller import AnswerController
from rag_assistant.tui.main.changes_controller import ChangesController
from rag_assistant.tui.main.columns import MainColumns
from rag_assistant.tui.main.commands import Command, command_of, split_command
from rag_assistant.tui.main.controller import Controller, follow
from rag_assistant.tui.main.conversation_controller import ConversationController
from rag_assistant.tui.main.databases_panel import DatabasesPanel
from rag_assistant.tui.main.endpoint_controller import EndpointController
from rag_assistant.tui.main.indexing_controller import IndexingController
from rag_assistant.tui.main.main_keys import MAIN_KEYS
from rag_assistant.tui.main.other_screens import OtherScreens, Places
from rag_assistant.tui.main.question_panel import QuestionPanel
from rag_assistant.tui.main.scope_controller import ScopeController
from rag_assistant.tui.main.session_controller import SessionController
from rag_assistant.tui.main.sources_controller import SourcesController
from rag_assistant.tui.main.status_bar import StatusBar
from rag_assistant.tui.permission.desk import QUIET_SECONDS, PermissionDesk
from rag_assistant.tui.question.attaching import attach_image
from rag_assistant.tui.question.prompt import Prompt
from rag_assistant.tui.question.question_box import QuestionBox
from rag_assistant.tui.terminal.clipboard import Copied
from rag_assistant.tui.terminal.idle_collection import Typing

LEAST_SIZE = (40, 10)
"""Columns and rows below which nothing can be read."""


class MainScreen(Screen[None]):
    """Everything but dialogs. Conversations and settings are kept in `places`."""

    BINDINGS: ClassVar[list[BindingType]] = MAIN_KEYS

    def __init__(self, assistant: Assistant, typing: Typing, places: Places) -> None:
        super().__init__()
        self._assistant = assistant
        self._typing = typing
        self._dialogue = Dialogue(assistant, places.store)
        library = assistant.library
        self.endpoint = EndpointController(assistant)
        self.indexing = IndexingController(library)
        self.scope = ScopeController(library)
        self.changes = ChangesController(library, lambda: self.scope.asked)
        self.status = StatusBar(assistant.config)
        self.columns = MainColumns(library, places.store, self.scope, self.indexing)
        self.desk = PermissionDesk(self._is_pausing)
        self.panel = QuestionPanel(self.scope, self.endpoint, self._read_image, self._ask)
        self.conversation = ConversationController(
            self._dialogue, self.desk.permit, self.columns, self.panel, self.scope
        )
        self.session = SessionController(self.panel.prompt, self.conversation)
        self.others = OtherScreens(
            assistant, places, self.scope, self.panel.prompt, self.conversation.resume
        )
        self.actions = AnswerController(
            self.scope, self.conversation, self.panel, self.others.action_library
        )

    def compose(self) -> ComposeResult:
        """Put the parts in their places."""
        yield self.status
        yield IndexingBar(id="indexing")
        yield self.columns
        yield self.desk
        yield self.panel
        yield KeyBar(id="keys")
        yield ContentLine(id="too-small")
        yield from (self.endpoint, self.indexing, self.scope, self.changes)
        yield from (self.conversation, self.actions, self.session, self.others)

    def on_mount(self) -> None:
        """Let each part know what it shows, and begin with the question."""
        follow(self.status, self.endpoint, "reach")
        follow(self.status, self.indexing, "rows", "progress")
        follow(self.status, self.scope, "left_out", "counted")
        follow(self.status, self.changes, "changed")
        follow(self.query_one(IndexingBar), self.indexing, "progress")
        follow(self.scope, self.indexing, "rows")
        self.watch(self.indexing, "rows", self.changes.look, init=False)
        self.watch(self.scope, "left_out", self.changes.look, init=False)
        self.watch(self.changes, "changed", self.columns.check_again, init=False)
        self._to_question()

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Open with the styles that all parts were just made with.

        Textual makes them anew when a screen comes to the front, for what may have changed while it
        was behind another: at first nothing has, and it takes a tenth of a start.
        """
        event.refresh_styles = self.stack_updates > 0

    def on_resize(self, event: events.Resize) -> None:
        """Say so where nothing could be read; all that there is stays as it is below."""
        width, height = LEAST_SIZE
        small = event.size.width < width or event.size.height < height
        self.set_class(small, "-too-small")
        now = f"{event.size.width}×{event.size.height}"
        said = f"rag-assistant needs {width}×{height} (now {now})"
        self.query_one("#too-small", ContentLine).show(plain(said))

    # What is to be done

    async def action_do(self, word: str) -> None:
        """Do what a key stands for, which is what the command of a word does."""
        if command := command_of(word):
            await self.run_command(command)

    @on(QuestionBox.Sent)
    async def _take(self, event: QuestionBox.Sent) -> None:
        """Ask what was sent, or do it where it is a command."""
        split = split_command(event.text)
        if split is None:
            await self.panel.send(event.text)
        elif command := command_of(split[0]):
            await self.run_command(command, split[1])
        else:
            self.remark(f"there is no command /{split[0]}")
            self.panel.prompt.box.take_back(event.text)

    async def run_command(self, command: Command, argument: str = "") -> None:
        """Let the part do it that the command names."""
        action = f"{command.action}({argument!r})" if command.needs else command.action
        await self.app.run_action(action, self, self.parts)

    @property
    def parts(self) -> dict[str, DOMNode]:
        """The parts by the names that commands have for them."""
        return {
            "answers": self.conversation,
            "columns": self.columns,
            "conversation": self.columns.conversation,
            "indexing": self.indexing,
            "open": self.others,
            "questions": self.panel,
            "scope": self.scope,
            "session": self.session,
        }

    # What is said

    @on(Controller.Remarked)
    @on(ConversationView.Said)
    @on(Prompt.Refused)
    def _say(self, event: Controller.Remarked | ConversationView.Said | Prompt.Refused) -> None:
        self.remark(event.text)

    @on(Copied)
    def _say_what_was_copied(self, event: Copied) -> None:
        self.remark(event.remark)

    def remark(self, text: str) -> None:
        """Say something in passing."""
        self.status.remark = in_keys(text)

    @on(Controller.Noticed)
    def _show_notice(self, event: Controller.Noticed) -> None:
        self.notice(*event.lines)

    def notice(self, *lines: Content) -> None:
        """Say something that stays in the conversation."""
        self.columns.conversation.notice(*lines)

    @on(ConversationController.TitleChanged)
    def _show_title(self, event: ConversationController.TitleChanged) -> None:
        self.status.title = event.title

    # Models and databases

    def begin(self, begun: Begun | None) -> None:
        """Begin as the person chose on the first screen: the conversation waits for nothing."""
        if begun:
            self.use_model(begun.model)
            if begun.folder:
                self.indexing.index(str(begun.folder))

    @on(OtherScreens.ModelChosen)
    def _use_chosen(self, event: OtherScreens.ModelChosen) -> None:
        self.use_model(event.name)

    def use_model(self, name: str) -> None:
        """Let another model answer from the next question on."""
        self.status.config, self.status.model = self._assistant.config, name
        self.endpoint.follow_model(name)
        self._dialogue.model = name

    @on(ConversationController.ModelMissed)
    def _look_at_endpoint(self) -> None:
        self.endpoint.look()

    def action_rescan(self) -> None:
        """Read the databases in scope again: what changed, what is new, what is gone."""
        self.indexing.read_again(self.scope.asked)

    @on(OtherScreens.LibraryLeft)
    def _refresh_rows(self) -> None:
        self.indexing.refresh_rows()

    @on(IndexingMoved)
    def _show_progress(self, event: IndexingMoved) -> None:
        self.indexing.take_progress(event.progress)

    @on(IndexingEnded)
    def _end_indexing(self, event: IndexingEnded) -> None:
        self.columns.check_again()
        self.changes.look()
        self.indexing.take_end(event)

    @on(SourcesController.StaleFound)
    def _look_for_changes(self) -> None:
        if not self.changes.changed:
            self.changes.look()

    # Questions

    def _read_image(self, written: str) -> Attached:
        return attach_image(self._assistant, self._dialogue.model, written)

    def _ask(self, state: RunState) -> None:
        self.conversation.put(state)

    @on(Exchange.FollowUpChosen)
    def _ask_clicked(self, event: Exchange.FollowUpChosen) -> None:
        self.panel.ask(event.question)

    @on(ConversationView.QuestionWanted)
    def _use_question(self, event: ConversationView.QuestionWanted) -> None:
        self.actions.do(event.exchange, event.action)

    @on(IndexingController.RowsRead)
    def _welcome(self) -> None:
        self.conversation.welcome()
        self.panel.ask_early()

    @on(IndexingController.QuestionsFound)
    def _offer(self, event: IndexingController.QuestionsFound) -> None:
        """Offer questions to begin with, as long as none was asked."""
        self.conversation.welcome(event.makeup)
        if event.questions and not self.columns.conversation.exchanges:
            self.panel.offer(event.questions)

    @on(ConversationView.Followed)
    def _tell_of_new_text(self, event: ConversationView.Followed) -> None:
        self.columns.newer.display = self.conversation.answers and not event.at_end

    # Where the focus goes

    def _is_pausing(self) -> bool:
        """Tell whether the person is not typing, so that a card may take the focus."""
        quiet = self._typing.quiet_seconds >= QUIET_SECONDS
        return quiet and not self.panel.prompt.box.text and self.is_current and self.app.app_focus

    @on(DatabasesPanel.Left)
    @on(ConversationView.Left)
    @on(PassageView.Left)
    def _to_question(self) -> None:
        self.columns.view = "chat"
        self.panel.prompt.box.focus()

    @on(QuestionBox.StopWanted)
    def _stop(self) -> None:
        if not self.columns.conversation.display:
            self._to_question()
        else:
            self.conversation.stop()

    @on(PermissionDesk.Closed)
    def _go_on_typing(self, event: PermissionDesk.Closed) -> None:
        box = self.panel.prompt.box
        box.focus()
        if event.typed:
            box.insert(event.typed)

    def action_next_part(self) -> None:
        """Go to what waits for the person, or to the next part of the screen."""
        if not self.desk.open():
            self.focus_next()

    def action_part_before(self) -> None:
        """Go from the question to the newest answer, from elsewhere to the part before."""
        if self.focused is self.panel.prompt.box:
            self.columns.view = "chat"
            self.columns.conversation.focus()
        else:
            self.focus_previous()

    def action_interrupt(self) -> None:
        """Copy what is selected, or stop the answer, or clear the box, or quit when repeated."""
        self.session.interrupt()
