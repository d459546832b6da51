"""Measure what is found of contradictions between sources, on labelled pairs of sentences.

    .venv/bin/python scripts/disagreements.py [--wrong]

Of the first 76 lines of tests/agents/disagreements.jsonl, odd ones served to tune the rules and
even ones were held out; those after them were written when the rules were done. Each pair is two
quotes of two documents with their dates; near misses differ in a year, a unit, a row, a person or
the like. With --wrong, the pairs that are told wrongly are listed.
"""

import argparse
import json
import time
from pathlib import Path

from figures import Figure, Report, show

from rag_assistant.agents.disagreements import disagreements
from rag_assistant.documents import Location
from rag_assistant.evidence import Disagreement, EvidenceItem

FIRST = 76
"""Pairs that were there while the rules were made; a wrong one held out led to one more rule, and
the pairs behind these were written after it."""

PAIRS = Path(__file__).resolve().parents[1] / "tests" / "agents" / "disagreements.jsonl"


def item_of(number: int, side: dict[str, str]) -> EvidenceItem:
    """Make the quote of one side."""
    location = Location(0, len(side["text"]), heading=side.get("heading"))
    title = side.get("title", "")
    return EvidenceItem("pairs", number, title, side["path"], side["text"], location, verified=True)


def found_in(pair: dict[str, dict[str, str]]) -> tuple[Disagreement, ...]:
    """Give the contradictions that are found in a pair."""
    sides = [pair["one"], pair["other"]]
    items = [item_of(number, side) for number, side in enumerate(sides, 1)]
    dates = {("pairs", number): side["dated"] for number, side in enumerate(sides, 1)}
    return disagreements(items, dates)


def measured(pairs: list[dict[str, object]], what: str) -> list[Figure]:
    """Give precision and recall on some pairs."""
    started = time.perf_counter()
    told = [bool(found_in(pair)) for pair in pairs]  # type: ignore[arg-type]
    seconds = time.perf_counter() - started
    right = sum(yes and bool(pair["contradict"]) for yes, pair in zip(told, pairs, strict=True))
    real = sum(bool(pair["contradict"]) for pair in pairs)
    detail = (
        f"{len(pairs)} pairs, {real} of them contradict; {seconds * 1000 / len(pairs):.2f} ms each"
    )
    return [
        Figure(f"contradictions, {what}: precision", right / max(1, sum(told)), detail=detail),
        Figure(f"contradictions, {what}: recall", right / max(1, real), detail=detail),
    ]


def main() -> None:
    """Measure both halves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    if options.wrong:
        for pair in pairs:
            told = found_in(pair)
            if bool(told) != pair["contradict"]:
                print(pair["id"], pair["why"], *(one.words for one in told))
        return
    first, last = pairs[:FIRST], pairs[FIRST:]
    figures = [
        *measured(first[::2], "tuned on"),
        *measured(first[1::2], "held out"),
        *measured(last, "written afterwards"),
    ]
    show(Report(figures), options.json)


if __name__ == "__main__":
    main()
