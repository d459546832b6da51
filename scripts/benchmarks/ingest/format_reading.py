"""What is read of files of each format, against what they say: their words and the order of these,
the cells of their tables, and the processor time that it takes.

The truth is known for three kinds of files: those that are written here, in every format, from
three texts with a table, in five scripts; the mails and plain texts of the demo folders, whose
files are what they say; and short real ones of many programs. What is written here is as simple as
its format allows, and shows what gets lost rather than how good the reading is. The truth of the
real ones began as our own reading, was read through, and compared with the raw XML of those that
have it: it flatters.
The numbers of a list count as words; so does a record's title, which is shown above it. All files
are read once more by the processes of an indexing run, where a crash or a hang would show.
"""

import argparse
import json
import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from email.header import decode_header, make_header
from pathlib import Path, PurePosixPath

from rag_assistant.errors import LoadError
from rag_assistant.ingest.extraction import Job
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.pool import ExtractionPool
from rag_assistant.values.documents import Document
from scripts.benchmarks.ingest.known_files.binary import print_pdf
from scripts.benchmarks.ingest.known_files.formats import KnownFile, known_files
from scripts.benchmarks.ingest.known_files.texts import KnownText, texts
from scripts.benchmarks.ingest.pdf_tables.comparing import Score, score
from scripts.benchmarks.ingest.word_comparing import WordScore, compare_words
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import ROOT

REAL = Path(__file__).with_name("known_files") / "real_texts.json"
_DEMO = ("council", "handbook", "manual")
_PLAIN = frozenset({".md", ".txt"})
_SHOWN_HEADERS = ("From", "To", "Cc", "Date", "Subject")


@dataclass(slots=True)
class FormatScore:
    """What came of the files of a format: how many were tried and read, how well, how fast."""

    tried: int = 0
    read: int = 0
    words: WordScore = field(default_factory=WordScore)
    cells: Score = field(default_factory=Score)
    lost: int = 0
    hung: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, other: "FormatScore") -> None:
        """Add the counts of another one."""
        for name in ("tried", "read", "lost", "hung"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.words.add(other.words)
        self.cells.add(other.cells)
        self.times += other.times


Scores = dict[str, FormatScore]


def printed_pdfs(known: Iterable[KnownText], scratch: Path) -> Iterator[KnownFile]:
    """Give the texts as a browser prints them, if there is one."""
    for text in known:
        target = scratch / f"{text.language}-printed.pdf"
        if print_pdf(text, target):
            yield KnownFile(target.name, target.read_bytes(), text.words, text.tables)


def demo_files(most: int) -> Iterator[KnownFile]:
    """Give the mails and plain texts of the demo folders."""
    for folder in _DEMO:
        for number, path in enumerate(sorted((ROOT / "corpora" / folder).rglob("*"))):
            if number >= most:
                break
            data = path.read_bytes() if path.is_file() else b""
            if path.suffix in _PLAIN:
                yield KnownFile(path.name, data, data.decode())
            elif path.suffix == ".eml":
                yield KnownFile(path.name, data, _mail(data.decode()))


def _mail(written: str) -> str:
    """Give what a mail shows that is written in plain characters alone."""
    head, _, body = written.partition("\n\n")
    shown = [
        str(make_header(decode_header(line)))
        for line in head.split("\n")
        if line.partition(":")[0] in _SHOWN_HEADERS
    ]
    return "\n".join([*shown, body])


def real_files(folder: Path) -> Iterator[KnownFile]:
    """Give the real files whose words are written down."""
    for one in json.loads(REAL.read_text(encoding="utf-8")):
        path = folder / one["file"]
        yield KnownFile(path.name, path.read_bytes(), one["words"])


def measure(files: Iterable[KnownFile], scores: Scores, rounds: int) -> None:
    """Read files, and add what came of them to the scores of their formats; the fastest counts."""
    for file in files:
        whole = scores.setdefault(PurePosixPath(file.name).suffix, FormatScore())
        whole.tried += 1
        loader = loader_for(file.name, file.data)
        if loader is None:
            continue
        taken = []
        try:
            for _ in range(rounds):
                started = time.process_time()
                documents = load(loader, LoadInput(file.name, file.data))
                taken.append(time.process_time() - started)
        except LoadError:
            continue
        whole.read += 1
        whole.times.append(min(taken))
        whole.words.add(compare_words(file.words, "\n".join(map(shown, documents))))
        tables = [one for document in documents for one in document.tables]
        for known in file.tables:
            whole.cells.add(score(known, tables))


def shown(document: Document) -> str:
    """Give the text of a document, below its title where that is not in it."""
    if document.key and document.title and document.title not in document.text:
        return f"{document.title}\n{document.text}"
    return document.text


def watch(files: Iterable[KnownFile], folder: Path, scores: Scores) -> None:
    """Read files as an indexing run does, and count those that cost a process or all their time."""
    folder.mkdir()
    jobs = []
    for number, file in enumerate(files):
        name = f"{number}-{file.name}"
        (folder / name).write_bytes(file.data)
        jobs.append(Job(name, size=len(file.data)))
    with ExtractionPool(folder, 2, {}) as pool:
        for found in pool.extract(iter(jobs)):
            whole = scores[PurePosixPath(found.path).suffix]
            defect = "the reader" in found.reason or "loader failed" in found.reason
            whole.lost += defect
            whole.hung += found.reason.startswith("took ")


HEADS = (
    "format", "tried", "read", "words, precision", "recall", "order",
    "cells, precision", "recall", "values with label and heads",
    "crashes", "hangs", "ms, median", "p95",
)  # fmt: skip


def row_of(name: str, one: FormatScore) -> list[str]:
    """Make a row of the printed table."""
    times = sorted(1000 * taken for taken in one.times)
    words, cells = one.words, one.cells
    shares = (words.precision, words.recall, words.order)
    of_cells = (cells.precision, cells.recall, cells.exact / max(cells.values, 1))
    return [
        name,
        str(one.tried),
        str(one.read),
        *(f"{share:.3f}" for share in shares),
        *(f"{share:.3f}" if cells.tables else "–" for share in of_cells),
        str(one.lost),
        str(one.hung),
        f"{statistics.median(times):.1f}" if times else "–",
        f"{times[int(0.95 * (len(times) - 1) + 0.5)]:.1f}" if times else "–",
    ]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add how often each file is read for its time, and how many of the demo folders."""
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--demo", type=int, default=1000, help="files of each demo folder at most")


def measured(options: argparse.Namespace) -> Report:
    """Measure each kind of files, and all of them by format."""
    known = [*texts()]
    printed = [*printed_pdfs(known, options.scratch)]
    kinds = {
        "written from known texts": [*known_files(known), *printed],
        "of the demo folders": [*demo_files(options.demo)],
    }
    skipped = [] if printed else ["chromium is not on this machine: no page is printed"]
    folder = options.data / "documents"
    if folder.is_dir():
        kinds["real, their words read through"] = [*real_files(folder)]
    else:
        skipped.append(f"there is no {folder}: no real files")
    rows, every, formats = [], FormatScore(), Scores()
    for number, (kind, files) in enumerate(kinds.items()):
        scores: Scores = {}
        measure(files, scores, options.rounds)
        watch(files, options.scratch / str(number), scores)
        whole = FormatScore()
        for suffix, one in scores.items():
            whole.add(one)
            formats.setdefault(suffix, FormatScore()).add(one)
        rows.append(row_of(kind, whole))
        every.add(whole)
    rows += [row_of(suffix, formats[suffix]) for suffix in sorted(formats)]
    return Report(figures_of(every), [table(HEADS, rows)], skipped=skipped)


def figures_of(every: FormatScore) -> list[Figure]:
    """Give the figures of all files."""
    detail = f"{every.tried} files"
    values = max(every.cells.values, 1)
    return [
        Figure("files of all formats: read", every.read / every.tried, detail=detail),
        Figure("files of all formats: precision of words", every.words.precision, goal=">= .98"),
        Figure("files of all formats: recall of words", every.words.recall, goal=">= .99"),
        Figure("files of all formats: words in order", every.words.order, goal=">= .99"),
        Figure("files of all formats: precision of cells", every.cells.precision, goal=">= .98"),
        Figure("files of all formats: recall of cells", every.cells.recall, goal=">= .98"),
        Figure("files of all formats: values with label and heads", every.cells.exact / values),
        Figure("files of all formats: crashes and hangs", every.lost + every.hung, goal="<= 0"),
    ]
