"""The part of the main screen that does things with questions: again, on from there, wider, search.

Each is a key in the conversation, can be clicked, and is a command.
"""

from textual import on

from rag_assistant.assistant.past import GO_ON
from rag_assistant.scope import Wanted
from rag_assistant.tui.chat.conversation import Conversation
from rag_assistant.tui.chat.exchange import Deed, Exchange
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.chat.search_line import SearchLine
from rag_assistant.tui.chat.searched_scroll import SearchedScroll
from rag_assistant.tui.main.asking_screen import AskingScreen
from rag_assistant.tui.question.prompt import Prompt
from rag_assistant.tui.sources.evidence_panel import EvidencePanel
from rag_assistant.tui.terminal.idle_collection import IdleCollection, Typing

LOOK_SECONDS = 1.0
"""How often it is looked whether there is a pause for what takes long."""


class ChatScreen(AskingScreen):
    """A screen whose conversation can be worked with."""

    _typing: Typing

    def on_mount(self) -> None:
        """Leave the collecting of garbage to pauses."""
        self._collection = IdleCollection(self._typing)
        self._collection.start()
        self.set_interval(LOOK_SECONDS, self._collection.look)

    async def on_unmount(self) -> None:
        """Leave it to Python again."""
        self._collection.stop()

    @on(Conversation.QuestionWanted)
    def _use_question(self, event: Conversation.QuestionWanted) -> None:
        exchange, state = event.exchange, event.exchange.state
        waited = self._queue.take_out(exchange)
        if waited:
            self.query_one(Conversation).remove_question(exchange)
        match event.deed:
            case "edit":
                self._write(state.question)
                self.query_one(Prompt).images = state.images
            case "retry" if waited or state.over:
                self._ask_again(state, state.databases)
            case "retry":
                self.remark("it is being answered: Esc stops")
            case "go_on":
                self._go_on(state)
            case "widen":
                self._widen(state)
            case "remove" if not waited:
                self.remark("only a queued question can be removed")

    def _ask_again(self, state: RunState, asked: tuple[Wanted, ...] = ()) -> None:
        self.query_one(Prompt).images = state.images
        self.ask(state.question, asked)

    def _go_on(self, state: RunState) -> None:
        """Ask for the rest of an answer that broke off."""
        if state.phase not in (Phase.STOPPED, Phase.FAILED) or not state.text.strip():
            self.remark("only an answer that broke off can go on")
            return
        if state.phase is Phase.STOPPED:
            self._dialogue.keep_partial(state)
        self.ask(GO_ON.format(state.question), state.databases)

    def _widen(self, state: RunState) -> None:
        """Ask again, of everything there is."""
        if not state.over:
            self.remark("it is being answered: Esc stops")
        elif set(state.databases) >= {row.name for row in self.rows if not row.problem}:
            self.remark("all documents were asked; other words may find more")
        else:
            self.action_everything()
            self._ask_again(state)

    @on(Exchange.ItemChosen)
    def _open_nearest(self, event: Exchange.ItemChosen) -> None:
        self.view = "sources"
        self.remove_class("-no-sources")
        self.query_one(EvidencePanel).open_item(event.item)

    @on(SearchedScroll.Said)
    def _pass_on(self, event: SearchedScroll.Said) -> None:
        self.remark(event.text)

    # The same by commands

    def _do(self, deed: Deed) -> None:
        self.query_one(Conversation).action_do(deed)

    def action_retry(self) -> None:
        """Ask the last question again."""
        self._do("retry")

    def action_edit(self) -> None:
        """Put the last question back into the box."""
        self._do("edit")

    def action_go_on(self) -> None:
        """Go on with an answer that broke off."""
        self._do("go_on")

    def action_widen(self) -> None:
        """Ask the last question of all documents."""
        self._do("widen")

    def action_steps(self) -> None:
        """Show or hide the steps of the last answer."""
        self._do("steps")

    def action_details(self) -> None:
        """Show all that is known of an error."""
        self.query_one(Conversation).action_details()

    def action_copy_answer(self) -> None:
        """Copy the answer."""
        self.query_one(Conversation).action_copy()

    def action_cite_answer(self) -> None:
        """Copy the answer with its sources."""
        self.query_one(Conversation).action_copy_with_sources()

    # Search

    def action_search(self, words: str = "") -> None:
        """Look for words in the conversation, which are asked for where none are given."""
        self.view = "chat"
        if words:
            self._search(words)
        else:
            self._ask_for_words()

    @on(Conversation.SearchWanted)
    def _ask_for_words(self) -> None:
        if not self.query(SearchLine):
            self.mount(SearchLine(), before="#newer")
        self.query_one(SearchLine).focus()

    @on(SearchLine.Closed)
    async def _take_words(self, event: SearchLine.Closed) -> None:
        await self.query(SearchLine).remove()
        self._search(event.words)

    def _search(self, words: str) -> None:
        conversation = self.query_one(Conversation)
        conversation.focus()
        conversation.search(words)
