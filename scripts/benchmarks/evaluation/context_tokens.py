"""Tokens per request over a conversation of 30 questions, with and without a context policy.

The questions and the documents are the handbook's; the model follows a script (search, read five
entries, quote), so that every policy meets the same conversation. Tokens are estimated as the
policies estimate them, tools' descriptions included.
"""

import argparse
import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path

from rag_assistant.agents.context import message_tokens, tool_tokens
from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config, ContextSettings
from rag_assistant.library.library import Library
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.pool import ModelPool
from rag_assistant.models.protocol import Model
from rag_assistant.values.events import Answered
from rag_assistant.values.messages import Reply, ReplyDelta, Request
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import CORPORA, demo_lines

NO_LIMIT = 10**9


class CountedModel(ExtractiveModel):
    """Replies as the built-in model does, and counts what it is sent."""

    name = "counted"

    def __init__(self) -> None:
        self.tokens: list[int] = []

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        self.tokens.append(sum(map(message_tokens, request.messages)) + tool_tokens(request.tools))
        async with aclosing(super().stream(request)) as pieces:
            async for piece in pieces:
                yield piece


class CountedModels(ModelPool):
    """The models in use, the main one of them counted."""

    counted: CountedModel

    def model(self, name: str) -> Model:
        return super().model(name) if name == EXTRACTIVE else self.counted


async def converse(
    library: Library, context: ContextSettings, questions: Sequence[str]
) -> tuple[list[list[int]], int]:
    """Ask all questions in one conversation; give the tokens of each one's requests.

    With them comes how many questions were answered from the documents.
    """
    assistant = Assistant(library, Config("counted", EXTRACTIVE, context=context), {})
    models = assistant.models = CountedModels(assistant.config, {}, assistant.gate)
    models.counted = CountedModel()
    conversation = assistant.conversation()
    turns: list[list[int]] = []
    answered = 0
    for question in questions:
        before = len(models.counted.tokens)
        async with aclosing(conversation.ask(question)) as events:
            async for event in events:
                answered += isinstance(event, Answered) and event.answer.answered
        turns.append(models.counted.tokens[before:])
    return turns, answered


def read_questions(number: int) -> list[str]:
    """Give the first questions of the handbook's set, from the beginning again if need be."""
    questions = [line["question"] for line in demo_lines("handbook")]
    return [questions[place % len(questions)] for place in range(number)]


def report_of(measured: Mapping[str, tuple[list[list[int]], int]]) -> Report:
    """Give the largest request of some turns, and what all requests add up to."""
    count = len(next(iter(measured.values()))[0])
    rows = [
        [f"turn {turn + 1}", *(f"{max(turns[turn]):,}" for turns, _ in measured.values())]
        for turn in sorted({0, *range(4, count, 5), count - 1})
    ]
    every = [[tokens for turn in turns for tokens in turn] for turns, _ in measured.values()]
    rows.append(["largest", *(f"{max(tokens):,}" for tokens in every)])
    rows.append(["all", *(f"{sum(tokens):,}" for tokens in every)])
    rows.append(["questions answered", *(str(answered) for _, answered in measured.values())])
    title = f"tokens of {count} questions in one conversation"
    figures = [
        Figure(f"{title}, {name}, of those without a limit", sum(tokens) / sum(every[0]))
        for name, tokens in zip(measured, every, strict=True)
    ]
    head = (f"tokens of a request, {count} questions", *measured)
    return Report(figures[1:], [table(head, rows)])


async def conversations(home: Path, tokens: int, items: int, turns: int) -> Report:
    """Let each policy keep the same conversation."""
    policies = {
        "without a limit": ContextSettings(tokens=NO_LIMIT),
        f"shrunk to {tokens:,}": ContextSettings(tokens=tokens),
        f"circular, {items} items": ContextSettings("circular", items, tokens=NO_LIMIT),
    }
    questions = read_questions(turns)
    library = Library(home)
    library.index(CORPORA / "handbook")
    return report_of(
        {name: await converse(library, context, questions) for name, context in policies.items()}
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let sizes be chosen."""
    parser.add_argument("--tokens", type=int, default=8_000, help="the window")
    parser.add_argument("--items", type=int, default=24, help="messages of the circle")
    parser.add_argument("--turns", type=int, default=30)


def measured(options: argparse.Namespace) -> Report:
    """Measure."""
    return asyncio.run(conversations(options.scratch, options.tokens, options.items, options.turns))
