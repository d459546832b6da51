"""What goes over the network unencrypted is said, and this machine is reached past every proxy."""

import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import openai
import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import McpSettings, RerankerSettings
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.plain_http import plain_warning
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.library.library import Library
from rag_assistant.models.endpoint import OPENAI_HOST
from rag_assistant.models.openai_link import keep_environment_from
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.models.protocol import whole_reply
from rag_assistant.models.rerankers import EndpointReranker
from rag_assistant.tools.mcp_client.provider import survey
from rag_assistant.values.messages import Request, UserMessage
from scripts.benchmarks.shared.model_replies import Status
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.cli.program import Program
from tests.egress.elsewhere import ask, configured, elsewhere, far, notes, policies
from tests.egress.test_ways_out import listening, other_address


@pytest.fixture
def program(indexed: Library) -> Program:
    """The commands over a library."""
    return Program(indexed.home)


FOR_OPENAI = {
    "OPENAI_ORG_ID": "org-canary",
    "OPENAI_PROJECT_ID": "proj-canary",
    "OPENAI_ADMIN_KEY": "admin-canary",
    "OPENAI_CUSTOM_HEADERS": "X-Mine: header-canary\nAuthorization: Bearer other-canary",
}


@pytest.mark.parametrize("address", [str, elsewhere], ids=["here", "elsewhere"])
async def test_headers_for_openai_reach_no_other_host(
    address: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever's endpoint is asked learns a person's organisation, and headers with secrets."""
    for name, value in FOR_OPENAI.items():
        monkeypatch.setenv(name, value)
    gate = Gate(tmp_path)
    with ScriptedServer() as server, carrying(Provenance("test")):
        base_url = address(server.base_url)
        model = OpenAIModel("m", replace(server.settings(), base_url=base_url), {}, gate=gate)
        await whole_reply(model, Request((UserMessage("Hello?"),)))
        await model.aclose()
    with ScriptedServer(Status(200, {"results": [{"index": 0, "score": 1.0}]})) as scoring:
        settings = RerankerSettings(kind="endpoint", base_url=address(scoring.base_url))
        reranker = EndpointReranker("r", settings, {}, gate)
        with carrying(Provenance("test")):
            reranker.rerank("Hello?", ["Hello."])
        reranker.close()
    for request in (*server.requests, *scoring.requests):
        assert "canary" not in str(request.headers)
        assert request.headers["authorization"] == "Bearer none"


def test_openai_itself_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a person whose key belongs to several organisations pays from the wrong one."""
    for name, value in FOR_OPENAI.items():
        monkeypatch.setenv(name, value)
    client = openai.OpenAI(api_key="none")
    keep_environment_from(client, OPENAI_HOST)
    assert client.default_headers["OpenAI-Organization"] == "org-canary"
    assert client.default_headers["X-Mine"] == "header-canary"
    client.close()


@pytest.mark.parametrize("host", ["127.0.0.2", "tools.localhost", "[0:0:0:0:0:0:0:1]"])
@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_no_proxy_gets_what_is_meant_for_a_server_here(
    host: str, transport: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the arguments of a tool of this machine go to a proxy for how it is written."""
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with listening("127.0.0.1") as (proxy, heard):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy}")
        settings = McpSettings(url=f"http://{host}:9/mcp", transport=transport, timeout_seconds=5.0)
        [found] = await survey({"tools": settings}, {})
    assert found.failure
    assert heard == []


async def test_a_server_whose_name_of_this_machine_leads_elsewhere_is_sent_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else whoever changes where `localhost` leads gets the arguments of tools, and the headers."""
    address, known = other_address(), socket.getaddrinfo

    def lead_elsewhere(host: Any, *arguments: Any, **more: Any) -> Any:
        wanted = host if isinstance(host, str) else bytes(host or b"").decode()
        return known(address if wanted == "localhost" else host, *arguments, **more)

    with listening(address) as (port, heard):
        monkeypatch.setattr(socket, "getaddrinfo", lead_elsewhere)
        settings = McpSettings(
            url=f"http://localhost:{port}/mcp", transport="http", timeout_seconds=10.0
        )
        [found] = await survey({"tools": settings}, {})
    assert "was sent nothing: localhost is not this machine" in str(found.failure)
    assert b"".join(heard) == b""


def test_only_plain_http_to_another_machine_is_warned_of() -> None:
    """Else a local model is called unsafe, or a password in an address is shown."""
    assert plain_warning("http://me:secret@models.example.com:8080/v1") == (
        "http://models.example.com:8080 is not encrypted: the key and the text can be read on the "
        "way. Use https if the server has it."
    )
    for safe in ("https://models.example.com/v1", "http://127.0.0.2:1/v1", "http://[::1]/v1", ""):
        assert plain_warning(safe) == ""


async def test_plain_http_is_said_once_in_a_conversation(indexed: Library) -> None:
    """Else a key goes over a network for anyone to read, and nobody is told; or at every turn."""
    with ScriptedServer() as here, ScriptedServer() as there:
        models = {"near": here.settings(), "far": far(there)}
        config = configured(models, databases=policies(handbook="any"))
        assistant = Assistant(indexed, config, {})
        talk = assistant.conversation()
        local = await ask(talk, "Hello?")
        first = await ask(talk, "Hello?", model="far")
        second = await ask(talk, "Hello?", model="far")
        await talk.aclose()
        await assistant.aclose()
        warning = plain_warning(far(there).base_url)
    assert [notes(events).count(warning) for events in (local, first, second)] == [0, 1, 0]


@pytest.mark.parametrize("command", [["model", "list"], ["config"], ["doctor"]])
def test_commands_that_show_settings_say_it(program: Program, command: list[str]) -> None:
    """Else a person who looks at their settings is not told that a key can be read on the way."""
    (program.home / "config.toml").write_text(
        'model = "far"\n[models.far]\nmodel = "m"\nbase_url = "http://models.example.com/v1"\n'
    )
    done = program.run(*command)
    assert "http://models.example.com is not encrypted" in done.out + done.err
