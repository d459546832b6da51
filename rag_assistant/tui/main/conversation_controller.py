"""The conversation that is led: its answers one after another, another one begun, or a kept one."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.worker import Worker

from rag_assistant.errors import RagError
from rag_assistant.history.kept import Past
from rag_assistant.history.recording import Follows
from rag_assistant.history.store import ConversationStore
from rag_assistant.tools.permission import Permit
from rag_assistant.tui.beside import beside, once_drawn
from rag_assistant.tui.chat.answer_queue import AnswerQueue
from rag_assistant.tui.chat.dialogue import NO_PAST, Dialogue, Resumed, read_resumed
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.chat.welcome import welcome_blocks
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.main.columns import MainColumns
from rag_assistant.tui.main.controller import Controller
from rag_assistant.tui.main.question_panel import QuestionPanel
from rag_assistant.tui.main.scope_controller import ScopeController

if TYPE_CHECKING:
    from rag_assistant.library.makeup import Makeup

FOR_ANSWERS = (
    "rag_assistant.assistant.conversation",
    "rag_assistant.tui.chat.exchange_blocks",
    "rag_assistant.tui.sources.document_forms",
    "rag_assistant.library.quote_state",
)
"""What answers, and what shows an answer and its sources."""


class ConversationController(Controller):
    """Leads the conversation of `dialogue`, shown in `columns`; `panel` offers what may follow.

    What is resumed narrows `scope` as it did then. `permit` asks before a tool does more than read.
    """

    @dataclass
    class TitleChanged(Message):
        """The conversation has another title, or none yet."""

        title: str

    class ModelMissed(Message):
        """The model could not answer, or another one had to."""

    @dataclass
    class Read(Message):
        """A kept conversation was read, to go on with; `again` is asked of it then, if anything."""

        resumed: Resumed
        again: RunState | None = None

    def __init__(
        self,
        dialogue: Dialogue,
        permit: Permit,
        columns: MainColumns,
        panel: QuestionPanel,
        scope: ScopeController,
    ) -> None:
        super().__init__()
        self._dialogue = dialogue
        self._columns = columns
        self._view = columns.conversation
        self._panel = panel
        self._scope = scope
        self._makeup: Makeup | None = None
        self._queue = AnswerQueue(dialogue, self._start_worker, self.answer_changed, permit)

    def _start_worker(self, answer: Coroutine[None, None, None]) -> Worker[None]:
        return self.run_worker(answer, group="answer", exit_on_error=False)

    def on_mount(self) -> None:
        """Load what answers once the first picture is drawn: the first question finds it there."""
        once_drawn(self, partial(beside, self, self._load, "loading"))

    async def _load(self) -> None:
        for name in FOR_ANSWERS:
            await asyncio.to_thread(import_module, name)

    async def on_unmount(self) -> None:
        """End what the conversation has started."""
        self._queue.close()
        await self._dialogue.aclose()

    @property
    def kept_as(self) -> int:
        """The number by which the conversation is kept; 0 where it is not."""
        return self._dialogue.kept_as

    # Answers

    @property
    def answers(self) -> bool:
        """Whether a question is being answered."""
        return self._queue.running

    def put(self, state: RunState) -> None:
        """Show a question, and answer it when all before it are answered."""
        self._columns.view = "chat"
        exchange = Exchange(state)
        self._view.add(exchange)
        self._queue.put(exchange)

    def take_out(self, exchange: Exchange) -> bool:
        """Take back a question that waits for its turn; tells whether it did."""
        waited = self._queue.take_out(exchange)
        if waited:
            self._view.remove_question(exchange)
        return waited

    def stop(self) -> bool:
        """Stop the answer, and tell whether there was one."""
        return self._queue.stop()

    def action_stop(self) -> None:
        """Stop the answer; what was written stays."""
        self.stop()

    def answer_changed(self, exchange: Exchange) -> None:
        """Keep the sources, the title and what is suggested in step with an answer."""
        state = exchange.state
        self._columns.sources.follow_answer(exchange)
        if state.title:
            self.post_message(self.TitleChanged(state.title))
        if state.over:
            if state.phase is Phase.FAILED or (state.answer and state.answer.fallback):
                self.post_message(self.ModelMissed())
            self._panel.suggest(tuple(state.suggestions))

    def keep_partial(self, state: RunState) -> None:
        """Let the next question know of an answer that was stopped."""
        self._dialogue.keep_partial(state)

    # Conversations

    async def action_begin(self) -> None:
        """Begin another conversation."""
        await self._begin()
        self.welcome()
        self._panel.prompt.box.focus()

    async def _begin(self, past: Past = NO_PAST, follows: Follows | None = None) -> None:
        self._queue.clear()
        self._panel.suggest(())
        self._columns.sources.forget()
        self.post_message(self.TitleChanged(""))
        await self._view.empty()
        before = self._dialogue.begin(past, follows)
        if before:
            self.run_worker(before.aclose(), group="closing", exit_on_error=False)

    def welcome(self, makeup: "Makeup | None" = None) -> None:
        """Say what to do and what there is to ask, as long as nothing was said."""
        self._makeup = makeup or self._makeup
        self._view.welcome(welcome_blocks([row.name for row in self._scope.rows], self._makeup))

    @on(Read)
    async def _go_on_with(self, event: Read) -> None:
        """Show a kept conversation, or the beginning of one, and go on with it."""
        event.stop()
        resumed, again = event.resumed, event.again
        await self._begin(resumed.past, resumed.follows)
        if resumed.states:
            self._view.resume(resumed.states)
        for state in resumed.states:
            self._panel.prompt.box.earlier.add(state.question)
        if cited := self._view.last_cited:
            self.answer_changed(cited)
        self.post_message(self.TitleChanged(resumed.title))
        self._scope.take_known(resumed.databases)
        self._panel.prompt.box.focus()
        if again:
            self._panel.ask(again.question, again.databases, before=again)

    def resume(self, number: int) -> None:
        """Read a kept conversation, to go on with it."""
        if store := self._dialogue.store:
            self._read_beside(partial(read_resumed, store, number), None)

    def compare(self, state: RunState) -> None:
        """Ask again as a branch from before the question, so that its old answer is not read."""
        store = self._dialogue.store
        if not state.over or not state.text.strip():
            self.remark("there is no answer yet to compare with")
        elif store is None or state.kept is None:
            self.remark("only answers of a kept conversation can be compared")
        elif not all(exchange.state.over for exchange in self._view.exchanges):
            self.remark("it is still being answered: Esc stops it")
        else:
            self._read_beside(partial(_read_before, store, state.kept), state)

    def _read_beside(self, read: Callable[[], Resumed], again: RunState | None) -> None:
        beside(self, partial(self._read, read, again), "resume")

    async def _read(self, read: Callable[[], Resumed], again: RunState | None) -> None:
        try:
            resumed = await asyncio.to_thread(read)
        except RagError as error:
            self.remark(told(error))
        else:
            self.post_message(self.Read(resumed, again))


def _read_before(store: ConversationStore, place: Follows) -> Resumed:
    """Read a conversation as it was before the question at a place."""
    return read_resumed(store, place.conversation, place.ordinal - 1)
