"""The main loop: ask the model, run the tools it calls, until it answers or a limit is met.

The loop does not know which model it has nor what the tools do. Everything that happens is an
event; the last one is `Answered` or `Stopped`.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from rag_assistant.agents.citations import CitationStream, References
from rag_assistant.config import Limits
from rag_assistant.errors import ModelError
from rag_assistant.events import (
    Answered,
    CitationResolved,
    Event,
    EvidenceFound,
    Note,
    Stopped,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from rag_assistant.evidence import Answer, Citation, Coverage, Evidence
from rag_assistant.messages import (
    Message,
    Reply,
    ReplyDelta,
    Request,
    SystemMessage,
    ToolCall,
    ToolMessage,
    Usage,
    UserMessage,
)
from rag_assistant.models.protocol import Model
from rag_assistant.prompts import load_prompt
from rag_assistant.tools.toolkit import Toolkit, ToolOutput


@dataclass(frozen=True, slots=True)
class Question:
    """What a run starts from. `coverage` says what there is to search; `history` what was said."""

    text: str
    coverage: Coverage
    history: tuple[Message, ...] = ()


_UNFINISHED = {
    "length": "The model met its limit of output; the answer breaks off.",
    "refusal": "The model declined to answer.",
}


class LimitReached(Exception):
    """A limit of the run was met; the message says which one."""


@dataclass(slots=True)
class Run:
    """One question being answered: the messages so far and what they cost and found."""

    question: Question
    model: Model
    toolkit: Toolkit
    limits: Limits
    messages: list[Message] = field(default_factory=list)
    references: References = field(default_factory=References)
    evidence: list[Evidence] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    searches: int = 0
    entries_read: set[tuple[str, int]] = field(default_factory=set)
    text: str = ""
    citations: Sequence[Citation] = ()
    started: float = field(default_factory=time.monotonic)

    async def events(self) -> AsyncGenerator[Event, None]:
        """Answer the question. Closing the iterator stops the request in flight."""
        databases = ", ".join(self.question.coverage.databases)
        self.messages = [
            SystemMessage(load_prompt("answer", databases=databases)),
            *self.question.history,
            UserMessage(self.question.text),
        ]
        try:
            for steps_left in range(self.limits.steps - 1, -1, -1):
                self._check_tokens()
                async with aclosing(self._step(last=steps_left == 0)) as step:
                    async for event in step:
                        yield event
                        if isinstance(event, Answered):
                            return
            raise LimitReached(f"{self.limits.steps} steps")
        except LimitReached as limit:
            reason = f"Stopped at the limit of {limit}."
            yield Stopped(reason, "Raise it under [limits] in the configuration.", self._answer())
        except ModelError as error:
            yield Stopped(error.message, error.hint, self._answer())

    async def _step(self, *, last: bool) -> AsyncGenerator[Event, None]:
        """Send one request and stream its text; run its tool calls, or end with `Answered`."""
        replies: list[Reply] = []
        async with aclosing(self._stream_text(last, replies)) as texts:
            async for event in texts:
                yield event
        if not replies:
            raise ModelError(f"{self.model.name} ended without a reply.", hint="Ask again.")
        reply = replies[0]
        self.usage += reply.usage
        if not reply.message.tool_calls:
            if reply.finish in _UNFINISHED:
                yield Note(_UNFINISHED[reply.finish])
            yield Answered(self._answer())
            return
        if self.text.strip():
            yield Note(self.text.strip(), was_streamed=True)
        self.messages.append(reply.message)
        async with aclosing(self._run_tools(reply.message.tool_calls)) as outcomes:
            async for event in outcomes:
                yield event

    async def _stream_text(self, last: bool, replies: list[Reply]) -> AsyncGenerator[Event, None]:
        """Stream the text of one reply with its citations; put the whole reply into `replies`."""
        stream = CitationStream(self.references)
        self.text, self.citations = "", stream.citations
        async with aclosing(self._pieces(last=last)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Reply):
                    replies.append(piece)
                    continue
                for event in self._show(*stream.feed(piece.text)):
                    yield event
        for event in self._show(*stream.finish()):
            yield event

    async def _pieces(self, *, last: bool) -> AsyncGenerator[ReplyDelta | Reply, None]:
        """Stream one reply, within the time that the run has left."""
        messages = tuple(self.messages)
        tools = self.toolkit.specs
        if last:
            messages, tools = (*messages, SystemMessage(load_prompt("last_step"))), ()
        async with aclosing(self.model.stream(Request(messages, tools))) as stream:
            while True:
                try:
                    async with asyncio.timeout(self._seconds_left()):
                        piece = await anext(stream)
                except StopAsyncIteration:
                    return
                except TimeoutError as error:
                    raise LimitReached(f"{self.limits.seconds:g} seconds") from error
                yield piece

    def _show(self, text: str, citations: list[Citation]) -> list[Event]:
        self.text += text
        resolved: list[Event] = [CitationResolved(citation) for citation in citations]
        return [*resolved, TextDelta(text)] if text else resolved

    async def _run_tools(self, calls: Sequence[ToolCall]) -> AsyncGenerator[Event, None]:
        """Run the calls of one reply at the same time; their results keep the calls' order."""
        for call in calls:
            yield ToolStarted(call.id, call.name, _arguments(call))
        started = time.monotonic()
        tasks = [asyncio.create_task(self._timed(call, started)) for call in calls]
        try:
            async with asyncio.timeout(self._seconds_left()):
                outcomes = await asyncio.gather(*tasks)
        except TimeoutError as error:
            raise LimitReached(f"{self.limits.seconds:g} seconds") from error
        finally:
            for task in tasks:
                task.cancel()
        for call, (output, seconds) in zip(calls, outcomes, strict=True):
            yield ToolFinished(call.id, call.name, output.ok, output.summary, round(seconds, 3))
            text = self._take(call, output)
            if output.evidence:
                yield EvidenceFound(output.evidence)
            self.messages.append(ToolMessage(call.id, call.name, text))

    async def _timed(self, call: ToolCall, started: float) -> tuple[ToolOutput, float]:
        output = await self.toolkit.run(call)
        return output, time.monotonic() - started

    def _take(self, call: ToolCall, output: ToolOutput) -> str:
        """Count a result and give the text of it that the model reads."""
        self.searches += self.toolkit.kind_of(call.name) == "search"
        if not output.evidence:
            return output.text
        evidence = output.evidence
        self.evidence.append(evidence)
        self.usage += evidence.usage
        self.entries_read.update((evidence.database, id_) for id_ in evidence.entries_read)
        return self.references.add(evidence)

    def _check_tokens(self) -> None:
        if self.usage.total_tokens >= self.limits.tokens:
            raise LimitReached(f"{self.limits.tokens} tokens")

    def _seconds_left(self) -> float:
        return max(0.0, self.started + self.limits.seconds - time.monotonic())

    def _answer(self) -> Answer:
        coverage = replace(
            self.question.coverage, searches=self.searches, entries_read=len(self.entries_read)
        )
        return Answer(
            question=self.question.text,
            text=self.text.strip(),
            citations=tuple(self.citations),
            evidence=tuple(self.evidence),
            coverage=coverage,
            model=self.model.name,
            usage=self.usage,
            elapsed_ms=round((time.monotonic() - self.started) * 1000),
        )


def _arguments(call: ToolCall) -> dict[str, object]:
    """Give a call's arguments for showing; what is no JSON object is shown as it was written."""
    try:
        arguments = json.loads(call.arguments or "{}")
    except ValueError:
        arguments = None
    return arguments if isinstance(arguments, dict) else {"arguments": call.arguments}
