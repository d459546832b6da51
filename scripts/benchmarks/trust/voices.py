"""The three voices of the built-in model: how often each is used, and how often it is right.

Asked are, by `eval`, questions that can be answered, near-misses (of the same subject, and not
answered there), and the first without the documents that hold the answer; of SQuAD some also in a
database of their own document alone. Odd lines of the demo questions and of those on reports, the
first 700 of COVID-QA and articles 1 to 5 of SQuAD serve for tuning; the others are reported. --fit
asks the tuning part instead, and prints `rag_assistant/verification/chance_weights.py`.
"""

import argparse
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scripts.benchmarks.shared.figures import Figure, Report
from scripts.benchmarks.shared.places import (
    CORPORA,
    DEMO,
    FOR_CHOOSING,
    demo_lines,
    read_lines,
    unpack,
)
from scripts.benchmarks.shared.program import evaluated, interval_of, notes_of, program
from scripts.benchmarks.trust.voice_fit import fitted
from scripts.benchmarks.trust.voice_tables import Spoken, tables

ARTICLES = 10
"""Articles of SQuAD, by name; the first half serves for tuning."""

ALONE = 2
"""Of so many of its questions one is asked of its document alone, or without it."""

Line = Mapping[str, Any]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the constants be fitted, and what was asked be kept."""
    parser.add_argument("--fit", action="store_true", help="ask the tuning part; print constants")
    parser.add_argument("--every", type=int, default=4, help="take one of so many where are many")
    parser.add_argument("--questions", type=int, default=10**9, help="of all of them, at most")
    parser.add_argument("--kept", type=Path, help="a file to keep the report in, or take it of")


def measured(options: argparse.Namespace) -> Report:
    """Ask, then fit or report."""
    kept: Path | None = options.kept
    if kept and kept.exists():
        found = json.loads(kept.read_text("utf-8"))
    else:
        home: Path = options.scratch / "home"
        there = indexed(home, options.scratch, options.data)
        path: Path = options.scratch / "voices.questions.jsonl"
        lines = list(questions(there, options.data, options.every, tuning=options.fit))
        lines = lines[:: max(1, -(-len(lines) // options.questions))]
        path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
        found = evaluated(home, path, "--mode", "answer")
    if kept and not kept.exists():
        kept.write_text(json.dumps(found), encoding="utf-8")
    spoken = [_spoken(one) for one in found["per_question"]]
    missing = [
        f"no {name} in {options.data}"
        for name in ("covidqa", "squad", "reports")
        if not (options.data / name).is_dir()
    ]
    if options.fit:
        return fitted(spoken).with_more(Report(skipped=missing))
    return Report(list(_figures(found)), [*tables(spoken), *notes_of(found, "voices")], missing)


def indexed(home: Path, scratch: Path, data: Path) -> frozenset[str]:
    """Index the collections that are there, and each article of SQuAD alone; give the databases."""
    folders = {name: CORPORA / name for name in DEMO}
    if (data / "covidqa").is_dir():
        folders["covidqa"] = unpack(data / "covidqa", scratch / "covidqa")
    if (data / "squad").is_dir():
        folders["squad"] = data / "squad" / "documents"
        for number, path in enumerate(articles(data)):
            folders[f"article{number}"] = scratch / f"article{number}"
            folders[f"article{number}"].mkdir()
            shutil.copy(path, folders[f"article{number}"])
    if (data / "reports").is_dir():
        folders["reports"] = data / "documents" / "pdf"
    for name, folder in folders.items():
        program(home, "index", str(folder), "--name", name)
    return frozenset(folders)


def articles(data: Path) -> list[Path]:
    """Give the articles of SQuAD that are asked about, by name."""
    return sorted((data / "squad" / "documents").iterdir())[:ARTICLES]


def questions(
    there: frozenset[str], data: Path, every: int, *, tuning: bool
) -> Iterator[dict[str, Any]]:
    """Give the questions of the tuning part, or those that are reported, as lines of a set."""
    for name in DEMO:
        for line in demo_lines(name)[0 if tuning else 1 :: 2]:
            yield from _asked("demo", name, line)
    if "covidqa" in there:
        lines = read_lines(data / "covidqa" / "questions.jsonl")
        for line in (lines[:FOR_CHOOSING] if tuning else lines[FOR_CHOOSING:])[::every]:
            yield from _asked("COVID-QA", "covidqa", line)
    if "squad" in there:
        yield from _of_squad(data, every, tuning=tuning)
    if "reports" in there:
        for line in read_lines(data / "reports" / "questions.jsonl")[0 if tuning else 1 :: 2]:
            yield from _asked("reports", "reports", line)


def _of_squad(data: Path, every: int, *, tuning: bool) -> Iterator[dict[str, Any]]:
    numbers = {path.name: number for number, path in enumerate(articles(data))}
    lines = [
        (numbers[name], line)
        for line in read_lines(data / "squad" / "questions.jsonl")
        for name in line["relevant"]
        if name in numbers and (numbers[name] < ARTICLES // 2) == tuning
    ]
    for place, (number, line) in enumerate(lines[::every]):
        some = place % ALONE == 0
        yield from _asked("SQuAD", "squad", line, left_out=some)
        if some and line["answerable"]:
            yield _line("SQuAD", "alone", f"article{number}", line)


def _asked(
    collection: str, database: str, line: Line, *, left_out: bool = True
) -> Iterator[dict[str, Any]]:
    """Ask a question as it is; one that can be answered also without its documents."""
    if not line["answerable"]:
        yield _line(collection, "near", database, line)
        return
    yield _line(collection, "answerable", database, line)
    if left_out:
        yield _line(collection, "left out", database, line)


def _line(collection: str, kind: str, database: str, line: Line) -> dict[str, Any]:
    asked = {
        "id": f"{collection}/{kind}/{line['id']}",
        "question": line["question"],
        "database": database,
        "answerable": kind in ("answerable", "alone"),
    }
    if kind == "left out":
        return {**asked, "without": line["relevant"]}
    if kind == "near":
        return asked
    known = ("relevant", "quotes", "answers")
    return {**asked, **{name: line[name] for name in known if name in line}}


def _spoken(asked: Mapping[str, Any]) -> Spoken:
    collection, kind, _ = asked["id"].split("/", 2)
    voice = asked["voice"] or ""
    return Spoken(
        collection,
        kind,
        asked["question"],
        voice,
        asked["chance"] or 0.0,
        bool(asked["metrics"].get(f"voice_{voice}_right")),
        {signal["name"]: signal["value"] for signal in asked["signals"]},
    )


def _figures(found: Mapping[str, Any]) -> Iterator[Figure]:
    goals = {
        "voice_answer_right": ">= 0.8",
        "voice_probably_right": ">= 0.5",
        "confidence_ECE": "<= 0.08",
        "chance_ROC": ">= 0.8",
        "chance_AURC": "",
        "confidence_Brier": "",
    }
    count = sum(one["chance"] is not None for one in found["per_question"])
    for name, goal in goals.items():
        if (value := found["metrics"].get(name)) is not None:
            of = f"{count} answers" if not name.startswith("voice") else ""
            detail = "; ".join(filter(None, (interval_of(found, name), of)))
            yield Figure(f"by eval: {name}", value, "", goal, detail)
