"""Measure whether databases searched together rank as one that holds everything:

    .venv/bin/python scripts/merging.py ../shared/data/vaswani

A folder holds corpus.jsonl(.gz), queries.jsonl and qrels/*.tsv. It is indexed whole, in four uneven
parts of like contents (by a hash of the document's id), and in four parts whose words differ (each
but the last is chosen by a word that those after it lack). Figures are of the 10 best hits.
"""

import argparse
import hashlib
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from ablation import FOLDERS, judgements, means, unpack
from figures import Figure, Report, percentile, show, table

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.terms import STOP_WORDS, terms_of

SHARES = (55, 28, 12, 5)
"""Percent of the documents in the parts of like contents."""

HOLDING = (0.30, 0.15, 0.05)
"""Share of the documents that hold the words by which parts are chosen."""

SHOWN = 10

Documents = Mapping[str, str]
"""The lines of a corpus by the ids of the documents."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The rankings of all queries, their mean nDCG@10, and the milliseconds of each."""

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


def measure(library: Library, judged: Sequence[tuple[str, Mapping[str, int]]]) -> Measured:
    """Search all databases for each query."""
    databases = library.databases()
    rankings: list[list[str]] = []
    milliseconds: list[float] = []
    for text, _ in judged:
        started = time.perf_counter()
        hits = search_databases(databases, text, SHOWN).hits
        milliseconds.append((time.perf_counter() - started) * 1000)
        rankings.append([hit.key for hit in hits])
    grades = [grades for _, grades in judged]
    gain = means(list(zip(rankings, grades, strict=True)))["nDCG@10"]
    return Measured(rankings, gain, milliseconds)


def report_of(folder: Path, most: int) -> Report:
    """Compare the parts of a collection with the whole."""
    if not (folder / "queries.jsonl").exists():
        return Report(skipped=[f"there is no collection in {folder}"])
    splits: dict[str, Callable[[Documents], dict[str, int]]] = {
        "one database": lambda documents: dict.fromkeys(documents, 0),
        "four of like contents": by_hash,
        "four of different words": by_words,
    }
    judged = judgements(folder)[:most]
    found: dict[str, Measured] = {}
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        corpus = unpack(folder, Path(scratch) / folder.name) / "corpus.jsonl"
        with corpus.open(encoding="utf-8") as lines:
            documents = {str(json.loads(line)["_id"]): line for line in lines}
        for name, split in splits.items():
            part_of = split(documents)
            library = index(Path(scratch) / name.replace(" ", "-"), documents, part_of)
            one = found[name] = measure(library, judged)
            sizes = sorted(Counter(part_of.values()).values(), reverse=True)
            shared = one.shared(found["one database"])
            p50 = f"{percentile(one.milliseconds, 0.5):.0f}"
            rows.append([name, " ".join(map(str, sizes)), f"{one.gain:.4f}", f"{shared:.3f}", p50])
    head = [f"{folder.name}, {len(judged)} queries", "entries", "nDCG@10", "hits shared", "p50 ms"]
    figures = [
        Figure(f"{folder.name}, {name}: nDCG@10", round(one.gain, 4)) for name, one in found.items()
    ]
    return Report(figures, [table(head, rows)])


def main() -> None:
    """Measure every collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[Path(name) for name in FOLDERS])
    parser.add_argument("--questions", type=int, default=1_000, help="at most")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = Report()
    for folder in options.folders:
        report = report.with_more(report_of(folder, options.questions))
    show(report, options.json)


if __name__ == "__main__":
    main()
