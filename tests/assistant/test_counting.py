"""Questions for counts and lists, asked of models over HTTP: natively, and with calls as text."""

import json
from contextlib import aclosing
from datetime import date

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.library.library import Library
from rag_assistant.values.coverage import coverage_statement
from rag_assistant.values.events import Answered, Note
from rag_assistant.values.evidence import Answer as Given
from rag_assistant.values.support import Support
from scripts.benchmarks.shared.model_replies import Answer, Call
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.conftest import write_files

QUESTION = "How many pages mention annual leave?"
ARGUMENTS = json.dumps({"query": '"annual leave"'})
AS_TEXT = f'<tool-call tool="list_documents">{ARGUMENTS}</tool-call>'
SAID = "1 of the 4 pages mentions annual leave [1]."


async def ask(library: Library, server: ScriptedServer, *, native: bool = True) -> Given:
    settings = server.settings(native_tools=native)
    config = Config(model="played", helper=EXTRACTIVE, models={"played": settings})
    assistant = Assistant(library, config, {})
    try:
        async with aclosing(assistant.ask(QUESTION)) as run:
            return next(e.answer for e in [e async for e in run] if isinstance(e, Answered))
    finally:
        await assistant.aclose()


@pytest.mark.parametrize("native", [True, False])
async def test_a_count_is_answered_cited_and_borne_out(indexed: Library, native: bool) -> None:
    """The one honest answer to "how many" would be marked, refused, or not given at all."""
    call = Answer(calls=(Call("list_documents", ARGUMENTS),)) if native else Answer(AS_TEXT)
    with ScriptedServer(call, Answer(SAID)) as server:
        answer = await ask(indexed, server, native=native)
    assert answer.text == SAID and answer.answered
    assert [one.support for one in answer.sentences] == [Support.COMPUTED]
    (citation,) = answer.citations
    assert citation.item.path == "leave/annual.md" and citation.item.verified
    assert "1 of 4, all looked at" in coverage_statement(answer.coverage)


async def test_a_wrong_count_is_marked(indexed: Library) -> None:
    """A model that miscounts would be believed."""
    call = Answer(calls=(Call("list_documents", ARGUMENTS),))
    with ScriptedServer(call, Answer(SAID.replace("1 of", "3 of"))) as server:
        answer = await ask(indexed, server)
    assert "[1]" not in answer.text or answer.sentences[0].support is not Support.COMPUTED


async def test_the_prompt_says_the_day_what_there_is_and_how_to_ask(indexed: Library) -> None:
    """A model would not know what "last month" is, where to look, nor that it can filter."""
    indexed.note("handbook", "Rules of the harbour.")
    with ScriptedServer(Answer("I do not know.")) as server:
        await ask(indexed, server)
        prompt = prompt_of(server.requests[0])
    assert f"{date.today():%Y-%m-%d}" in prompt
    assert "- handbook (4 documents): Rules of the harbour." in prompt
    assert all(word in prompt for word in ("type:pdf", "after:2025-03", "-word", "author:"))


def prompt_of(request: SeenRequest) -> str:
    (system,) = [m["content"] for m in request.body["messages"] if m["role"] == "system"]
    return str(system)


async def test_with_many_databases_evidence_of_the_shared_pair_is_quoted_by_the_fallback(
    indexed: Library,
) -> None:
    """When the model fails after its search, what it had read would be lost."""
    home = indexed.home.parent
    for name in ("north", "east", "south"):
        indexed.index(write_files(home / name, {f"{name}.md": f"# {name}\n\nA quay.\n"}))
    (entry,) = [e for e in indexed.database("handbook").entries() if "parental" in e.path]
    arguments = {"database": "handbook", "query": "How long is leave?", "ids": entry.id}
    calls = Answer(calls=(Call("query_database", json.dumps(arguments)),))
    with ScriptedServer(calls, Answer()) as server:
        settings = server.settings()
        config = Config(model="played", helper=EXTRACTIVE, models={"played": settings})
        assistant = Assistant(indexed, config, {})
        async with aclosing(assistant.ask("How many weeks of parental leave?")) as run:
            events = [event async for event in run]
        await assistant.aclose()
    assert any(isinstance(e, Note) and "answers in its place" in e.text for e in events)
    (answer,) = [event.answer for event in events if isinstance(event, Answered)]
    assert "sixteen weeks" in answer.text
