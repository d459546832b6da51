"""The main loop: events, limits, and errors that go back to the model."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

import pytest

from rag_assistant.agents.loop import Question, Run
from rag_assistant.config import Limits
from rag_assistant.documents import Location
from rag_assistant.errors import ModelError, ToolFailed
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
from rag_assistant.evidence import Coverage, Evidence, EvidenceItem
from rag_assistant.messages import (
    AssistantMessage,
    JsonObject,
    Reply,
    ReplyDelta,
    Request,
    ToolCall,
    ToolMessage,
    ToolSpec,
)
from rag_assistant.tools.toolkit import Tool, Toolkit, ToolOutput
from tests.scripted import Scripted, ScriptedModel

DEFAULTS = Limits()
ITEM = EvidenceItem("handbook", 12, "Leave", "leave.md", "sixteen weeks", Location(3, 16), True)
SCHEMA = {
    "type": "object",
    "properties": {"keyword": {"type": "string"}},
    "required": ["keyword"],
    "additionalProperties": False,
}


async def search(arguments: JsonObject) -> ToolOutput:
    if arguments["keyword"] == "explode":
        raise RuntimeError("a defect")
    if arguments["keyword"] == "nothing":
        raise ToolFailed("Nothing there.", hint="Try other words.")
    return ToolOutput(f"hits for {arguments['keyword']}", "1 entry")


async def read(arguments: JsonObject) -> ToolOutput:
    evidence = Evidence("handbook", arguments["keyword"], (ITEM,), 8, entries_read=(12,))
    return ToolOutput("", "1 quote", evidence=evidence)


def toolkit() -> Toolkit:
    return Toolkit(
        [
            Tool(ToolSpec("search", "Search.", SCHEMA), search, "search"),
            Tool(ToolSpec("read", "Read.", SCHEMA), read, "read"),
        ]
    )


def call(name: str, number: int = 1, **arguments: object) -> ToolCall:
    return ToolCall(f"c{number}", name, json.dumps(arguments))


async def play(
    script: Sequence[Scripted], limits: Limits = DEFAULTS
) -> tuple[list[Event], ScriptedModel]:
    model = ScriptedModel(script)
    run = Run(Question("How long?", Coverage(("handbook",), 5, 1)), model, toolkit(), limits)
    async with aclosing(run.events()) as events:
        return [event async for event in events], model


def results(model: ScriptedModel) -> list[str]:
    return [m.text for m in model.requests[-1].messages if isinstance(m, ToolMessage)]


async def test_a_run_searches_reads_and_answers_with_citations() -> None:
    """The main job would not work."""
    events, model = await play(
        [
            (call("search", keyword="leave"),),
            (call("read", keyword="leave"),),
            "It is 16 weeks [1].",
        ]
    )
    kinds = [type(event) for event in events if not isinstance(event, TextDelta)]
    assert kinds == [
        *(ToolStarted, ToolFinished),
        *(ToolStarted, ToolFinished, EvidenceFound),
        *(CitationResolved, Answered),
    ]
    last = events[-1]
    assert isinstance(last, Answered)
    answer = last.answer
    assert answer.text == "It is 16 weeks [1]."
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == answer.text
    assert [(c.marker, c.item) for c in answer.citations] == [(1, ITEM)]
    assert answer.coverage == Coverage(("handbook",), 5, 1, searches=1, entries_read=1)
    assert (answer.usage.requests, answer.usage.total_tokens) == (3, 45)
    assert answer.answered
    assert json.loads(results(model)[1])["relevant"] == [{"cite": 1, "quote": "sixteen weeks"}]


async def test_an_answer_without_a_source_counts_as_not_answered() -> None:
    """A model's own belief would pass for what the documents say."""
    events, _ = await play(["It is 16 weeks [4]."])
    last = events[-1]
    assert isinstance(last, Answered)
    assert not last.answer.answered
    assert last.answer.text == "It is 16 weeks [4?]."


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (call("serach", keyword="x"), "There is no tool 'serach'. The tools are: search, read."),
        (call("search"), "'keyword' is a required property"),
        (call("search", keyword=3), "3 is not of type 'string'"),
        (ToolCall("c1", "search", '{"keyword": '), "are not JSON"),
        (ToolCall("c1", "search", "[1]"), "is not of type 'object'"),
        (call("search", keyword="nothing"), "Nothing there. Try other words."),
        (call("search", keyword="explode"), "search failed: RuntimeError: a defect"),
    ],
)
async def test_a_failing_call_goes_back_to_the_model_which_can_go_on(
    bad: ToolCall, told: str
) -> None:
    """One wrong call of a model would end the run."""
    events, model = await play([(bad,), "I could not find it."])
    assert told in results(model)[0]
    finished = next(event for event in events if isinstance(event, ToolFinished))
    assert not finished.ok
    assert isinstance(events[-1], Answered)


async def test_calls_of_one_reply_run_together_and_keep_their_order() -> None:
    """Results would be read as the answer to another call."""
    calls = (call("search", 1, keyword="a"), call("search", 2, keyword="b"))
    _, model = await play([calls, "Done."])
    assert results(model) == ["hits for a", "hits for b"]


async def test_the_last_step_takes_the_tools_away_and_says_so() -> None:
    """A model that only ever searches would never answer."""
    events, model = await play(
        [(call("search", keyword="a"),), "As far as I found."], Limits(steps=2)
    )
    assert isinstance(events[-1], Answered)
    assert model.requests[0].tools
    assert not model.requests[1].tools
    assert "no tool calls left" in str(model.requests[1].messages[-1])


async def test_a_model_that_never_answers_is_stopped_with_the_limit_named() -> None:
    """A run could go on for ever, or end without a word."""
    events, _ = await play([(call("search", keyword="a"),)] * 3, Limits(steps=3))
    last = events[-1]
    assert isinstance(last, Stopped)
    assert last.reason == "Stopped at the limit of 3 steps."
    assert "[limits]" in last.hint


async def test_the_token_limit_stops_a_run() -> None:
    """A run could cost without bound."""
    events, _ = await play([(call("search", keyword="a"),)] * 9, Limits(tokens=25))
    last = events[-1]
    assert isinstance(last, Stopped)
    assert "25 tokens" in last.reason
    assert last.partial.usage.requests == 2


class StallingModel:
    """Says two words and then nothing more."""

    name = "stalling"
    closed = False

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        try:
            yield ReplyDelta("Two words")
            await asyncio.sleep(60)
            yield Reply(AssistantMessage("Two words"), "stop")
        finally:
            self.closed = True

    async def aclose(self) -> None:
        """Nothing is kept open."""


async def test_the_time_limit_stops_a_reply_that_never_ends_and_keeps_its_text() -> None:
    """A stalled endpoint would hang the program, or take the words that were there with it."""
    model = StallingModel()
    run = Run(Question("?", Coverage()), model, toolkit(), Limits(seconds=0.2))
    async with aclosing(run.events()) as stream:
        events = [event async for event in stream]
    last = events[-1]
    assert isinstance(last, Stopped)
    assert (last.reason, last.partial.text) == (
        "Stopped at the limit of 0.2 seconds.",
        "Two words",
    )
    assert model.closed


async def test_leaving_the_run_closes_the_request_at_once() -> None:
    """Esc would leave a request running, and being paid for."""
    model = StallingModel()
    run = Run(Question("?", Coverage()), model, toolkit(), Limits())
    async with aclosing(run.events()) as stream:
        async for _ in stream:
            break
    assert model.closed


async def test_an_unreachable_model_stops_the_run_with_the_next_step() -> None:
    """A traceback, or silence, where the endpoint's fault should be told."""
    events, _ = await play([ModelError("api.example refused the key.", hint="Check it.")])
    last = events[-1]
    assert isinstance(last, Stopped)
    assert (last.reason, last.hint) == ("api.example refused the key.", "Check it.")


class RemarkingModel(ScriptedModel):
    """Says something before its first tool call."""

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        if not self.requests:
            self.requests.append(request)
            yield ReplyDelta("I will search first.")
            calls = (call("search", keyword="a"),)
            yield Reply(AssistantMessage("I will search first.", calls), "tool_calls")
            return
        async for piece in super().stream(request):
            yield piece


async def test_a_remark_before_a_tool_call_is_not_part_of_the_answer() -> None:
    """The answer would begin with what the model meant to do."""
    run = Run(Question("?", Coverage()), RemarkingModel(["Found."]), toolkit(), Limits())
    async with aclosing(run.events()) as stream:
        events = [event async for event in stream]
    assert Note("I will search first.", was_streamed=True) in events
    last = events[-1]
    assert isinstance(last, Answered)
    assert last.answer.text == "Found."
