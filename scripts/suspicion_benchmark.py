"""Measure the detector of words for models: false alarms, and what it costs to index with it.

    .venv/bin/python scripts/suspicion_benchmark.py ../shared/data --attacks corpora/redteam

False alarms are the suspicious places in collections that hold none, of 1,000 passages. The cost is
the time of indexing with the detector over that without it, the median of several rounds in one
process; the texts are split over 190 files, so that no worker starts. With --attacks, the files of
a folder of attacks in which something is found are counted, and the others named.
"""

import argparse
import gzip
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, Report, show, table

from rag_assistant.ingest import extraction
from rag_assistant.library.library import Library

ROUNDS = 5
FILES = 190
DEMO = Path(__file__).resolve().parent.parent / "corpora"


def texts_of(corpus: Path) -> list[str]:
    """Read the texts of a BEIR corpus."""
    with gzip.open(corpus, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [f"{row.get('title', '')}\n\n{row.get('text', '')}" for row in rows]


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
        for row in found[:20]:
            where = f"{name} {row.path} at {row.suspicion.start}"
            print(f"{where}: {row.suspicion.reason} | {' '.join(row.text.split())[:120]}")
        of_thousand = 1_000 * len(found) / max(passages, 1)
        rows.append([name, f"{passages:,}", str(len(found)), f"{of_thousand:.2f}"])
        detail = f"{len(found)} in {passages:,}"
        figures.append(
            Figure(f"false alarms of 1,000 passages, {name}", of_thousand, detail=detail)
        )
    head = ["collection", "passages", "places", "of 1,000 passages"]
    return Report(figures, [table(head, rows)])


def cost(folder: Path, name: str) -> Report:
    """Index a folder with and without the detector, in turn."""
    name_there = "suspicions_of"
    marking = getattr(extraction, name_there)
    ratios: list[float] = []
    for _ in range(ROUNDS):
        with_it = seconds(folder)
        setattr(extraction, name_there, lambda *_: ())
        without = seconds(folder)
        setattr(extraction, name_there, marking)
        ratios.append(with_it / without)
    spread = f"{min(ratios):.3f} to {max(ratios):.3f} in {ROUNDS} rounds"
    ratio = statistics.median(ratios)
    return Report(
        [Figure(f"indexing with the detector over without, {name}", ratio, detail=spread)]
    )


def seconds(folder: Path) -> float:
    """Give the processor time of indexing a folder anew."""
    with tempfile.TemporaryDirectory() as home:
        started = time.process_time()
        Library(Path(home)).index(folder)
        return time.process_time() - started


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


def collections(data: Path, work: Path) -> Iterator[tuple[str, Path]]:
    """Give the folders to index by name: those of the data, made of its corpora, and the demo."""
    for name in ("covidqa", "scifact", "vaswani"):
        if (corpus := data / name / "corpus.jsonl.gz").is_file():
            yield name, written(texts_of(corpus), work / name)
    if (data / "documents").is_dir():
        yield "documents", data / "documents"
    for name in ("handbook", "manual", "council"):
        yield name, DEMO / name


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, help="the folder of the test collections")
    parser.add_argument("--attacks", type=Path, help="a folder of documents that each attack")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folders = dict(collections(options.data, Path(work)))
        report = alarms(folders)
        for name in ("covidqa", "scifact"):
            if name in folders:
                report = report.with_more(cost(folders[name], name))
            else:
                skipped = f"{name}: there is no {options.data / name}"
                report = report.with_more(Report(skipped=[skipped]))
    if options.attacks:
        report = report.with_more(attacks(options.attacks))
    show(report, options.json)


if __name__ == "__main__":
    main()
