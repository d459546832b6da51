"""What a conversation keeps goes to another machine only with the leave of what it is from."""

import base64
import json
import sqlite3
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.assistant.conversation import Conversation
from rag_assistant.config import EXTRACTIVE, Config, EgressPolicy, McpSettings, ToolSettings
from rag_assistant.egress.gate import Gate
from rag_assistant.history.recorder import Recorder
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.tools.mcp_client.provider import McpProvider
from rag_assistant.tools.permission import Decision, PermissionRequest
from rag_assistant.tools.python_session.provider import PythonProvider
from rag_assistant.values.events import Event, EvidenceFound, PermissionWanted, ToolFinished
from scripts.benchmarks.shared import model_replies as script
from scripts.benchmarks.shared.model_replies import Call, Script
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.egress.elsewhere import (
    CANARY,
    answer_of,
    ask,
    configured,
    far,
    notes,
    player,
    policies,
    text_of,
    with_diary,
)
from tests.tools.test_mcp_client import PEER

KEEP = "kept = [entry['text'] for entry in entries(texts=True)]"
SHOW = "print(kept)"
PICTURE = b"\x89PNG\r\n\x1a\n" + b"the page of a diary" * 4 + b"IEND"
IN_BASE64 = base64.b64encode(PICTURE).decode()


@pytest.fixture
def both(indexed: Library, tmp_path: Path) -> Library:
    """The handbook and the diary."""
    return with_diary(indexed, tmp_path)


@pytest.fixture
def page(both: Library, tmp_path: Path) -> Path:
    """A picture in the folder of the diary."""
    path = tmp_path / "diary" / "page.png"
    path.write_bytes(PICTURE)
    return path


def caller(tool: str, **arguments: Any) -> Any:
    """A server's script that calls a tool once for each question, and then answers."""

    def play(request: SeenRequest) -> Script:
        said = request.body["messages"]
        last = max(n for n, message in enumerate(said) if message["role"] == "user")
        offered = [one["function"]["name"] for one in request.body.get("tools", ())]
        if said[last:][-1]["role"] == "user" and tool in offered:
            return script.Answer(calls=(Call(tool, json.dumps(arguments), id=f"c{len(said)}"),))
        return script.Answer("That is all.")

    return play


SAID = "The parental leave talk with the zebrafinch group was on 14 March [1][2]."


def teller(request: SeenRequest) -> Script:
    """Search and read the diary, and say what stands there."""
    reply: Script = player("diary")(request)
    done = reply == script.Answer("Sixteen weeks [1].")
    return script.Answer(SAID) if done else reply


async def always(_: PermissionRequest) -> Decision:
    return Decision.ALWAYS


def assistant_for(
    library: Library, here: ScriptedServer, there: ScriptedServer, **more: Any
) -> Assistant:
    """One with a model here and one elsewhere; the handbook may go anywhere."""
    models = {"near": here.settings(images=True), "far": far(there, images=True)}
    diary: EgressPolicy = more.pop("diary", "local")
    allowed = policies(diary=diary, handbook="any")
    config: Config = configured(
        models, databases=allowed, tools=ToolSettings(run_python=True), **more
    )
    gate = Gate(library.home, config)
    return Assistant(
        library,
        config,
        {},
        extra_tools=lambda: [PythonProvider(config.tools), McpProvider(config.mcp, {}, gate)],
        gate=gate,
    )


async def until(events: AsyncGenerator[Event, None], kind: type[Event]) -> None:
    """Listen until something happened, and stop the run there."""
    async with aclosing(events) as run:
        async for event in run:
            if isinstance(event, kind):
                return


async def close(assistant: Assistant, conversation: Conversation) -> None:
    await conversation.aclose()
    await assistant.aclose()


def on_record(library: Library) -> list[tuple[str, set[tuple[str, int]]]]:
    """What the record says of each request: its databases, and its entries."""
    with closing(sqlite3.connect(library.home / "egress.sqlite")) as connection:
        sent = connection.execute("SELECT id, databases FROM sent ORDER BY id").fetchall()
        entries = 'SELECT "database", entry FROM sent_entries WHERE sent = ?'
        return [
            (databases, set(connection.execute(entries, (number,)).fetchall()))
            for number, databases in sent
        ]


async def test_variables_of_python_do_not_reach_a_model_elsewhere(both: Library) -> None:
    """Else a diary that a local model has read into a variable is printed to a company's."""
    with (
        ScriptedServer(caller("run_python", code=KEEP)) as here,
        ScriptedServer(caller("run_python", code=SHOW)) as there,
    ):
        assistant = assistant_for(both, here, there)
        talk = assistant.conversation()
        await ask(talk, "Read it.", databases=["diary"], model="near", permit=always)
        events = await ask(talk, "Show.", databases=["handbook"], model="far", permit=always)
        await close(assistant, talk)
        told = notes(events)
        assert "NameError" in text_of(there)
        assert "The variables of earlier runs are gone" in text_of(there)
    assert CANARY not in text_of(there)
    host = far(there).base_url[7:-3]
    assert (
        "The Python session was started anew: its variables may hold text of diary, which may "
        f"not go to {host}." in told
    )


async def test_variables_of_a_run_that_was_stopped_are_known_of_too(both: Library) -> None:
    """Else nothing is left of the question that read a diary but the variables, which go out; or
    nobody is asked whether they may."""
    asked: list[PermissionRequest] = []

    async def no_sending(request: PermissionRequest) -> Decision:
        asked.append(request)
        return Decision.NO if request.heading else Decision.ALWAYS

    with (
        ScriptedServer(caller("run_python", code=KEEP)) as here,
        ScriptedServer(caller("run_python", code=SHOW)) as there,
    ):
        assistant = assistant_for(both, here, there, diary="ask")
        talk = assistant.conversation()
        first = talk.ask("Read it.", databases=["diary"], model="near", permit=always)
        await until(first, ToolFinished)
        assert talk.exchanges == ()
        events = await ask(talk, "Show.", databases=["handbook"], model="far", permit=no_sending)
        await close(assistant, talk)
    assert CANARY not in text_of(there)
    assert asked[0].heading.startswith("Send text of diary to")
    assert any(isinstance(event, PermissionWanted) for event in events)
    assert "The Python session was started anew" in notes(events)


async def test_what_variables_may_hold_is_on_record_where_it_may_go(both: Library) -> None:
    """Else the record says of a request that holds a whole diary: of handbook, no entries."""
    with (
        ScriptedServer(caller("run_python", code=KEEP)) as here,
        ScriptedServer(caller("run_python", code=SHOW)) as there,
    ):
        assistant = assistant_for(both, here, there, diary="any")
        talk = assistant.conversation()
        first = talk.ask("Read it.", databases=["diary"], model="near", permit=always)
        await until(first, ToolFinished)
        events = await ask(talk, "Show.", databases=["handbook"], model="far", permit=always)
        await close(assistant, talk)
        assert CANARY in text_of(there)
    before, after = on_record(both)
    # What the handbook holds is said to the model with titles of its documents.
    titled = before[1]
    assert before[0] == '["handbook", "diary"]'
    assert {name for name, _ in titled} == {"handbook"}
    assert after == ('["handbook", "diary"]', {("diary", 1), ("diary", 2), *titled})
    assert answer_of(events).sent[0].entries == 2 + len(titled)


@pytest.mark.parametrize("resumed", [False, True])
async def test_a_picture_does_not_go_along_later(
    both: Library, page: Path, tmp_path: Path, resumed: bool
) -> None:
    """Else a picture that was refused for a model elsewhere reaches it one question later, once it
    was attached to a question of another database for a model here."""
    store = ConversationStore(tmp_path / "home" / "conversations.db")
    with ScriptedServer() as here, ScriptedServer() as there:
        assistant = assistant_for(both, here, there)
        talk = assistant.conversation()
        asking = talk.ask("This?", databases=["handbook"], model="near", images=[page])
        _ = [event async for event in Recorder(store).recorded(asking, talk)]
        assert IN_BASE64 in text_of(here)
        if resumed:
            past = store.resume(store.latest())
            await talk.aclose()
            talk = assistant.conversation(past.exchanges, past.evidence)
        events = await ask(talk, "And?", databases=["handbook"], model="far")
        assert there.requests
        assert IN_BASE64 not in text_of(there)
        await ask(talk, "Again?", databases=["handbook"], model="near")
        await close(assistant, talk)
        assert IN_BASE64 in here.requests[-1].text()
    assert "1 earlier question of this conversation" in notes(events)
    left_out = "1 picture that was attached before is left out: it lies in the folder of diary"
    assert (left_out in notes(events)) is not resumed


async def test_tools_that_look_at_pictures_have_those_only_that_may_go(
    both: Library, page: Path
) -> None:
    """Else a model elsewhere names a picture of an earlier question, and gets it by a tool."""
    pytest.importorskip("PIL")
    from PIL import Image

    Image.new("RGB", (8, 8)).save(page)
    look = caller("detect_bounding_box", target_object="bird", image_path=page.name)
    with ScriptedServer() as here, ScriptedServer(look) as there:
        assistant = assistant_for(both, here, there)
        assistant.config = configured(
            dict(assistant.config.models),
            databases=assistant.config.databases,
            tools=ToolSettings(bounding_boxes=True),
        )
        talk = assistant.conversation()
        await ask(talk, "This?", databases=["handbook"], model="near", images=[page])
        await ask(talk, "And?", databases=["handbook"], model="far", permit=always)
        await close(assistant, talk)
    assert "is no image of these databases" in text_of(there)
    assert base64.b64encode(page.read_bytes()).decode() not in text_of(there)


async def test_a_server_that_was_told_text_is_left_out_for_a_model_elsewhere(
    both: Library,
) -> None:
    """Else a program that remembers what it is told gives a diary back to a company's model."""
    peer = McpSettings(
        command=sys.executable, args=(PEER, "stdio"), transport="stdio", allow=("add",)
    )
    with ScriptedServer(caller("peer_add", a=1, b=2)) as here, ScriptedServer() as there:
        assistant = assistant_for(both, here, there, mcp={"peer": peer})
        talk = assistant.conversation()
        await ask(talk, "Not yet told.", databases=["handbook"], model="far")
        await ask(talk, "Tell it.", databases=["diary"], model="near")
        events = await ask(talk, "And?", databases=["handbook"], model="far")
        await ask(talk, "Again.", databases=["diary"], model="near")
        await close(assistant, talk)
    offered = [
        any(tool["function"]["name"] == "peer_add" for tool in request.body["tools"])
        for request in (*there.requests, here.requests[-1])
    ]
    assert offered == [True, False, True]
    assert (
        "The tools of the MCP server peer are left out: it was told text of diary, which may not"
        in notes(events)
    )


async def test_numbers_of_quotes_that_are_left_out_cite_nothing(both: Library) -> None:
    """Else a model that never saw a diary seems to cite it; or later ones cite nothing."""
    with (
        ScriptedServer(teller) as here,
        ScriptedServer(script.Answer(SAID)) as there,
    ):
        assistant = assistant_for(both, here, there, helper=EXTRACTIVE)
        talk = assistant.conversation()
        first = await ask(talk, "The parental leave talk?", databases=["diary"], model="near")
        assert answer_of(first).citations
        second = await ask(talk, "When?", databases=["handbook"], model="far")
        third = await ask(talk, "The parental leave talk?", databases=["diary"], model="near")
        await close(assistant, talk)
    assert answer_of(second).citations == ()
    assert {one.item.database for one in answer_of(third).citations} == {"diary"}


async def test_an_answer_that_was_stopped_is_on_record_with_its_entries(both: Library) -> None:
    """Else what was written of a diary goes out later, and the record knows of no entry."""
    with ScriptedServer(player("diary")) as here, ScriptedServer() as there:
        assistant = assistant_for(both, here, there, diary="any")
        talk = assistant.conversation()
        first = talk.ask("The parental leave talk?", databases=["diary"], model="near")
        await until(first, EvidenceFound)
        talk.keep_partial("The parental leave talk?", f"The {CANARY} group")
        await ask(talk, "And?", databases=["handbook"], model="far")
        await close(assistant, talk)
        assert CANARY in text_of(there)
    [(databases, entries)] = on_record(both)
    assert databases == '["handbook", "diary"]'
    assert {name for name, _ in entries} == {"diary", "handbook"}  # titles of the latter
