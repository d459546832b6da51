"""Questions with the passages that hold the quotes which answer them.

Of each set one part serves for tuning: the odd lines of the demo questions and of the reports, the
first 700 of COVID-QA. Figures are of the others.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_assistant.library.contents import names_of
from rag_assistant.library.database import Database
from scripts.benchmarks.shared.places import (
    CORPORA,
    DEMO,
    FOR_CHOOSING,
    demo_lines,
    read_lines,
    unpack,
)

GoldSet = tuple[str, str, Path, Sequence[Mapping[str, Any]]]
"""What a set counts for, its database, its folder, its questions."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the passages that hold its quotes: (entry, start, end), some for each."""

    text: str
    wanted: Sequence[frozenset[tuple[int, int, int]]]


def asked_of(database: Database, lines: Iterable[Mapping[str, Any]]) -> list[Asked]:
    """Look up the passages of the quotes; a question none of whose quotes is found is left out."""
    entries = {}
    for one in names_of(database):
        entries[one.path] = entries[one.key or one.path] = one.id
    asked: list[Asked] = []
    for line in lines:
        own = [entries[name] for name in map(str, line["relevant"]) if name in entries]
        starts = line.get("starts") or [None] * len(line.get("quotes", ()))
        wanted = [
            _holding(database, own, quote, start)
            for quote, start in zip(line.get("quotes", ()), starts, strict=True)
        ]
        if line.get("answerable", True) and any(wanted):
            asked.append(Asked(line["question"], [one for one in wanted if one]))
    return asked


def _holding(
    database: Database, entries: Sequence[int], quote: str, start: int | None
) -> frozenset[tuple[int, int, int]]:
    """Give the passages that hold half of a quote at least, which begins at `start` if given."""
    words = _words(quote)
    found = set()
    for entry_id in entries:
        for passage in database.passages(entry_id):
            place = passage.location
            if start is None:
                held = _shared(words, f" {' '.join(_words(passage.text))} ")
                enough = 2 * held >= len(words)
            else:
                held = min(start + len(quote), place.end) - max(start, place.start)
                enough = 2 * held >= len(quote)
            if enough:
                found.add((entry_id, place.start, place.end))
    return frozenset(found)


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def _shared(words: Sequence[str], text: str) -> int:
    """Count the words of the first or last part of a quote that a text holds in one run."""
    count = len(words)
    for size in range(count, max(1, (count + 1) // 2) - 1, -1):
        if any(f" {' '.join(part)} " in text for part in (words[:size], words[count - size :])):
            return size
    return 0


def sets(options: argparse.Namespace, *, tuning: bool = False) -> list[GoldSet]:
    """Give the sets that are there, with the questions that are reported, or served for tuning."""
    first = 0 if tuning else 1
    found: list[GoldSet] = [
        ("demo", name, CORPORA / name, demo_lines(name)[first::2]) for name in DEMO
    ]
    data: Path = options.data
    if (data / "covidqa").is_dir():
        lines = read_lines(data / "covidqa" / "questions.jsonl")
        lines = lines[:FOR_CHOOSING] if tuning else lines[FOR_CHOOSING:]
        folder = unpack(data / "covidqa", options.scratch / "covidqa")
        found.append(("COVID-QA", "covidqa", folder, lines))
    if (data / "reports").is_dir():
        lines = read_lines(data / "reports" / "questions.jsonl")[first::2]
        found.append(("reports", "pdf", data / "documents" / "pdf", lines))
    return found
