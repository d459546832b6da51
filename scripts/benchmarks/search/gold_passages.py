"""Whether the passage that holds the answer is found, and not only its document.

Of the questions that did not serve for tuning: the demo folders, COVID-QA behind its first 700 and
the reports, each quote that answers one. A quote is found by a passage that holds it, or half of it
at least, among the first hits of a search (each an entry, by its snippet's place) and among the
first passages of the ranking of passages. By words alone, and with vectors where there is a model.
"""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_assistant.library.contents import names_of
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases, search_passages
from rag_assistant.values.documents import Hit
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
from scripts.benchmarks.shared.program import program, with_vectors

DEPTHS = (5, 10, 50)

GOALS = {
    ("COVID-QA", 5): ">= 0.70",
    ("COVID-QA", 10): ">= 0.80",
    ("demo", 5): ">= 0.80",
    ("demo", 10): ">= 0.90",
}
"""For the ranking of passages, by words alone."""

GOALS_WITH_MODEL = {("COVID-QA", 5): ">= 0.75", ("COVID-QA", 10): ">= 0.85"}
"""For the same with the vectors of MiniLM-L6."""

Ways = Mapping[str, Callable[[Database, str], Sequence[Hit]]]

WAYS: Ways = {
    "hits": lambda database, text: search_databases([database], text, DEPTHS[-1]).hits,
    "passages": lambda database, text: search_passages([database], text, DEPTHS[-1]).hits,
}


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


def found_at(asked: Sequence[Asked], database: Database, way: str) -> list[float]:
    """Give the share of the quotes that are found at each of DEPTHS."""
    found, quotes = [0] * len(DEPTHS), 0
    for one in asked:
        places = [(hit.entry_id, hit.location) for hit in WAYS[way](database, one.text)]
        for wanted in one.wanted:
            quotes += 1
            rank = next(
                (n for n, (entry, at) in enumerate(places) if _meets(wanted, entry, at.start)),
                DEPTHS[-1],
            )
            for place, depth in enumerate(DEPTHS):
                found[place] += rank < depth
    return [one / max(1, quotes) for one in found]


def _meets(wanted: frozenset[tuple[int, int, int]], entry: int, at: int) -> bool:
    return any(entry == own and start <= at < end for own, start, end in wanted)


def sets(options: argparse.Namespace) -> list[tuple[str, str, Path, Sequence[Mapping[str, Any]]]]:
    """Give the sets that are there: what they count for, database, folder, questions."""
    found: list[tuple[str, str, Path, Sequence[Mapping[str, Any]]]] = [
        ("demo", name, CORPORA / name, demo_lines(name)[1::2]) for name in DEMO
    ]
    data: Path = options.data
    if (data / "covidqa").is_dir():
        lines = read_lines(data / "covidqa" / "questions.jsonl")[FOR_CHOOSING:]
        folder = unpack(data / "covidqa", options.scratch / "covidqa")
        found.append(("COVID-QA", "covidqa", folder, lines))
    if (data / "reports").is_dir():
        lines = read_lines(data / "reports" / "questions.jsonl")[1::2]
        found.append(("reports", "pdf", data / "documents" / "pdf", lines))
    return found


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let fewer questions be asked."""
    parser.add_argument("--questions", type=int, default=10**9, help="of each set, at most")


def measured(options: argparse.Namespace) -> Report:
    """Make a row for each set and way, and a figure for each depth of the ranking of passages."""
    home = options.scratch / "home"
    known = sets(options)
    for _, name, folder, _ in known:
        program(home, "index", str(folder), "--name", name)
    most = options.questions
    rows, figures = _measured(Library(home), known, most, "words alone", GOALS)
    if options.embedder:
        library = with_vectors(home, options.embedder, [name for _, name, _, _ in known])
        by_model = _measured(library, known, most, "words and vectors", GOALS_WITH_MODEL)
        rows, figures = [*rows, *by_model[0]], [*figures, *by_model[1]]
    skipped = [] if options.embedder else ["no --embedder folder was given: no row with vectors"]
    if not (options.data / "covidqa").is_dir():
        skipped += absent(options.data / "covidqa").skipped
    head = ("database", "by", "ranked", "quotes of", *(f"first {depth}" for depth in DEPTHS))
    return Report(figures, [table(head, rows)], skipped)


def _measured(
    library: Library,
    known: Sequence[tuple[str, str, Path, Sequence[Mapping[str, Any]]]],
    most: int,
    by: str,
    goals: Mapping[tuple[str, int], str],
) -> tuple[list[list[str]], list[Figure]]:
    rows: list[list[str]] = []
    of_group: dict[str, list[list[float]]] = {}
    for group, name, _, lines in known:
        database = library.database(name)
        asked = asked_of(database, lines[:: max(1, -(-len(lines) // most))])
        for way in WAYS:
            shares = found_at(asked, database, way)
            rows.append([name, by, way, f"{len(asked)}", *(f"{one:.3f}" for one in shares)])
            if way == "passages":
                of_group.setdefault(group, []).append(shares)
    figures = [
        Figure(
            f"{group}, {by}: quotes in the first {depth} passages",
            sum(one[place] for one in shares) / len(shares),
            goal=goals.get((group, depth), ""),
        )
        for group, shares in of_group.items()
        for place, depth in enumerate(DEPTHS)
    ]
    return rows, figures
