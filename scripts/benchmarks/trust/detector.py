"""The detector of words for models: false alarms, and what it costs to index with it.

False alarms are the suspicious places in collections that hold none, of 1,000 passages. The cost is
the time of indexing with the detector over that without it, the median of several rounds in one
process; the texts are split over 190 files, so that no worker starts. With --attacks, the files of
a folder of attacks in which something is found are counted, and the others named.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from rag_assistant.ingest import extraction
from rag_assistant.library.library import Library
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import CORPORA, DEMO, absent, read_lines
from scripts.benchmarks.shared.timing import timed

FILES = 190
HIDDEN = "<= 0.1"
"""Per cent of the characters of ordinary documents that models may lose."""


def texts_of(corpus: Path) -> list[str]:
    """Read the texts of a BEIR corpus."""
    return [f"{row.get('title', '')}\n\n{row.get('text', '')}" for row in read_lines(corpus)]


def written(texts: list[str], folder: Path) -> Path:
    """Write texts into a few files, several in each."""
    folder.mkdir()
    for number in range(FILES):
        some = "\n\n".join(texts[number::FILES])
        if some:
            (folder / f"{number}.txt").write_text(some, encoding="utf-8")
    return folder


def alarms(folders: dict[str, Path]) -> Report:
    """Index each folder, and list what was found in it."""
    rows, figures = [], []
    for name, folder in folders.items():
        with tempfile.TemporaryDirectory() as home:
            library = Library(Path(home))
            database = library.database(library.index(folder, name=name).database)
            passages = database.figures().passages
            found = database.suspicions()
            hidden = 100 * database.hidden_share()
        for place in found[:20]:
            where = f"{name} {place.path} at {place.suspicion.start}"
            words = " ".join(place.text.split())[:120]
            print(f"{where}: {place.suspicion.reason} | {words}", file=sys.stderr)
        of_thousand = 1_000 * len(found) / max(passages, 1)
        row = [name, f"{passages:,}", str(len(found)), f"{of_thousand:.2f}", f"{hidden:.4f}"]
        rows.append(row)
        figures.append(Figure(f"characters hidden from models, {name}", hidden, "%", HIDDEN))
        detail = f"{len(found)} in {passages:,}"
        figures.append(
            Figure(f"false alarms of 1,000 passages, {name}", of_thousand, detail=detail)
        )
    head = ["collection", "passages", "places", "of 1,000 passages", "% of characters hidden"]
    return Report(figures, [table(head, rows)])


def cost(folder: Path, name: str, rounds: int) -> Report:
    """Index a folder with and without the detector, in turn."""
    name_there = "suspicions_of"
    marking = getattr(extraction, name_there)
    ratios: list[float] = []
    for _ in range(rounds):
        with_it = seconds(folder)
        setattr(extraction, name_there, lambda *_: ())
        without = seconds(folder)
        setattr(extraction, name_there, marking)
        ratios.append(with_it / without)
    spread = f"{min(ratios):.3f} to {max(ratios):.3f} in {rounds} rounds"
    ratio = statistics.median(ratios)
    return Report(
        [Figure(f"indexing with the detector over without, {name}", ratio, detail=spread)]
    )


def seconds(folder: Path) -> float:
    """Give the processor time of indexing a folder anew."""
    with tempfile.TemporaryDirectory() as home:
        return timed(partial(Library(Path(home)).index, folder))[1].cpu


def attacks(folder: Path) -> Report:
    """Count the files of a folder in which something is found."""
    with tempfile.TemporaryDirectory() as home:
        library = Library(Path(home))
        database = library.database(library.index(folder).database)
        found = {row.path for row in database.suspicions()}
        paths = {entry.path for entry in database.entries()}
    missed = sorted(paths - found)
    detail = f"{len(found)} of {len(paths)}; not in: {', '.join(missed) or 'none'}"
    return Report(
        [Figure("attacks found", 100 * len(found) / max(len(paths), 1), "%", detail=detail)]
    )


def folders_of(data: Path, names: list[str], scratch: Path) -> Iterator[tuple[str, Path]]:
    """Give the folders to index by name: those of the data, made of its corpora, and the demo."""
    for name in names:
        if (corpus := data / name / "corpus.jsonl.gz").is_file():
            yield name, written(texts_of(corpus), scratch / name)
        elif (inside := data / name / "documents").is_dir():
            yield name, inside
        elif (data / name).is_dir():
            yield name, data / name
    for name in DEMO:
        yield name, CORPORA / name


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let attacks be counted, and collections be named."""
    named = ["covidqa", "scifact", "vaswani", "squad", "documents"]
    parser.add_argument("--collections", nargs="*", default=named, help="folders below --data")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--attacks", type=Path, help="a folder of documents that each attack")


def measured(options: argparse.Namespace) -> Report:
    """Measure false alarms, then the cost on two collections."""
    folders = dict(folders_of(options.data, options.collections, options.scratch))
    report = alarms(folders)
    for name in ("covidqa", "scifact"):
        if name in folders:
            report = report.with_more(cost(folders[name], name, options.rounds))
        elif name in options.collections:
            report = report.with_more(absent(options.data / name))
    return report.with_more(attacks(options.attacks)) if options.attacks else report
