"""What a person reads when a model fails: the line and the next step, for each fault."""

import asyncio
import socket
import traceback

import pytest

from rag_assistant.config import ModelSettings
from rag_assistant.errors import ModelError
from rag_assistant.messages import Request, UserMessage
from rag_assistant.models.openai_model import OpenAIModel
from tests.models.fault_table import FAULTS, KEY
from tests.models.script import Events, Silence, Status, error
from tests.models.server import ScriptedServer


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
            "There is no key for api.openai.com: TEST_KEY is not set. Set TEST_KEY to your key.",
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
