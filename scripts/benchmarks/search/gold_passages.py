"""Whether the passage that holds the answer is found, and not only its document.

Of the questions that did not serve for tuning: the demo folders, COVID-QA behind its first 700 and
the reports, each quote that answers one. A quote is found by a passage that holds it, or half of it
at least, among the first hits of a search (each an entry, by its snippet's place) and among the
first passages of the ranking of passages. By words alone, and with vectors where there is a model.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases, search_passages
from rag_assistant.values.documents import Hit
from scripts.benchmarks.search.gold_questions import Asked, GoldSet, asked_of, sets
from scripts.benchmarks.search.passage_fit import weights_of
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import absent
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


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let fewer questions be asked, and the weights of passages be fitted."""
    parser.add_argument("--fit", action="store_true", help="print weights, from the tuning part")
    parser.add_argument("--questions", type=int, default=10**9, help="of each set, at most")


def measured(options: argparse.Namespace) -> Report:
    """Make a row for each set and way, and a figure for each depth of the ranking of passages."""
    home = options.scratch / "home"
    known = sets(options, tuning=options.fit)
    for _, name, folder, _ in known:
        program(home, "index", str(folder), "--name", name)
    if options.fit:
        return Report(skipped=[_fitted(home, known, options.embedder)])
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


def _fitted(home: Path, known: Sequence[GoldSet], embedder: Path | None) -> str:
    """Fit what passages are weighed by, by words and with vectors where there is a model."""
    libraries = [Library(home)]
    if embedder:
        libraries.append(with_vectors(home, embedder, [name for _, name, _, _ in known]))
    return weights_of(
        [
            (group, database, asked_of(database, lines))
            for library in libraries
            for group, name, _, lines in known
            for database in [library.database(name)]
        ]
    )


def _measured(
    library: Library,
    known: Sequence[GoldSet],
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
