"""The model fit test: what a model can do here, found out by asking it.

Each check yields one line, and a check that fails never ends the test. What was settled is in
`FitTest.profile`, in the words of the settings; what the server left open is not in it.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from statistics import median
from typing import get_args

from rag_assistant.agents import fit_materials as materials
from rag_assistant.agents.context import estimate
from rag_assistant.agents.fit_checks import (
    FitResult,
    declines_check,
    names_both,
    quotes_check,
    short,
)
from rag_assistant.agents.fit_reading import cites_check, helper_mode, reading_check
from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.config import CallForm
from rag_assistant.errors import ModelError, ToolFailed
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.protocol import Model, WrappedModel, whole_reply
from rag_assistant.models.text_protocol import TextProtocolModel
from rag_assistant.models.written_calls import WrittenCallsModel
from rag_assistant.prompts import load_prompt
from rag_assistant.tools.toolkit import parse_arguments
from rag_assistant.values.evidence import Evidence
from rag_assistant.values.messages import (
    Image,
    Reply,
    ReplyDelta,
    ReplyPending,
    ReplyPiece,
    ReplyWait,
    Request,
    SystemMessage,
    Usage,
    UserMessage,
)

TIMES = 3
"""Replies whose speed is taken; the median counts, for the first one may load the model."""
CHECK_SECONDS = 180.0
"""How long one reply may take without a sign of life, and then for its words."""


class FitTest:
    """Tests one model, which is given as it is: not wrapped in the text protocol.

    `answers` says whether it replied at all, `usage` what the test took.
    """

    def __init__(self, model: Model, *, seconds: float = CHECK_SECONDS) -> None:
        self.profile: dict[str, bool | int | str] = {}
        self.answers = False
        self._model = _Watched(model, seconds)
        self._seconds = seconds
        self._form: CallForm | None = None

    @property
    def usage(self) -> Usage:
        """Tokens of all replies so far."""
        return self._model.usage

    async def checks(self) -> AsyncGenerator[FitResult, None]:
        """Make all checks; only the first one when the model does not answer."""
        yield await self._speed()
        if not self.answers:
            return
        native = await self._native()
        yield native
        calling: Model = self._model
        if not native.ok:
            for check in [await self._text_protocol(form) for form in get_args(CallForm)]:
                yield check
            calling = self._as_it_calls()
        evidence = await self._evidence()
        for check in evidence:
            yield check
        reading = await reading_check(self._model)
        yield reading.check
        cites = await cites_check(calling)
        yield cites
        if reading.tokens:
            self.profile["evidence_tokens"] = reading.tokens
            self.profile["helper"] = helper_mode(
                condenses=evidence[0].ok, cites=cites.ok, tokens=reading.tokens
            )
        yield await self._images()

    def _as_it_calls(self) -> Model:
        """Give the model as it is to be used: what it writes is read, in the form it was taught."""
        if self._form:
            return TextProtocolModel(self._model, self._form)
        return WrittenCallsModel(self._model)

    async def _speed(self) -> FitResult:
        timed: list[tuple[float, float]] = []
        try:
            for _ in range(TIMES):
                timed.append(await self._timed())
        except ModelError as error:
            return FitResult("answers", False, str(error), "the other checks were not made")
        self.answers = True
        first, rate = (median(values) for values in zip(*timed, strict=True))
        found = f"first words after {first:.2f} s, {rate:.0f} tokens a second (median of {TIMES})"
        slow = first > 10 or rate < 5
        return FitResult("answers", True, found, "answers will take minutes" if slow else "")

    async def _timed(self) -> tuple[float, float]:
        """Give the seconds to the first words of a reply, and tokens a second over all of it."""
        request = Request((UserMessage(load_prompt("fit_speed")),))
        first, tokens = 0.0, 0
        started = time.monotonic()
        async with aclosing(self._model.stream(request)) as stream:
            async for piece in stream:
                if not isinstance(piece, ReplyWait | ReplyPending):
                    first = first or time.monotonic() - started
                if isinstance(piece, Reply):
                    tokens = piece.usage.output_tokens or estimate(piece.message.text)
        if not tokens:
            raise ModelError(f"{self._model.name} ended without a reply.", hint="Try again.")
        return first, tokens / max(time.monotonic() - started, 1e-6)

    async def _native(self) -> FitResult:
        name = "native tools"
        try:
            called, found = await self._call(WrittenCallsModel(self._model))
        except ModelError as error:
            # What the server said may not be about tools; the text protocol will tell.
            return FitResult(name, False, str(error), "its calls must be read from its text")
        if called:
            self.profile["native_tools"] = True
            if self._model.called:
                return FitResult(name, True, found, "it can search by tool calls")
            found = f"written into its text: {found}"
        return FitResult(name, False, found, "its calls must be read from its text")

    async def _text_protocol(self, form: CallForm) -> FitResult:
        name = f"text protocol, {form} form"
        try:
            called, found = await self._call(TextProtocolModel(self._model, form))
        except ModelError as error:
            return FitResult(name, False, str(error))
        if not called:
            return FitResult(name, False, found, "in this form it cannot search")
        if self._form is None:
            self._form = form
            # Taught a form, it writes that; one that it only falls into may be another each time.
            self.profile |= {"native_tools": False, "call_form": form}
        return FitResult(name, True, found, "it can search by calls in its text")

    async def _call(self, model: Model) -> tuple[bool, str]:
        """Ask what only the tool can tell. Say whether it was called rightly, and what it did."""
        system = SystemMessage(load_prompt("fit_tool"))
        question = UserMessage(materials.GAUGE_QUESTION)
        message = (
            await whole_reply(model, Request((system, question), (materials.GAUGE,)))
        ).message
        if not message.tool_calls:
            return False, f"no call; it wrote {short(message.text)}"
        call = message.tool_calls[0]
        shown = short(f"{call.name} {call.arguments}")
        if call.name != materials.GAUGE.name:
            return False, f"it called another tool: {shown}"
        try:
            arguments = parse_arguments(call.arguments, materials.GAUGE)
        except ToolFailed:
            return False, f"its arguments do not fit the tool: {shown}"
        right = arguments == materials.GAUGE_ARGUMENTS
        return right, f"called {shown}" if right else f"its arguments are wrong: {shown}"

    async def _evidence(self) -> Sequence[FitResult]:
        """Let it pick out evidence, as the RetrievalAgent's helper does."""
        names = ("JSON reply", "verbatim quotes", "declines the unanswerable")
        usable = "it can condense entries (helper)"
        try:
            answerable = await self._retrieve(materials.ANSWERABLE)
            unanswerable = await self._retrieve(materials.UNANSWERABLE)
        except _NotUsable as error:
            json_check = FitResult(
                names[0], False, str(error), "as helper, the built-in model steps in"
            )
            untold = [
                FitResult(name, None, "not tested, for want of a reply") for name in names[1:]
            ]
            return json_check, *untold
        tries = answerable.tries + unanswerable.tries
        valid = "valid at once" if tries == 2 else f"valid, after {tries - 2} that had to be mended"
        return (
            FitResult(names[0], True, valid, usable),
            quotes_check(names[1], answerable.evidence),
            declines_check(names[2], unanswerable.evidence),
        )

    async def _retrieve(self, query: str) -> "_Retrieved":
        """Raises _NotUsable when the built-in model had to take over."""
        model = _Watched(self._model, self._seconds)
        fallback = _Watched(ExtractiveModel(), self._seconds)
        agent = RetrievalAgent(model, fallback=fallback)
        try:
            evidence = await agent.retrieve("fit", materials.passages(), query)
        except ModelError as error:
            raise _NotUsable(str(error)) from error
        if fallback.asked:
            raise _NotUsable(evidence.notes[-1])
        return _Retrieved(evidence, model.asked)

    async def _images(self) -> FitResult:
        name = "sees images"
        try:
            said = await self._colours((materials.picture(),))
        except ModelError as error:
            try:
                await self._colours(())
            except ModelError:
                return FitResult(name, None, str(error), "nothing is settled")
            # Without the picture it answers: it is the picture that it does not take.
            self.profile["images"] = False
            return FitResult(name, False, str(error), "questions with images go to another model")
        sees = names_both(said.lower())
        self.profile["images"] = sees
        if sees:
            return FitResult(
                name, True, f"named both colours: {short(said)}", "it may be sent images"
            )
        return FitResult(
            name, False, f"it did not see yellow and purple: {short(said)}",
            "questions with images go to another model",
        )  # fmt: skip

    async def _colours(self, images: tuple[Image, ...]) -> str:
        request = Request((UserMessage(load_prompt("fit_image"), images),))
        return (await whole_reply(self._model, request)).message.text


class _NotUsable(Exception):
    """The model gave no evidence that can be read."""


@dataclass(frozen=True, slots=True)
class _Retrieved:
    evidence: Evidence
    tries: int


class _Watched(WrappedModel):
    """A model that counts how often it was asked, and what it used; `called` tells of its last
    reply whether it called tools natively.

    It may take so many seconds without a sign of life, and for what it writes.
    """

    def __init__(self, model: Model, seconds: float) -> None:
        super().__init__(model)
        self.asked = 0
        self.called = False
        self.usage = Usage()
        self._seconds = seconds

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        self.asked += 1
        until: float | None = None
        async with aclosing(self._model.stream(request)) as stream:
            while True:
                left = self._seconds if until is None else until - time.monotonic()
                try:
                    async with asyncio.timeout(left):
                        piece = await anext(stream, None)
                except TimeoutError:
                    raise self._late() from None
                if piece is None:
                    return
                if isinstance(piece, ReplyDelta):
                    until = until or time.monotonic() + self._seconds
                if isinstance(piece, Reply):
                    self.usage += piece.usage
                    self.called = bool(piece.message.tool_calls)
                yield piece

    def _late(self) -> ModelError:
        return ModelError(
            f"{self.name} did not end its reply within {self._seconds:g} seconds.",
            hint="Try a smaller model, or a lower max_output_tokens.",
        )
