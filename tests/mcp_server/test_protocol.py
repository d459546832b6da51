"""The protocol, spoken with the SDK's own client at each of its versions, and with none at all."""

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from mcp import Client, MCPError
from mcp_types import TextContent, TextResourceContents
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from rag_assistant.egress.ledger import EgressLedger
from rag_assistant.library.database import CHARACTERS_PER_TOKEN
from rag_assistant.library.library import Library
from rag_assistant.mcp_server.offers import tools
from rag_assistant.mcp_server.stdio import NO_MESSAGE
from tests.mcp_server.serving import (
    PATIENCE,
    Lines,
    children_of,
    connected,
    http_server,
    over_http,
)

SOAK = pytest.mark.soak
TOOLS = [
    *("databases", "search", "read", "outline", "list_documents", "grep", "table", "digest"),
    *("ask", "why_not"),
]
SOME_IN_SOAKS = [
    pytest.param(version, marks=() if version == HANDSHAKE_PROTOCOL_VERSIONS[0] else SOAK)
    for version in HANDSHAKE_PROTOCOL_VERSIONS
]
HAVING_CHILDREN = pytest.mark.skipif(sys.platform != "linux", reason="children are in /proc")


async def use(client: Client) -> None:
    """Do with a client what people do."""
    listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == TOOLS
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
    # What does not fit its output schema is an error of the client's.
    found = await client.call_tool("search", {"query": "parental leave"})
    document = found.structured_content["documents_found"][0]
    passage = document["passages"][0]
    assert "sixteen weeks" in passage["quote"]
    (shown,) = (await client.read_resource(passage["uri"])).contents
    assert isinstance(shown, TextResourceContents)
    assert passage["quote"] in shown.text
    told: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    answer = await client.call_tool(
        "ask", {"question": "How long is parental leave?"}, progress_callback=hear
    )
    assert "sixteen" in answer.structured_content["answer"]
    assert answer.structured_content["citations"][0]["verified"]
    assert told and "sixteen" not in json.dumps(told)
    wrong = await client.call_tool("search", {"query": 5})
    assert wrong.is_error
    (said,) = wrong.content
    assert isinstance(said, TextContent)
    assert said.text.startswith("The arguments of search do not fit: query: 5 is not of type")


@pytest.mark.parametrize("version", SOME_IN_SOAKS)
async def test_each_version_with_a_handshake(
    home: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clients that are a year behind could not use it."""
    monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", version)
    async with connected(home, "legacy") as client:
        assert client.session.protocol_version == version
        await use(client)


@pytest.mark.parametrize("mode", ["auto", *MODERN_PROTOCOL_VERSIONS])
async def test_each_version_without(home: Path, mode: str) -> None:
    """Clients of today could not use it."""
    async with connected(home, mode) as client:
        assert client.session.protocol_version in MODERN_PROTOCOL_VERSIONS
        await use(client)


async def test_over_http_at_both_eras_and_two_clients_at_once(home: Path) -> None:
    """Two programs could not use it at the same time, or one would be handed what is another's."""
    EgressLedger(home).allow(["diary"], "MCP client trusted")
    with http_server(home) as address:
        async with (
            over_http(address, home, "trusted", "legacy") as trusted,
            over_http(address, home, "other") as other,
        ):
            await use(trusted)
            await use(other)
            for client, there in ((trusted, 2), (other, 1)):
                given = await client.call_tool("databases", {})
                assert len(given.structured_content["databases"]) == there
    hosts = {day.host for day in EgressLedger(home).by_day_and_host()}
    assert hosts == {"MCP client trusted", "MCP client other"}


def test_the_list_of_tools_is_short() -> None:
    """Every request of the client's model would carry pages of schemas."""
    told = [
        {"name": one.name, "description": one.description, "input_schema": one.input_schema}
        for one in tools()
    ]
    assert len(json.dumps(told)) / CHARACTERS_PER_TOKEN < 1_700


async def test_resources_and_prompts(home: Path) -> None:
    """A person could not attach a document, or pick a task."""
    async with connected(home) as client:
        resources = (await client.list_resources()).resources
        assert {one.name for one in resources} >= {"leave/parental.md", "travel.html"}
        assert all(one.uri.startswith("rag://handbook/") for one in resources)
        templates = (await client.list_resource_templates()).resource_templates
        assert templates[0].uri_template == "rag://{database}/{id}"
        for prompt in (await client.list_prompts()).prompts:
            names = [one.name for one in prompt.arguments or ()]
            given = await client.get_prompt(prompt.name, dict.fromkeys(names, "{topic}"))
            content = given.messages[0].content
            assert isinstance(content, TextContent)
            assert "{topic}" in content.text
            assert "`uri`" in content.text
            with pytest.raises(MCPError, match="needs"):
                await client.get_prompt(prompt.name, {})
        for uri in ("rag://diary/1", "rag://handbook/999", "rag://../etc", "file:///etc/passwd"):
            with pytest.raises(MCPError) as raised:
                await client.read_resource(uri)
            assert "\n" not in str(raised.value)


@pytest.mark.soak
async def test_a_megabyte_is_read_by_parts(home: Path, tmp_path: Path) -> None:
    """A client's model would be handed more than it can hold, or not the end of it."""
    lines = "".join(f"Line {n} tells of the harbour and its cranes.\n\n" for n in range(22_000))
    (tmp_path / "handbook" / "long.txt").write_text(lines)
    Library(home).index(tmp_path / "handbook")
    (entry,) = (one for one in Library(home).database("handbook").entries() if "long" in one.path)
    uri, parts = f"rag://handbook/{entry.id}", []
    async with connected(home) as client:
        while uri:
            (shown,) = (await client.read_resource(uri)).contents
            assert isinstance(shown, TextResourceContents)
            assert len(shown.text) < 50_000
            text, _, rest = shown.text.partition("\n\n[It goes on at ")
            uri = rest.removesuffix("]")
            parts.append(text)
    assert len(parts) > 20
    assert "".join(parts).strip() == lines.strip()


def test_nothing_but_the_protocol_is_on_standard_output(home: Path) -> None:
    """A client would take a stray line for a broken message, and hang up."""
    lines = Lines(home)
    begun = lines.begin()
    assert begun["result"]["serverInfo"]["name"] == "rag-assistant"
    surrogate = b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {"_meta": "\\ud800"}}'
    broken = (b"not json", b'{"jsonrpc": "2.0"', b"\xff\xfe\x00", b"[" * 5_000, surrogate)
    for bad in broken:
        lines.send(bad)
    lines.send({"jsonrpc": "2.0", "method": "notifications/unknown"})
    assert "error" in lines.request(1, "no/such/method", {})
    assert "error" in lines.request(2, "tools/call", {"name": ["search"]})
    huge = lines.call(3, "search", query="crane " * 200_000)
    assert huge["result"]["isError"]
    assert len(json.dumps(huge)) < 1_000
    assert lines.call(4, "grep", pattern="(a+)+$", regex=True)["result"]
    assert not lines.call(5, "search", query="crane")["result"].get("isError")
    assert lines.end() == 0
    read = [json.loads(line) for line in lines.read]
    assert all(message["jsonrpc"] == "2.0" for message in read)
    told = [message["error"]["message"] for message in read if message.get("id", 0) is None]
    assert told == [NO_MESSAGE] * len(broken)


def test_the_end_of_the_pipe_ends_the_server(home: Path) -> None:
    """Each session of a client would leave a process behind."""
    for begin in (True, False):
        lines = Lines(home)
        if begin:
            lines.begin()
        assert lines.end() == 0


@HAVING_CHILDREN
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=SOAK),
        pytest.param(signal.SIGHUP, marks=SOAK),
    ],
)
def test_a_signal_ends_the_server_and_what_it_started(
    home: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """A regular expression would go on for minutes in a process that nobody knows of."""
    (tmp_path / "handbook" / "slow.txt").write_text(f"{'a' * 60}b\n")
    Library(home).index(tmp_path / "handbook")
    lines = Lines(home)
    lines.begin()
    arguments = {"pattern": "(a+)+$", "regex": True}
    params = {"name": "grep", "arguments": arguments}
    lines.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    deadline = time.monotonic() + PATIENCE
    while not (started := children_of(lines.process.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert started
    lines.process.send_signal(number)
    assert lines.ended() == 128 + number
    for child in started:
        while is_running(child) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not is_running(child)


def is_running(process: int) -> bool:
    """Whether a process is there, and no mere entry that waits to be read."""
    with contextlib.suppress(ProcessLookupError, FileNotFoundError):
        os.kill(process, 0)
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    return False
