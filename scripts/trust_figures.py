"""What `trust.py` measures itself: the evidence against reference excerpts, and what checks take.

The built-in model answers, one question at a time. The time of a check is that within its function;
masking is timed on all that the requests of a run held, as if they had left this machine.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from figures import Figure, Report, percentile, table
from passage_sizes import FOR_CHOOSING, read_lines

from rag_assistant.agents import retrieval, tool_calls
from rag_assistant.assistant import Assistant, conversation, review
from rag_assistant.config import Config
from rag_assistant.egress.masking import MaskedBody, Masker
from rag_assistant.evaluation.excerpts import Excerpt, find_excerpt, overlap
from rag_assistant.evaluation.measures import mean
from rag_assistant.events import Answered, Stopped
from rag_assistant.evidence import Answer
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.messages import AssistantMessage, Request
from rag_assistant.models.extractive import model as extractive

DEMO = ("handbook", "manual", "council")
CORPORA = Path(__file__).resolve().parents[1] / "corpora"

CHECKS: Mapping[str, tuple[object, str]] = {
    "the review of the answer": (conversation, "reviewed"),
    "quotes looked up": (retrieval, "_checked"),
    "contradictions in evidence": (retrieval, "notes_on"),
    "passages kept out": (Database, "for_prompt"),
    "calls compared with documents": (tool_calls.Material, "of"),
}
"""The functions that check something in a run, by what they do."""

OF_THE_REVIEW: Mapping[str, tuple[object, str]] = {
    "… support of sentences": (review, "with_support"),
    "… whether to answer": (review, "with_judgement"),
    "… contradictions in what is cited": (review, "with_disagreements"),
}
"""What the review is made of; its time is in that of the review."""

MASKING = "masking, if all of it left"


@dataclass(slots=True)
class Clock:
    """Seconds within each check, of the run that goes on, and the texts of its requests."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    sent: list[str] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measure while this lasts."""
        with ExitStack() as patches:
            for name, (owner, function) in {**CHECKS, **OF_THE_REVIEW}.items():
                timed = self._timed(name, getattr(owner, function))
                patches.enter_context(patch.object(owner, function, timed))
            reply_to = extractive._reply_to

            def heard(request: Request) -> AssistantMessage:
                self.sent += [message.text for message in request.messages]
                return reply_to(request)

            patches.enter_context(patch.object(extractive, "_reply_to", heard))
            yield

    def _timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds[name] += time.perf_counter() - started

        return timed


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was answered: its evidence against the references, and the time it took."""

    measures: Mapping[str, float]
    left_out: int
    whole: float
    checks: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Reference:
    """A question with the quotes that hold its answer: the document, the words, about where."""

    database: str
    question: str
    quotes: Sequence[tuple[str, str, int]]


def demo_references() -> Iterator[Reference]:
    """Give the even lines of the demo questions, as far as they have an answer."""
    for name in DEMO:
        for asked in read_lines(CORPORA / f"{name}.questions.jsonl")[1::2]:
            if asked["answerable"]:
                found = [
                    (path, quote, 0) for path in asked["relevant"] for quote in asked["quotes"]
                ]
                yield Reference(name, asked["question"], found)


def covid_references(folder: Path, every: int) -> Iterator[Reference]:
    """Give one of so many questions of COVID-QA behind those for choosing."""
    for asked in read_lines(folder / "questions.jsonl")[FOR_CHOOSING::every]:
        places = zip(asked["quotes"], asked["starts"], strict=True)
        found = [(str(asked["relevant"][0]), quote, start) for quote, start in places]
        yield Reference("covidqa", asked["question"], found)


def evidence_and_time(library: Library, name: str, references: Sequence[Reference]) -> Report:
    """Ask the questions, and report both."""
    asked = [_ask(library, reference) for reference in references]
    left = sum(one.left_out for one in asked)
    detail = f"{len(asked)} questions" + (f", {left} quotes not in a text" if left else "")
    figures = [
        Figure(f"evidence, {name}: {measure}", mean([one.measures[measure] for one in asked]) or 0)
        for measure in ("recall", "precision", "IoU")
    ]
    figures = [Figure(one.name, one.value, detail=detail) for one in figures]
    whole = sum(one.whole for one in asked)
    rows = []
    for check in (*CHECKS, MASKING, *OF_THE_REVIEW):
        times = [one.checks.get(check, 0.0) for one in asked]
        median, late = percentile(times, 0.5) * 1000, percentile(times, 0.95) * 1000
        rows.append([check, f"{sum(times) / whole:.4f}", f"{median:.2f}", f"{late:.2f}"])
    total = sum(one.checks.get(check, 0.0) for one in asked for check in (*CHECKS, MASKING))
    median = percentile([one.whole for one in asked], 0.5) * 1000
    said = (
        f"an answer takes {median:.0f} ms (median), {total * 1000 / len(asked):.1f} ms of it checks"
    )
    figures.append(Figure(f"checks, of the time of an answer, {name}", total / whole, detail=said))
    head = (f"checks, {name}", "of the time", "ms, median", "ms, 95%")
    return Report(figures, [table(head, rows)])


def _ask(library: Library, reference: Reference) -> Asked:
    clock = Clock()
    assistant = Assistant(library, Config(), {})
    with clock.running():
        started = time.perf_counter()
        answer = asyncio.run(_answer(assistant, reference))
        whole = time.perf_counter() - started
    started = time.perf_counter()
    MaskedBody(clock.sent, Masker())
    clock.seconds[MASKING] = time.perf_counter() - started
    database = library.database(reference.database)
    wanted, left_out = _wanted(database, reference)
    found = [
        Excerpt(str(item.entry_id), item.location.start, item.location.end)
        for evidence in answer.evidence
        for item in evidence.items
        if item.verified
    ]
    compared = overlap(wanted, found, cache(lambda entry: database.text(int(entry))))
    return Asked(compared.measures, left_out, whole, clock.seconds)


async def _answer(assistant: Assistant, reference: Reference) -> Answer:
    asking = assistant.ask(reference.question, databases=[reference.database])
    async with aclosing(asking) as events:
        async for event in events:
            if isinstance(event, Answered):
                return event.answer
            if isinstance(event, Stopped):
                return event.partial
    raise RuntimeError("a run ended without an answer")


def _wanted(database: Database, reference: Reference) -> tuple[list[Excerpt], int]:
    """Find the reference quotes in the texts as they are indexed; how many are in none."""
    ids: dict[str, list[int]] = defaultdict(list)
    for entry in _entries(database):
        ids[entry.path].append(entry.id)
        ids[entry.key].append(entry.id)
    places: dict[str, list[Excerpt]] = {quote: [] for _, quote, _ in reference.quotes}
    for document, quote, near in reference.quotes:
        for entry_id in ids.get(document, ()):
            if place := find_excerpt(str(entry_id), database.text(entry_id), quote, near):
                places[quote].append(place)
    wanted = [place for found in places.values() for place in found]
    return wanted, sum(not found for found in places.values())


@cache
def _entries(database: Database) -> Sequence[Any]:
    return database.entries()
