"""Twenty questions for lists, counts, summaries and tables of the demo folders, played by script
through the tools that models have. Each holds the calls that it needs and the exact answer, which
was counted in the files by other means; a call may take the id of the first document of the call
before ("$id"). The built-in model, which has no script, is asked the same.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_assistant.agents.citations import References
from rag_assistant.agents.context import estimate, tool_tokens
from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.models.extractive.dialogue import next_message
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.tools.digest import DigestBudget
from rag_assistant.tools.document_tools import document_tools, passage_tools, whole_tools
from rag_assistant.tools.retrieve import ReadingBudgets, ReadingBy
from rag_assistant.tools.toolkit import Toolkit
from rag_assistant.values.messages import Message, Request, ToolCall, ToolMessage, UserMessage
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import CORPORA

QUESTIONS = Path(__file__).with_name("counted_questions.jsonl")

DATABASES = ("council", "handbook", "manual")

MOST_CALLS, MOST_TOKENS = 4, 1_300

_FIRST_ID = "$id"


@dataclass(frozen=True, slots=True)
class Played:
    """A question that was played: what is wrong with the results, its calls and what they cost.

    `tokens` are those of all results, `seconds` what the calls took.
    """

    question: Mapping[str, Any]
    faults: tuple[str, ...]
    calls: int
    tokens: int
    seconds: float


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add no option: there are 20 questions."""


def measured(options: argparse.Namespace) -> Report:
    """Play all questions."""
    library = Library(options.scratch / "home")
    for name in DATABASES:
        library.index(CORPORA / name, name=name)
    databases = [library.database(name) for name in DATABASES]
    played = [asyncio.run(play(library, question)) for question in questions()]
    alone = [asyncio.run(ask_built_in(library, question)) for question in questions()]
    return _report(played, alone, databases)


def questions() -> list[dict[str, Any]]:
    """Read the questions."""
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


def toolkit_of(databases: Sequence[Database]) -> Toolkit:
    """Give the tools of some databases, as a model without a helper has them."""
    model = ExtractiveModel()
    reading = ReadingBy(RetrievalAgent(model, fallback=model).retrieve, model.name)
    budgets = ReadingBudgets(search=1_500, entries=6_000)
    tools = document_tools(databases, reading, budgets, DigestBudget(120_000, 180.0))
    return Toolkit(tools)


async def ask_built_in(library: Library, question: Mapping[str, Any]) -> tuple[str, ...]:
    """Let the built-in model choose its calls; give what is wrong with what they found."""
    model = ExtractiveModel()
    budgets = ReadingBudgets(search=1_500, entries=6_000)
    retrieve = RetrievalAgent(model, fallback=model).retrieve
    databases = [library.database(question["database"])]
    tools = [*passage_tools(databases, retrieve, budgets), *whole_tools(databases)]
    toolkit = Toolkit(tools)
    messages: list[Message] = [UserMessage(question["question"])]
    results: list[dict[str, Any]] = []
    while (message := next_message(Request(tuple(messages), toolkit.specs))).tool_calls:
        messages.append(message)
        for call in message.tool_calls:
            if toolkit.kind_of(call.name) == "search":
                return ("searched for",)
            output = await toolkit.run(call)
            text = References().add(output.evidence, output) if output.evidence else output.text
            messages.append(ToolMessage(call.id, call.name, text))
            results.append(json.loads(text) if output.ok else {"error": text})
    return tuple(_faults(question["expected"], results))


async def play(library: Library, question: Mapping[str, Any]) -> Played:
    """Make the calls of a question, and compare what they give with its answer."""
    toolkit = toolkit_of([library.database(question["database"])])
    references = References()
    results: list[dict[str, Any]] = []
    tokens, started = 0, time.perf_counter()
    for call in question["calls"]:
        arguments = {key: _given(value, results) for key, value in call["arguments"].items()}
        written = ToolCall("call", call["tool"], json.dumps(arguments))
        output = await toolkit.run(written)
        text = output.text
        if output.evidence:
            text = references.add(output.evidence, output)
        tokens += estimate(text)
        results.append(json.loads(text) if output.ok else {"error": text})
    seconds = time.perf_counter() - started
    faults = tuple(_faults(question["expected"], results))
    return Played(question, faults, len(results), tokens, seconds)


def _given(value: Any, results: Sequence[Mapping[str, Any]]) -> Any:
    return results[-1]["sources"][0]["id"] if value == _FIRST_ID else value


def _faults(expected: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say what of an answer is not what it should be, to the letter."""
    last = results[-1]
    if errors := [str(one["error"]) for one in results if "error" in one]:
        return errors
    faults = [*_differing(expected.get("values", {}), last)]
    faults += _differing(expected.get("first", {}), results[0])
    if "paths" in expected:
        paths = sorted({source["path"] for source in last.get("sources", ())})
        faults += [] if paths == sorted(expected["paths"]) else [f"paths are {paths}"]
    quotes = [one["quote"] for source in last.get("sources", ()) for one in source["quotes"]]
    faults += [
        f"no quote has {words!r}"
        for words in expected.get("quotes", ())
        if not any(words in quote for quote in quotes)
    ]
    if "parts" in expected:
        parts = [part["part"] for part in last.get("parts", ()) if part["level"] == 2]
        faults += [] if parts == expected["parts"] else [f"parts are {parts}"]
    return faults


def _differing(values: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    faults: list[str] = []
    for name, wanted in values.items():
        found: Any = result
        for key in name.split(".", 1):
            found = found.get(key) if isinstance(found, dict) else None
        named = isinstance(wanted, str) and wanted.startswith("$")
        right = result.get(wanted[1:]) if named else wanted
        if found != right:
            faults.append(f"{name} is {found!r}, not {right!r}")
    return faults


def _report(
    played: Sequence[Played], alone: Sequence[tuple[str, ...]], databases: Sequence[Database]
) -> Report:
    exact = sum(not one.faults and one.calls <= MOST_CALLS for one in played)
    one = databases[0]
    many = [replace(one, name=f"collection{number}") for number in range(10)]
    costs = {
        "three databases": tool_tokens(toolkit_of(databases).specs),
        "four": tool_tokens(toolkit_of(many[:4]).specs),
        "ten": tool_tokens(toolkit_of(many).specs),
    }
    count = len(played)
    figures = [
        Figure("questions for lists, counts, summaries, tables: exact", exact, goal=f">= {count}"),
        Figure("the same by the built-in model: exact", sum(not faults for faults in alone)),
        Figure("the same: calls a question", sum(one.calls for one in played) / count),
        Figure("the same: tokens of results a question", sum(p.tokens for p in played) / count),
        *(
            Figure(f"tokens of all tools, {name}", tokens, goal=f"<= {MOST_TOKENS}")
            for name, tokens in costs.items()
        ),
    ]
    rows = [
        [
            p.question["id"],
            p.question["kind"],
            p.question["question"],
            str(p.calls),
            f"{p.tokens:,}",
            "; ".join(p.faults) or "exact",
            "; ".join(faults) or "exact",
        ]
        for p, faults in zip(played, alone, strict=True)
    ]
    heads = ["", "kind", "question", "calls", "tokens", "", "the built-in model"]
    return Report(figures, [table(heads, rows)])
