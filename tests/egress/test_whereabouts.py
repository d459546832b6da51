"""Whether a model runs here is decided by what its server says, and not by where it answers."""

from typing import Any

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ModelSettings
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.hosts import is_unsure
from rag_assistant.errors import ModelError
from rag_assistant.library.library import Library
from rag_assistant.models.endpoint import Endpoint, apparent_host
from scripts.benchmarks.shared.model_server import MODEL, ScriptedServer
from tests.egress.elsewhere import CANARY, answer_of, ask, configured, notes, player, policies
from tests.egress.elsewhere import with_diary as diary_of

QUESTION = "What of parental leave?"
TAGS = {"name": MODEL, "model": MODEL, "details": {"family": "llama"}}
LISTED = {"object": "list", "data": [{"id": MODEL}]}


def sent_to(tells: dict[str, Any], **changed: Any) -> str:
    """Where what a server is sent ends up, by what it tells."""
    with ScriptedServer() as server:
        server.tells = tells
        return Endpoint.of(server.settings(**changed), {}).sent_to.replace(server.host, "HERE")


@pytest.mark.parametrize(
    ("tells", "to"),
    [
        ({"/api/tags": {"models": [TAGS]}, "/v1/models": LISTED}, ""),
        ({"/props": {"model_path": "a.gguf"}}, ""),
        ({"/api/v0/models": {"data": [{"id": MODEL, "arch": "llama"}]}}, ""),
        ({"/v1/models": {"data": [{"id": MODEL, "owned_by": "vllm"}]}}, ""),
        (
            {"/api/tags": {"models": [{**TAGS, "remote_host": "https://ollama.com:443"}]}},
            "ollama.com (by way of HERE)",
        ),
        (
            {"/api/tags": {"models": [{**TAGS, "remote_model": "gpt-oss:120b"}]}},
            "another machine (by way of HERE)",
        ),
        (
            {"/v1/models": {"data": [{"id": MODEL, "owned_by": "openai"}]}},
            "openai (by way of HERE)",
        ),
        ({"/v1/models": LISTED}, "HERE"),
        ({"/props": ["nonsense"], "/api/tags": {"models": "none"}, "/v1/models": 5}, "HERE"),
        ({}, "HERE"),
    ],
)
def test_servers_are_taken_at_their_word(tells: dict[str, Any], to: str) -> None:
    """A model of Ollama's cloud would get text that must stay, or a local one none."""
    assert sent_to(tells) == to


def test_a_cloud_model_is_known_by_its_name() -> None:
    """Its server would be asked, and an old one does not say."""
    for name in ("gpt-oss:120b-cloud", "glm-4.6:cloud"):
        settings = ModelSettings(name, base_url="http://127.0.0.1:11434/v1")
        assert apparent_host(settings) == "ollama.com"
        with ScriptedServer() as server:
            cloud = Endpoint.of(ModelSettings(name, base_url=server.base_url), {})
            assert cloud.sent_to.startswith("ollama.com (by way of ")


def test_the_person_vouches_for_a_server_that_does_not_say() -> None:
    """A local server of another kind could never be used for what must stay here."""
    assert sent_to({}, local=True) == ""
    with ScriptedServer() as server, pytest.raises(ModelError, match="local = true is for"):
        Endpoint.of(
            server.settings(local=True).__class__("m", "http://10.0.0.1/v1", local=True), {}
        )


def test_nothing_can_be_sent_to_a_server_that_does_not_answer() -> None:
    """That it is not running would be told as a matter of leave."""
    with ScriptedServer() as server:
        settings = server.settings()
    assert Endpoint.of(settings, {}).sent_to == ""


async def test_text_that_stays_goes_to_no_model_of_the_cloud(
    library: Library, tmp_path: Any
) -> None:
    """`egress local` would hold for addresses only, and a cloud model would read the diary."""
    both = diary_of(library, tmp_path)
    with ScriptedServer(player("diary")) as server:
        server.tells = {"/api/tags": {"models": [{**TAGS, "remote_host": "https://ollama.com"}]}}
        config = configured({"near": server.settings()}, databases=policies(diary="local"))
        assistant = Assistant(both, config, {})
        events = await ask(assistant, QUESTION, databases=["diary"])
        await assistant.aclose()
        assert server.requests == []
    assert "ollama.com (by way of" in notes(events)


async def test_what_cannot_be_told_passes_by_default_and_is_said(
    library: Library, tmp_path: Any
) -> None:
    """People would be asked for leave to use their own server, or never learn what is not known."""
    both = diary_of(library, tmp_path)
    with ScriptedServer(player("diary")) as server:
        server.tells = {"/v1/models": LISTED}
        config = configured({"near": server.settings()}, databases=policies(diary="ask"))
        assistant = Assistant(both, config, {})
        events = await ask(assistant, QUESTION, databases=["diary"])
        await assistant.aclose()
        assert CANARY in "".join(request.text() for request in server.requests)
        assert f"model at {server.host} runs on this machine cannot be told" in notes(events)
        assert [sent.host for sent in answer_of(events).sent] == [server.host]


async def test_what_cannot_be_told_gets_no_text_that_stays(library: Library, tmp_path: Any) -> None:
    """A gateway of an unknown kind would pass on what must not leave."""
    both = diary_of(library, tmp_path)
    with ScriptedServer(player("diary")) as server:
        server.tells = {}
        config = configured({"near": server.settings()}, databases=policies(diary="local"))
        assistant = Assistant(both, config, {})
        events = await ask(assistant, QUESTION, databases=["diary"])
        await assistant.aclose()
        assert server.requests == []
    assert "write local = true" in notes(events)


def test_only_loopback_is_unsure(tmp_path: Any) -> None:
    """A host of the network would pass for one of this machine."""
    assert is_unsure("127.0.0.1:8080") and is_unsure("[::1]:80") and is_unsure("localhost")
    assert not is_unsure("api.example.com") and not is_unsure("ollama.com (by way of 127.0.0.1:1)")
    gate = Gate(tmp_path, Config())
    assert gate.verdicts(["a"], "127.0.0.1:9") == {"a": "yes"}
    assert gate.verdicts(["a"], "ollama.com (by way of 127.0.0.1:9)") == {"a": "ask"}
