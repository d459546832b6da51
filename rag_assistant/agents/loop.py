"""The main loop: ask the model, run the tools it calls, until it answers or a limit is met.

The loop does not know which model it has nor what the tools do. Everything that happens is an
event; the last one is `Answered` or `Stopped`. When the model fails, a fallback goes on from what
was found; when a limit is met first, what was found is quoted.
"""

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace

from rag_assistant.agents.answer_stream import AnswerStream
from rag_assistant.agents.context import message_tokens, tool_tokens, whole
from rag_assistant.agents.inline_commands import stands_in
from rag_assistant.agents.instructions import instructions, remarks
from rag_assistant.agents.limits import RAISE, LimitReached, RunBudget, met_limits
from rag_assistant.agents.reply_pieces import reply_pieces, wait_told
from rag_assistant.agents.seen import ReadingLog
from rag_assistant.agents.setting import AgentSpec, RunOptions, RunQuestion
from rag_assistant.agents.tool_calls import ASKED_BEFORE, CallOutcome, ToolCalls
from rag_assistant.agents.usage import UsageMeter
from rag_assistant.config import Limits
from rag_assistant.errors import ModelError
from rag_assistant.prompts import load_prompt
from rag_assistant.values.events import Answered, Event, EvidenceFound, Note, Stopped, ToolFinished
from rag_assistant.values.evidence import Answer, Evidence, Signal
from rag_assistant.values.messages import (
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

LEAST_FALLBACK_STEPS = 3
"""Search, read, answer: what the fallback needs, whatever the failed model has used."""

REMARK_TOKENS = 150
"""Kept free in each request for what the model is told of limits and omissions."""

_ASK_AGAIN = "Ask again, or choose another model."

_LEFT_OUT = (
    "The conversation is long: its oldest {} questions and answers are not sent to the model any "
    "more. Begin a new one, or raise context_tokens of the model or tokens under [context]."
)
_UNFINISHED = {
    "length": "The model met its limit of output; the answer breaks off.",
    "refusal": "The model declined to answer.",
}


@dataclass(slots=True)
class Run:
    """One question being answered: the messages so far and what they cost and found."""

    question: RunQuestion
    spec: AgentSpec
    limits: Limits
    options: RunOptions = field(default_factory=RunOptions)
    evidence: list[Evidence] = field(default_factory=list)
    seen: ReadingLog = field(default_factory=ReadingLog)
    started: float = field(default_factory=time.monotonic)
    failure: str = ""
    messages: list[Message] = field(init=False)
    stream: AnswerStream = field(init=False)
    budget: RunBudget = field(init=False)
    ledger: UsageMeter = field(init=False)
    calls: ToolCalls = field(init=False)
    _added_tokens: int = 0
    _left_out: int = 0

    def __post_init__(self) -> None:
        self.budget = RunBudget(self.limits)
        self.ledger = UsageMeter(self.options.settings)
        self.stream = AnswerStream(self.options.references)
        self.seen.told.update((one.database, n) for one in self.question.about for n in one.entries)
        self._hand_over(self.spec, [UserMessage(self.question.text, self.question.images)])

    def _hand_over(self, spec: AgentSpec, said: Sequence[Message]) -> None:
        """Let a model go on from what was said for this question."""
        told = [one.text for one in self.question.about]
        databases = told or self.question.coverage.databases
        prompt = instructions(databases, spec.commands, self.options.persona)
        self.spec = spec
        self.messages = [SystemMessage(prompt), *self.question.history, *said]
        self.calls = ToolCalls(
            spec.toolkit, self.budget, self.options.permissions, said=lambda: self.messages
        )

    @property
    def said(self) -> tuple[Message, ...]:
        """What was said for this question so far; calls without results are left out."""
        return whole(self.messages[1 + len(self.question.history) :])

    @property
    def role(self) -> str:
        """What the model that answers now is to the run; see `ModelUsage`."""
        return "fallback" if self.spec is self.options.fallback else "main"

    async def events(self) -> AsyncGenerator[Event, None]:
        """Answer the question. Closing the iterator stops the request in flight."""
        try:
            async with aclosing(self._steps()) as steps:
                async for event in steps:
                    yield event
            return
        except LimitReached as limit:
            ending = self._stop_at(limit)
        except ModelError as error:
            ending = self._go_on_without(error)
        async with aclosing(ending) as events:
            async for event in events:
                yield event

    async def _go_on_without(self, error: ModelError) -> AsyncGenerator[Event, None]:
        """Let the fallback answer, from what was found if anything was, otherwise from scratch."""
        fallback = self.options.fallback
        if fallback is None or fallback is self.spec:
            yield Stopped(error.message, error.hint, self.answer())
            return
        if text := self.stream.text.strip():
            yield Note(text, was_streamed=True, broke_off=True)
        self.stream = AnswerStream(self.options.references)
        told = f"{error} The model {fallback.model.name} answers in its place."
        yield Note(told, failure=error.message, hint=error.hint)
        self.failure = f"{self.spec.model.name} failed: {error.message}"
        self.budget.extend(LEAST_FALLBACK_STEPS)
        self._hand_over(fallback, self.said if self.evidence else self.said[:1])
        async with aclosing(self.events()) as events:
            async for event in events:
                yield event

    async def _stop_at(self, limit: LimitReached) -> AsyncGenerator[Event, None]:
        """End the run; where the model had no time to answer, with what was found for it."""
        self.seen.limits.append(str(limit))
        fallback = self.options.fallback
        if fallback and self.evidence and not self.stream.text.strip():
            name = self.spec.model.name
            self._hand_over(fallback, self.said)
            self.budget = self.budget.left_for_quoting()
            self.failure = self.failure or f"{name} was stopped at the limit of {limit}."
            with suppress(ModelError, LimitReached):
                async with aclosing(self._ask(Request(tuple(self.messages)), [])) as quoting:
                    async for event in quoting:
                        yield event
        yield Stopped(f"Stopped at the limit of {limit}.", RAISE, self.answer())

    async def _steps(self) -> AsyncGenerator[Event, None]:
        """Take steps until one of them answers."""
        while True:
            last = self.budget.begin_step(self._added_tokens)
            self._added_tokens = 0
            async with aclosing(self._step(last)) as step:
                async for event in step:
                    yield event
                    if isinstance(event, Answered):
                        return

    async def _step(self, last: str) -> AsyncGenerator[Event, None]:
        """Send one request and stream its text; run its tool calls, or end with `Answered`.

        `last` names the limit for which no other step may follow.
        """
        replies: list[Reply] = []
        told = self._left_out
        request = self._request(last=bool(last))
        if self._left_out and not told:
            yield Note(_LEFT_OUT.format(self._left_out))
        async with aclosing(self._ask(request, replies)) as texts:
            async for event in texts:
                yield event
        message = replies[0].message
        if message.tool_calls and not last:
            if text := self.stream.text.strip():
                yield Note(text, was_streamed=True)
            self.stream = AnswerStream(self.options.references)
            self.messages.append(message)
            async with aclosing(self._run_tools(message.tool_calls)) as outcomes:
                async for event in outcomes:
                    yield event
            return
        if not self.stream.text.strip() and replies[0].finish != "refusal":
            if message.tool_calls:
                raise LimitReached(last)
            raise ModelError(f"{self.spec.model.name} gave no answer.", hint=_ASK_AGAIN)
        self.messages.append(replace(message, tool_calls=()))
        for note in self._qualifications(replies[0], last):
            yield Note(note)
        signals = tuple(Signal(name, one, 0.0) for name, one in replies[0].signals.items())
        yield Answered(replace(self.answer(), signals=signals))

    def first_request(self) -> Request:
        """Give the request that the run begins with."""
        return self._request(last=False)

    def _request(self, *, last: bool) -> Request:
        """Make the request of a step: what fits of the conversation, and what to know of it."""
        spec, tools = self.spec, () if last else self.spec.toolkit.specs
        messages = tuple(self.messages)
        if spec.window:
            room = spec.window - tool_tokens(tools) - REMARK_TOKENS
            fitted = self.options.policy.fit(messages, room)
            messages, self._left_out = fitted.messages, fitted.left_out
            results = (one.text for one in messages if isinstance(one, ToolMessage))
            self.options.references.only_shown(results)
        remark = remarks(
            last=last,
            scarce=self.budget.scarce(),
            left_out=self._left_out,
            no_tools=not spec.toolkit.specs,
        )
        said = (*messages, SystemMessage(remark)) if remark else messages
        return Request(said, tools, entries=tuple(sorted(self.seen.told)))

    def _qualifications(self, reply: Reply, last: str) -> list[str]:
        """Say what a person must know of an answer: it breaks off, or a limit was met."""
        notes = [_UNFINISHED[reply.finish]] if reply.finish in _UNFINISHED else []
        met = met_limits(last, self.limits.searches, self.calls.searches_refused)
        self.seen.limits += met
        return notes + list(met.values())

    async def _ask(self, request: Request, replies: list[Reply]) -> AsyncGenerator[Event, None]:
        """Send a request, stream its text, and put the whole reply into `replies`."""
        spec, references = self.spec, self.options.references
        self.stream = stream = AnswerStream(references, spec.commands, self._is_quoted)
        pieces = reply_pieces(spec.model, request, self.budget, is_free=spec.is_free)
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    if isinstance(piece, Reply):
                        replies.append(piece)
                    elif isinstance(piece, ReplyDelta):
                        for event in stream.feed(piece.text):
                            yield event
                    else:
                        yield wait_told(spec.model, request, piece)
        except (ModelError, LimitReached):
            for event in stream.finish():
                yield event
            raise
        for event in stream.finish():
            yield event
        if not replies:
            raise ModelError(f"{spec.model.name} ended without a reply.", hint=_ASK_AGAIN)
        self._spend(self.role, spec.model.name, replies[0].usage)

    async def _run_tools(self, calls: Sequence[ToolCall]) -> AsyncGenerator[Event, None]:
        """Run the calls of one reply; their results keep the calls' order."""
        outcomes: list[CallOutcome] = []
        async with aclosing(self.calls.run(calls, outcomes)) as events:
            async for event in events:
                yield event
        for outcome in outcomes:
            call, output = outcome.call, outcome.output
            summary = ASKED_BEFORE if outcome.repeated else output.summary
            yield ToolFinished(call.id, call.name, output.ok, summary, outcome.seconds)
            result = ToolMessage(call.id, call.name, self._take(outcome))
            if output.evidence and not outcome.repeated:
                yield EvidenceFound(output.evidence)
            self.messages.append(result)
            self._added_tokens += message_tokens(result)

    def _take(self, outcome: CallOutcome) -> str:
        """Count a result and give the text of it that the model reads."""
        output = outcome.output
        evidence = output.evidence
        text = output.text
        if evidence:
            text = self.options.references.add(evidence, output)
        if outcome.repeated:
            return load_prompt("asked_before", result=text)
        self._spend("tool", self.spec.model.name, output.usage)
        self.seen.take(output, self.calls.toolkit.kind_of(outcome.call.name))
        if evidence:
            self.evidence.append(evidence)
            self._spend("helper", self.spec.helper, evidence.usage)
        return text

    def _spend(self, role: str, model: str, usage: Usage) -> None:
        self.ledger.add(role, model, usage)
        self.budget.spend(usage, request=role in ("main", "fallback"))

    def _is_quoted(self, command: str) -> bool:
        """Whether a command stands in what a tool gave."""
        return stands_in(command, [m.text for m in self.messages if isinstance(m, ToolMessage)])

    def answer(self) -> Answer:
        """Give what there is of an answer until now."""
        return Answer(
            question=self.question.text,
            text=self.stream.text.strip(),
            citations=tuple(self.stream.citations),
            evidence=tuple(self.evidence),
            coverage=self.seen.coverage(self.question.coverage, self.budget.searches),
            model=self.spec.model.name,
            usage=self.ledger.total,
            elapsed_ms=round((time.monotonic() - self.started) * 1000),
            usage_by_model=self.ledger.by_model(),
            cost=self.ledger.cost(),
            fallback=self.failure,
        )
