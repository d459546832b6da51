"""Reading: every document of a folder by format, and PDF text against the bare library.

The first table says what came of the files of each format. The second compares the pages a second
of our two workers with those of two processes that only call pypdfium2, on the same files in one
run; no scanned page is read by tesseract in it.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

from rag_assistant.ingest.extraction import Extraction, Job
from rag_assistant.ingest.pool import ExtractionPool
from rag_assistant.ingest.walk import FoundFile, walk
from rag_assistant.library.library import Library
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.timing import timed

ROUNDS = 5
COPIES = 4
BARE = """
import sys, pypdfium2
pages = 0
for path in sys.argv[1:]:
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        continue
    for page in document:
        page.get_textpage().get_text_range()
        pages += 1
print(pages)
"""


def formats(folder: Path) -> Report:
    """Index the folder; make a row for each suffix, and for each reason on the ledger."""
    with tempfile.TemporaryDirectory() as home:
        library = Library(Path(home))
        report, took = timed(partial(library.index, folder))
        database = library.database(report.database)
        searchable = Counter(Path(entry.path).suffix for entry in database.entries())
        reasons = [*report.failed, *report.skipped]
        ledger = Counter(Path(path).suffix for path, _ in reasons)
        lost = Counter(Path(p).suffix for p, why in reasons if "the reader" in why)
        hung = Counter(Path(p).suffix for p, why in reasons if why.startswith("took "))
        problems = library.check(report.database)
    tried = {path.path for path in walk(folder)}
    rows = []
    for kind in sorted({Path(path).suffix for path in tried}):
        count = sum(Path(path).suffix == kind for path in tried)
        cells = (count, searchable[kind], ledger[kind], lost[kind], hung[kind])
        rows.append([kind or "none", *map(str, cells)])
    why = Counter(why.split(":")[0][:70] for _, why in reasons).most_common()
    tables = [
        table(("format", "tried", "entries", "ledger", "crashes", "hangs"), rows),
        table(("reason on the ledger", "files"), [[reason, str(count)] for reason, count in why]),
    ]
    figures = [
        Figure("documents: crashes and hangs of readers", lost.total() + hung.total()),
        Figure("documents: faults of the database made", len(problems), goal="<= 0"),
        Figure("documents: time to index", took.wall, "s", detail=f"{len(tried)} paths"),
    ]
    return Report(figures, tables)


def bare_pages_a_second(paths: list[Path]) -> tuple[float, int]:
    """Read the PDFs with pypdfium2 alone in two processes."""
    started = time.perf_counter()
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", BARE, *map(str, paths[half::2])],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for half in (0, 1)
    ]
    pages = sum(int(process.communicate()[0]) for process in processes)
    return pages / (time.perf_counter() - started), pages


def our_pages_a_second(folder: Path, files: list[str], pages: int) -> float:
    """Read the same PDFs with two workers."""
    started = time.perf_counter()
    path, os.environ["PATH"] = os.environ["PATH"], ""  # so that no worker finds tesseract
    with ExtractionPool(folder, 2, {}) as pool:
        os.environ["PATH"] = path
        found: list[Extraction] = list(pool.extract(Job(path, size=1) for path in files))
    assert len(found) == len(files)
    return pages / (time.perf_counter() - started)


def compare_pdf(folder: Path, rounds: int) -> Report:
    """Compare the pages a second of both, in turn."""
    named = [f.path for f in walk(folder) if isinstance(f, FoundFile) and f.path.endswith(".pdf")]
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(COPIES):
            for path in named:
                target = Path(scratch) / f"{number}-{Path(path).name}"
                target.write_bytes((folder / path).read_bytes())
        paths = sorted(Path(scratch).iterdir())
        ours: list[float] = []
        bare: list[float] = []
        for _ in range(rounds):
            speed, pages = bare_pages_a_second(paths)
            bare.append(speed)
            ours.append(our_pages_a_second(Path(scratch), [p.name for p in paths], pages))
    ratio = statistics.median(o / b for o, b in zip(ours, bare, strict=True))
    detail = (
        f"{len(paths)} files, {pages} pages; {statistics.median(ours):.0f} pages a second, "
        f"bare {statistics.median(bare):.0f}"
    )
    name = "text of PDF files: pages a second, of bare pypdfium2's"
    return Report([Figure(name, ratio, goal=">= 0.5", detail=detail)])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let another folder be read."""
    parser.add_argument("--folder", type=Path, help="of documents; by default one of --data")
    parser.add_argument("--rounds", type=int, default=ROUNDS)


def measured(options: argparse.Namespace) -> Report:
    """Run both on the folder."""
    folder: Path = (options.folder or options.data / "documents").resolve()
    if not folder.is_dir():
        return Report(skipped=[f"there is no {folder}; give a folder of documents"])
    return formats(folder).with_more(compare_pdf(folder, options.rounds))
