"""Tool calls of a run: its memory, and the person's leave."""

import asyncio
import json
import time

import pytest

from rag_assistant.agents.setting import RunOptions
from rag_assistant.agents.tool_calls import Permissions
from rag_assistant.config import Limits
from rag_assistant.tools.permission import Decision, PermissionRequest, Permit
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.events import EvidenceFound, PermissionWanted, ToolFinished, ToolStarted
from rag_assistant.values.messages import JsonObject, ToolCall, ToolSpec
from tests.agents.playing import HITS, Played, call, play, read, schema, search
from tests.scripted import Scripted


async def test_the_same_call_again_is_answered_from_memory_and_the_model_is_told() -> None:
    """A model that goes in circles would search and pay again, and never learn of it."""
    again = ToolCall("c2", "query_handbook_database", '{"ids":"12",  "query": "How long?"}')
    played = await play([(search(), read()), (again, search(number=3)), "Sixteen weeks [1]."])
    assert played.desk.asked == ["leave", "How long?"]
    assert [f.summary for f in played.finished[2:]] == ["asked before", "asked before"]
    repeated, searched = played.results()[2:]
    assert "You asked exactly this before" in repeated
    assert json.loads(repeated[repeated.index("{") :]) == json.loads(played.results()[1])
    assert HITS in searched
    assert sum(isinstance(event, EvidenceFound) for event in played.events) == 1
    assert played.answer.coverage.searches == 1
    assert len(played.answer.evidence) == 1
    assert played.answer.usage.requests == 4


async def test_the_same_call_twice_in_one_reply_runs_once() -> None:
    """Two calls at once would slip past the memory."""
    played = await play([(search(number=1), search(number=2)), "Found."])
    assert played.desk.asked == ["leave"]
    assert [f.summary for f in played.finished] == ["1 entry", "asked before"]


async def test_a_call_that_failed_runs_again() -> None:
    """A fault that has passed would stay for the rest of the run."""
    played = await play([(search("explode"),), (search("explode"),), "No."])
    assert played.desk.asked == ["explode", "explode"]


class Writing:
    """A tool that does more than read, and what it did."""

    def __init__(self, name: str = "write") -> None:
        self.name = name
        self.done: list[str] = []

    async def write(self, arguments: JsonObject) -> ToolOutput:
        self.done.append(arguments["text"])
        return ToolOutput("written", "written")

    def tool(self) -> Tool:
        spec = ToolSpec(self.name, "Writes.", schema("text"))
        return Tool(
            spec, self.write, reads_only=False, explain=lambda given: f"Write {given['text']}."
        )


def write(text: str, number: int = 1, name: str = "write") -> ToolCall:
    return call(name, number, text=text)


class Person:
    """Answers with decisions, one after the other."""

    def __init__(self, *decisions: Decision, seconds: float = 0.0) -> None:
        self.asked: list[PermissionRequest] = []
        self.busy = False
        self._decisions = list(decisions)
        self._seconds = seconds

    async def permit(self, request: PermissionRequest) -> Decision:
        assert not self.busy, "two questions at once"
        self.busy = True
        self.asked.append(request)
        await asyncio.sleep(self._seconds)
        self.busy = False
        return self._decisions.pop(0)


async def played_with(
    permit: Permit, script: list[Scripted], *tools: Writing, limits: Limits | None = None
) -> Played:
    options = RunOptions(permissions=Permissions(permit))
    return await play(script, limits, *(tool.tool() for tool in tools), options=options)


async def test_a_tool_that_writes_asks_first_and_says_what_it_would_do() -> None:
    """Something would be changed without anyone having been asked."""
    writing, person = Writing(), Person(Decision.ONCE)
    played = await played_with(person.permit, [(write("a"),), "Done."], writing)
    wanted = [event for event in played.events if isinstance(event, PermissionWanted)]
    assert wanted == [PermissionWanted("c1", "write", {"text": "a"}, "Write a.")]
    assert person.asked == [PermissionRequest("write", {"text": "a"}, "Write a.")]
    assert writing.done == ["a"]
    assert played.results() == ["written"]


async def test_a_denial_goes_back_to_the_model_as_a_result() -> None:
    """A no would end the run, or be taken for a yes."""
    writing, person = Writing(), Person(Decision.NO)
    played = await played_with(person.permit, [(write("a"),), "I left it."], writing)
    assert writing.done == []
    assert played.results() == ["The person did not allow this."]
    assert [(f.ok, f.summary) for f in played.finished] == [(False, "not allowed")]
    assert played.answer.text == "I left it."


async def test_without_anyone_to_ask_nothing_is_allowed() -> None:
    """A pipe would let everything through."""
    writing = Writing()
    played = await play([(write("a"),), "No."], None, writing.tool())
    assert writing.done == []
    assert played.results() == ["The person did not allow this."]


async def test_always_is_for_one_tool_and_no_is_for_one_call() -> None:
    """One yes would open all tools, or a person would be asked the same for ever."""
    writing, erasing = Writing(), Writing("erase")
    person = Person(Decision.ALWAYS, Decision.NO, Decision.ONCE)
    script: list[Scripted] = [
        (write("a", 1), write("b", 2), write("c", 3, "erase")),
        (write("d", 4), write("e", 5, "erase")),
        "Done.",
    ]
    played = await played_with(person.permit, script, writing, erasing)
    assert [request.arguments["text"] for request in person.asked] == ["a", "c", "e"]
    assert (writing.done, erasing.done) == (["a", "b", "d"], ["e"])
    assert sum(isinstance(event, PermissionWanted) for event in played.events) == 3


async def test_a_tool_that_writes_is_never_answered_from_memory() -> None:
    """The second of two equal actions would not be done, yet reported as done."""
    writing, person = Writing(), Person(Decision.ALWAYS)
    script: list[Scripted] = [(write("a", 1), write("a", 2)), (write("a", 3),), "Done."]
    await played_with(person.permit, script, writing)
    assert writing.done == ["a", "a", "a"]


async def test_what_only_reads_does_not_wait_for_the_person() -> None:
    """A search would stand still behind a dialog; the events would come in another order."""
    writing, person = Writing(), Person(Decision.ONCE, seconds=0.1)
    script: list[Scripted] = [(write("a", 1), search(number=2)), "Done."]
    played = await played_with(person.permit, script, writing)
    seen = [e.call_id for e in played.events if isinstance(e, ToolStarted | ToolFinished)]
    assert seen == ["c1", "c2", "c1", "c2"]
    assert played.desk.asked == ["leave"]


async def test_waiting_for_a_person_does_not_count_as_time() -> None:
    """Whoever thinks before saying yes would find the run stopped."""
    writing, person = Writing(), Person(Decision.ONCE, seconds=0.6)
    started = time.monotonic()
    limits = Limits(seconds=0.5)
    played = await played_with(person.permit, [(write("a"),), "Done."], writing, limits=limits)
    assert time.monotonic() - started > 0.6
    assert played.answer.text == "Done."


@pytest.mark.parametrize("arguments", ['{"text": 3}', "{", "{}"])
async def test_a_call_that_cannot_run_asks_nobody(arguments: str) -> None:
    """A person would be asked about something that can only fail."""
    writing, person = Writing(), Person()
    script: list[Scripted] = [(ToolCall("c1", "write", arguments),), "No."]
    played = await played_with(person.permit, script, writing)
    assert person.asked == []
    assert writing.done == []
    assert "Error" in played.results()[0]


async def test_a_tool_that_cannot_explain_itself_still_asks() -> None:
    """A defect in the explanation would end the run, or let the call through unasked."""
    writing, person = Writing(), Person(Decision.NO)
    spec = ToolSpec("write", "Writes.", schema("text"))
    broken = Tool(spec, writing.write, reads_only=False, explain=lambda given: given["tex"])
    options = RunOptions(permissions=Permissions(person.permit))
    await play([(write("a"),), "No."], None, broken, options=options)
    assert "KeyError" in person.asked[0].explanation
    assert writing.done == []
