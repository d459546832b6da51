"""The part of the main screen that does things with questions: again, on from there, wider, search.

Each is a key in the conversation, can be clicked, and is a command.
"""

import asyncio
from functools import partial

from textual import on

from rag_assistant.assistant import Assistant
from rag_assistant.assistant.past import GO_ON
from rag_assistant.errors import RagError
from rag_assistant.history.recording import Follows
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.beside import beside
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.dialogue import read_resumed
from rag_assistant.tui.chat.exchange import Deed, Exchange
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.chat.search_line import SearchLine
from rag_assistant.tui.chat.searched_scroll import SearchedScroll
from rag_assistant.tui.main.asking_screen import AskingScreen
from rag_assistant.tui.question.prompt import Prompt
from rag_assistant.tui.sources.evidence_panel import EvidencePanel
from rag_assistant.tui.terminal.idle_collection import IdleCollection, Typing
from rag_assistant.values.coverage import seen_in_part
from rag_assistant.values.scope import Wanted

LOOK_SECONDS = 1.0
"""How often it is looked whether there is a pause for what takes long."""


class ChatScreen(AskingScreen):
    """A screen whose conversation can be worked with."""

    _typing: Typing

    def __init__(self, assistant: Assistant, store: ConversationStore | None) -> None:
        super().__init__(assistant, store)
        self._labelling = asyncio.Lock()

    def on_mount(self) -> None:
        """Leave the collecting of garbage to pauses."""
        self._collection = IdleCollection(self._typing)
        self._collection.start()
        self.set_interval(LOOK_SECONDS, self._collection.look)

    async def on_unmount(self) -> None:
        """Leave it to Python again."""
        self._collection.stop()

    @on(ConversationView.QuestionWanted)
    def _use_question(self, event: ConversationView.QuestionWanted) -> None:
        exchange, state = event.exchange, event.exchange.state
        waited = self._queue.take_out(exchange)
        if waited:
            self.query_one(ConversationView).remove_question(exchange)
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
            case "failures":
                self._show_failures(state)
            case "compare":
                self._compare(state)
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

    def _show_failures(self, state: RunState) -> None:
        """List the files that could not be read, of the first database that has any."""
        seen = seen_in_part(state.answer.coverage) if state.answer else ()
        name = next((one.database for one in seen), "")
        if name:
            self.action_library(name)
        else:
            self.remark("every file could be read")

    def action_library(self, failures_of: str = "") -> None:
        """Show the databases, or what could not be read of one."""
        raise NotImplementedError

    def _compare(self, state: RunState) -> None:
        """Ask again as a branch from before the question, so that its old answer is not read."""
        if not state.over or not state.text.strip():
            self.remark("there is no answer yet to compare with")
        elif self._store is None or state.kept is None:
            self.remark("only answers of a conversation that is kept can be compared")
        elif not self._queue_is_idle():
            self.remark("it is being answered: Esc stops")
        else:
            work = partial(self._ask_from_before, self._store, state, state.kept)
            beside(self, work, "resume")

    async def _ask_from_before(
        self, store: ConversationStore, state: RunState, place: Follows
    ) -> None:
        read = partial(read_resumed, store, place.conversation, place.ordinal - 1)
        try:
            resumed = await asyncio.to_thread(read)
        except RagError as error:
            self.remark(f"{error.message} {error.hint}")
            return
        await self.go_on_with(resumed)
        self.ask(state.question, state.databases, before=state)

    def _queue_is_idle(self) -> bool:
        return all(exchange.state.over for exchange in self.query(Exchange))

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

    # What the person holds for wrong

    @on(EvidencePanel.WrongWanted)
    def _mark_wrong(self, event: EvidencePanel.WrongWanted) -> None:
        asked = [self._shown, *self.query(Exchange)]
        exchanges = [one for one in asked if one and event.citation in one.state.citations]
        if self._store and exchanges and exchanges[0].state.kept:
            work = partial(self._keep_label, self._store, exchanges[0].state, event)
            beside(self, work, "label", exclusive=False)
        else:
            event.tell("only citations of a conversation that is kept can be marked wrong")

    async def _keep_label(
        self, store: ConversationStore, state: RunState, event: EvidencePanel.WrongWanted
    ) -> None:
        marker = event.citation.marker
        async with self._labelling:
            wrong = marker not in state.wrong
            if state.kept is None:
                return
            try:
                await asyncio.to_thread(store.label, state.kept, marker, wrong=wrong)
            except RagError as error:
                event.tell(f"{error.message} {error.hint}")
                return
            state.wrong ^= {marker}
        for exchange in self.query(Exchange):
            if exchange.state is state:
                exchange.draw()
        if self._shown and self._shown.state is state:
            self._fill(self.query_one(EvidencePanel), self._shown)
        marked = f"[{marker}] is marked wrong: x takes it back"
        event.tell(marked if wrong else f"[{marker}] is not marked wrong any more")

    def action_mark_wrong(self) -> None:
        """Mark the source that is open as wrong, or take that back."""
        self.view = "sources"
        self.remove_class("-no-sources")
        self.query_one(EvidencePanel).action_mark_wrong()

    @on(SearchedScroll.Said)
    def _pass_on(self, event: SearchedScroll.Said) -> None:
        self.remark(event.text)

    # The same by commands

    def _do(self, deed: Deed) -> None:
        self.query_one(ConversationView).action_do(deed)

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
        """Show all that the last answer saw, or is known of an error."""
        self.query_one(ConversationView).action_details()

    def action_compare(self) -> None:
        """Ask the last question again, and compare the answers."""
        self._do("compare")

    def action_failures(self) -> None:
        """List the files that could not be read for the last answer."""
        self._do("failures")

    def action_copy_answer(self) -> None:
        """Copy the answer."""
        self.query_one(ConversationView).action_copy()

    def action_cite_answer(self) -> None:
        """Copy the answer with its sources."""
        self.query_one(ConversationView).action_copy_with_sources()

    # Search

    def action_search(self, words: str = "") -> None:
        """Look for words in the conversation, which are asked for where none are given."""
        self.view = "chat"
        if words:
            self._search(words)
        else:
            self._ask_for_words()

    @on(ConversationView.SearchWanted)
    def _ask_for_words(self) -> None:
        if not self.query(SearchLine):
            self.mount(SearchLine(), before="#newer")
        self.query_one(SearchLine).focus()

    @on(SearchLine.Closed)
    async def _take_words(self, event: SearchLine.Closed) -> None:
        await self.query(SearchLine).remove()
        self._search(event.words)

    def _search(self, words: str) -> None:
        conversation = self.query_one(ConversationView)
        conversation.focus()
        conversation.search(words)
