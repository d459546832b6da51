"""What a person gets when the model fails: what was found, and who answers instead."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

import pytest

from rag_assistant.agents.loop import Run
from rag_assistant.agents.setting import AgentSpec, RunOptions
from rag_assistant.config import Limits
from rag_assistant.errors import ModelError
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.values.events import Answered, Note, Stopped, ToolStarted
from rag_assistant.values.messages import (
    AssistantMessage,
    Reply,
    ReplyDelta,
    Request,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from tests.agents.playing import HITS, QUESTION, QUOTE, READ, SEARCH, play, read, search
from tests.scripted import Scripted, ScriptedModel

GONE = ModelError("api.example broke off.", hint="Ask again.")
TAKES_OVER = "api.example broke off. Ask again. The model extractive answers in its place."


@pytest.mark.parametrize(
    "before",
    [
        [],
        [(search(),)],
        [(search(), read())],
        [(search("nothing"),)],
        [(search("explode"),), (search(),)],
        [(search("nothing", 1), read("How?", 2)), (read(),)],
    ],
)
async def test_when_the_model_fails_the_built_in_one_answers_and_says_so(
    before: Sequence[Scripted],
) -> None:
    """A person would get nothing although the documents are here, or not learn who answered."""
    played = await play([*before, GONE], fallback=True)
    assert played.notes == [TAKES_OVER]
    answer = played.answer
    assert QUOTE in answer.text
    assert [citation.item.quote for citation in answer.citations] == [QUOTE]
    assert answer.model == "extractive"
    assert answer.fallback == "scripted failed: api.example broke off."
    assert played.shown.endswith(answer.text)


async def test_what_was_found_before_is_kept_and_not_looked_for_again() -> None:
    """What the failed model had paid for would be thrown away."""
    played = await play([(search(), read()), GONE], fallback=True)
    assert played.desk.asked == ["leave", "How long?"]
    assert len(played.answer.evidence) == 1
    assert played.answer.coverage.searches == 1


async def test_with_nothing_found_the_question_itself_is_searched_for() -> None:
    """The built-in model would take the failed one's bad words for all there is."""
    played = await play([(search("nothing"),), GONE], fallback=True)
    assert played.desk.asked == ["nothing", QUESTION, QUESTION]
    assert played.answer.coverage.searches == 2


async def test_a_search_that_the_failed_model_made_too_can_be_made_again() -> None:
    """Its result would come with a remark that is meant for the other model."""
    played = await play([(search(QUESTION),), GONE], Limits(searches=1), fallback=True)
    assert QUOTE in played.answer.text


class Breaking:
    """Says some words and breaks off."""

    name = "breaking"

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        yield ReplyDelta("It is sixty [")
        raise GONE

    async def aclose(self) -> None:
        """Nothing is kept open."""


async def test_half_an_answer_is_taken_back() -> None:
    """Two answers would run into each other."""
    played = await play(Breaking(), fallback=True)
    assert Note("It is sixty [", was_streamed=True, broke_off=True) in played.events
    assert "sixty" not in played.answer.text


async def test_without_a_fallback_half_an_answer_is_kept() -> None:
    """Words that the person has read would disappear."""
    played = await play(Breaking())
    assert played.stopped.partial.text == "It is sixty ["
    assert (played.stopped.reason, played.stopped.hint) == ("api.example broke off.", "Ask again.")


class Saying:
    """Says one thing, with nothing else to it."""

    name = "saying"

    def __init__(self, text: str) -> None:
        self._text = text

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        yield ReplyDelta(self._text)
        yield Reply(AssistantMessage(self._text), "stop")

    async def aclose(self) -> None:
        """Nothing is kept open."""


@pytest.mark.parametrize("text", ["[NOTE: I will search.]", "  \n"])
async def test_a_reply_without_an_answer_is_a_failure(text: str) -> None:
    """A model that only announces what it will do would leave an empty answer."""
    played = await play(Saying(text), fallback=True)
    assert "saying gave no answer." in played.notes[-1]
    assert QUOTE in played.answer.text


async def test_a_failure_with_all_steps_used_still_gets_an_answer() -> None:
    """The built-in model would have no step left to search in."""
    played = await play([GONE], Limits(steps=1), fallback=True)
    assert QUOTE in played.answer.text


async def test_a_failure_late_in_the_time_still_gets_an_answer() -> None:
    """A provider that stays silent for minutes would use up the time to fall back in."""

    class Late(Breaking):
        async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
            await asyncio.sleep(0.95)
            async for piece in super().stream(request):
                yield piece

    played = await play(Late(), Limits(seconds=1.0), fallback=True)
    assert isinstance(played.events[-1], Answered)
    assert QUOTE in played.answer.text
    assert sum(isinstance(event, ToolStarted) for event in played.events) == 2


async def test_a_fallback_that_fails_stops_the_run() -> None:
    """Two models would take turns in failing."""

    class Failing(ExtractiveModel):
        async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
            yield ReplyDelta("It is")
            raise ModelError("It is gone, too.")

    played = await play([GONE], fallback=True)
    fallback = played.run.options.fallback
    assert fallback is not None
    spec = AgentSpec(ScriptedModel([GONE]), fallback.toolkit)
    options = RunOptions(fallback=replace(fallback, model=Failing()))
    run = Run(played.run.question, spec, Limits(), options)
    events = [event async for event in run.events()]
    last = events[-1]
    assert isinstance(last, Stopped)
    assert last.reason == "It is gone, too."


def said(*messages: ToolMessage, tools: Sequence[str] = (SEARCH, READ)) -> Request:
    specs = tuple(ToolSpec(name, "", {}) for name in tools)
    remark = SystemMessage("Little is left for this question: searches: 1.")
    return Request((UserMessage(QUESTION), *messages, remark), specs)


async def reply_to(request: Request) -> AssistantMessage:
    pieces = [piece async for piece in ExtractiveModel().stream(request)]
    last = pieces[-1]
    assert isinstance(last, Reply)
    return last.message


async def test_the_built_in_model_says_that_it_could_not_read_what_it_found() -> None:
    """It would claim that the documents do not hold the answer, having read none of them."""
    message = await reply_to(said(ToolMessage("c1", SEARCH, HITS), tools=()))
    assert message.text == "There was no step left to read what was found: Leave."
    message = await reply_to(said(tools=()))
    assert "not searched" in message.text


async def test_the_built_in_model_does_not_read_again_what_could_not_be_read() -> None:
    """A database that broke meanwhile would be asked until the steps are used up."""
    results = (ToolMessage("c1", SEARCH, HITS), ToolMessage("c2", READ, "Error: It is damaged."))
    message = await reply_to(said(*results))
    assert message.text == "The documents could not be searched. Error: It is damaged."
    assert json.loads(HITS)["more"]
