"""A client that goes away, or changes its mind: its run ends, and the model is asked no more."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from rag_assistant.egress.client_tokens import token_of
from rag_assistant.egress.clients import Client
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.mcp_server.serving import PATIENCE, Lines, connected, http_server
from tests.models.silent_model import silent_model

ASKED = {"name": "ask", "arguments": {"question": "How long is parental leave?"}}


@pytest.fixture
def silent(home: Path) -> Iterator[ScriptedServer]:
    """A model that never says a word, and is the configured one."""
    with silent_model(home) as server:
        yield server


async def asked(server: ScriptedServer) -> None:
    """Wait until the model was asked."""
    async with asyncio.timeout(PATIENCE):
        while not server.requests:
            await asyncio.sleep(0.05)


async def hung_up(server: ScriptedServer) -> bool:
    """Whether the model's connection is closed, after some patience."""
    return await asyncio.to_thread(server.requests[0].hung_up.wait, PATIENCE)


@pytest.mark.parametrize("mode", ["legacy", pytest.param("auto", marks=pytest.mark.soak)])
async def test_a_cancelled_call_ends_its_run(home: Path, silent: ScriptedServer, mode: str) -> None:
    """The model would be paid for an answer that nobody waits for."""
    async with connected(home, mode) as client:
        call = asyncio.create_task(client.call_tool(ASKED["name"], ASKED["arguments"]))  # type: ignore[arg-type]
        await asked(silent)
        call.cancel()
        with suppress(asyncio.CancelledError):
            await call
        assert await hung_up(silent)
        assert not (await client.call_tool("databases", {})).is_error


async def test_a_closed_pipe_ends_its_run(home: Path, silent: ScriptedServer) -> None:
    """The process would stay for as long as the model takes."""
    lines = Lines(home)
    lines.begin()
    lines.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ASKED})
    await asked(silent)
    assert await asyncio.to_thread(lines.end) == 0
    assert await hung_up(silent)


async def test_a_connection_that_is_closed_ends_its_run(home: Path, silent: ScriptedServer) -> None:
    """Over HTTP the run of a client that was closed would go on."""
    token = token_of(home, Client("MCP", "editor"))
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
    }
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    with http_server(home) as address:
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as link:
            first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
            begun = await link.post(address, json=first)
            assert begun.status_code == 200
            session = {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
            begin = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            await link.post(address, json=begin, headers=session)
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ASKED}
            async with link.stream("POST", address, json=call, headers=session):
                await asked(silent)
        assert await hung_up(silent)


async def test_only_who_has_a_token_is_let_in(home: Path) -> None:
    """Any page in a browser, and any user of this machine, could read the documents."""
    token = token_of(home, Client("MCP", "editor"))
    with http_server(home) as address:
        async with httpx2.AsyncClient(timeout=PATIENCE) as link:

            async def status(**headers: str) -> int:
                return (await link.post(address, json={}, headers=headers)).status_code

            right = f"Bearer {token}"
            assert await status() == 401
            assert await status(Authorization="Bearer editor.wrong") == 401
            assert await status(Authorization=right.replace("editor", "other")) == 401
            http = token_of(home, Client("HTTP", "editor"))
            assert await status(Authorization=f"Bearer {http}") == 401
            assert await status(Authorization=right, Host="evil.example") == 421
            assert await status(Authorization=right, Origin="http://evil.example") == 403
            assert await status(Authorization=right) not in (401, 403, 421)
            big = json.dumps({"x": "y" * 300_000})
            answer = await link.post(address, content=big, headers={"Authorization": right})
            assert answer.status_code == 413
