"""Answers whose sources contradict one another, from the question to what a person is shown."""

import json
from contextlib import aclosing
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.history.decoding import event_of
from rag_assistant.library.library import Library
from rag_assistant.values.events import Answered
from rag_assistant.values.evidence import Answer
from rag_assistant.values.json_shapes import event_json
from rag_assistant.values.messages import ToolCall, ToolMessage
from tests.cli.program import Program
from tests.conftest import settle, write_files
from tests.scripted import GivenModels, ScriptedModel

QUESTION = "How much were the gate takings at the show?"
FILES = {
    "minutes/2025-09-09.md": "# Minutes\n\nGate takings at the show were £1,284.50 in all.\n",
    "minutes/2025-10-14.md": (
        "# Minutes\n\nThe gate takings at the show should read £1,248.50 and not £1,284.50.\n"
    ),
    "tea.md": "# Tea\n\nTea at the show is served in the pavilion from three o'clock.\n",
}


@pytest.fixture
def council(library: Library, tmp_path: Path) -> Library:
    """Minutes, and those of the next month that put a figure right."""
    settle(write_files(tmp_path / "council", FILES))
    library.index(tmp_path / "council")
    return library


async def answer_of(assistant: Assistant, question: str = QUESTION) -> Answer:
    """Ask, and give the answer."""
    async with aclosing(assistant.ask(question)) as run:
        events = [event async for event in run]
    assert isinstance(events[-1], Answered), events[-1]
    return events[-1].answer


async def test_the_answer_has_both_values_with_their_dates(council: Library) -> None:
    """One of two figures would be given as if there were no other."""
    answer = await answer_of(Assistant(council, Config(), {}))
    (found,) = answer.disagreements
    told = [(side.value, side.dated, side.item.path) for side in found.sides]
    assert told == [
        ("£1,248.50", "2025-10-14", "minutes/2025-10-14.md"),
        ("£1,284.50", "2025-09-09", "minutes/2025-09-09.md"),
    ]
    assert event_of(json.loads(json.dumps(event_json(Answered(answer))))) == Answered(answer)


async def test_sources_that_agree_are_told_nothing_of(council: Library) -> None:
    """Warnings that come always are read by nobody."""
    answer = await answer_of(Assistant(council, Config(), {}), "Where is tea served at the show?")
    assert answer.disagreements == ()


async def test_a_model_is_told_before_it_writes(council: Library) -> None:
    """A model would pick one of the figures."""
    call = ToolCall("1", "query_council_database", json.dumps({"query": QUESTION, "ids": "1,2"}))
    model = ScriptedModel([(call,), "It is not certain [1]."])
    assistant = Assistant(council, Config(model="played", helper="extractive"), {})
    assistant.models = GivenModels(assistant, {"played": model})
    await answer_of(assistant)
    result = next(m for m in model.requests[-1].messages if isinstance(m, ToolMessage))
    notes = json.loads(result.text)["notes"]
    assert any("The sources disagree" in note and "2025-10-14" in note for note in notes)


def test_the_program_prints_them(council: Library) -> None:
    """Who asks on the command line would not learn of it."""
    program = Program(council.home)
    shown = program.run("ask", QUESTION, "-d", "council").out
    assert "The sources disagree on “" in shown
    assert "£1,248.50 (minutes/2025-10-14.md, 2025-10-14) or £1,284.50" in shown
    told = program.run("ask", QUESTION, "-d", "council", "--json").json
    (found,) = told["disagreements"]
    assert [side["value"] for side in found["sides"]] == ["£1,248.50", "£1,284.50"]
    assert {side["dated"] for side in found["sides"]} == {"2025-09-09", "2025-10-14"}


async def test_what_was_read_and_not_quoted_counts(library: Library, tmp_path: Path) -> None:
    """The other figure would go untold because the helper's quote stopped short of it."""
    files = {
        "rules.md": "# Rules\n\nThe keeper of the gate holds three keys to the gate.\n",
        "list.md": (
            "# Gate\n\nThe gate has a keeper, a lock and a bell.\n\n"
            + "Ring twice for the ferry.\n\n" * 9
            + "The keeper of the gate holds five keys to the gate.\n"
        ),
    }
    settle(write_files(tmp_path / "gate", files))
    library.index(tmp_path / "gate")
    ids = {entry.path: entry.id for entry in library.database("gate").entries()}
    asked = {"query": "lock and bell", "ids": f"{ids['list.md']},{ids['rules.md']}"}
    call = ToolCall("1", "query_gate_database", json.dumps(asked))
    helper = ScriptedModel(
        [
            json.dumps(
                {
                    "relevant": ["The keeper of the gate holds three keys to the gate."],
                    "source": [ids["rules.md"]],
                    "confidence": 9,
                }
            )
        ]
    )
    model = ScriptedModel([(call,), "The keeper of the gate holds three keys [1]."])
    assistant = Assistant(library, Config(model="played", helper="helper"), {})
    assistant.models = GivenModels(assistant, {"played": model, "helper": helper})
    answer = await answer_of(assistant, "How many keys does the keeper of the gate hold?")
    (found,) = answer.disagreements
    assert sorted(side.value for side in found.sides) == ["five keys", "three keys"]
