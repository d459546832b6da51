"""Finding model servers on this machine: real servers on loopback, well-behaved and otherwise."""

import asyncio
import json
import socket
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from rag_assistant.errors import ModelError
from rag_assistant.models import discovery
from rag_assistant.models.discovery import LocalServer, discover, ports_of

Behaviour = Callable[[asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(behave: Behaviour) -> AsyncGenerator[tuple[int, list[bytes]], None]:
    """Serve at a free port; give the port and the heads of the requests."""
    heads: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            heads.append(await reader.readuntil(b"\r\n\r\n"))
            await behave(writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the asker had enough
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], heads
    finally:
        server.close()


def saying(body: bytes | str, status: str = "200 OK", headers: str = "") -> Behaviour:
    raw = body.encode() if isinstance(body, str) else body

    async def behave(writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 {status}\r\n{headers}content-length: {len(raw)}\r\n\r\n"
        writer.write(head.encode() + raw)
        await writer.drain()

    return behave


def listing(*ids: Any, owner: str = "") -> Behaviour:
    rows = [{"id": each, "object": "model", "owned_by": owner} for each in ids]
    return saying(json.dumps({"object": "list", "data": rows}))


async def look_at(behave: Behaviour, seconds: float = 2.0) -> LocalServer:
    async with serving(behave) as (port, _):
        (server,) = await discover([port], seconds=seconds)
        return server


@pytest.mark.parametrize(
    ("owner", "kind"),
    [
        ("library", "Ollama"),
        ("organization_owner", "LM Studio"),
        ("llamacpp", "llama.cpp"),
        ("vllm", "vLLM"),
        ("someone", "a model server"),
    ],
)
async def test_a_server_is_told_by_its_reply(owner: str, kind: str) -> None:
    """A person would be told of the wrong program."""
    server = await look_at(listing("qwen3:8b", "llama3", owner=owner))
    assert (server.kind, server.models) == (kind, ("qwen3:8b", "llama3"))
    assert server.base_url == f"http://127.0.0.1:{server.port}/v1"
    assert server.problem == ""


async def test_nothing_is_asked_but_loopback_and_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person runs locally would be told to a proxy."""
    async with serving(listing("a")) as (port, heads), serving(saying("{}")) as (proxy, asked):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy}")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        (server,) = await discover([port], seconds=2)
    assert server.models == ("a",)
    assert not asked
    assert len(heads) == 1
    assert heads[0].startswith(b"GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"authorization" not in heads[0].lower()


async def test_where_nothing_listens_nothing_is_said() -> None:
    """`doctor` would list four failures on most machines."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert await discover([port]) == ()
    assert await discover([]) == ()


@pytest.mark.parametrize(
    ("behave", "reason"),
    [
        (saying("<html>Jenkins</html>"), "not JSON"),
        (saying("[" * 100_000), "not JSON"),
        (saying(b"\xff\xfe\x00"), "not JSON"),
        (saying('{"data": 3}'), "no list of models"),
        (saying("[1, 2]"), "no list of models"),
        (saying("{}"), "no list of models"),
        (saying("", "404 Not Found"), "gives 404"),
        (saying("", "302 Found", "location: http://192.0.2.1/\r\n"), "gives 302"),
        (saying("", "401 Unauthorized"), "wants a key (401)"),
        (saying(b" " * (discovery.MOST_BYTES + 1)), "longer than 4 MB"),
    ],
    ids=["page", "nested", "bytes", "number", "list", "empty", "404", "302", "401", "endless"],
)
async def test_what_is_no_model_server_is_left_out_with_its_reason(
    behave: Behaviour, reason: str
) -> None:
    """A person would be offered the models of a web server, or not know why there are none."""
    server = await look_at(behave)
    assert reason in server.problem
    assert server.models == ()


async def test_what_speaks_no_http_is_left_out_with_its_reason() -> None:
    """A mail server at a usual port would end `doctor` with a traceback."""

    async def behave(writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n" * 3)

    assert "does not answer as a web server" in (await look_at(behave)).problem


@pytest.mark.parametrize("dripping", [False, True])
async def test_a_slow_server_holds_nothing_up(dripping: bool) -> None:
    """`doctor` would hang on a server that is silent, or sends a byte now and then."""

    async def behave(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n" if dripping else b"")
        for _ in range(200):
            await asyncio.sleep(0.05)
            writer.write(b" " if dripping else b"")
            await writer.drain()

    async with serving(behave) as (slow, _), serving(listing("a")) as (quick, _):
        await discover([quick], seconds=2)  # what is loaded once
        started = time.monotonic()
        found = await discover([slow, quick], seconds=0.4)
        took = time.monotonic() - started
    assert "within 0.4 seconds" in found[0].problem
    assert found[1].models == ("a",)
    assert took < 1.0


async def test_ten_thousand_models_are_all_there() -> None:
    """A model behind the first ones could not be chosen."""
    server = await look_at(listing(*(f"family/model-{n}:8b" for n in range(10_000))))
    assert len(server.models) == 10_000


async def test_names_that_could_steer_a_terminal_are_left_out_and_counted() -> None:
    """A server could write into the person's terminal, or name a model that cannot be chosen."""
    names = ["good", "\x1b[2Jbad", "b\u202ead", "two\nlines", "x" * 300, "", 7, None]
    server = await look_at(listing(*names))
    assert (server.models, server.left_out) == (("good",), 7)


async def test_ollama_without_models_is_a_model_server() -> None:
    """Someone who has just installed it would be told that it is none."""
    server = await look_at(saying('{"object": "list", "data": null}'))
    assert (server.models, server.problem) == ((), "")


def test_the_ports_are_the_usual_ones_or_those_of_the_environment() -> None:
    """A server at another port could not be found; a slip would be silently without effect."""
    assert ports_of({}) == (11434, 1234, 8080, 8000)
    assert ports_of({discovery.PORTS_ENV: " 9000, 9001,9000"}) == (9000, 9001)
    assert ports_of({discovery.PORTS_ENV: ""}) == ()
    for wrong in ("ollama", "0", "70000", "1 2", "\x1b[2J"):
        with pytest.raises(ModelError, match=discovery.PORTS_ENV) as raised:
            ports_of({discovery.PORTS_ENV: wrong})
        assert "\x1b" not in str(raised.value)
