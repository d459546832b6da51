"""The part of the main screen that asks: questions, images that go along, earlier conversations."""

import asyncio
from collections.abc import Coroutine

from textual import on
from textual.worker import Worker

from rag_assistant.assistant import Assistant
from rag_assistant.assistant import Conversation as Talk
from rag_assistant.errors import RagError
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.answer_queue import AnswerQueue
from rag_assistant.tui.attaching import attach_image
from rag_assistant.tui.commands import command_of, split_command
from rag_assistant.tui.completion import Choice, narrowed
from rag_assistant.tui.conversation import Conversation
from rag_assistant.tui.dialogue import Dialogue, Resumed, read_resumed
from rag_assistant.tui.exchange import Exchange
from rag_assistant.tui.permission_desk import PermissionDesk
from rag_assistant.tui.prompt import Prompt
from rag_assistant.tui.question_box import QuestionBox
from rag_assistant.tui.run_state import RunState
from rag_assistant.tui.sources_screen import SourcesScreen
from rag_assistant.tui.status_bar import StatusBar

NO_DATABASE = "there is no database yet: Ctrl+O adds a folder"


class AskingScreen(SourcesScreen):
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

    def watch_rows(self) -> None:
        """Offer the databases in the box."""
        for box in self.query(QuestionBox):
            box.databases = [Choice(f"@{row.name}", f"ask only {row.name}") for row in self.rows]

    # Questions

    @on(QuestionBox.Sent)
    async def _take(self, event: QuestionBox.Sent) -> None:
        """Ask what was sent, or do it where it is a command."""
        split = split_command(event.text)
        command = command_of(split[0]) if split else None
        if split is None:
            self.ask(event.text)
        elif command is None:
            self.remark(f"there is no command /{split[0]}")
            self.query_one(QuestionBox).take_back(event.text)
        elif command.needs:
            await self.run_action(f"screen.{command.action}({split[1]!r})")
        else:
            await self.run_action(f"screen.{command.action}")

    def ask(self, text: str) -> None:
        """Ask the ticked databases, or those that `@name` limits this question to."""
        question, named = narrowed(text, [row.name for row in self.rows if not row.problem])
        asked = named or self.asked
        if not asked or not question:
            missing = "no database is ticked: Ctrl+L, then Space" if self.rows else NO_DATABASE
            self.remark(missing if not asked else "write a question behind the database")
            self.query_one(QuestionBox).take_back(text)
            return
        self.view = "chat"
        self._suggest(())
        images = self.query_one(Prompt).take_images()
        exchange = Exchange(RunState(question, asked, images=images))
        self.query_one(Conversation).add(exchange)
        self._queue.put(exchange)

    def _start_answer(self, answer: Coroutine[None, None, None]) -> Worker[None]:
        self._opened_by_person = False
        return self.run_worker(answer, group="answer", exit_on_error=False)

    def answer_changed(self, exchange: Exchange) -> None:
        """Keep the title, what is suggested and the sources in step with an answer."""
        super().answer_changed(exchange)
        if exchange.state.title:
            self.query_one(StatusBar).title = exchange.state.title
        if exchange.state.over:
            self._suggest(tuple(exchange.state.suggestions))

    def _suggest(self, questions: tuple[str, ...]) -> None:
        self.query_one(QuestionBox).earlier.suggestions = questions

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

    @on(Conversation.QuestionWanted)
    async def _use_question(self, event: Conversation.QuestionWanted) -> None:
        exchange, state = event.exchange, event.exchange.state
        waited = self._queue.take_out(exchange)
        if waited:
            await exchange.remove()
        match event.deed:
            case "edit":
                self._write(state.question)
                self.query_one(Prompt).images = state.images
            case "retry" if waited or state.over:
                self.query_one(Prompt).images = state.images
                self.ask(state.question)
            case "remove" if not waited:
                self.remark("only a queued question can be removed")

    def _write(self, text: str) -> None:
        box = self.query_one(QuestionBox)
        box.write(text)
        box.focus()

    def action_retry(self) -> None:
        """Ask the last question again."""
        self.query_one(Conversation).action_retry()

    def action_edit(self) -> None:
        """Put the last question back into the box."""
        self.query_one(Conversation).action_edit()

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
        work = self._attach_when_read(written, else_write)
        self.run_worker(work, group="image", exit_on_error=False)

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
        self.query_one(Conversation).welcome(has_databases=bool(self.rows))
        self.query_one(QuestionBox).focus()

    async def _clear(self) -> None:
        self._queue.clear()
        self._suggest(())
        self.forget_sources()
        self.query_one(StatusBar).title = ""
        await self.query_one(Conversation).empty()

    def _close(self, talk: Talk) -> None:
        self.run_worker(talk.aclose(), group="closing", exit_on_error=False)

    def resume(self, number: int) -> None:
        """Go on with a kept conversation."""
        self.run_worker(self._resume(number), group="resume", exclusive=True, exit_on_error=False)

    async def _resume(self, number: int) -> None:
        if self._store is None:
            return
        try:
            resumed = await asyncio.to_thread(read_resumed, self._store, number)
        except RagError as error:
            self.remark(f"{error.message} {error.hint}")
            return
        await self._clear()
        self._close(self._dialogue.begin(resumed.past, resumed.follows))
        self._show_resumed(resumed)

    def _show_resumed(self, resumed: Resumed) -> None:
        conversation, box = self.query_one(Conversation), self.query_one(QuestionBox)
        for state in resumed.states:
            exchange = Exchange(state)
            conversation.add(exchange)
            box.earlier.add(state.question)
            if state.citations:
                self.answer_changed(exchange)
        self.query_one(StatusBar).title = resumed.title
        known = {row.name for row in self.rows}
        if asked := known & set(resumed.databases):
            self.left_out = frozenset(known - asked)
        box.focus()
