"""Putting a question to the assistant: the answer that comes back, and what it took."""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace

from rag_assistant.assistant import Assistant
from rag_assistant.errors import ModelError, RagError, in_full
from rag_assistant.evaluation.questions.values import Question, document_of
from rag_assistant.evaluation.running.judging import judged
from rag_assistant.evaluation.runs.outcomes import (
    AnswerOutcome,
    ModelVerdict,
    QuestionCost,
    RecordedCall,
)
from rag_assistant.library.library import Library
from rag_assistant.tools.permission import Permit, deny
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.events import (
    Answered,
    Event,
    Note,
    RunStarted,
    Stopped,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import Usage
from rag_assistant.values.scope import Wanted

NOT_ANSWERED = "There is no answer; the judge was not asked."


async def answered(
    assistant: Assistant,
    question: Question,
    wanted: Sequence[Wanted],
    *,
    judge: str = "",
    permit: Permit = deny,
) -> AnswerOutcome:
    """Ask a question of what is wanted (of all databases where that is nothing), as a person would.

    A run that breaks off is an outcome. `judge` names the model that judges the answer; its work is
    not in the time or the tokens. `permit` is asked as in `Assistant.ask`. Raises LibraryError or
    ModelError when a run cannot start at all.
    """
    watched = _Watched()
    events = assistant.ask(question.text, databases=wanted, permit=permit)
    ended = await _ended(events, question, watched)
    answer = ended.partial if isinstance(ended, Stopped) else ended.answer
    outcome = AnswerOutcome(
        question.id,
        answer,
        watched.traffic(answer),
        in_full(ended.reason, ended.hint) if isinstance(ended, Stopped) else "",
        tuple(watched.tools),
        documents=await asyncio.to_thread(_documents, assistant.library, question, answer),
    )
    if not judge:
        return outcome
    return replace(outcome, judgement=await _judgement(assistant, question, outcome, judge))


async def _ended(
    run: AsyncGenerator[Event, None], question: Question, watched: "_Watched"
) -> Answered | Stopped:
    """Give the last event of a run; what is raised once it has started ends it, too."""
    try:
        async with aclosing(run) as events:
            async for event in events:
                watched.see(event)
                if isinstance(event, Answered | Stopped):
                    return event
    except RagError as error:
        if not watched.started:
            raise
        took = round(watched.elapsed_ms)
        nothing = Answer(question.text, "", (), (), Coverage(), "", Usage(), took)
        broken = Stopped(error.message, error.hint, nothing)
        watched.see(broken)
        return broken
    raise ModelError("A run ended without an answer.", hint="Ask again.")


async def _judgement(
    assistant: Assistant, question: Question, outcome: AnswerOutcome, judge: str
) -> ModelVerdict | None:
    """Have an answer judged; a question without one has nothing to judge an answer by."""
    if not question.answerable:
        return None
    if outcome.outcome != "answered":
        return ModelVerdict(judge, "wrong", NOT_ANSWERED)
    return await judged(assistant, judge, question, outcome.answer)


@dataclass(slots=True)
class _Watched:
    """What passes of a run: when the words of the answer began, and the tools that were called."""

    began: float = field(default_factory=time.perf_counter)
    started: bool = False
    first_ms: float | None = None
    ended_ms: float | None = None
    tools: list[RecordedCall] = field(default_factory=list)
    _running: dict[str, tuple[str, float]] = field(default_factory=dict)

    @property
    def elapsed_ms(self) -> float:
        return (time.perf_counter() - self.began) * 1000

    def see(self, event: Event) -> None:
        match event:
            case RunStarted():
                self.started = True
            case TextDelta(text) if text.strip() and self.first_ms is None:
                self.first_ms = self.elapsed_ms
            case Note(was_streamed=True):  # those words were not the answer's
                self.first_ms = None
            case ToolStarted():
                self._running[event.call_id] = (event.tool, self.elapsed_ms)
            case ToolFinished():
                self._running.pop(event.call_id, None)
                self.tools.append(RecordedCall(event.tool, event.ok, event.seconds))
            case Answered() | Stopped():
                self.ended_ms = self.elapsed_ms
                for tool, since in self._running.values():  # the run ended before they did
                    self.tools.append(RecordedCall(tool, False, (self.ended_ms - since) / 1000))

    def traffic(self, answer: Answer) -> QuestionCost:
        return QuestionCost(
            self.elapsed_ms if self.ended_ms is None else self.ended_ms,
            self.first_ms,
            len(self.tools),
            answer.usage.input_tokens,
            answer.usage.output_tokens,
            answer.cost,
        )


def _documents(library: Library, question: Question, answer: Answer) -> tuple[str, ...]:
    """Name the document of each citation; what is gone meanwhile goes by its path."""
    items = [citation.item for citation in answer.citations]
    keys = {(item.database, item.entry_id): "" for item in items}
    for database, entry_id in keys:
        with suppress(RagError):
            keys[database, entry_id] = library.database(database).entry(entry_id).key
    return tuple(
        document_of(item.path, keys[item.database, item.entry_id], question.relevant)
        for item in items
    )
