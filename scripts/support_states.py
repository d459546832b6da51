"""Measure what sentences of answers rest on: against labels by hand, and on the demo questions:

    .venv/bin/python scripts/support_states.py

The labels are those of tests/agents/support_cases.py: every second answer was for choosing limits,
the others are reported. The demo questions are asked of the built-in model, in a home that is made
for it; what the assistant withheld counts with the rest, as the model wrote it.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from figures import Figure, Report, show

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from rag_assistant.agents.support import with_support  # noqa: E402 - the tests lie beside scripts/
from rag_assistant.assistant import Assistant  # noqa: E402
from rag_assistant.config import Config  # noqa: E402
from rag_assistant.events import Answered  # noqa: E402
from rag_assistant.evidence import Answer  # noqa: E402
from rag_assistant.library.library import Library  # noqa: E402
from rag_assistant.support import Support  # noqa: E402
from tests.agents.support_cases import CASES, given, measured  # noqa: E402

DEMO = ("handbook", "manual", "council")


def against_labels() -> Iterator[Figure]:
    """Measure "unsupported", and how many states are as labelled."""
    for name, cases in (("choosing", CASES[::2]), ("reported", CASES[1::2])):
        precision, recall = measured(cases)
        pairs = [(label, found) for case in cases for _, label, found in given(case)]
        detail = f"{len(pairs)} sentences"
        yield Figure(f"labels, {name}: precision of unsupported", precision, detail=detail)
        yield Figure(f"labels, {name}: recall of unsupported", recall, detail=detail)
        same = sum(label is found for label, found in pairs) / len(pairs)
        yield Figure(f"labels, {name}: states as labelled", same, detail=detail)


async def demo_answers(assistant: Assistant) -> list[Answer]:
    """Ask every demo question of its database."""
    answers: list[Answer] = []
    for name in DEMO:
        path = ROOT / "corpora" / f"{name}.questions.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)["question"]
            async with aclosing(assistant.ask(question, databases=[name])) as events:
                answers += [event.answer async for event in events if isinstance(event, Answered)]
    return answers


def as_written(answer: Answer) -> Answer:
    """Give an answer as the model wrote it, where it was withheld."""
    bare = replace(answer, sentences=(), objections=())
    if answer.refusal is None:
        return bare
    return replace(bare, text=answer.draft, citations=answer.refusal.citations)


def on_the_demo() -> Iterator[Figure]:
    """Count the states of the built-in model's sentences, and what judging them takes."""
    with tempfile.TemporaryDirectory() as home:
        library = Library(Path(home))
        for name in DEMO:
            library.index(ROOT / "corpora" / name)
        answers = asyncio.run(demo_answers(Assistant(library, Config(), {})))
    written = [as_written(answer) for answer in answers]
    started = time.perf_counter()
    judged = [with_support(answer) for answer in written]
    took = time.perf_counter() - started
    items = [citation.item for answer in judged for citation in answer.citations]
    detail = f"{len(items)} citations of {len(judged)} answers"
    found = sum(item.verified for item in items) / len(items)
    yield Figure("demo: citations verified", found, detail=detail)
    states = Counter(one.support for answer in judged for one in answer.sentences)
    claims = states.total() - states[Support.NO_CLAIM]
    for state in (Support.QUOTED, Support.SUPPORTED, Support.UNSUPPORTED):
        share = states[state] / claims
        yield Figure(f"demo: claims {state.value}", share, detail=f"{claims} claims")
    whole = sum(answer.elapsed_ms for answer in answers) / 1000
    yield Figure("demo: judging sentences, of the time of an answer", took / whole)


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    show(Report([*against_labels(), *on_the_demo()]), options.json)


if __name__ == "__main__":
    main()
