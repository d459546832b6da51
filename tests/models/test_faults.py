"""What a person reads when a model fails: the line and the next step, for each fault."""

import asyncio
import json
import traceback
from contextlib import aclosing

import pytest

from rag_assistant.config import ModelSettings
from rag_assistant.errors import ModelError
from rag_assistant.library.library import Library
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.models.patience import Failure, Patience
from rag_assistant.models.protocol import Model
from rag_assistant.values.json_shapes import event_json
from rag_assistant.values.messages import ReplyWait, Request, ToolSpec, UserMessage
from scripts.benchmarks.shared.model_replies import Events, Silence, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer
from scripts.benchmarks.trust.fault_cases import FAULTS
from scripts.benchmarks.trust.fault_runs import (
    ENVIRON,
    PROTOCOLS,
    QUICK,
    Protocol,
    model_for,
    place_of,
    run_agent,
    settings_for,
)
from scripts.benchmarks.trust.fault_scripts import CHAT, KEY
from tests.conftest import HANDBOOK, write_files

ASK = Request(
    (UserMessage("How many days of leave?"),),
    (ToolSpec("search_handbook_database", "Searches.", {"type": "object"}),),
)


@pytest.fixture(scope="module")
def handbook_library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The handbook, indexed once for all faults: an agent only reads it."""
    folder = tmp_path_factory.mktemp("faults")
    library = Library(folder / "home")
    library.index(write_files(folder / "handbook", HANDBOOK))
    return library


async def met(model: Model) -> tuple[list[ReplyWait], ModelError | None]:
    """Ask; give the waits that were told and the error, if there was one."""
    waits: list[ReplyWait] = []
    try:
        async with aclosing(model.stream(ASK)) as stream:
            async for piece in stream:
                waits += [piece] if isinstance(piece, ReplyWait) else []
    except ModelError as error:
        return waits, error
    finally:
        await model.aclose()
    return waits, None


async def failure(settings: ModelSettings, environ: dict[str, str] | None = None) -> ModelError:
    """Ask and give the error, after looking for the key wherever a person might read it."""
    given = ENVIRON if environ is None else environ
    waits, error = await met(OpenAIModel("tested", settings, given, QUICK))
    assert error
    assert_no_key(error, waits)
    return error


def assert_no_key(error: ModelError, waits: list[ReplyWait]) -> None:
    """Look for the key in all that is shown, also with --debug, and in what was raised before."""
    shown = "".join(traceback.format_exception(error))
    raised: BaseException | None = error
    while raised:
        assert KEY not in f"{raised!r}{raised}{raised.__dict__}", "the key is shown"
        raised = raised.__cause__ or (None if raised.__suppress_context__ else raised.__context__)
    assert KEY not in f"{shown}{error!r}{error.hint}{waits!r}", "the key is shown"
    assert "\n" not in str(error)


def told_by(name: str, protocol: Protocol) -> object:
    """Give a fault of a protocol: each fault is told by one of them in turn, by all in a soak."""
    in_turn = PROTOCOLS[list(FAULTS).index(name) % len(PROTOCOLS)]
    return pytest.param(name, protocol, marks=() if protocol is in_turn else pytest.mark.soak)


@pytest.mark.parametrize(
    ("name", "protocol"),
    [told_by(name, protocol) for name in FAULTS for protocol in PROTOCOLS],
)
async def test_a_fault_is_told_with_host_cause_and_next_step(name: str, protocol: Protocol) -> None:
    """Else a person reads a traceback, half a cause, the key, or not what to do."""
    fault = FAULTS[name]
    with place_of(fault) as (base_url, host):
        model = model_for(settings_for(fault, protocol, base_url), QUICK)
        waits, error = await met(model)
    assert [wait.reason.replace(host, "HOST") for wait in waits] == list(fault.waits)
    if not fault.message:
        assert error is None
        return
    assert error
    assert_no_key(error, waits)
    assert error.message.replace(host, "HOST") == fault.message
    assert error.hint == fault.hint


@pytest.mark.parametrize("name", FAULTS)
async def test_the_agent_tells_a_fault_in_one_line_and_answers_all_the_same(
    name: str, handbook_library: Library
) -> None:
    """Else a person gets no answer although the documents are here, or the key is in an event."""
    fault = FAULTS[name]
    protocol = PROTOCOLS[list(FAULTS).index(name) % len(PROTOCOLS)]
    outcome = await run_agent(
        handbook_library, "How long is parental leave?", fault, protocol, QUICK
    )
    waits, told = outcome.lines[: len(fault.waits)], outcome.lines[len(fault.waits) :]
    for line, reason in zip(waits, fault.waits, strict=True):
        assert line.startswith(reason)
        assert " again in " in line
    assert outcome.answer
    assert outcome.answer.text
    if fault.message:
        expected = f"{fault.message} {fault.hint} The model extractive answers in its place."
        assert [line for line in told if "is not encrypted" not in line] == [expected]
        assert outcome.answer.model == "extractive"
    else:
        assert told == []
        assert outcome.answer.model == "tested"
    for event in outcome.events:
        assert KEY not in f"{event!r}{json.dumps(event_json(event))}"


def at(base_url: str, env: str = "TEST_KEY") -> ModelSettings:
    return ModelSettings("m", base_url=base_url, api_key_env=env)


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


@pytest.mark.parametrize(
    ("wait", "retried", "least", "most"),
    [
        (None, 0, 0.375, 0.5),
        (None, 2, 1.5, 2.0),
        (None, 3, None, None),
        (7.0, 0, 7.0, 7.0),
        (30.0, 0, 30.0, 30.0),
        (30.1, 0, None, None),
    ],
)
def test_waits_double_and_keep_to_what_the_server_asks(
    wait: float | None, retried: int, least: float | None, most: float | None
) -> None:
    """Else a busy server is asked too soon and refuses longer, or a person waits for minutes."""
    given = Patience().wait_after(Failure(ModelError("Busy."), True, wait), retried)
    if least is None or most is None:
        assert given is None
    else:
        assert given is not None
        assert least <= given <= most


async def test_after_text_was_shown_nothing_is_sent_again() -> None:
    """Else a person reads the same words twice, and pays for them twice."""
    with ScriptedServer(Events((CHAT,), then="cut")) as server:
        await failure(server.settings())
    assert len(server.requests) == 1
