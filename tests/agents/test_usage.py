"""What a run used of each model, and what it cost."""

import pytest

from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.agents.setting import RunOptions
from rag_assistant.agents.usage import UsageMeter
from rag_assistant.config import ModelSettings
from rag_assistant.errors import ModelError
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.documents import Entry, EntryText, Location, Passage
from rag_assistant.values.evidence import ModelUsage
from rag_assistant.values.json_shapes import answer_json
from rag_assistant.values.messages import JsonObject, ToolCall, ToolSpec, Usage
from tests.agents.playing import play, read, schema, search
from tests.scripted import Scripted, ScriptedModel

PRICED = {
    "scripted": ModelSettings("big", price_input=3.0, price_output=15.0),
    "helper": ModelSettings("small", price_output=1.0),
    "free": ModelSettings("local"),
}


async def test_main_and_helper_are_counted_apart_and_priced() -> None:
    """A person could not tell which model costs what."""
    options = RunOptions(settings=PRICED)
    played = await play([(search(),), (read(),), "Sixteen weeks [1]."], options=options)
    answer = played.answer
    assert answer.usage == Usage(130, 35, 4)
    assert answer.usage_by_model == (
        ModelUsage("scripted", "main", Usage(30, 15, 3), 0.000315),
        ModelUsage("helper", "helper", Usage(100, 20, 1), 0.00002),
    )
    assert answer.cost == pytest.approx(0.000335)
    shown = answer_json(answer)
    assert shown["usage"] == {"input_tokens": 130, "output_tokens": 35, "requests": 4}
    assert shown["usage_by_model"][1]["usage"]["input_tokens"] == 100
    assert shown["usage_by_model"][1]["role"] == "helper"
    assert shown["cost"] == answer.cost


async def test_without_prices_there_is_no_cost() -> None:
    """Nothing would be told as if it were free."""
    played = await play(["I do not know."])
    assert played.answer.cost is None
    assert played.answer.usage_by_model[0].cost is None


async def test_a_fallback_and_tools_that_ask_models_are_counted() -> None:
    """Tokens would be spent that no one sees, or on the wrong model's account."""

    async def look(_: JsonObject) -> ToolOutput:
        return ToolOutput("a cat", "a cat", usage=Usage(500, 9, 1))

    looking = Tool(ToolSpec("look", "Looks.", schema()), look)
    script: list[Scripted] = [(ToolCall("c1", "look", "{}"),), ModelError("Gone.")]
    played = await play(script, None, looking, fallback=True)
    used = {(used.role, used.model): used.usage for used in played.answer.usage_by_model}
    assert used["main", "scripted"] == Usage(10, 5, 1)
    assert used["tool", "scripted"] == Usage(500, 9, 1)
    assert used["fallback", "extractive"] == Usage(0, 0, 3)
    assert answer_json(played.answer)["fallback"] == "scripted failed: Gone."


def test_the_cost_of_some_models_is_told_when_others_have_no_price() -> None:
    """A free local helper would hide what the main model costs."""
    ledger = UsageMeter(PRICED)
    ledger.add("main", "scripted", Usage(1_000_000, 0, 1))
    ledger.add("helper", "free", Usage(1_000_000, 0, 1))
    assert ledger.cost() == 3.0
    assert [used.cost for used in ledger.by_model()] == [3.0, None]


async def test_what_failed_attempts_of_the_helper_used_is_counted() -> None:
    """Three paid replies that could not be used would cost nothing."""
    model = ScriptedModel(["no", "no", "no"])
    agent = RetrievalAgent(model, fallback=ExtractiveModel())
    entry = Entry(1, "Leave", "leave.md", "text/markdown", 14)
    text = EntryText(entry, (Passage("Sixteen weeks.", Location(0, 14)),))
    evidence = await agent.retrieve("handbook", [text], "How many weeks?")
    assert evidence.usage == Usage(30, 15, 3)
    assert "extractive took over" in evidence.notes[0]
