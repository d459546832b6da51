"""The part of the main screen that asks: questions, images that go along, earlier conversations."""

import asyncio
from collections.abc import Coroutine
from functools import partial

from textual import on
from textual.worker import Worker

from rag_assistant.assistant import Assistant
from rag_assistant.assistant import Conversation as Talk
from rag_assistant.errors import RagError
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.beside import beside
from rag_assistant.tui.chat.answer_queue import AnswerQueue
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.dialogue import Dialogue, Resumed, read_resumed
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.library.indexing_bar import searched_of
from rag_assistant.tui.main.commands import command_of, split_command
from rag_assistant.tui.main.scoping_screen import ScopingScreen
from rag_assistant.tui.main.status_bar import StatusBar
from rag_assistant.tui.permission.desk import PermissionDesk
from rag_assistant.tui.question.attaching import attach_image
from rag_assistant.tui.question.offered_questions import OfferedQuestions
from rag_assistant.tui.question.prompt import Prompt
from rag_assistant.tui.question.question_box import QuestionBox
from rag_assistant.tui.question.scope_names import narrowed
from rag_assistant.values.scope import Wanted, name_of

NO_DATABASE = "there is no database yet: Ctrl+O adds a folder"


class AskingScreen(ScopingScreen):
    """A screen that leads conversations, which are kept in `store` if there is one."""

    def __init__(self, assistant: Assistant, store: ConversationStore | None) -> None:
        super().__init__(assistant)
        self._store = store
        self._dialogue = Dialogue(assistant, store)
        self._desk = PermissionDesk(self._is_pausing)
        self._queue = AnswerQueue(
            self._dialogue, self._start_answer, self.answer_changed, self._desk.permit
        )

    def _is_pausing(self) -> bool:
        """Tell whether the person is not typing, so that a card may take the focus."""
        raise NotImplementedError

    async def on_unmount(self) -> None:
        """End what the conversation has started."""
        self._queue.close()
        await self._dialogue.aclose()

    # Questions

    @on(QuestionBox.Sent)
    async def _take(self, event: QuestionBox.Sent) -> None:
        """Ask what was sent, or do it where it is a command."""
        split = split_command(event.text)
        command = command_of(split[0]) if split else None
        if split is None:
            if "@" in event.text:
                await self.read_names()
            if self.waits_for_endpoint:
                work = partial(self._ask_when_reached, event.text)
                beside(self, work, "retry", exclusive=False)
            else:
                self.ask(event.text)
        elif command is None:
            self.remark(f"there is no command /{split[0]}")
            self.query_one(QuestionBox).take_back(event.text)
        elif command.needs:
            await self.run_action(f"screen.{command.action}({split[1]!r})")
        else:
            await self.run_action(f"screen.{command.action}")

    async def _ask_when_reached(self, text: str) -> None:
        """Ask if the model can be reached by now; otherwise the question stays in the box."""
        if await self.is_reached():
            self.ask(text)
        else:
            self.query_one(QuestionBox).take_back(text)
            self.remark("Enter retries, F3 other model, Ctrl+F passages")

    def ask(
        self, text: str, asked: tuple[Wanted, ...] = (), before: RunState | None = None
    ) -> None:
        """Ask what is named, or what `@` limits this question to, or else what is in scope.

        The answer is compared with that of `before`.
        """
        question, named = narrowed(text, self.query_one(QuestionBox).names)
        asked = named or asked or self.wanted
        if not asked or not question:
            missing = "no database is ticked: Ctrl+L, then Space" if self.rows else NO_DATABASE
            self.remark(missing if not asked else "write a question behind the name")
            self.query_one(QuestionBox).take_back(text)
            return
        self.view = "chat"
        self._suggest(())
        images = self.query_one(Prompt).take_images()
        state = RunState(question, asked, images=images, warnings=searched_of(self.progress))
        state.before = before
        exchange = Exchange(state)
        self.query_one(ConversationView).add(exchange)
        self._queue.put(exchange)

    def use_model(self, name: str) -> None:
        """Let another model answer from the next question on."""
        super().use_model(name)
        self._dialogue.model = name

    def _start_answer(self, answer: Coroutine[None, None, None]) -> Worker[None]:
        self._opened_by_person = False
        return self.run_worker(answer, group="answer", exit_on_error=False)

    def answer_changed(self, exchange: Exchange) -> None:
        """Keep the title, what is suggested and the sources in step with an answer."""
        super().answer_changed(exchange)
        if exchange.state.title:
            self.query_one(StatusBar).title = exchange.state.title
        if exchange.state.over:
            if exchange.state.phase is Phase.FAILED or _was_replaced(exchange.state):
                self.look_at_endpoint()
            self._suggest(tuple(exchange.state.suggestions))

    def _suggest(self, questions: tuple[str, ...]) -> None:
        self.query_one(QuestionBox).earlier.suggestions = questions
        self.query_one(OfferedQuestions).questions = ()  # an answer shows its own

    def offer_questions(self, questions: tuple[str, ...]) -> None:
        """Offer questions to begin with, as long as none was asked."""
        if not self.query(Exchange):
            self._suggest(questions)
            self.query_one(OfferedQuestions).questions = questions

    @on(OfferedQuestions.Chosen)
    def _ask_offered(self, event: OfferedQuestions.Chosen) -> None:
        self.ask(event.question)

    @on(Exchange.FollowUpChosen)
    def _ask_clicked(self, event: Exchange.FollowUpChosen) -> None:
        self.ask(event.question)

    def action_follow_up(self) -> None:
        """Ask the first suggested question."""
        suggestions = self.query_one(QuestionBox).earlier.suggestions
        if suggestions:
            self.ask(suggestions[0])
        else:
            self.remark("nothing is suggested")

    def _write(self, text: str) -> None:
        box = self.query_one(QuestionBox)
        box.write(text)
        box.focus()

    def action_stop_answer(self) -> None:
        """Stop the answer; what was written stays."""
        self._queue.stop()

    # Images

    @on(QuestionBox.Pasted)
    def _attach_pasted(self, event: QuestionBox.Pasted) -> None:
        self._add_image(event.text, else_write=True)

    def action_image(self, path: str = "") -> None:
        """Send an image along with the next question."""
        if path:
            self._add_image(path)
        else:
            self._write("/image ")

    def _add_image(self, written: str, *, else_write: bool = False) -> None:
        work = partial(self._attach_when_read, written, else_write)
        beside(self, work, "image", exclusive=False)

    async def _attach_when_read(self, written: str, else_write: bool) -> None:
        prompt = self.query_one(Prompt)
        try:
            attached = await asyncio.to_thread(
                attach_image, self._assistant, self._dialogue.model, written
            )
        except RagError as error:
            self.remark(f"{error.message} {error.hint}")
            if else_write:
                self.query_one(QuestionBox).insert(written)
        else:
            prompt.images = (*prompt.images, attached)

    # Conversations

    async def action_new_conversation(self) -> None:
        """Begin another conversation."""
        await self._clear()
        self._close(self._dialogue.begin())
        self.query_one(ConversationView).welcome(has_databases=bool(self.rows))
        self.query_one(QuestionBox).focus()

    async def _clear(self) -> None:
        self._queue.clear()
        self._suggest(())
        self.forget_sources()
        self.query_one(StatusBar).title = ""
        await self.query_one(ConversationView).empty()

    def _close(self, talk: Talk) -> None:
        self.run_worker(talk.aclose(), group="closing", exit_on_error=False)

    def resume(self, number: int) -> None:
        """Go on with a kept conversation."""
        beside(self, partial(self._resume, number), "resume")

    async def _resume(self, number: int) -> None:
        if self._store is None:
            return
        try:
            resumed = await asyncio.to_thread(read_resumed, self._store, number)
        except RagError as error:
            self.remark(f"{error.message} {error.hint}")
            return
        await self.go_on_with(resumed)

    async def go_on_with(self, resumed: Resumed) -> None:
        """Show a kept conversation, or the beginning of one, and go on with it."""
        await self._clear()
        self._close(self._dialogue.begin(resumed.past, resumed.follows))
        self._show_resumed(resumed)

    def _show_resumed(self, resumed: Resumed) -> None:
        conversation, box = self.query_one(ConversationView), self.query_one(QuestionBox)
        if resumed.states:
            conversation.resume(resumed.states)
        for state in resumed.states:
            box.earlier.add(state.question)
        if cited := conversation.last_cited:
            self.answer_changed(cited)
        self.query_one(StatusBar).title = resumed.title
        known = {row.name for row in self.rows}
        if asked := tuple(one for one in resumed.databases if name_of(one) in known):
            self.take_scope(asked)
        box.focus()


def _was_replaced(state: RunState) -> bool:
    """Whether another model answered because the one that was asked could not."""
    return bool(state.answer and state.answer.fallback)
