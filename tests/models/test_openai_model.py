"""OpenAIModel over real HTTP: what is sent, what comes back, and that it lets go at once."""

import asyncio
import gc
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

import pytest

from rag_assistant.config import ModelSettings, Wire
from rag_assistant.errors import ModelError
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.models.protocol import Model
from rag_assistant.values.messages import (
    Reply,
    ReplyDelta,
    ReplyWait,
    Request,
    ToolCall,
    Usage,
    UserMessage,
)
from scripts.benchmarks.shared.model_replies import Answer, Call, Script, Silence, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer

ASK = Request((UserMessage("How many days of leave?"),))
WIRES: tuple[Wire, ...] = ("chat", "responses")
both_wires = pytest.mark.parametrize("wire", WIRES)


@asynccontextmanager
async def model_of(settings: ModelSettings, key: str = "") -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("tested", settings, {settings.api_key_env: key} if key else {})
    try:
        yield model
    finally:
        await model.aclose()


async def ask(model: Model) -> tuple[list[str], Reply]:
    """Give the pieces and the reply, which must come last."""
    values = [value async for value in model.stream(ASK)]
    reply = values.pop()
    assert isinstance(reply, Reply)
    return [value.text for value in values if isinstance(value, ReplyDelta)], reply


@both_wires
async def test_an_answer_streams(wire: Wire) -> None:
    """Else no model answers over this wire."""
    with ScriptedServer(Answer("Thirty ", "days.", usage=(40, 3))) as server:
        async with model_of(server.settings(wire)) as model:
            pieces, reply = await ask(model)
    assert pieces == ["Thirty ", "days."]
    assert (reply.message.text, reply.finish) == ("Thirty days.", "stop")
    assert reply.usage == Usage(40, 3, 1)
    assert "How many days of leave?" in server.requests[0].text()


@both_wires
async def test_parallel_calls_arrive_whole(wire: Wire) -> None:
    """Else no tool is ever run over this wire."""
    script = Answer(calls=(Call("search", '{"query": "leave"}'), Call("get_entry", '{"id": 7}')))
    with ScriptedServer(script) as server:
        async with model_of(server.settings(wire)) as model:
            _, reply = await ask(model)
    assert reply.finish == "tool_calls"
    assert reply.message.tool_calls == (
        ToolCall("call_1", "search", '{"query": "leave"}'),
        ToolCall("call_2", "get_entry", '{"id": 7}'),
    )


@both_wires
async def test_refusals_and_cut_answers_are_told(wire: Wire) -> None:
    """Else the wire's own names for them were misread."""
    with ScriptedServer(Answer(refusal="No."), Answer("Thir", cut_short=True)) as server:
        async with model_of(server.settings(wire)) as model:
            finishes = [(await ask(model))[1].finish for _ in range(2)]
    assert finishes == ["refusal", "length"]


async def test_the_key_is_sent_and_a_local_server_needs_none() -> None:
    """Else hosted models refuse, or local ones cannot be asked without a made-up key."""
    with ScriptedServer() as server:
        settings = server.settings(api_key_env="TEST_KEY")
        for key in ("sk-right\n", ""):
            async with model_of(settings, key) as model:
                await ask(model)
    sent = [request.headers["authorization"] for request in server.requests]
    assert sent == ["Bearer sk-right", "Bearer none"]


async def test_a_key_goes_only_to_the_host_it_was_named_for() -> None:
    """Else OpenAI's key is sent to whatever server a person configures."""
    with ScriptedServer() as server:
        model = OpenAIModel("tested", server.settings(), {"OPENAI_API_KEY": "sk-right"})
        await ask(model)
        await model.aclose()
    assert server.requests[0].headers["authorization"] == "Bearer none"


@both_wires
async def test_a_passing_failure_is_tried_again(wire: Wire) -> None:
    """Else a busy moment of the server ends the question."""
    busy = Status(503, error("loading"), {"retry-after-ms": "20"})
    with ScriptedServer(busy, busy, Answer("Yes.")) as server:
        async with model_of(server.settings(wire)) as model:
            told = [value async for value in model.stream(ASK)]
    wait = ReplyWait(0.02, f"{server.host} failed (503): loading")
    assert told[:3] == [wait, wait, ReplyDelta("Yes.")]
    assert len(server.requests) == 3


async def test_a_model_that_does_not_reason_is_asked_without_reasoning() -> None:
    """Else OpenAI's plain models refuse every request over this wire."""
    refusal = Status(400, error("Encrypted content is not supported with this model."))
    with ScriptedServer(refusal, Answer("Yes.")) as server:
        async with model_of(server.settings("responses")) as model:
            await ask(model)
            await ask(model)
    assert ["include" in request.body for request in server.requests] == [True, False, False]


async def test_a_proxy_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else documents read by a local model pass through a proxy."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with ScriptedServer() as server:
        async with model_of(server.settings()) as model:
            assert (await ask(model))[0] == ["Hello."]


async def test_an_endpoint_cannot_pass_a_question_on() -> None:
    """Else what was meant for this machine is sent to another."""
    with ScriptedServer() as elsewhere:
        moved = Status(307, {}, {"location": f"{elsewhere.base_url}/chat/completions"})
        with ScriptedServer(moved) as server:
            async with model_of(server.settings()) as model:
                with pytest.raises(ModelError, match="sends requests on to another address"):
                    await ask(model)
    assert elsewhere.requests == []


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the first loop took its sockets along
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_one_model_serves_one_event_loop_after_the_other() -> None:
    """Else a second question of a script that uses asyncio.run fails on a closed loop."""
    with ScriptedServer() as server:
        model = OpenAIModel("tested", server.settings(), {})

        async def once(last: bool) -> str:
            _, reply = await ask(model)
            if last:
                await model.aclose()
            return reply.message.text

        assert [asyncio.run(once(last)) for last in (False, True)] == ["Hello.", "Hello."]
        gc.collect()  # here, where the warning is expected, and not in a later test


@dataclass(slots=True)
class Stopping:
    """A request that is under way; `gone` waits until its server has seen the connection close."""

    asking: asyncio.Task[None]
    gone: Callable[[float], bool]


async def consume(model: OpenAIModel, seen: asyncio.Event) -> None:
    async with aclosing(model.stream(ASK)) as stream:
        async for _ in stream:
            seen.set()


async def assert_stops(phase: str, stopping: Stopping) -> None:
    """Cancel; the limits leave room for a busy machine, the figures are printed."""
    started = time.perf_counter()
    stopping.asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping.asking
    ended = time.perf_counter() - started
    assert await asyncio.to_thread(stopping.gone, 1.0), "the server still computes"
    closed = time.perf_counter() - started
    told = f"stopped after {ended * 1000:.1f} ms, closed after {closed * 1000:.1f} ms"
    sys.stdout.write(f"{phase}: {told}\n")
    assert ended < 1.0


PHASES: dict[str, Script] = {
    "waiting for headers": Silence(),
    "waiting for the first word": Answer(then="stall"),
    "waiting in the stream": Answer("Thirty ", then="stall"),
    "streaming": Answer("Thirty ", then="forever"),
    "waiting to retry": Status(429, {}, {"retry-after": "20"}),
}


@both_wires
@pytest.mark.parametrize("phase", PHASES)
async def test_cancelling_ends_the_request_at_once_and_the_next_one_works(
    wire: Wire, phase: str
) -> None:
    """Else Esc leaves the model computing, the person waiting, or the conversation unusable."""
    with ScriptedServer(PHASES[phase], Answer("Yes.")) as server:
        async with model_of(server.settings(wire)) as model:
            seen = asyncio.Event()
            asking = asyncio.create_task(consume(model, seen))
            if phase in ("waiting for headers", "waiting for the first word"):
                while not server.requests:
                    await asyncio.sleep(0.01)
            else:
                await asyncio.wait_for(seen.wait(), 20)
            await asyncio.sleep(0.05)  # into the phase itself
            waits = phase == "waiting to retry"  # on no connection
            gone = (lambda _: True) if waits else server.requests[0].hung_up.wait
            await assert_stops(f"{phase}, {wire}", Stopping(asking, gone))
            assert (await ask(model))[0] == ["Yes."]
    assert len(server.requests) == 2


async def test_cancelling_while_connecting_ends_at_once() -> None:
    """Else Esc does nothing while a server takes no secure connection."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        base_url = f"https://127.0.0.1:{listening.getsockname()[1]}/v1"
        async with model_of(ModelSettings("m", base_url)) as model:
            for _ in range(2):
                asking = asyncio.create_task(consume(model, asyncio.Event()))
                connection, _ = await asyncio.to_thread(listening.accept)
                with connection:
                    # Its hello is never answered.
                    assert await asyncio.to_thread(connection.recv, 65_536)
                    await asyncio.sleep(0.05)

                    def gone(seconds: float, connection: socket.socket = connection) -> bool:
                        connection.settimeout(seconds)
                        return not connection.recv(1)

                    await assert_stops("connecting", Stopping(asking, gone))


@both_wires
async def test_closing_the_stream_closes_the_connection_at_once(wire: Wire) -> None:
    """Else a run that has heard enough leaves the model computing."""
    with ScriptedServer(Answer("Thirty ", then="stall")) as server:
        async with model_of(server.settings(wire)) as model:
            stream = model.stream(ASK)
            assert await anext(stream) == ReplyDelta("Thirty ")
            await stream.aclose()
            assert await asyncio.to_thread(server.requests[0].hung_up.wait, 1.0)


async def test_closing_the_stream_while_it_waits_to_retry_sends_nothing_more() -> None:
    """Else a question that was given up goes on costing."""
    with ScriptedServer(Status(503, {}, {"retry-after-ms": "30"})) as server:
        async with model_of(server.settings()) as model:
            stream = model.stream(ASK)
            wait = ReplyWait(0.03, f"{server.host} failed (503)")
            assert await anext(stream) == wait
            await stream.aclose()
            await asyncio.sleep(0.1)
    assert len(server.requests) == 1


def test_neither_importing_nor_making_a_model_loads_the_sdk() -> None:
    """Else every start of the program, even for a search, waits a second for it."""
    program = (
        "import sys; from rag_assistant.models import openai_model, registry;"
        "from rag_assistant.config import ModelSettings;"
        "openai_model.OpenAIModel('m', ModelSettings('m'));"
        "assert not {'openai', 'httpx2', 'pydantic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
