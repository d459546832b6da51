"""What is found of contradictions between sources, on labelled pairs of sentences.

Of the first 76 lines of cases/disagreements.jsonl, odd ones served to tune the rules and even ones
were held out; those after them were written when the rules were done. Each pair is two quotes of
two documents with their dates; near misses differ in a year, a unit, a row, a person or the like.
With --wrong, the pairs that are told wrongly are listed.
"""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from rag_assistant.claims.disagreements import Cited, disagreements, source_of
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Disagreement, EvidenceItem
from scripts.benchmarks.shared.figures import Figure, Report
from scripts.benchmarks.shared.places import read_lines
from scripts.benchmarks.shared.timing import timed

FIRST = 76
"""Pairs that were there while the rules were made; a wrong one held out led to one more rule, and
the pairs behind these were written after it."""

PAIRS = read_lines(Path(__file__).parent / "cases" / "disagreements.jsonl")


def item_of(number: int, side: dict[str, str]) -> EvidenceItem:
    """Make the quote of one side."""
    location = Location(0, len(side["text"]), heading=side.get("heading"))
    title = side.get("title", "")
    return EvidenceItem("pairs", number, title, side["path"], side["text"], location, verified=True)


def found_in(pair: dict[str, Any]) -> tuple[Disagreement, ...]:
    """Give the contradictions that are found in a pair."""
    sides = [pair["one"], pair["other"]]
    items = [item_of(number, side) for number, side in enumerate(sides, 1)]
    dates = {("pairs", number): side["dated"] for number, side in enumerate(sides, 1)}
    return disagreements(items, dates)


def found_beside(pair: dict[str, Any]) -> tuple[Disagreement, ...]:
    """Give what is found where one side is cited and the other only read, each in turn."""
    items = [item_of(number, pair[side]) for number, side in enumerate(("one", "other"), 1)]
    dates = {source_of(item): pair[side]["dated"] for item, side in zip(items, ("one", "other"),
                                                                        strict=True)}  # fmt: skip
    first = Cited([items[0]], dates).disagreements([items[1]], dates)
    return first and Cited([items[1]], dates).disagreements([items[0]], dates)


def told_in(pairs: list[dict[str, Any]]) -> list[bool]:
    """Say of each pair whether a contradiction is found in it."""
    return [bool(found_in(pair)) for pair in pairs]


def figures_of(pairs: list[dict[str, Any]], what: str) -> list[Figure]:
    """Give precision and recall on some pairs."""
    told, took = timed(partial(told_in, pairs))
    right = sum(yes and bool(pair["contradict"]) for yes, pair in zip(told, pairs, strict=True))
    real = sum(bool(pair["contradict"]) for pair in pairs)
    each = took.wall * 1000 / len(pairs)
    detail = f"{len(pairs)} pairs, {real} of them contradict; {each:.2f} ms each"
    return [
        Figure(f"contradictions, {what}: precision", right / max(1, sum(told)), detail=detail),
        Figure(f"contradictions, {what}: recall", right / max(1, real), detail=detail),
    ]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the faults be shown."""
    parser.add_argument("--wrong", action="store_true", help="list what is told wrongly")


def measured(options: argparse.Namespace) -> Report:
    """Measure the three parts."""
    if options.wrong:
        wrong = [
            "\n".join([f"{pair['id']} {pair['why']}", *(one.words for one in found_in(pair))])
            for pair in PAIRS
            if bool(found_in(pair)) != pair["contradict"]
        ]
        return Report(tables=wrong)
    first, last = PAIRS[:FIRST], PAIRS[FIRST:]
    figures = [
        *figures_of(first[::2], "tuned on"),
        *figures_of(first[1::2], "held out"),
        *figures_of(last, "written afterwards"),
        _beside(),
    ]
    return Report(figures)


def _beside() -> Figure:
    """Count the pairs that are told, whichever side is cited."""
    told = [pair for pair in PAIRS if found_in(pair)]
    beside = sum(bool(found_beside(pair)) for pair in told)
    title = "contradictions of what is cited, of those between quotes"
    return Figure(title, beside / max(1, len(told)), detail=f"{beside} of {len(told)} pairs")
