"""Text of a database that stays on this machine reaches no other, whichever way it could go."""

import asyncio
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import (
    EXTRACTIVE,
    Config,
    ModelSettings,
    RerankerSettings,
    ToolSettings,
)
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.ledger import EgressLedger
from rag_assistant.egress.provenance import Provenance, carried, carrying
from rag_assistant.errors import EgressError, ModelError
from rag_assistant.history.recorder import Recorder
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.models.embedders import EndpointEmbedder
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.models.outgoing import CarriedModel
from rag_assistant.models.protocol import whole_reply
from rag_assistant.models.rerankers import make_reranker
from rag_assistant.tools.permission import Decision, PermissionRequest
from rag_assistant.values.events import PermissionWanted
from rag_assistant.values.messages import Request, UserMessage
from scripts.benchmarks.shared.model_replies import Status
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.egress.elsewhere import (
    CANARY,
    answer_of,
    ask,
    configured,
    elsewhere,
    far,
    notes,
    player,
    policies,
    text_of,
    with_diary,
)
from tests.models.embedding_server import EmbeddingServer
from tests.scripted import ScriptedModel

QUESTION = "What of parental leave?"


@pytest.fixture
def both(indexed: Library, tmp_path: Path) -> Library:
    """The handbook, which may go anywhere, and the diary, which may not."""
    return with_diary(indexed, tmp_path)


LOCAL = policies(diary="local", handbook="any")


async def test_a_model_elsewhere_answers_without_the_database_that_stays(both: Library) -> None:
    """Else a diary goes to a company because another database was asked as well."""
    with ScriptedServer(player("handbook", "diary")) as server:
        assistant = Assistant(both, configured({"far": far(server)}, databases=LOCAL), {})
        events = await ask(assistant, QUESTION)
        await assistant.aclose()
        sent = text_of(server)
    assert "sixteen weeks" in sent
    assert CANARY not in sent
    offered = [tool["function"]["name"] for tool in server.requests[0].body["tools"]]
    assert offered[:2] == ["search_handbook_database", "query_handbook_database"]
    assert not any("diary" in name for name in offered)
    told = notes(events)
    assert "diary stays on this machine (egress local)" in told
    assert "rag-assistant databases egress diary any" in told
    answer = answer_of(events)
    assert answer.coverage.databases == ("handbook",)
    assert [out.database for out in answer.coverage.left_out] == ["diary"]
    [there] = answer.sent
    assert there.requests == len(server.requests)
    assert there.entries >= 1


@pytest.mark.parametrize("fallback", [True, False])
async def test_where_nothing_may_be_sent_nothing_is(both: Library, fallback: bool) -> None:
    """Else the only database of a question goes along after all, or a person gets no word."""
    with ScriptedServer(player("diary")) as server:
        config = configured({"far": far(server)}, databases=LOCAL, fallback=fallback)
        assistant = Assistant(both, config, {})
        if fallback:
            answer = answer_of(await ask(assistant, QUESTION, databases=["diary"]))
            assert CANARY in answer.text
            assert answer.model == EXTRACTIVE
            assert "was not asked: diary stays on this machine" in answer.fallback
            assert answer.sent == ()
        else:
            with pytest.raises(EgressError, match="diary stays on this machine"):
                await ask(assistant, QUESTION, databases=["diary"])
    assert server.requests == []


async def test_a_helper_elsewhere_gets_nothing_of_a_run_with_what_stays(both: Library) -> None:
    """Else the entries of a diary go to the helper, though the model that answers is here; or a
    model that has read it writes its words into a query about the other database."""
    with ScriptedServer(player("diary", "handbook")) as here, ScriptedServer() as there:
        models = {"near": here.settings(), "far": far(there)}
        config = configured(models, helper="far", databases=LOCAL)
        assistant = Assistant(both, config, {})
        events = await ask(assistant, QUESTION)
        await assistant.aclose()
        assert CANARY in text_of(here)
    assert there.requests == []
    assert "condenses entries in place of the helper" in notes(events)


async def test_a_judge_elsewhere_reads_no_answer_from_what_stays(both: Library) -> None:
    """Else sentences from a diary, and its words beside them, go to a model that nobody asked."""
    with ScriptedServer(player("diary", "handbook")) as here, ScriptedServer() as there:
        models = {"near": here.settings(), "far": far(there)}
        config = configured(models, judge="far", databases=LOCAL)
        assistant = Assistant(both, config, {})
        events = await ask(assistant, QUESTION)
        await assistant.aclose()
    assert there.requests == []
    assert "The answer gets no second reading." in notes(events)


async def test_nobody_is_asked_about_a_judge_of_what_the_built_in_model_copies(
    both: Library,
) -> None:
    """Else a person who works without a model is asked to send text that nothing would send."""
    with ScriptedServer() as there:
        config = replace(configured({"far": far(there)}, judge="far"), model=EXTRACTIVE)
        assistant = Assistant(both, config, {})
        events = await ask(assistant, QUESTION)
        await assistant.aclose()
    assert there.requests == []
    assert not any(isinstance(event, PermissionWanted) for event in events)


async def test_what_was_said_of_it_before_is_left_out_for_a_model_elsewhere(both: Library) -> None:
    """Else an answer from the diary goes along as history when another model is chosen later."""
    with ScriptedServer(player("diary")) as here, ScriptedServer(player("handbook")) as there:
        models = {"near": here.settings(), "far": far(there)}
        assistant = Assistant(both, configured(models, databases=LOCAL), {})
        conversation = assistant.conversation()
        await ask(conversation, f"What did the {CANARY} group do?", databases=["diary"])
        conversation.keep_partial(f"And the {CANARY}?", f"The {CANARY} group")
        events = await ask(conversation, QUESTION, databases=["handbook"], model="far")
        after = await ask(conversation, "And now?", databases=["handbook"], model="far")
        await conversation.aclose()
        await assistant.aclose()
    assert len(there.requests) > 2
    assert CANARY not in text_of(there)
    assert "2 earlier questions of this conversation" in notes(events)
    assert "2 earlier questions of this conversation" in notes(after)
    assert QUESTION in there.requests[-1].text()


async def test_a_kept_conversation_knows_what_it_rests_on(both: Library, tmp_path: Path) -> None:
    """Else resuming it from the disk is a way out for what was said of the diary."""
    store = ConversationStore(tmp_path / "home" / "conversations.db")
    with ScriptedServer(player("diary")) as here, ScriptedServer(player("handbook")) as there:
        models = {"near": here.settings(), "far": far(there)}
        assistant = Assistant(both, configured(models, databases=LOCAL), {})
        conversation = assistant.conversation()
        running = conversation.ask(f"The {CANARY}?", databases=["diary"])
        _ = [event async for event in Recorder(store).recorded(running, conversation)]
        past = store.resume(store.latest())
        resumed = assistant.conversation(past.exchanges, past.evidence)
        await ask(resumed, QUESTION, databases=["handbook"], model="far")
        await assistant.aclose()
    assert there.requests
    assert CANARY not in text_of(there)


def test_no_vectors_are_made_elsewhere_of_what_stays(both: Library) -> None:
    """Else the whole diary goes to an embedding endpoint at index time, or a question about it."""
    config = Config(databases=LOCAL)
    with EmbeddingServer() as server:
        settings = replace(server.settings(dimensions=32), base_url=elsewhere(server.base_url))
        embedder = EndpointEmbedder(settings, {}, Gate(both.home, config))
        report = embed_database(both.database("diary"), embedder)
        assert report.failure
        assert "diary stays on this machine" in str(report.failure)
        assert server.requests == []
        assert not embed_database(both.database("handbook"), embedder).failure
        assert server.requests
        # Vectors made here, before: the question alone would go out.
        near = EndpointEmbedder(server.settings(dimensions=32), {})
        embed_database(both.database("diary"), near)
        before = len(server.requests)
        searching = Library(both.home, embedder)
        found = search_databases([searching.database("diary")], CANARY, 3)
        assert found.hits
        assert "diary stays on this machine" in " ".join(found.notes)
        assert len(server.requests) == before
        embedder.close()
        near.close()


@pytest.mark.parametrize("kind", ["endpoint", "model"])
def test_no_reranker_elsewhere_reads_what_stays(both: Library, kind: str) -> None:
    """Else the best hits of a diary go to a service that scores them."""
    with ScriptedServer(Status(200, {"results": []})) as server:
        address = elsewhere(server.base_url)
        settings = RerankerSettings(
            kind=kind,  # type: ignore[arg-type]
            model="judge",
            base_url=address,
        )
        config = Config(
            reranker="best",
            rerankers={"best": settings},
            models={"judge": far(server)},
            databases=LOCAL,
        )
        reranker = make_reranker("", config, both.home, {}, Gate(both.home, config))
        library = Library(both.home, None, reranker)
        found = search_databases(library.databases(), "parental leave", 5)
    assert {hit.database for hit in found.hits} == {"diary", "handbook"}
    assert "not reranked: diary stays on this machine" in " ".join(found.notes)
    assert server.requests == []


async def test_an_image_from_its_folder_is_not_sent(both: Library, tmp_path: Path) -> None:
    """Else a page of the diary goes out as a picture."""
    picture = tmp_path / "diary" / "page.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64) + b"IEND")
    with ScriptedServer() as server:
        models = {"far": far(server, images=True)}
        assistant = Assistant(both, configured(models, databases=LOCAL), {})
        with pytest.raises(EgressError, match="diary stays on this machine"):
            await ask(assistant, "What is this?", databases=["handbook"], images=[picture])
    assert server.requests == []


async def test_the_seam_itself_refuses_whoever_forgot_to_ask(both: Library) -> None:
    """Else one place that does not look is a way out."""
    with ScriptedServer() as server:
        gate = Gate(both.home, Config(databases=LOCAL))
        model = OpenAIModel("far", far(server), {}, gate=gate)
        request = Request((UserMessage(f"The {CANARY} group."),))
        with pytest.raises(EgressError, match="diary stays"):
            await whole_reply(CarriedModel(model, Provenance("answer", ("diary",))), request)
        with carrying(Provenance("tool", ("handbook", "diary"))), pytest.raises(EgressError):
            await whole_reply(model, request)
        with pytest.raises(EgressError, match="nobody said what it carries"):
            await whole_reply(model, request)
        await model.aclose()
    assert server.requests == []


async def test_what_a_run_carries_is_not_said_of_what_listens_to_it() -> None:
    """Else a request made between two pieces of an answer counts as one of the run."""
    model = CarriedModel(ScriptedModel(["Two pieces."]), Provenance("answer", ("diary",)))
    asked = Request((UserMessage("Anything?"),))
    within = [carried() async for _ in model.stream(asked)]
    assert within == [None] * (len("Two pieces.") + 1)


def test_the_settings_are_read_once_for_all_databases(both: Library) -> None:
    """Else a question to twenty databases parses the same file twenty times."""
    (both.home / "config.toml").write_text('egress = "local"\n')
    opened: list[str] = []
    watching = True

    def heard(event: str, args: tuple[object, ...]) -> None:
        if watching and event == "open" and str(args[0]).endswith("config.toml"):
            opened.append(str(args[0]))

    sys.addaudithook(heard)  # which nothing takes away again
    verdicts = Gate(both.home).verdicts(map(str, range(20)), "far")
    watching = False
    assert set(verdicts.values()) == {"no"}
    assert opened == [str(both.home / "config.toml")]


async def test_tools_of_a_server_elsewhere_are_left_out(both: Library) -> None:
    """Else a model that has read the diary hands it on as an argument."""
    from rag_assistant.config import McpSettings
    from rag_assistant.tools.mcp_client.provider import McpProvider, destination_of
    from tests.tools.test_mcp_client import peer

    with peer("http") as address, ScriptedServer(player("diary")) as here:
        settings = McpSettings(url=elsewhere(address), allow=("add",))
        config = configured({"near": here.settings()}, databases=LOCAL, mcp={"peer": settings})
        gate = Gate(both.home, config)
        provider = McpProvider(config.mcp, {}, gate)
        assistant = Assistant(both, config, {}, extra_tools=lambda: [provider])
        assert not destination_of(settings, "").stays
        events = await ask(assistant, QUESTION, databases=["diary"])
        await assistant.aclose()
        offered = [t["function"]["name"] for t in here.requests[0].body["tools"]]
    assert "search_diary_database" in offered
    assert not any(name.startswith("peer_") for name in offered)
    assert "The tools there are left out" in notes(events)


async def test_a_person_is_asked_once_for_a_database_and_a_host(both: Library) -> None:
    """Else text goes out that nobody allowed, or a person is asked at each question."""
    asked: list[PermissionRequest] = []

    async def permit(request: PermissionRequest) -> Decision:
        asked.append(request)
        return Decision.ONCE

    with ScriptedServer(player("handbook")) as server:
        config = configured({"far": far(server)}, databases=policies(diary="local"))
        assistant = Assistant(both, config, {})
        events = await ask(assistant, QUESTION, permit=permit)
        again = await ask(assistant, QUESTION, permit=permit)
        await assistant.aclose()
    [request] = asked
    assert request.heading == f"Send text of handbook to {far(server).base_url[7:-3]}?"
    assert sum(isinstance(event, PermissionWanted) for event in [*events, *again]) == 1
    assert answer_of(again).sent
    assert CANARY not in text_of(server)


async def test_where_nobody_can_be_asked_nothing_is_sent(both: Library) -> None:
    """Else a script sends what no person allowed."""
    with ScriptedServer(player("handbook")) as server:
        assistant = Assistant(both, configured({"far": far(server)}), {})
        conversation = assistant.conversation()
        events = await ask(conversation, QUESTION, databases=["handbook"])
        assert "rag-assistant databases egress handbook any" in notes(events)
        assert answer_of(events).model == EXTRACTIVE
        await conversation.aclose()
    assert server.requests == []


async def test_what_an_endpoint_here_passes_on_is_not_followed(both: Library) -> None:
    """Else a server of this machine sends the diary on by a redirect."""
    with ScriptedServer() as there:
        moved = Status(307, {}, {"location": f"{elsewhere(there.base_url)}/chat/completions"})
        with ScriptedServer(moved) as here:
            config = configured({"near": here.settings()}, databases=LOCAL)
            assistant = Assistant(both, config, {})
            events = await ask(assistant, QUESTION, databases=["diary"])
            await assistant.aclose()
            assert here.requests
    assert there.requests == []
    assert "sends requests on to another address" in notes(events)


@contextmanager
def listening(address: str) -> Iterator[tuple[int, list[bytes]]]:
    """Listen at an address; give the port, and what comes in."""
    heard: list[bytes] = []
    with closing(socket.create_server((address, 0))) as server:

        def hear() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.settimeout(5)
                    heard.append(connection.recv(65_536))

        thread = threading.Thread(target=hear)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def other_address() -> str:
    """Give an address of this machine that is not its loopback; skip where it has none."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            pytest.skip("this machine has no address but its loopback")
        return str(asking.getsockname()[0])


@pytest.mark.parametrize("way", ["model", "embedder"])
def test_a_name_of_this_machine_that_leads_elsewhere_is_sent_nothing(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever changes where `localhost` leads reads what was to stay here."""
    address, known = other_address(), socket.getaddrinfo

    def lead_elsewhere(host: Any, *arguments: Any, **more: Any) -> Any:
        wanted = host if isinstance(host, str) else bytes(host or b"").decode()
        return known(address if wanted == "localhost" else host, *arguments, **more)

    with listening(address) as (port, heard):
        monkeypatch.setattr(socket, "getaddrinfo", lead_elsewhere)
        base_url = f"http://localhost:{port}/v1"
        with pytest.raises(ModelError, match="localhost is not this machine"):
            if way == "model":
                model = OpenAIModel("near", ModelSettings("m", base_url), {})
                asyncio.run(whole_reply(model, Request((UserMessage(CANARY),))))
            else:
                from rag_assistant.config import EmbedderSettings

                settings = EmbedderSettings(model="m", base_url=base_url, dimensions=8)
                EndpointEmbedder(settings, {}).embed_query(CANARY)
    assert b"".join(heard) == b""


async def test_the_record_is_written_before_the_request_leaves(both: Library) -> None:
    """Else a kill hides what was sent."""
    ledger, seen = EgressLedger(both.home), list[int]()
    play = player("handbook")

    def play_and_look(request: Any) -> Any:
        seen.append(sum(day.requests for day in ledger.by_day_and_host()))
        return play(request)

    with ScriptedServer(play_and_look) as server:
        config = configured({"far": far(server)}, egress="any", tools=ToolSettings())
        assistant = Assistant(both, config, {})
        events = await ask(assistant, QUESTION, databases=["handbook"])
        await assistant.aclose()
    assert seen == list(range(1, len(server.requests) + 1))
    [day] = ledger.by_day_and_host()
    assert day.purposes == ("answer", "evidence")
    assert day.databases == ("handbook",)
    assert day.tokens == 12 * day.requests
    assert day.entries == answer_of(events).sent[0].entries
    assert day.bytes > day.characters > 1_000
    assert b"sixteen" not in ledger.path.read_bytes()
