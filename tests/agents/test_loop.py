"""The main loop: events, errors that go back to the model, remarks, leaving."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from rag_assistant.agents.citations import numbered_words
from rag_assistant.agents.loop import Run
from rag_assistant.agents.setting import AgentSpec, RunQuestion
from rag_assistant.config import Limits
from rag_assistant.errors import ModelError
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.events import (
    Answered,
    CitationResolved,
    EvidenceFound,
    Note,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from rag_assistant.values.messages import (
    AssistantMessage,
    Image,
    Reply,
    ReplyDelta,
    Request,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from tests.agents.playing import ITEM, QUOTE, SEARCH, Desk, call, play, read, search
from tests.scripted import ScriptedModel


async def test_a_run_searches_reads_and_answers_with_citations() -> None:
    """The main job would not work."""
    played = await play([(search(),), (read(),), "It is 16 weeks [1]."])
    kinds = [type(event) for event in played.events if not isinstance(event, TextDelta)]
    assert kinds == [
        *(ToolStarted, ToolFinished),
        *(ToolStarted, ToolFinished, EvidenceFound),
        *(CitationResolved, Answered),
    ]
    answer = played.answer
    assert answer.text == played.shown == "It is 16 weeks [1]."
    assert [(c.marker, c.item) for c in answer.citations] == [(1, ITEM)]
    assert answer.coverage == Coverage(("handbook",), 5, 1, searches=1, entries_read=1)
    assert answer.answered
    assert numbered_words(played.results()[1]) == {1: ("handbook", 12, QUOTE)}
    assert isinstance(played.run.said[0], UserMessage)
    assert played.run.said[-1] == AssistantMessage("It is 16 weeks [1].")


async def test_an_answer_without_a_source_counts_as_not_answered() -> None:
    """A model's own belief would pass for what the documents say."""
    played = await play(["It is 16 weeks [4]."])
    assert not played.answer.answered
    assert played.answer.text == "It is 16 weeks [4?]."


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (call("serach", keyword="x"), "There is no tool 'serach'. The tools are: search_handb"),
        (call(SEARCH), "'keyword' is a required property"),
        (call(SEARCH, keyword=3), "3 is not of type 'string'"),
        (ToolCall("c1", SEARCH, '{"keyword": '), "are not JSON"),
        (ToolCall("c1", SEARCH, "[1]"), "is not of type 'object'"),
        (search("nothing"), "Nothing there. Try other words."),
        (search("explode"), f"{SEARCH} failed: RuntimeError: a defect"),
    ],
)
async def test_a_failing_call_goes_back_to_the_model_which_can_go_on(
    bad: ToolCall, told: str
) -> None:
    """One wrong call of a model would end the run."""
    played = await play([(bad,), (read(),), "It is so [1]."])
    assert told in played.results()[0]
    assert [finished.ok for finished in played.finished] == [False, True]
    assert played.answer.answered


async def test_calls_of_one_reply_run_together_and_keep_their_order() -> None:
    """Results would be read as the answer to another call."""
    played = await play([(search("a", 1), search("explode", 2), read("b", 3)), "Done."])
    texts = played.results()
    assert "more" in texts[0]
    assert "a defect" in texts[1]
    assert "sources" in texts[2]
    ids = [m.call_id for m in played.requests[-1].messages if isinstance(m, ToolMessage)]
    assert ids == ["c1", "c2", "c3"]


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
    played = await play(model, Limits(seconds=0.2), fallback=True)
    stopped = played.stopped
    assert (stopped.reason, stopped.partial.text) == (
        "Stopped at the limit of 0.2 seconds of silence.",
        "Two words",
    )
    assert model.closed


async def test_leaving_the_run_closes_the_request_at_once() -> None:
    """Esc would leave a request running, and being paid for."""
    model = StallingModel()
    run = Run(RunQuestion("?", Coverage()), AgentSpec(model, Desk().toolkit()), Limits())
    async with aclosing(run.events()) as stream:
        async for _ in stream:
            break
    assert model.closed
    assert run.said == (UserMessage("?"),)


async def test_an_unreachable_model_stops_the_run_with_the_next_step() -> None:
    """A traceback, or silence, where the endpoint's fault should be told."""
    played = await play([ModelError("api.example refused the key.", hint="Check it.")])
    stopped = played.stopped
    assert (stopped.reason, stopped.hint) == ("api.example refused the key.", "Check it.")


class RemarkingModel(ScriptedModel):
    """Says something before its first tool call."""

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        if not self.requests:
            self.requests.append(request)
            yield ReplyDelta("I will search first.")
            yield Reply(AssistantMessage("I will search first.", (search(),)), "tool_calls")
            return
        async for piece in super().stream(request):
            yield piece


async def test_a_remark_before_a_tool_call_is_not_part_of_the_answer() -> None:
    """The answer would begin with what the model meant to do."""
    played = await play(RemarkingModel(["Found."]))
    assert Note("I will search first.", was_streamed=True) in played.events
    assert played.answer.text == "Found."


async def test_images_of_the_question_reach_the_model() -> None:
    """A model would be asked about a picture that it was not sent."""
    picture = Image("image/png", "iVBORw0KGgo=")
    model = ScriptedModel(["A cat."])
    question = RunQuestion("What is this?", Coverage(), images=(picture,))
    run = Run(question, AgentSpec(model, Desk().toolkit()), Limits())
    async with aclosing(run.events()) as stream:
        assert [event async for event in stream]
    assert UserMessage("What is this?", (picture,)) in model.requests[0].messages
