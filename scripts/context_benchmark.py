"""Tokens per request over a conversation of 30 questions, with and without a context policy.

    python scripts/context_benchmark.py [--tokens 8000] [--items 24] [--turns 30]

The questions and the documents are the handbook's; the model follows a script (search, read five
entries, quote), so that every policy meets the same conversation. Tokens are estimated as the
policies estimate them, tools' descriptions included.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path

from rag_assistant.agents.context import message_tokens, tool_tokens
from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config, ContextSettings
from rag_assistant.events import Answered
from rag_assistant.library.library import Library
from rag_assistant.messages import Reply, ReplyDelta, Request
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.models.protocol import Model

CORPORA = Path(__file__).parents[1] / "corpora"
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


class CountedAssistant(Assistant):
    """An assistant whose main model is the counted one."""

    counted: CountedModel

    def model(self, name: str) -> Model:
        return super().model(name) if name == EXTRACTIVE else self.counted


async def converse(
    library: Library, context: ContextSettings, questions: Sequence[str]
) -> tuple[list[list[int]], int]:
    """Ask all questions in one conversation; give the tokens of each one's requests.

    With them comes how many questions were answered from the documents.
    """
    assistant = CountedAssistant(library, Config("counted", EXTRACTIVE, context=context), {})
    assistant.counted = CountedModel()
    conversation = assistant.conversation()
    turns: list[list[int]] = []
    answered = 0
    for question in questions:
        before = len(assistant.counted.tokens)
        async with aclosing(conversation.ask(question)) as events:
            async for event in events:
                answered += isinstance(event, Answered) and event.answer.answered
        turns.append(assistant.counted.tokens[before:])
    return turns, answered


def read_questions(number: int) -> list[str]:
    """Give the first questions of the handbook's set, from the beginning again if need be."""
    lines = (CORPORA / "handbook.questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    return [questions[place % len(questions)] for place in range(number)]


def print_table(measured: Mapping[str, tuple[list[list[int]], int]]) -> None:
    """Print the largest request of each turn, and what all requests add up to."""
    print(f"{'turn':>5}" + "".join(f"{name:>22}" for name in measured))
    count = len(next(iter(measured.values()))[0])
    for turn in sorted({0, *range(4, count, 5), count - 1}):
        row = (max(turns[turn]) for turns, _ in measured.values())
        print(f"{turn + 1:>5}" + "".join(f"{tokens:>22,}" for tokens in row))
    every = {name: [t for turn in turns for t in turn] for name, (turns, _) in measured.items()}
    for title, figure in (("mean", lambda t: sum(t) // len(t)), ("max", max), ("sum", sum)):
        print(f"{title:>5}" + "".join(f"{figure(tokens):>22,}" for tokens in every.values()))
    total = sum(next(iter(every.values())))
    print(f"{'':>5}" + "".join(f"{sum(tokens) / total:>21.0%} " for tokens in every.values()))
    print(f"{'cited':>5}" + "".join(f"{answered:>22}" for _, answered in measured.values()))


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--tokens", type=int, default=8_000, help="the window")
    parser.add_argument("--items", type=int, default=24, help="messages of the circle")
    parser.add_argument("--turns", type=int, default=30)
    options = parser.parse_args()
    policies = {
        "without": ContextSettings(tokens=NO_LIMIT),
        f"shrink to {options.tokens:,}": ContextSettings(tokens=options.tokens),
        f"circular, {options.items} items": ContextSettings(
            "circular", options.items, tokens=NO_LIMIT
        ),
    }
    questions = read_questions(options.turns)
    with tempfile.TemporaryDirectory() as home:
        library = Library(Path(home))
        library.index(CORPORA / "handbook")
        measured = {
            name: await converse(library, context, questions) for name, context in policies.items()
        }
    print_table(measured)


if __name__ == "__main__":
    asyncio.run(main())
