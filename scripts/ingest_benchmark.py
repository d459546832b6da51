"""Measure reading: every document of a folder by format, and PDF text against the bare library.

    .venv/bin/python scripts/ingest_benchmark.py ../shared/data/documents

The first table says what came of the files of each format. The second compares the pages a second
of our two workers with those of two processes that only call pypdfium2, on the same files in one
run; no scanned page is read by tesseract in it.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rag_assistant.ingest.extraction import Extraction, Job
from rag_assistant.ingest.pool import ExtractionPool
from rag_assistant.ingest.walk import FoundFile, walk
from rag_assistant.library.library import Library

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


def table_of_formats(folder: Path) -> None:
    """Index the folder; print a row for each suffix, and each reason on the ledger."""
    with tempfile.TemporaryDirectory() as home:
        library = Library(Path(home))
        started = time.perf_counter()
        report = library.index(folder)
        seconds = time.perf_counter() - started
        database = library.database(report.database)
        searchable = Counter(Path(entry.path).suffix for entry in database.entries())
        reasons = [*report.failed, *report.skipped]
        ledger = Counter(Path(path).suffix for path, _ in reasons)
        lost = Counter(Path(p).suffix for p, why in reasons if "the reader" in why)
        hung = Counter(Path(p).suffix for p, why in reasons if why.startswith("took "))
        problems = library.check(report.database)
    tried = {path.path for path in walk(folder)}
    kinds = sorted({Path(path).suffix for path in tried})
    print(f"{len(tried)} paths in {seconds:.1f} s; the database is {problems or 'whole'}")
    print(f"{'format':<8}{'tried':>6}{'entries':>9}{'ledger':>8}{'crashes':>9}{'hangs':>7}")
    for kind in kinds:
        count = sum(Path(path).suffix == kind for path in tried)
        row = (count, searchable[kind], ledger[kind], lost[kind], hung[kind])
        print(f"{kind:<8}{row[0]:>6}{row[1]:>9}{row[2]:>8}{row[3]:>9}{row[4]:>7}")
    print("reasons on the ledger:")
    for reason, count in Counter(why.split(":")[0][:70] for _, why in reasons).most_common():
        print(f"{count:>6}  {reason}")


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


def compare_pdf(folder: Path) -> None:
    """Print pages a second of both, in turn, and the ratio."""
    named = [f.path for f in walk(folder) if isinstance(f, FoundFile) and f.path.endswith(".pdf")]
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(COPIES):
            for path in named:
                target = Path(scratch) / f"{number}-{Path(path).name}"
                target.write_bytes((folder / path).read_bytes())
        paths = sorted(Path(scratch).iterdir())
        ours: list[float] = []
        bare: list[float] = []
        for _ in range(ROUNDS):
            speed, pages = bare_pages_a_second(paths)
            bare.append(speed)
            ours.append(our_pages_a_second(Path(scratch), [p.name for p in paths], pages))
    ratio = statistics.median(o / b for o, b in zip(ours, bare, strict=True))
    print(f"PDF: {len(paths)} files, {pages} pages")
    print(f"  bare pypdfium2  {statistics.median(bare):7.0f} pages a second")
    print(f"  rag-assistant   {statistics.median(ours):7.0f} pages a second")
    print(f"  ratio           {ratio:7.2f} (goal: at least 0.50)")


def main() -> None:
    """Run both on the folder given."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("../shared/data/documents")
    if not folder.is_dir():
        print(f"skipped: there is no {folder}; give a folder of documents")
        return
    table_of_formats(folder.resolve())
    compare_pdf(folder.resolve())


if __name__ == "__main__":
    main()
