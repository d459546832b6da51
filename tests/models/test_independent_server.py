"""Models over a server that others wrote: both wires, text protocol, errors, the whole agent."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, CallForm, Config, ModelSettings, Wire
from rag_assistant.errors import ModelError
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.models.protocol import Model
from rag_assistant.models.text_protocol import TextProtocolModel
from rag_assistant.tools.toolkit import Tool, Toolkit, ToolOutput
from rag_assistant.values.events import Answered, ToolFinished
from rag_assistant.values.messages import (
    Image,
    JsonObject,
    Reply,
    ReplyDelta,
    Request,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from tests.models import aimock

pytestmark = pytest.mark.skipif(isinstance(aimock.command(), str), reason=str(aimock.command()))
both_wires = pytest.mark.parametrize("wire", ["chat", "responses"])
both_forms = pytest.mark.parametrize("form", ["tag", "line"])
SEARCH, QUERY = "search_handbook_database", "query_handbook_database"
QUESTION = "How much parental leave does every parent get?"
WRITTEN = {
    "tag": '<tool-call tool="{0}">{1}</tool-call>',
    "line": 'TOOL_CALL: {{"tool_name": "{0}", "parameters": {1}}}',
}
RESULTS = "The results of your calls"


def answer(text: str, **match: Any) -> dict[str, Any]:
    return {"match": match, "response": {"content": text}}


def calling(*arguments: dict[str, Any], name: str = "search", **match: Any) -> dict[str, Any]:
    calls = [{"name": name, "arguments": given} for given in arguments]
    return {"match": match, "response": {"toolCalls": calls}}


SLOW_DOWN = {"message": "Slow down", "type": "rate_limit_error"}
FIXTURES = [
    answer("Thirty days of leave, and five more for long service.", userMessage="How many days"),
    answer("A red square.", userMessage="What is on it"),
    {
        "match": {"userMessage": "limit me"},
        "response": {"error": SLOW_DOWN, "status": 429, "retryAfter": 300},
    },
    answer("Cats are in 2, dogs in 3.", userMessage="find them", toolResultContains="dogs: 3"),
    calling(
        {"keyword": "cats"},
        {"keyword": 'the "dogs" {'},
        userMessage="find them",
        hasToolResult=False,
    ),
]
for name, call in WRITTEN.items():
    calls = (
        call.format("search", '{"keyword": "cats"}'),
        call.format("search", '{"keyword": "the \\"dogs\\" {"}'),
    )
    FIXTURES += [
        answer(f"I look.\n{calls[0]}\nand\n{calls[1]}", userMessage=f"find them by {name}"),
        answer("Cats are in 2, dogs in 3.", model=name, userMessage=RESULTS),
    ]
# The plain fixtures match these questions as well, and the first match wins.
FIXTURES.sort(key=lambda fixture: " by " not in str(fixture["match"].get("userMessage")))


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with aimock.serving(FIXTURES, tmp_path_factory.mktemp("aimock")) as address:
        yield address


def model_at(base_url: str, wire: Wire = "chat") -> OpenAIModel:
    return OpenAIModel("tested", ModelSettings("gpt-4o", base_url=base_url, wire=wire), {})


async def ask(model: Model, request: Request) -> tuple[list[str], Reply]:
    values = [value async for value in model.stream(request)]
    reply = values.pop()
    assert isinstance(reply, Reply)
    return [value.text for value in values if isinstance(value, ReplyDelta)], reply


@both_wires
async def test_text_streams(base_url: str, wire: Wire) -> None:
    """Else answers do not come over this wire from a server as others understand it."""
    model = model_at(base_url, wire)
    request = Request((SystemMessage("Be short."), UserMessage("How many days of leave?")))
    pieces, reply = await ask(model, request)
    await model.aclose()
    assert len(pieces) > 3
    assert "".join(pieces) == reply.message.text
    assert reply.message.text == "Thirty days of leave, and five more for long service."
    assert reply.finish == "stop"


@both_wires
async def test_images_are_taken(base_url: str, wire: Wire) -> None:
    """Else the parts of a question with a picture are not of the format."""
    model = model_at(base_url, wire)
    question = UserMessage("What is on it?", (Image("image/png", "iVBORw0KGgo="),))
    _, reply = await ask(model, Request((question,)))
    await model.aclose()
    assert reply.message.text == "A red square."


async def found(arguments: JsonObject) -> ToolOutput:
    place = {"cats": "cats: 2", 'the "dogs" {': "dogs: 3"}[arguments["keyword"]]
    return ToolOutput(place, "1 entry")


SCHEMA = {
    "type": "object",
    "properties": {"keyword": {"type": "string"}},
    "required": ["keyword"],
    "additionalProperties": False,
}
TOOLKIT = Toolkit([Tool(ToolSpec("search", "Find passages.", SCHEMA), found)])


async def use_tools(model: Model, question: str) -> tuple[Reply, list[str], Reply]:
    """Ask, run the calls of the reply, and ask again with the results."""
    request = Request((SystemMessage("Use the tools."), UserMessage(question)), TOOLKIT.specs)
    _, called = await ask(model, request)
    outputs = [(call, await TOOLKIT.run(call)) for call in called.message.tool_calls]
    results = [ToolMessage(call.id, call.name, output.text) for call, output in outputs]
    messages = (*request.messages, called.message, *results)
    _, answered = await ask(model, Request(messages, TOOLKIT.specs))
    await model.aclose()
    return called, [result.text for result in results], answered


@both_wires
async def test_tools_are_called_and_their_results_go_back(base_url: str, wire: Wire) -> None:
    """Else an agent cannot work over this wire."""
    called, results, answered = await use_tools(model_at(base_url, wire), "find them")
    assert called.finish == "tool_calls"
    assert results == ["cats: 2", "dogs: 3"]
    assert answered.message.text == "Cats are in 2, dogs in 3."


@both_forms
async def test_tools_are_called_by_text(base_url: str, form: CallForm) -> None:
    """Else an agent cannot work with a model that has no tools of its own."""
    model = OpenAIModel("tested", ModelSettings(form, base_url=base_url), {})
    called, results, answered = await use_tools(
        TextProtocolModel(model, form), f"find them by {form}"
    )
    assert (called.finish, called.message.text) == ("tool_calls", "I look.\n\nand\n")
    assert results == ["cats: 2", "dogs: 3"]
    assert answered.message.text == "Cats are in 2, dogs in 3."


@both_wires
async def test_a_busy_server_is_told_with_how_long_to_wait(base_url: str, wire: Wire) -> None:
    """Else a limit of the provider reads like a defect."""
    model = model_at(base_url, wire)
    with pytest.raises(ModelError, match=r"\(429\): Slow down") as told:
        await ask(model, Request((UserMessage("limit me"),)))
    await model.aclose()
    assert "300 seconds" in told.value.hint


def agent_fixtures(entry_id: int) -> list[dict[str, Any]]:
    """The same run for each way of calling: search, read, answer with a citation."""
    steps: tuple[tuple[str, dict[str, Any]], ...] = (
        (SEARCH, {"keyword": "parental leave"}),
        (QUERY, {"query": QUESTION, "ids": entry_id}),
    )
    fixtures = [answer("Sixteen weeks [1].", turnIndex=2)]
    for turn, (name, arguments) in enumerate(steps):
        for form, call in WRITTEN.items():
            text = call.format(name, json.dumps(arguments))
            fixtures.append(answer(text, model=form, turnIndex=turn))
        fixtures.append(calling(arguments, name=name, turnIndex=turn))
    return fixtures


@pytest.mark.parametrize("mode", ["chat", "responses", "tag", "line"])
async def test_the_whole_agent_answers_from_documents(
    indexed: Library, tmp_path: Path, mode: str
) -> None:
    """Else it works with our own server only."""
    [hit, *_] = search_databases(indexed.databases(["handbook"]), "parental leave", 1).hits
    with aimock.serving(agent_fixtures(hit.entry_id), tmp_path) as base_url:
        wire: Wire = "responses" if mode == "responses" else "chat"
        form: CallForm = "line" if mode == "line" else "tag"
        native = mode in ("chat", "responses")
        settings = ModelSettings(
            mode, base_url=base_url, wire=wire, native_tools=native, call_form=form
        )
        assistant = Assistant(
            indexed, Config(model="m", helper=EXTRACTIVE, models={"m": settings}), {}
        )
        events = [event async for event in assistant.ask(QUESTION)]
        await assistant.aclose()
    finished = [event for event in events if isinstance(event, ToolFinished)]
    assert [(event.tool, event.ok) for event in finished] == [(SEARCH, True), (QUERY, True)]
    last = events[-1]
    assert isinstance(last, Answered)
    assert last.answer.text == "Sixteen weeks [1]."
    assert [citation.item.verified for citation in last.answer.citations] == [True]
