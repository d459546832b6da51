"""The conversation that `chat` leads: its questions one after another, each kept as it goes on."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.assistant.past import GO_ON
from rag_assistant.cli.answer_printer import AnswerPrinter
from rag_assistant.cli.conversations import asked_before
from rag_assistant.cli.drawn import FileOf
from rag_assistant.errors import RagError
from rag_assistant.history.kept import KeptConversation, Past
from rag_assistant.history.recorder import Recorder
from rag_assistant.history.recording import Follows
from rag_assistant.history.store import ConversationStore
from rag_assistant.tools.permission import Permit
from rag_assistant.tools.step_words import StepWords, step_words
from rag_assistant.values.events import (
    Answered,
    Event,
    RunStarted,
    Stopped,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from rag_assistant.values.evidence import Answer, Citation
from rag_assistant.values.scope import Wanted

_NO_PAST = Past()


class ChatSession:
    """Leads one conversation at a time, kept in `store` where there is one.

    `databases` are those that are asked, or parts of them (none: all); `model` answers, the one of
    the settings where it is None. `images` go along with the next question. `question` is the last
    one; `answer` what came of it, as far as it came.
    """

    def __init__(
        self, assistant: Assistant, store: ConversationStore | None, permit: Permit, file_of: FileOf
    ) -> None:
        self.assistant = assistant
        self.store = store
        self.databases: tuple[Wanted, ...] = ()
        self.model: str | None = None
        self.images: list[Path] = []
        self.question = ""
        self.answer: Answer | None = None
        self._asked: tuple[str, ...] = ()
        self.steps: dict[str, tuple[StepWords, ToolFinished | None]] = {}
        self._permit = permit
        self._file_of = file_of
        self._text = ""
        self._broke_off = False
        self._recorder: Recorder | None = None
        self._conversation = assistant.conversation()

    @property
    def kept_as(self) -> int | None:
        """The number by which the conversation is kept; None where it is not."""
        return self._recorder.conversation if self._recorder else None

    @property
    def place(self) -> Follows | None:
        """Where the last question is kept; None where it is not."""
        return self._recorder.place if self._recorder else None

    @property
    def suggestions(self) -> Sequence[str]:
        """What may be asked next."""
        return self._conversation.suggestions

    @property
    def citations(self) -> Sequence[Citation]:
        """What the last answer cites."""
        return self.answer.citations if self.answer else ()

    async def begin(self, past: Past = _NO_PAST, follows: Follows | None = None) -> None:
        """Begin another conversation, or go on with a kept one."""
        before = self._conversation
        self._conversation = self.assistant.conversation(past.exchanges, past.evidence)
        self._recorder = Recorder(self.store, follows) if self.store and follows else None
        self.question, self.answer, self._text, self._broke_off = "", None, "", False
        self.steps.clear()
        await before.aclose()

    async def resume(self, store: ConversationStore, number: int, up_to: int | None) -> None:
        """Go on with a kept conversation, or a part of it, as it was asked then."""
        kept: KeptConversation = await asyncio.to_thread(store.show, number)
        last = kept.exchanges[-1]
        if last.state == "running" and up_to in (None, last.ordinal):
            raise RagError(
                "The last question of this conversation is still being answered.",
                hint="Wait for it, or begin a new one: /new.",
            )
        past = await asyncio.to_thread(store.resume, number, up_to)
        ordinal = up_to or last.ordinal
        asked = await asyncio.to_thread(asked_before, store, number, ordinal)
        await self.begin(past, Follows(number, ordinal))
        self.databases, self.model = asked or kept.summary.databases, kept.summary.model
        self.question = next(e.question for e in kept.exchanges if e.ordinal == ordinal)

    async def ask(self, question: str) -> bool:
        """Answer a question, printed as it comes; tells whether it was answered.

        Being cancelled stops the answer: what was written of it stays, to go on from.
        """
        if self.store and self._recorder is None:
            self._recorder = Recorder(self.store)
        self.question, self.answer, self._text, self._broke_off = question, None, "", True
        self.steps.clear()
        images, self.images = tuple(self.images), []
        conversation = self._conversation
        run = conversation.ask(
            question,
            databases=self.databases,
            model=self.model,
            images=images,
            permit=self._permit,
        )
        events = self._recorder.recorded(run, conversation) if self._recorder else run
        printer = AnswerPrinter("text", lambda: self.kept_as, self._file_of)
        try:
            async with aclosing(events) as coming:
                async for event in coming:
                    self._take(event)
                    printer.show(event)
        finally:
            printer.close()
        return not self._broke_off

    async def go_on(self) -> bool:
        """Ask for the rest of an answer that broke off. Raises RagError where none did."""
        if not (self._broke_off and self._text.strip()):
            raise RagError("No answer broke off.", hint="To ask again: /retry.")
        question = self.question
        if self.answer is None:  # the person stopped it, and the conversation knows nothing of it
            self._conversation.keep_partial(question, self._text)
        return await self.ask(GO_ON.format(question))

    def _take(self, event: Event) -> None:
        match event:
            case RunStarted(databases=databases):
                self._asked = databases
            case TextDelta(text):
                self._text += text
            case ToolStarted(call_id, tool, arguments):
                self.steps[call_id] = step_words(tool, arguments, self._asked), None
            case ToolFinished(call_id, tool):
                words, _ = self.steps.get(call_id) or (step_words(tool, {}), None)
                self.steps[call_id] = words, event
            case Answered(answer):
                self.answer, self._broke_off = answer, False
            case Stopped(partial=partial):
                self.answer = partial

    async def aclose(self) -> None:
        """End what the conversation has started."""
        await self._conversation.aclose()
