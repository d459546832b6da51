"""Limits: told before they bite, kept, and honest when met."""

import asyncio
from collections.abc import AsyncGenerator
from itertools import count

from rag_assistant.config import Limits
from rag_assistant.values.events import Stopped, Waiting
from rag_assistant.values.messages import (
    AssistantMessage,
    Reply,
    ReplyDelta,
    ReplyPending,
    ReplyPiece,
    Request,
    ToolCall,
    Usage,
)
from tests.agents.playing import QUOTE, play, read, search, slow_tool
from tests.scripted import Scripted


def searches(number: int) -> list[Scripted]:
    """Replies that search for something else each time."""
    return [(search(f"word {n}", n),) for n in range(number)]


async def test_a_run_with_room_is_told_nothing() -> None:
    """A model would hurry for no reason, and each request would differ from the one before."""
    played = await play([(search(),), (read(),), "Sixteen weeks [1]."])
    assert [played.remark(n) for n in range(1, 3)] == ["", ""]
    assert played.notes == []


async def test_the_last_step_takes_the_tools_away_and_says_so() -> None:
    """A model that only ever searches would never answer."""
    played = await play([*searches(1), "As far as I found."], Limits(steps=2))
    assert "rounds of tool calls: 1" in played.remark(0)
    assert played.requests[0].tools
    assert not played.requests[1].tools
    assert "no tool calls left" in played.remark(1)
    assert played.answer.text == "As far as I found."
    assert "limit of 2 steps was near" in played.notes[0]
    assert "[limits]" in played.notes[0]


async def test_steps_are_told_from_four_fifths_on() -> None:
    """A model would learn that it has no more steps when it has none."""
    played = await play([*searches(5), "Found."], Limits(steps=6))
    assert ["rounds" in played.remark(n) for n in range(6)] == [False] * 4 + [True, False]
    assert "rounds of tool calls: 1" in played.remark(4)


async def test_a_model_that_never_answers_is_stopped_with_the_limit_named() -> None:
    """A run could go on for ever, or end without a word."""
    played = await play(searches(3), Limits(steps=3))
    assert played.stopped.reason == "Stopped at the limit of 3 steps."
    assert "[limits]" in played.stopped.hint
    assert len(played.requests) == 3


async def test_an_answer_in_the_last_reply_counts_whatever_it_calls_beside_it() -> None:
    """A whole answer would be thrown away for a call that came with it."""

    class Both:
        name = "both"

        async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
            yield ReplyDelta("Sixteen weeks.")
            yield Reply(AssistantMessage("Sixteen weeks.", (search(),)), "tool_calls")

        async def aclose(self) -> None:
            """Nothing is kept open."""

    played = await play(Both(), Limits(steps=1))
    assert played.answer.text == "Sixteen weeks."
    assert played.desk.asked == []
    assert played.run.said[-1] == AssistantMessage("Sixteen weeks.")


async def test_searches_are_told_and_refused_when_they_are_used_up() -> None:
    """A run would search without bound, or end although it could still answer."""
    calls = (search("a", 1), search("b", 2), search("c", 3))
    played = await play([calls, (read(),), "Sixteen weeks [1]."], Limits(searches=2))
    assert played.desk.asked[:2] == ["a", "b"]
    assert "used up" in played.results(1)[2]
    assert not played.finished[2].ok
    assert "searches: 0" in played.remark(1)
    assert played.answer.coverage.searches == 2
    assert "limit of searches (2) was met: 1 not made" in played.notes[0]


async def test_the_last_search_is_told_beforehand() -> None:
    """A model would spend its last search as if there were more."""
    played = await play([*searches(3), "Found."], Limits(searches=4))
    assert [played.remark(n).count("searches: 1") for n in range(4)] == [0, 0, 0, 1]


class Spender:
    """Searches on and on, as long as it has tools, at 1,000 tokens a request."""

    name = "spender"

    def __init__(self, last_words: str = "Found.", step: tuple[ToolCall, ...] = ()) -> None:
        self.requests: list[Request] = []
        self._last_words = last_words
        self._step = step

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        self.requests.append(request)
        if request.tools or not self._last_words:
            calls = self._step or (search(f"word {len(self.requests)}"),)
            yield Reply(AssistantMessage("", calls), "tool_calls", Usage(900, 100, 1))
            return
        yield ReplyDelta(self._last_words)
        yield Reply(AssistantMessage(self._last_words), "stop", Usage(900, 100, 1))

    async def aclose(self) -> None:
        """Nothing is kept open."""


async def test_the_last_request_comes_while_there_are_tokens_for_it() -> None:
    """All tokens would be spent on searching, and none left to answer with."""
    spender = Spender()
    played = await play(spender, Limits(tokens=7_600))
    assert played.answer.text == "Found."
    assert played.answer.usage.total_tokens == 7_000
    told = [str(request.messages[-1]) for request in spender.requests]
    assert ["tokens: " in text for text in told] == [False] * 7
    assert "no tool calls left" in told[-1]
    assert "limit of 7600 tokens was near" in played.notes[0]


async def test_tokens_are_told_from_four_fifths_on() -> None:
    """A model would learn of the limit when it is met."""
    spender = Spender()
    played = await play(spender, Limits(tokens=20_000, steps=99, searches=99))
    told = ["tokens: " in str(request.messages[-1]) for request in spender.requests]
    assert told.index(True) == 16
    assert played.answer.usage.total_tokens <= 20_000


async def test_without_tokens_for_an_answer_what_was_found_is_quoted() -> None:
    """A person would be left with nothing, though the words were there."""
    spender = Spender(step=(read(),))
    played = await play(spender, Limits(tokens=1_500), fallback=True)
    assert len(spender.requests) == 1
    assert played.stopped.reason == "Stopped at the limit of 1500 tokens."
    partial = played.stopped.partial
    assert QUOTE in partial.text
    assert QUOTE in played.shown
    assert partial.answered
    assert partial.model == "extractive"
    assert "spender was stopped at the limit of 1500 tokens" in partial.fallback


async def test_without_a_fallback_the_evidence_is_kept() -> None:
    """What was paid for would be lost."""
    played = await play(Spender(step=(read(),)), Limits(tokens=1_500))
    assert played.stopped.partial.text == ""
    assert [e.items[0].quote for e in played.stopped.partial.evidence] == [QUOTE]


async def test_no_request_is_made_without_tokens() -> None:
    """A limit of nothing would cost something."""
    spender = Spender()
    played = await play(spender, Limits(tokens=0), fallback=True)
    assert isinstance(played.events[-1], Stopped)
    assert spender.requests == []


class Slow(Spender):
    """Takes its time for each word, and never long without one."""

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        for _ in range(4):
            await asyncio.sleep(0.15)
            yield ReplyPending(0.15, is_working=True)
        async for piece in super().stream(request):
            yield piece


async def test_a_slow_model_is_waited_for_while_it_shows_signs_of_life() -> None:
    """A model on a small machine would be given up in the middle of its work."""
    played = await play(Slow(step=(read(),)), Limits(seconds=0.5, steps=3))
    assert played.answer.text == "Found."
    waits = [event for event in played.events if isinstance(event, Waiting)]
    assert len(waits) == 12
    assert waits[0].model == "spender"
    assert waits[0].tokens > 300
    assert waits[0].words.startswith("spender is thinking: no word for ")


async def test_a_tool_that_gives_no_sign_of_life_takes_nothing_from_the_others() -> None:
    """One slow tool would take the evidence of the others, and the answer, with it."""
    script: list[Scripted] = [(read(), ToolCall("c9", "slow", "{}")), "Sixteen weeks [1]."]
    played = await play(script, Limits(seconds=0.3), slow_tool(), fallback=True)
    assert [(f.tool, f.ok) for f in played.finished][1] == ("slow", False)
    assert "no sign of life" in played.results(1)[1]
    assert played.answer.citations[0].item.quote == QUOTE


async def test_a_reply_that_never_ends_meets_the_limit_of_tokens() -> None:
    """A model that repeats itself for ever would fill the memory for as long as it has time."""

    class Endless:
        name = "endless"

        async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
            for number in count():
                yield ReplyDelta(f"And {number}. ")

        async def aclose(self) -> None:
            """Nothing is kept open."""

    played = await play(Endless(), Limits(tokens=2_000))
    assert played.stopped.reason == "Stopped at the limit of 2000 tokens."
    assert "And 100. " in played.stopped.partial.text
