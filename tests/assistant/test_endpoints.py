"""The assistant and real endpoints on loopback: failures, leaving at any moment, two models."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config, ModelSettings
from rag_assistant.library.library import Library
from rag_assistant.text.fences import read_fences
from rag_assistant.values.events import (
    Answered,
    Event,
    EvidenceFound,
    Note,
    RunStarted,
    Stopped,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from scripts.benchmarks.shared.model_replies import Answer, Call, Script, Silence, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer, Scripts, SeenRequest

QUESTION = "How many weeks of leave at full pay does every parent get?"
SEARCH = Answer(calls=(Call("search_handbook_database", '{"keyword": "parental leave"}'),))
WITHIN = 0.1
"""Seconds in which leaving must have closed the request."""


def query(library: Library) -> Answer:
    """A call that reads the entry on parental leave."""
    [entry] = [e for e in library.database("handbook").entries() if "parental" in e.path]
    arguments = json.dumps({"query": QUESTION, "ids": str(entry.id)})
    return Answer(calls=(Call("query_handbook_database", arguments, "q1"),))


def config_for(server: ScriptedServer, helper: str = EXTRACTIVE, **changed: object) -> Config:
    models = {"played": server.settings(price_input=1.0, price_output=2.0)}
    return Config(model="played", helper=helper, models=models, **changed)  # type: ignore[arg-type]


async def answered(assistant: Assistant) -> list[Event]:
    try:
        async with aclosing(assistant.ask(QUESTION)) as run:
            return [event async for event in run]
    finally:
        await assistant.aclose()


FAULTS: dict[str, tuple[Script, str]] = {
    "wrong key": (Status(401, error("Incorrect API key.")), "wants a key"),
    "unknown model": (Status(404, error("No such model.")), "does not know the model"),
    "no stream": (Status(200, "<html>Welcome</html>"), "sent a web page"),
    "cut": (Answer("It is ", then="cut"), "broke off after 2 words"),
    "empty": (Answer(), "gave an empty reply"),
    "too long": (Status(400, error("maximum context length is 9")), "too long"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("when", ["at first", "after the evidence"])
async def test_whatever_fails_there_is_an_answer_and_the_reason(
    indexed: Library, fault: str, when: str
) -> None:
    """A provider's fault would leave a person with nothing, though the documents are here."""
    script, told = FAULTS[fault]
    before = [SEARCH, query(indexed)] if when == "after the evidence" else []
    with ScriptedServer(*before, script) as server:
        events = await answered(Assistant(indexed, config_for(server), {}))
    last = events[-1]
    assert isinstance(last, Answered)
    assert "sixteen weeks" in last.answer.text
    assert last.answer.model == EXTRACTIVE
    assert last.answer.fallback.startswith("played failed: ")
    assert told in last.answer.fallback
    [note] = [e.text for e in events if isinstance(e, Note) and not e.was_streamed]
    assert told in note
    assert note.endswith("The model extractive answers in its place.")
    found = sum(isinstance(event, EvidenceFound) for event in events)
    assert found == 1 + (when == "after the evidence"), "what was found before is used"


async def test_a_helper_that_is_the_failed_model_is_not_waited_for_again(
    indexed: Library,
) -> None:
    """Each query of the fallback would wait for the endpoint that has just failed."""
    with ScriptedServer(Status(401, error("No."))) as server:
        events = await answered(Assistant(indexed, config_for(server, helper=""), {}))
        asked = len(server.requests)
    assert isinstance(events[-1], Answered)
    assert asked == 1


async def test_a_helper_of_its_own_still_helps_the_fallback(indexed: Library) -> None:
    """The evidence would be worse than it need be, or a helper be paid for nothing."""
    picked = "Every parent gets sixteen weeks"

    def helping(request: SeenRequest) -> Script:
        fences = read_fences(request.body["messages"][-1]["content"])
        [entry] = [fence for fence in fences if fence.kind == "entry" and picked in fence.text]
        source = [int(entry.attributes["id"])]
        reply = {"relevant": [picked], "source": source, "confidence": 9}
        return Answer(json.dumps(reply), usage=(300, 20))

    with ScriptedServer(Status(401, error("No."))) as server, ScriptedServer(helping) as helper:
        settings = helper.settings(price_input=0.5)
        config = config_for(server, helper="small")
        models = {**config.models, "small": settings}
        config = Config(model="played", helper="small", models=models)
        events = await answered(Assistant(indexed, config, {}))
    last = events[-1]
    assert isinstance(last, Answered)
    assert "“Every parent gets sixteen weeks”" in last.answer.text
    used = {used.role: used for used in last.answer.usage_by_model}
    assert used["helper"].model == "small"
    assert used["helper"].usage.input_tokens == 300
    assert last.answer.cost == pytest.approx(300 * 0.5 / 1_000_000)


async def test_waiting_for_a_busy_endpoint_is_told(indexed: Library) -> None:
    """A person would sit before a screen on which nothing happens."""
    busy = Status(503, error("Busy."), {"retry-after-ms": "100"})
    with ScriptedServer(busy, Answer("I cannot say.")) as server:
        events = await answered(Assistant(indexed, config_for(server), {}))
    assert isinstance(events[-1], Answered)
    [note] = [event.text for event in events if isinstance(event, Note)]
    assert "Busy" in note
    assert note.endswith(": asking again in 0.1 s.")


async def test_a_person_can_turn_the_fallback_off(indexed: Library) -> None:
    """The setting would have no effect."""
    with ScriptedServer(SEARCH, query(indexed), Status(401, error("No."))) as server:
        config = config_for(server, fallback=False)
        events = await answered(Assistant(indexed, config, {}))
    last = events[-1]
    assert isinstance(last, Stopped)
    assert "wants a key" in last.reason
    assert last.partial.evidence


async def test_costs_are_counted_from_what_the_endpoint_reports(indexed: Library) -> None:
    """A person would see what a model costs only on the bill."""
    with ScriptedServer(SEARCH, Answer("I cannot say.", usage=(1_000, 50))) as server:
        events = await answered(Assistant(indexed, config_for(server), {}))
    last = events[-1]
    assert isinstance(last, Answered)
    assert last.answer.usage.total_tokens == 1_069
    assert last.answer.cost == pytest.approx((1_012 + 2 * 57) / 1_000_000)


async def test_a_model_without_native_tools_is_wrapped(indexed: Library) -> None:
    """The setting would have no effect: its calls would be shown as text."""
    call = '<tool-call tool="search_handbook_database">{"keyword": "leave"}</tool-call>'
    with ScriptedServer(Answer("[NOTE: I look.]\n", call), Answer("Found it.")) as server:
        models = {"played": server.settings(native_tools=False)}
        config = Config(model="played", helper=EXTRACTIVE, models=models)
        events = await answered(Assistant(indexed, config, {}))
    assert [event.ok for event in events if isinstance(event, ToolFinished)] == [True]
    assert Note("I look.", is_plan=True) in events
    assert "tools" not in server.requests[0].body


def stalling(number: int, library: Library) -> Sequence[Scripts]:
    """Scripts of which the request with this number never ends."""
    scripts: list[Script] = [SEARCH, query(library), Answer("Sixteen ", "weeks [1].")]
    return [*scripts[:number], Silence() if number < 2 else Answer("Sixteen ", then="stall")]


async def leave_at(run: AsyncGenerator[Event, None], kind: type, times: int) -> None:
    seen = 0
    async with aclosing(run) as events:
        async for event in events:
            seen += isinstance(event, kind)
            if seen == times:
                return


MOMENTS = [
    (RunStarted, 1),
    (ToolStarted, 1),
    (ToolFinished, 1),
    (ToolStarted, 2),
    (EvidenceFound, 1),
    (TextDelta, 1),
]


@pytest.mark.parametrize(("kind", "times"), MOMENTS)
async def test_leaving_at_any_event_leaves_the_conversation_usable(
    indexed: Library, kind: type, times: int
) -> None:
    """Esc at the wrong moment would break the conversation."""
    scripts = [*stalling(2, indexed), Answer("Yes.")]
    with ScriptedServer(*scripts) as server:
        assistant = Assistant(indexed, config_for(server), {})
        conversation = assistant.conversation()
        await leave_at(conversation.ask(QUESTION), kind, times)
        assert conversation.exchanges == ()
        server._scripts = [Answer("Yes.")]
        async with aclosing(conversation.ask("And now?")) as run:
            events = [event async for event in run]
        await assistant.aclose()
    assert isinstance(events[-1], Answered)
    assert events[-1].answer.text == "Yes."
    asked = [m for m in server.requests[-1].body["messages"] if m["role"] == "user"]
    assert [message["content"] for message in asked] == ["And now?"]


@pytest.mark.parametrize("number", [0, 1, 2])
async def test_cancelling_closes_the_request_in_flight_within_a_tenth_of_a_second(
    indexed: Library, number: int
) -> None:
    """Esc would leave a request running, and being paid for."""
    with ScriptedServer(*stalling(number, indexed)) as server:
        assistant = Assistant(indexed, config_for(server), {})
        conversation = assistant.conversation()

        async def listen() -> None:
            async with aclosing(conversation.ask(QUESTION)) as run:
                async for _ in run:
                    pass

        task = asyncio.create_task(listen())
        while len(server.requests) <= number:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        request = server.requests[number]
        assert not request.hung_up.is_set()
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        took = time.monotonic() - started
        assert await asyncio.to_thread(request.hung_up.wait, 1.0)
        noticed = time.monotonic() - started
        server._scripts = [Answer("Yes.")]
        async with aclosing(conversation.ask("And now?")) as run:
            events = [event async for event in run]
        await assistant.aclose()
    assert isinstance(events[-1], Answered)
    assert took < WITHIN
    assert noticed < 2 * WITHIN, "the server looks every 10 ms"


def test_settings_of_the_models_are_known_by_name(library: Library) -> None:
    """Prices and abilities of a model that the environment names would be unknown."""
    environ = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    assistant = Assistant(library, Config(), environ)
    assert assistant.models.settings("any-model") is None
    assistant.models.model("any-model")
    assert assistant.models.settings("any-model") == ModelSettings(
        "any-model", "http://127.0.0.1:9/v1"
    )
    assert assistant.models.settings(EXTRACTIVE) is None
