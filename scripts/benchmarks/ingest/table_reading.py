"""Tables of files against what they say: of PDF, those that several makers drew from known content,
and some of real reports; of other formats, files written from known content. The truth of the
reports began as our own reading and was corrected by eye on rendered pages: their figures flatter.

The detectors were tuned on one drawing of the contents by all makers and on thirteen tables of
reports; what is "kept aside" are other contents by the same makers, and five tables of reports of
the same authors, which nothing was tuned on. White space and currency signs do not count. Speed is
in processor time beside bare pypdfium2, of each file the fastest of several rounds.
"""

import argparse
import json
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import pypdfium2

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.pdf import load
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.values.documents import Document
from rag_assistant.values.tables import DocumentTable
from scripts.benchmarks.ingest.document_tables import by_format, in_first_passage
from scripts.benchmarks.ingest.pdf_tables.comparing import Score, score
from scripts.benchmarks.ingest.pdf_tables.contents import KINDS, PROSE, Known
from scripts.benchmarks.ingest.pdf_tables.makers import absent, all_known
from scripts.benchmarks.ingest.pdf_tables.operators import pages_of, prose_page
from scripts.benchmarks.shared.figures import Figure, Report, table

REAL = Path(__file__).with_name("pdf_tables") / "real_tables.json"
PROSE_PAGES = 200
_MOST = 10**8
_FRESH = 7_000
_GOALS = {"ruled": (0.95, 0.92), "numbers": (0.93, 0.90), "text": (0.85, 0.80)}

Scores = dict[tuple[str, bool], Score]
"""By kind, and whether it was kept aside."""


def read(path: Path) -> Document:
    """Read a PDF file."""
    return load(LoadInput(path.name, path.read_bytes(), {}, _MOST))[0]


def measure_made(scratch: Path, scores: Scores, rows: list[list[str]], *, kept: bool) -> None:
    """Let each maker draw its tables, and compare the reading of each."""
    for maker, (known, make) in all_known(_FRESH if kept else 0).items():
        target = scratch / f"{maker}-{kept}.pdf"
        make(known, target)
        document = read(target)
        starts = [document.text.index(f"{number + 1}. chapter:") for number in range(len(known))]
        found = defaultdict(list)
        for one in document.tables:
            found[bisect_right(starts, one.start) - 1].append(one)
        whole = Score()
        for number, one_known in enumerate(known):
            result = score(one_known, found[number])
            whole.add(result)
            add(scores, one_known.kind, result, kept=kept)
        rows.append(row_of(f"{maker}, {'kept aside' if kept else 'tuned on'}", whole))


def measure_real(folder: Path, scores: Scores, rows: list[list[str]]) -> None:
    """Compare the tables of real reports whose truth is written down."""
    read_before: dict[str, Document] = {}
    whole = {False: Score(), True: Score()}
    for truth in json.loads(REAL.read_text(encoding="utf-8")):
        name = truth["file"]
        if name not in read_before:
            read_before[name] = read(folder / name)
        known = Known(
            f"{name} {truth['pages']} {truth['rows'][0][0]}",
            truth["kind"],
            "real",
            tuple(tuple((words, span) for words, span in row) for row in truth["heads"]),
            tuple(tuple(row) for row in truth["rows"]),
        )
        tables = on_pages(read_before[name], truth["pages"])
        if not truth.get("whole_page") and len(truth["pages"]) == 1 and len(tables) > 1:
            tables = [max(tables, key=lambda one: score(known, [one]).same)]
        result = score(known, tables)
        kept = truth.get("aside", False)
        whole[kept].add(result)
        add(scores, known.kind, result, kept=kept)
    rows.append(row_of("real reports, tuned on", whole[False]))
    rows.append(row_of("real reports, kept aside", whole[True]))


def on_pages(document: Document, pages: Sequence[int]) -> list[DocumentTable]:
    """Give the tables that begin on some pages."""
    starts = [page.start for page in document.pages]
    return [one for one in document.tables if bisect_right(starts, one.start) in pages]


def add(scores: Scores, kind: str, result: Score, *, kept: bool) -> None:
    """Add the result of a table to those of its kind."""
    scores.setdefault((kind, kept), Score()).add(result)


def row_of(name: str, result: Score) -> list[str]:
    """Make a row of the printed table."""
    values = max(result.values, 1)
    shares = (result.precision, result.recall, result.exact / values, result.wrong / values)
    return [name, str(result.tables), str(result.known), *(f"{share:.3f}" for share in shares)]


def prose_tables(scratch: Path) -> int:
    """Count the tables that are found in pages of prose."""
    words = " ".join(PROSE).split()
    pages = []
    for number in range(PROSE_PAGES):
        wide = 9 + number % 7
        turned = words[number % len(words) :] + words[: number % len(words)]
        texts = [" ".join(turned[at : at + wide]) for at in range(0, len(turned), wide)]
        pages.append(prose_page(texts * 3, 9 + number % 3))
    target = scratch / "prose.pdf"
    target.write_bytes(pages_of(pages))
    return len(read(target).tables)


def speed(paths: Iterable[Path], rounds: int) -> float:
    """Give the pages a second of processor of our reading, over those of bare pypdfium2.

    Of several rounds, in which both take turns, the fastest counts, for each file: other programs
    slow the others.
    """
    bare = ours = 0.0
    for path in paths:
        times = [(taken(partial(bare_text, path)), taken(partial(read, path)))
                 for _ in range(rounds)]  # fmt: skip
        bare += min(one for one, _ in times)
        ours += min(one for _, one in times)
    return bare / ours


def bare_text(path: Path) -> None:
    """Read the text of a file and no more."""
    for page in pypdfium2.PdfDocument(path):
        page.get_textpage().get_text_range()


def taken(work: Callable[[], object]) -> float:
    """Give the processor time that work takes, in seconds."""
    started = time.process_time()
    work()
    return time.process_time() - started


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add how often the speed is measured."""
    parser.add_argument("--rounds", type=int, default=7)


def measured(options: argparse.Namespace) -> Report:
    """Measure on what makers and collections are here."""
    scores: Scores = {}
    rows: list[list[str]] = []
    skipped = [f"maker {name} is not on this machine" for name in absent()]
    for kept in (False, True):
        measure_made(options.scratch, scores, rows, kept=kept)
    folder = options.data / "documents" / "pdf"
    figures = [
        Figure("prose: tables found in 200 pages", prose_tables(options.scratch), goal="<= 2")
    ]
    if folder.exists():
        measure_real(folder, scores, rows)
        figures += speeds(folder, options.rounds)
    else:
        skipped.append(f"{folder} is not there")
    for kind in KINDS:
        for kept in (False, True):
            figures += figures_of(kind, kept, scores.get((kind, kept), Score()))
    every = Score()
    for (_, kept), result in scores.items():
        if kept:
            every.add(result)
    figures += of_documents(options.scratch, rows)
    values = max(every.values, 1)
    figures.append(
        Figure("kept aside: values with exact label and heads", every.exact / values, goal=">= .90")
    )
    figures.append(
        Figure("kept aside: values with wrong heads", every.wrong / values, goal="<= .01")
    )
    heads = ("made by", "tables", "cells", "precision", "recall", "exact values", "wrong heads")
    return Report(figures, [table(heads, rows)], skipped=skipped)


def of_documents(scratch: Path, rows: list[list[str]]) -> list[Figure]:
    """Measure the tables of other formats, and how often a search finds a value's row first."""
    rows.extend(row_of(f"files of .{suffix}", result) for suffix, result in by_format())
    figures = []
    for numbered, (found, sought) in in_first_passage(scratch).items():
        labels = "numbers" if numbered else "words"
        name = f"web pages: the row of a value is in the first passage, by labels of {labels}"
        figures.append(Figure(name, found / sought, detail=f"{sought} values, by row and heads"))
    return figures


def figures_of(kind: str, kept: bool, result: Score) -> list[Figure]:
    """Give the figures of a kind; those that nothing was tuned on have the goals."""
    precision, recall = _GOALS[kind]
    which = "kept aside" if kept else "tuned on"
    detail = f"{result.tables} tables, {result.known} cells"
    return [
        Figure(
            f"{which}, {kind}: precision of cells",
            result.precision,
            goal=f">= {precision}" if kept else "",
            detail=detail,
        ),
        Figure(
            f"{which}, {kind}: recall of cells", result.recall, goal=f">= {recall}" if kept else ""
        ),
    ]


def speeds(folder: Path, rounds: int) -> list[Figure]:
    """Compare the speed on files with tables and on files without any."""
    with_tables: list[Path] = []
    without: list[Path] = []
    for path in sorted(folder.glob("*.pdf")):
        try:
            (with_tables if read(path).tables else without).append(path)
        except LoadError:
            continue
    return [
        Figure(
            "files without tables: pages a second, of bare pypdfium2's",
            speed(without, rounds),
            goal=">= .45",
            detail=f"{len(without)} files",
        ),
        Figure(
            "files with tables: pages a second, of bare pypdfium2's",
            speed(with_tables, rounds),
            goal=">= .2",
            detail=f"{len(with_tables)} files",
        ),
    ]
