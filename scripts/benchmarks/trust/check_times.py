"""The time that the checks of an answer take, of all its time.

The built-in model answers, one question at a time. The time of a check is that within its function;
masking is timed on all that the requests of a run held, as if they had left this machine. Asked are
the questions that did not serve for tuning.
"""

import argparse
import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest.mock import patch

from rag_assistant.agents import retrieval
from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.egress.masking import MaskedBody, Masker
from rag_assistant.injection.quoted_calls import Material
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.models.extractive import model as extractive
from rag_assistant.models.extractive.dialogue import Turn
from rag_assistant.models.extractive.likeness import Likeness
from rag_assistant.values.messages import Request
from rag_assistant.verification import review
from scripts.benchmarks.evaluation.answer_quality import covid_questions, demo_questions
from scripts.benchmarks.shared.asking import answer_of, library_in
from scripts.benchmarks.shared.figures import Figure, Report, percentile, table
from scripts.benchmarks.shared.places import absent
from scripts.benchmarks.shared.timing import seconds_of

CHECKS: Mapping[str, tuple[object, str]] = {
    "support of sentences": (review, "with_support"),
    "whether to answer": (review, "with_judgement"),
    "contradictions in what is cited": (review, "with_disagreements"),
    "quotes looked up": (retrieval, "_checked"),
    "contradictions in evidence": (retrieval, "notes_on"),
    "passages kept out": (Database, "for_prompt"),
    "calls compared with documents": (Material, "of"),
}
"""The functions that check something in a run, by what they do."""

MASKING = "masking, if all of it left"


@contextmanager
def checks_timed(clock: Callable[[], float], note: Callable[[str, float], None]) -> Iterator[None]:
    """Note the name of every check and the seconds that it takes by a clock, while this lasts.

    A check that is run by another is part of that one, and is not noted again.
    """
    running = threading.local()

    def timed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*arguments: Any, **named: Any) -> Any:
            if getattr(running, "check", None):
                return function(*arguments, **named)
            running.check = name
            started = clock()
            try:
                return function(*arguments, **named)
            finally:
                running.check = None
                note(name, clock() - started)

        return measured

    with ExitStack() as patches:
        for name, (owner, function) in CHECKS.items():
            check = timed(name, getattr(owner, function))
            patches.enter_context(patch.object(owner, function, check))
        yield


@dataclass(slots=True)
class Clock:
    """Seconds within each check, of the run that goes on, and the texts of its requests."""

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    sent: list[str] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measure while this lasts."""
        reply_to = extractive._reply_to

        def heard(request: Request, likeness: Likeness) -> Turn:
            self.sent += [message.text for message in request.messages]
            return reply_to(request, likeness)

        with (
            checks_timed(time.perf_counter, self._note),
            patch.object(extractive, "_reply_to", heard),
        ):
            yield

    def _note(self, name: str, seconds: float) -> None:
        self.seconds[name] += seconds


@dataclass(frozen=True, slots=True)
class Asked:
    """The seconds that a question took, and those of the checks in it."""

    whole: float
    checks: Mapping[str, float]


def times_of_checks(library: Library, name: str, questions: Sequence[tuple[str, str]]) -> Report:
    """Ask questions, each of the database that stands before it, and report the times."""
    asked = [_ask(library, database, question) for database, question in questions]
    whole = sum(one.whole for one in asked)
    rows = []
    for check in (*CHECKS, MASKING):
        times = [one.checks.get(check, 0.0) for one in asked]
        median, late = percentile(times, 0.5) * 1000, percentile(times, 0.95) * 1000
        rows.append([check, f"{sum(times) / whole:.4f}", f"{median:.2f}", f"{late:.2f}"])
    total = sum(one.checks.get(check, 0.0) for one in asked for check in (*CHECKS, MASKING))
    median = percentile([one.whole for one in asked], 0.5) * 1000
    each = total * 1000 / len(asked)
    said = f"{len(asked)} questions; an answer takes {median:.0f} ms (median), {each:.1f} ms checks"
    figure = Figure(f"checks, of the time of an answer, {name}", total / whole, detail=said)
    head = (f"checks, {name}", "of the time", "ms, median", "ms, 95%")
    return Report([figure], [table(head, rows)])


def _ask(library: Library, database: str, question: str) -> Asked:
    clock = Clock()
    assistant = Assistant(library, Config(), {})
    with clock.running():
        asking = answer_of(assistant, question, [database])
        whole = seconds_of(partial(asyncio.run, asking))
    clock.seconds[MASKING] = seconds_of(partial(MaskedBody, clock.sent, Masker()))
    return Asked(whole, clock.seconds)


def _pairs(questions: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Give the database and the words of the questions that have an answer."""
    return [(one["database"], one["question"]) for one in questions if one["answerable"]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let fewer questions be asked."""
    parser.add_argument("--every", type=int, default=2, help="take one of so many of COVID-QA")


def measured(options: argparse.Namespace) -> Report:
    """Measure on the demo questions and on COVID-QA."""
    covid = options.data / "covidqa"
    library = library_in(options.scratch, covid)
    report = times_of_checks(library, "demo", _pairs(demo_questions()))
    if "covidqa" not in library.names():
        return report.with_more(absent(covid))
    questions = _pairs(covid_questions(covid, options.every))
    return report.with_more(times_of_checks(library, "COVID-QA", questions))
