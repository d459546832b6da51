"""The processor time of all checks of an answer: of the built-in model's answers to the questions
that did not serve for tuning.
"""

import argparse
import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from scripts.benchmarks.evaluation.answer_quality import covid_questions, demo_questions
from scripts.benchmarks.shared.asking import answer_of, library_in
from scripts.benchmarks.shared.figures import Figure, Report, percentile
from scripts.benchmarks.trust.check_times import checks_timed

EVERY = 8
"""One in so many questions of COVID-QA is asked."""

GOALS: Mapping[str, str] = {"demo": "<= 20", "covidqa": "<= 40"}
"""Milliseconds of processor time in the median."""


def processor_times(options: argparse.Namespace) -> Report:
    """Measure on the demo questions and on COVID-QA."""
    covid = options.data / "covidqa"
    library = library_in(options.scratch / "times", covid)
    asked: dict[str, Sequence[Mapping[str, Any]]] = {"demo": demo_questions()}
    if "covidqa" in library.names() and not options.demo_only:
        asked["covidqa"] = covid_questions(covid, EVERY)
    figures: list[Figure] = []
    for name, questions in asked.items():
        answerable = [one for one in questions if one["answerable"]]
        times = [_ask(library, one["database"], one["question"]) for one in answerable]
        median, late = percentile(times, 0.5) * 1000, percentile(times, 0.95) * 1000
        detail = f"{len(times)} answers; 95 %: {late:.1f} ms"
        title = f"processor time of all checks of an answer, {name}"
        figures.append(Figure(title, median, "ms", GOALS[name], detail))
    return Report(figures)


def _ask(library: Library, database: str, question: str) -> float:
    """Give the seconds of processor that the checks of an answer take."""
    seconds: list[float] = []
    with checks_timed(time.thread_time, lambda _name, took: seconds.append(took)):
        asyncio.run(answer_of(Assistant(library, Config(), {}), question, [database]))
    return sum(seconds)
