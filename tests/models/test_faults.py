"""What a person reads when a model fails: the line and the next step, for each fault."""

import asyncio
import socket
import traceback
from typing import NamedTuple

import pytest

from rag_assistant.config import ModelSettings
from rag_assistant.errors import ModelError
from rag_assistant.messages import Request, UserMessage
from rag_assistant.models.openai_model import OpenAIModel
from tests.models.script import Answer, Events, Hangup, Script, Silence, Status, error
from tests.models.server import ScriptedServer

KEY = "sk-secret-0123456789"
CHUNK = {"choices": [{"index": 0, "delta": {"content": "Thirty days of "}}]}
AGAIN = "Ask again in a moment"
PAGE = "<html><title>Bad Gateway</title></html>"


class Fault(NamedTuple):
    """A misbehaviour and what is said of it; HOST stands for the server's host and port."""

    script: Script
    message: str
    hint: str
    wire: str = "chat"


FAULTS = {
    "wrong key": Fault(
        Status(401, error(f"Incorrect API key provided: {KEY}.")),
        "HOST did not accept the key in TEST_KEY (401): Incorrect API key provided: [key].",
        "Put a valid key into TEST_KEY.",
    ),
    "forbidden": Fault(
        Status(403, error("Project has no access")),
        "HOST does not allow the model 'scripted-model' (403): Project has no access.",
        "Check that the key in TEST_KEY may use this model, or choose another.",
    ),
    "unknown model": Fault(
        Status(404, error("model 'scripted-model' not found", "model_not_found")),
        "HOST does not know the model 'scripted-model' (404): model 'scripted-model' not found.",
        "Check the model's name there, and that base_url is right: it usually ends in /v1.",
    ),
    "context too long": Fault(
        Status(400, error("This model's maximum context length is 4096 tokens.")),
        "The conversation is too long for 'scripted-model' at HOST (400): "
        "This model's maximum context length is 4096 tokens.",
        "Start a new conversation, lower limits.evidence_tokens, or give the model more context.",
    ),
    "bad request": Fault(
        Status(400, {"error": "scripted-model does not support tools"}),
        "HOST did not accept the request (400): scripted-model does not support tools.",
        "Check this model's settings: another wire, or native_tools = false, may suit it.",
    ),
    "too many requests": Fault(
        Status(429, error("Slow down"), {"retry-after": "300"}),
        "HOST takes no more requests now (429): Slow down.",
        "Wait 300 seconds and ask again; if it stays, check the account's limits and credit.",
    ),
    "server error": Fault(
        Status(500, {"detail": "CUDA\nout of\x1b[31m memory"}, {"x-should-retry": "false"}),
        "HOST failed (500): CUDA out of\ufffd[31m memory.",
        f"{AGAIN}; if it stays, look into the server's log or choose another model.",
    ),
    "HTML 502": Fault(
        Status(502, PAGE, {"x-should-retry": "false"}),
        "HOST failed (502).",
        f"{AGAIN}; if it stays, look into the server's log or choose another model.",
    ),
    "HTML 200": Fault(
        Status(200, PAGE),
        "HOST sent a web page, not a model's reply.",
        "base_url may be wrong: it usually ends in /v1.",
    ),
    "error in a 200": Fault(
        Status(200, {"error": {"message": "no slot free"}}),
        "HOST reported an error: no slot free.",
        f"{AGAIN}, or choose another model.",
    ),
    "JSON in a 200": Fault(
        Status(200, {"choices": []}),
        "HOST did not stream a model's reply.",
        "base_url may be wrong: it usually ends in /v1.",
    ),
    "error in the stream": Fault(
        Events((CHUNK, {"error": {"message": f"crashed with {KEY}"}})),
        "HOST reported an error: crashed with [key].",
        f"{AGAIN}, or choose another model.",
    ),
    "failed response": Fault(
        Events(({"type": "response.failed", "response": {"error": {"message": KEY}}},)),
        "HOST reported an error: [key].",
        f"{AGAIN}, or choose another model.",
        "responses",
    ),
    "context too long in the stream": Fault(
        Events(({"type": "error", "message": "Your input exceeds the context window."},)),
        "The conversation is too long for 'scripted-model' at HOST: "
        "Your input exceeds the context window.",
        "Start a new conversation, lower limits.evidence_tokens, or give the model more context.",
        "responses",
    ),
    "cut stream": Fault(
        Answer("Thirty ", "days of ", then="cut"),
        "HOST broke off after 3 words.",
        f"{AGAIN}; the answer is not complete.",
    ),
    "cut response": Fault(
        Answer("Thirty", then="cut"),
        "HOST broke off after 1 word.",
        f"{AGAIN}; the answer is not complete.",
        "responses",
    ),
    "stream without end": Fault(
        Events((CHUNK,)),
        "HOST broke off after 3 words.",
        f"{AGAIN}; the answer is not complete.",
    ),
    "stream without anything": Fault(
        Events(()),
        "HOST broke off before the first word.",
        f"{AGAIN}; the answer is not complete.",
    ),
    "invalid JSON": Fault(
        Events((CHUNK, '{"choices": [')),
        "HOST sent a damaged reply: an event that cannot be read.",
        f"{AGAIN}; if it stays, check base_url and any proxy between.",
    ),
    "JSON that is no event": Fault(
        Events((CHUNK, "[1]")),
        "HOST sent a damaged reply: an event that cannot be read.",
        f"{AGAIN}; if it stays, check base_url and any proxy between.",
    ),
    "JSON of another shape": Fault(
        Events(({"choices": ["Thirty"]},)),
        "HOST sent a damaged reply: an event that cannot be read.",
        f"{AGAIN}; if it stays, check base_url and any proxy between.",
    ),
    "empty reply": Fault(
        Answer(),
        "'scripted-model' at HOST gave an empty reply.",
        f"{AGAIN}, or choose another model.",
    ),
    "empty and cut": Fault(
        Answer(cut_short=True),
        "'scripted-model' at HOST met its output limit before the first word.",
        "Raise max_output_tokens of this model.",
    ),
    "silence in the stream": Fault(
        Answer("Thirty ", then="stall"),
        "HOST stayed silent for 0.3 seconds (time-out).",
        f"{AGAIN}, or raise timeout_seconds of this model.",
    ),
    "silence": Fault(
        Silence(),
        "HOST stayed silent for 0.3 seconds (time-out).",
        f"{AGAIN}, or raise timeout_seconds of this model.",
    ),
    "hang-up": Fault(
        Hangup(),
        "HOST could not be reached: the connection failed or was closed without an answer.",
        "Check base_url, the network connection and the proxy.",
    ),
}


async def failure(settings: ModelSettings, environ: dict[str, str] | None = None) -> ModelError:
    """Ask and give the error, after looking for the key wherever a person might read it."""
    model = OpenAIModel("tested", settings, {"TEST_KEY": KEY} if environ is None else environ)
    with pytest.raises(ModelError) as caught:
        async for _ in model.stream(Request((UserMessage("How many days of leave?"),))):
            pass
    await model.aclose()
    shown = "".join(traceback.format_exception(caught.value))  # what --debug prints
    assert KEY not in f"{shown}{caught.value!r}{caught.value.hint}", "the key is shown"
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_is_told_with_host_cause_and_next_step(name: str) -> None:
    """Else a person reads a traceback, half a cause, the key, or not what to do."""
    fault = FAULTS[name]
    with ScriptedServer(fault.script) as server:
        settings = server.settings(
            "responses" if fault.wire == "responses" else "chat",
            api_key_env="TEST_KEY",
            timeout_seconds=0.3 if "silent" in fault.message else 20.0,
        )
        error = await failure(settings)
        assert error.message == fault.message.replace("HOST", server.host)
        assert error.hint == fault.hint


def at(base_url: str, env: str = "TEST_KEY") -> ModelSettings:
    return ModelSettings("m", base_url=base_url, api_key_env=env)


async def test_nobody_listening_is_told() -> None:
    """Else a person does not learn that the server is not running."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # bound, not listening: the connection is refused
        port = free.getsockname()[1]
        error = await failure(at(f"http://127.0.0.1:{port}/v1"))
    assert error.message == f"Nothing answers at 127.0.0.1:{port}: the connection was refused."
    assert error.hint == "Start the model server there, or correct base_url."


async def test_an_unknown_host_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a typing error in the address looks like a failure of the server."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    error = await failure(at("http://no-such-host.invalid/v1"))
    assert error.message == "The host no-such-host.invalid was not found."
    assert error.hint == "Check base_url and the network connection."


async def test_plain_http_behind_https_is_told() -> None:
    """Else a wrong scheme looks like a failure of the network."""
    with ScriptedServer() as server:
        error = await failure(at(server.base_url.replace("http:", "https:")))
        assert error.message == f"{server.host} made no secure connection."
    assert error.hint == "Check base_url: http or https?"


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("SSL_CERT_FILE", "/no/such/file", "The certificates that SSL_CERT_FILE or SSL_CERT_DIR"),
        ("ALL_PROXY", "socks5://127.0.0.1:9", "A SOCKS proxy is set, which is not supported."),
        ("ALL_PROXY", f"no://{KEY}@proxy", "The address of a proxy is not a web address."),
    ],
)
async def test_settings_of_the_machine_that_allow_no_request_are_told(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, expected: str
) -> None:
    """Else a proxy set for other programs ends ours with a traceback."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, value)
    error = await failure(at("http://no-such-host.invalid/v1"))
    assert error.message.startswith(expected)


async def test_a_server_that_wants_a_key_is_told_from_a_wrong_key() -> None:
    """Else a person searches for a fault in a key that was never set."""
    with ScriptedServer(Status(401, {})) as server:
        error = await failure(server.settings(api_key_env="TEST_KEY"), {})
        assert str(error) == (
            f"{server.host} wants a key (401). Set TEST_KEY to the key of this server."
        )


@pytest.mark.parametrize(
    ("base_url", "environ", "expected"),
    [
        (
            "https://api.openai.com/v1",
            {},
            "There is no key for api.openai.com: TEST_KEY is not set. "
            'Set TEST_KEY to your key, or api_key_env = "" if the server wants none.',
        ),
        (
            "https://api.openai.com/v1",
            {"TEST_KEY": f"{KEY}\nOTHER=1"},
            "The key in TEST_KEY holds characters that no key has. Copy it again.",
        ),
        (
            f"user:{KEY}@localhost:8080",
            {},
            "'localhost:8080' is not the address of a model server. "
            "Write base_url as http://HOST:PORT/v1.",
        ),
        (
            "http://local host/v1",
            {},
            "'http://local host/v1' is not the address of a model server. "
            "Write base_url as http://HOST:PORT/v1.",
        ),
        (
            "http://localhost:99999/v1",
            {},
            "'http://localhost:99999/v1' is not the address of a model server. "
            "Write base_url as http://HOST:PORT/v1.",
        ),
    ],
)
async def test_wrong_settings_are_told_before_anything_is_sent(
    base_url: str, environ: dict[str, str], expected: str
) -> None:
    """Else a request leaves with a wrong key or to a wrong place, or fails without a reason."""
    assert str(await failure(at(base_url), environ)) == expected


async def test_what_a_server_says_is_cut() -> None:
    """Else a page of text fills the screen, or a cut runs through the key and shows half of it."""
    said = "x" * 190 + KEY * 20
    with ScriptedServer(Status(400, error(said))) as server:
        told = await failure(server.settings(api_key_env="TEST_KEY"))
    assert "sk-" not in told.message
    assert told.message.endswith("x[key][key…")
    assert len(told.message.partition("(400): ")[2]) == 200


async def test_an_answer_that_is_complete_stands_even_if_the_connection_ends_badly() -> None:
    """Else a whole answer is thrown away for the sake of a missing last line."""
    done = {"choices": [{"index": 0, "delta": {"content": "Yes."}, "finish_reason": "stop"}]}
    with ScriptedServer(Events((done,), then="cut")) as server:
        model = OpenAIModel("tested", server.settings(), {})
        values = [value async for value in model.stream(Request((UserMessage("Hm?"),)))]
        await model.aclose()
    assert len(values) == 2


async def test_waiting_does_not_stop_the_event_loop() -> None:
    """Else the terminal interface freezes while the SDK loads and while a model thinks."""
    with ScriptedServer(Silence()) as server:
        started = asyncio.get_running_loop().time()
        task = asyncio.create_task(failure(server.settings(timeout_seconds=0.2), {}))
        lags = []
        while not task.done():
            before = asyncio.get_running_loop().time()
            await asyncio.sleep(0.01)
            lags.append(asyncio.get_running_loop().time() - before)
        await task
        assert asyncio.get_running_loop().time() - started > 0.2
    assert max(lags) < 1.0
