"""The settings that `mcp config` prints, read as each program reads them, and used."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from rag_assistant.egress.ledger import EgressLedger
from tests.cli.program import Program
from tests.mcp_server.serving import PATIENCE, http_server

KEYS = {
    "claude-desktop": "mcpServers",
    "claude-code": "mcpServers",
    "cursor": "mcpServers",
    "vscode": "servers",
    "zed": "context_servers",
    "codex": "mcp_servers",
    "gemini-cli": "mcpServers",
    "json": "mcpServers",
}


def entry(program: str, written: str) -> dict[str, Any]:
    """Give the entry of the server, as the program finds it in its settings."""
    read = tomllib.loads(written) if program == "codex" else json.loads(written)
    assert list(read) == [KEYS[program]]
    found = read[KEYS[program]]["rag-assistant"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("program", KEYS)
def test_settings_are_of_the_programs_form(home: Path, program: str) -> None:
    """The program would say that its settings are broken, or pass over the server."""
    outcome = Program(home).run("mcp", "config", program)
    assert outcome.code == 0, outcome.err
    found = entry(program, outcome.out)
    assert Path(found["command"]).is_absolute()
    named = [] if program == "json" else ["--client", program]
    assert found["args"][-3 - len(named) :] == ["--home", str(home), "mcp", *named]
    assert found.get("type") == ("stdio" if program in ("claude-code", "vscode") else None)


async def test_a_program_that_uses_them_is_known_by_its_name(home: Path) -> None:
    """What a person allows that program would not be given to it."""
    EgressLedger(home).allow(["diary"], "MCP client claude-desktop")
    outcome = Program(home).run("mcp", "config", "claude-desktop")
    found = entry("claude-desktop", outcome.out)
    started = StdioServerParameters(
        command=found["command"], args=found["args"], env=dict(os.environ)
    )
    async with Client(started) as client:
        given = await client.call_tool("databases", {})
        assert len(given.structured_content["databases"]) == 2


async def test_settings_over_http_let_the_program_in(home: Path) -> None:
    """The token would be of another form, or in another place, than the server wants it."""
    with http_server(home) as address:
        port = address.rpartition(":")[2].partition("/")[0]
        for program in ("cursor", "vscode", "claude-code", "gemini-cli"):
            outcome = Program(home).run("mcp", "config", program, "--http", "--port", port)
            found = entry(program, outcome.out)
            url = found["httpUrl" if program == "gemini-cli" else "url"]
            assert url == address
            async with (
                httpx2.AsyncClient(headers=found["headers"], timeout=PATIENCE) as link,
                Client(streamable_http_client(url, http_client=link)) as client,
            ):
                assert (await client.list_tools()).tools
    codex = entry("codex", Program(home).run("mcp", "config", "codex", "--http").out)
    assert codex["bearer_token_env_var"]
    refused = Program(home).run("mcp", "config", "zed", "--http")
    assert refused.code == 1
    assert "no settings for servers over HTTP" in refused.err
    unknown = Program(home).run("mcp", "config", "curser")
    assert "Did you mean cursor?" in unknown.err


def test_a_person_allows_and_forbids(home: Path) -> None:
    """The commands would not do what the documentation says."""
    program = Program(home)
    assert "No program has asked yet" in program.run("mcp", "clients").err
    allowed = program.run("mcp", "allow", "cursor")
    assert "MCP client cursor may have diary from now on" in allowed.err
    told = program.run("mcp", "clients")
    assert "cursor  0 requests, 0 entries; allowed diary" in told.out
    assert "Every client may have: handbook. Kept back (egress local): diary." in told.err
    (listed,) = program.run("mcp", "clients", "--json").json["clients"]
    assert listed == {
        "name": "cursor", "allowed": ["diary"], "requests": 0, "entries": 0, "last_day": ""
    }  # fmt: skip
    assert "may not have diary any more" in program.run("mcp", "forbid", "cursor").err
    assert "was allowed nothing" in program.run("mcp", "forbid", "cursor").err
    for words, said in (
        (("allow", "Claude Code"), "is no name of a client"),
        (("allow", "cursor", "-d", "nowhere"), "There is no database 'nowhere'"),
        (("token",), "Whose token?"),
        (("--http", "--client", "cursor"), "known by its token"),
    ):
        outcome = program.run("mcp", *words)
        assert outcome.code == 1
        assert said in outcome.err
