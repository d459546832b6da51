"""Whether databases searched together rank as one that holds everything.

A collection is indexed whole, in four uneven parts of like contents (by a hash of the document's
id), and in four parts whose words differ (each but the last is chosen by a word that those after it
lack). Figures are of the 10 best hits.
"""

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.text.terms import STOP_WORDS, terms_of
from scripts.benchmarks.search.ablation import judgements, means
from scripts.benchmarks.shared.figures import Figure, Report, joined, percentile, table
from scripts.benchmarks.shared.places import absent, add_collections, unpack
from scripts.benchmarks.shared.timing import in_turn, timed

SHARES = (55, 28, 12, 5)
"""Percent of the documents in the parts of like contents."""

HOLDING = (0.30, 0.15, 0.05)
"""Share of the documents that hold the words by which parts are chosen."""

SHOWN, ROUNDS = 10, 2
"""Hits, and times that each query is asked; the least of processor time counts."""

WHOLE = "one database"

Documents = Mapping[str, str]
"""The lines of a corpus by the ids of the documents."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The rankings of all queries, their mean nDCG@10, and the milliseconds of each.

    The time is that of the processor, of all threads.
    """

    rankings: Sequence[Sequence[str]]
    gain: float
    milliseconds: Sequence[float]

    def shared(self, other: "Measured") -> float:
        """Give the share of the best hits that are also among the other's."""
        pairs = zip(self.rankings, other.rankings, strict=True)
        return fmean(len(set(a) & set(b)) / max(1, len(a)) for a, b in pairs)


def by_hash(documents: Documents) -> dict[str, int]:
    """Choose the part of each document by its id."""
    chosen: dict[str, int] = {}
    for key in documents:
        place = int(hashlib.sha256(key.encode()).hexdigest(), 16) % 100
        ends = [sum(SHARES[: n + 1]) for n in range(len(SHARES))]
        chosen[key] = next(n for n, end in enumerate(ends) if place < end)
    return chosen


def by_words(documents: Documents) -> dict[str, int]:
    """Choose the part of each document by the words that it holds."""
    terms = {key: set(terms_of(line)) - STOP_WORDS for key, line in documents.items()}
    counts = Counter(term for held in terms.values() for term in held if term.isalpha())
    words: list[str] = []
    for share in HOLDING:
        wanted = share * len(documents)
        words.append(min(counts.keys() - set(words), key=lambda t: (abs(counts[t] - wanted), t)))
    return {
        key: next((n for n, word in enumerate(words) if word in held), len(words))
        for key, held in terms.items()
    }


def index(home: Path, documents: Documents, part_of: Mapping[str, int]) -> Library:
    """Index each part as a database."""
    library = Library(home)
    for part in sorted(set(part_of.values())):
        folder = home.parent / f"{home.name}-{part}"
        folder.mkdir()
        lines = [line for key, line in documents.items() if part_of[key] == part]
        (folder / "corpus.jsonl").write_text("".join(lines), encoding="utf-8")
        library.index(folder)
    return library


def measure(
    libraries: Mapping[str, Library], judged: Sequence[tuple[str, Mapping[str, int]]]
) -> dict[str, Measured]:
    """Search all databases of each library for each query, in turn."""
    databases = {name: library.databases() for name, library in libraries.items()}
    rankings: dict[str, list[list[str]]] = {name: [] for name in libraries}
    milliseconds: dict[str, list[float]] = {name: [] for name in libraries}
    for text, _ in judged:
        # The first round reads what the others find read.
        rounds = in_turn(
            ROUNDS,
            lambda _, text=text: {  # type: ignore[misc]
                name: partial(timed, partial(search_databases, some, text, SHOWN))
                for name, some in databases.items()
            },
        )
        for name, answers in rounds.items():
            milliseconds[name].append(min(took.cpu for _, took in answers) * 1000)
            rankings[name].append([hit.key for hit in answers[0][0].hits])
    grades = [grades for _, grades in judged]
    return {
        name: Measured(
            found, means(list(zip(found, grades, strict=True)))["nDCG@10"], milliseconds[name]
        )
        for name, found in rankings.items()
    }


def report_of(folder: Path, scratch: Path, most: int) -> Report:
    """Compare the parts of a collection with the whole."""
    if not (folder / "queries.jsonl").exists():
        return absent(folder)
    splits: dict[str, Callable[[Documents], dict[str, int]]] = {
        WHOLE: lambda documents: dict.fromkeys(documents, 0),
        "four of like contents": by_hash,
        "four of different words": by_words,
    }
    judged = judgements(folder)[:most]
    corpus = unpack(folder, scratch / folder.name) / "corpus.jsonl"
    with corpus.open(encoding="utf-8") as lines:
        documents = {str(json.loads(line)["_id"]): line for line in lines}
    parts = {name: split(documents) for name, split in splits.items()}
    libraries = {
        name: index(scratch / f"{folder.name} {name}".replace(" ", "-"), documents, part_of)
        for name, part_of in parts.items()
    }
    found = measure(libraries, judged)
    return _report(folder.name, parts, found)


def _report(
    collection: str, parts: Mapping[str, Mapping[str, int]], found: Mapping[str, Measured]
) -> Report:
    rows: list[list[str]] = []
    figures: list[Figure] = []
    whole = found[WHOLE]
    for name, one in found.items():
        sizes = sorted(Counter(parts[name].values()).values(), reverse=True)
        p50 = percentile(one.milliseconds, 0.5)
        shared = f"{one.shared(whole):.3f}"
        rows.append([name, " ".join(map(str, sizes)), f"{one.gain:.4f}", shared, f"{p50:.1f}"])
        figures.append(Figure(f"{collection}, {name}: nDCG@10", round(one.gain, 4)))
        if name != WHOLE:
            times = p50 / percentile(whole.milliseconds, 0.5)
            what = f"{collection}, {name}: processor time of a question, times that of one database"
            figures.append(Figure(what, times, goal="<= 1.5", detail="medians"))
    count = len(whole.rankings)
    head = [f"{collection}, {count} queries", "entries", "nDCG@10", "hits shared", "p50 ms CPU"]
    return Report(figures, [table(head, rows)])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let collections be named, and fewer questions be asked."""
    add_collections(parser)
    parser.add_argument("--questions", type=int, default=1_000, help="of each, at most")


def measured(options: argparse.Namespace) -> Report:
    """Measure every collection."""
    return joined(
        report_of(options.data / name, options.scratch, options.questions)
        for name in options.collections
    )
