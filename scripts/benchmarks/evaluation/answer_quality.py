"""Search, evidence and answers of the built-in model, as a person would measure them: by `eval`.

Asked are the demo questions on even lines and one in `--every` of COVID-QA behind the first 700:
the others served for tuning. Each question of COVID-QA is asked a second time without the articles
that hold its answer, because the collection has none that cannot be answered.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import (
    CORPORA,
    DEMO,
    FOR_CHOOSING,
    absent,
    demo_lines,
    read_lines,
    unpack,
)
from scripts.benchmarks.shared.program import evaluated, interval_of, notes_of, program

SEARCH = ("nDCG@10", "R@10", "MRR@10", "MAP", "found@10")
EVIDENCE = tuple(
    f"{a}_{b}" for a in ("evidence", "passage") for b in ("recall", "precision", "IoU")
)
ANSWERS = (
    "answered",
    "quote_recall",
    "citation_precision",
    "citation_recall",
    "citation_verified",
    "token_f1",
    "answer_contains",
    "refusal_precision",
    "refusal_recall",
    "sentences_verbatim",
    "sentences_supported",
    "sentences_in_entry",
    "sentences_unconfirmed",
    "sentences_contradicted",
    "sentences_nowhere",
    "confidence_ECE",
    "confidence_Brier",
    "chance_ROC",
    "voice_answer",
    "voice_answer_right",
    "voice_probably",
    "voice_probably_right",
    "stopped",
)
STAGES = ("search", "retrieve", "answer")
TIMES = ("p50_ms", "p95_ms", "p99_ms", "first_p50_ms", "first_p95_ms")


def demo_questions() -> list[dict[str, Any]]:
    """Give the even lines of the demo questions, each with its database."""
    return [{**asked, "database": name} for name in DEMO for asked in demo_lines(name)[1::2]]


def covid_questions(folder: Path, every: int) -> list[dict[str, Any]]:
    """Give one in so many questions behind those for tuning, with and without what answers it."""
    asked = read_lines(folder / "questions.jsonl")[FOR_CHOOSING::every]
    without = [
        {
            "id": f"{one['id']}-without",
            "question": one["question"],
            "answerable": False,
            "without": one["relevant"],
        }
        for one in asked
    ]
    return [{**one, "database": "covidqa"} for one in (*asked, *without)]


def asked_of(
    home: Path, scratch: Path, name: str, questions: Iterable[Mapping[str, Any]]
) -> Report:
    """Put questions to the program, and take over what it measured."""
    path = scratch / f"{name}.questions.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in questions), encoding="utf-8")
    return taken_over(evaluated(home, path, "--mode", "all"), name)


def taken_over(found: Mapping[str, Any], name: str) -> Report:
    """Make figures of the metrics of a report, and tables of its times and its confidence."""
    metrics = found["metrics"]
    figures = [
        Figure(f"{name}: {metric}", metrics[metric], detail=_detail(found, metric))
        for metric in (*SEARCH, *EVIDENCE, *ANSWERS)
        if metrics.get(metric) is not None
    ]
    counts = f"{found['questions']} questions, {found['answerable']} with an answer"
    times = [
        [stage, *(_shown(metrics.get(f"{stage}_{kind}")) for kind in TIMES)] for stage in STAGES
    ]
    bins = [
        [f"{one['confidence'] * 10 + 0.5:.0f}", str(one["answers"]), f"{one['right']:.2f}"]
        for one in found["reliability"]
    ]
    tables = [
        table((f"{name}: {counts}", "p50 ms", "p95", "p99", "first p50", "first p95"), times),
        table((f"{name}: confidence", "answers", "share right"), bins),
        *notes_of(found, name),
    ]
    return Report(figures, tables)


def _detail(found: Mapping[str, Any], metric: str) -> str:
    said = (interval_of(found, metric), found["explanations"].get(metric, ""))
    return "; ".join(filter(None, said))


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"


def report_of(covid: Path, scratch: Path, every: int, most: int) -> Report:
    """Index the documents of both, and ask."""
    home = scratch / "home"
    for name in DEMO:
        program(home, "index", str(CORPORA / name))
    report = asked_of(home, scratch, "demo", _first(demo_questions(), most))
    if not (covid / "questions.jsonl").exists():
        return report.with_more(absent(covid))
    corpus = unpack(covid, scratch / "covidqa")
    program(home, "index", str(corpus), "--name", "covidqa")
    questions = _first(covid_questions(covid, every), most)
    return report.with_more(asked_of(home, scratch, "COVID-QA", questions))


def _first(questions: Sequence[dict[str, Any]], most: int) -> Sequence[dict[str, Any]]:
    """Give so many of the questions at most, from all over them."""
    return questions[:: max(1, -(-len(questions) // most))]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let fewer questions be asked."""
    parser.add_argument("--every", type=int, default=8, help="take one of so many of COVID-QA")
    parser.add_argument("--questions", type=int, default=10**9, help="of each set, at most")


def measured(options: argparse.Namespace) -> Report:
    """Measure both."""
    covid = options.data / "covidqa"
    return report_of(covid, options.scratch, options.every, options.questions)
