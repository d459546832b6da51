"""What size of passage shows a model the most evidence, on COVID-QA and the demo folders.

For each size the documents are read and cut as the product does it; each question takes the best
passages of the ranking over all of them until BUDGET characters are read, which is what a search
hands a model. Recall is the share of the reference quotes' words that were read, precision the
share of what was read that is reference quote, as `eval` measures both.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

from rag_assistant.evaluation.measuring.excerpts import measures_of, overlap
from rag_assistant.evaluation.runs.outcomes import Span
from rag_assistant.files.aside import discard_file
from rag_assistant.ingest.extraction import Job, extract
from rag_assistant.ingest.passages import split
from rag_assistant.search.database_search import DatabaseSearch
from rag_assistant.search.together import search_passages_together
from rag_assistant.store.opening import store_at
from rag_assistant.store.reading import StoreReader
from rag_assistant.values.ledger import FileChange, FileRecord
from scripts.benchmarks.shared.figures import Report, table
from scripts.benchmarks.shared.places import (
    CORPORA,
    DEMO,
    FOR_CHOOSING,
    absent,
    demo_lines,
    read_lines,
    unpack,
)

SIZES = ((400, 600), (550, 825), (700, 1050), (850, 1275), (1000, 1500), (1500, 2250))
BUDGET = 8_000

MOST_READ = 40
"""Passages that are looked at for a question."""

Line = Mapping[str, Any]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Alone:
    """The search of one database, on the reader that is open."""

    search: DatabaseSearch

    def ask(self, step: Callable[[DatabaseSearch], Result]) -> list[Result]:
        return [step(self.search)]


@contextmanager
def cut_to(target: int, longest: int) -> Iterator[None]:
    """Let documents be cut to passages of another size than the product's, in this process."""
    kept = split.__kwdefaults__
    split.__kwdefaults__ = {"target": target, "longest": longest}
    try:
        yield
    finally:
        split.__kwdefaults__ = kept


@contextmanager
def index_folder(folder: Path, path: Path) -> Iterator[StoreReader]:
    """Read and index the files of a folder, in this process."""
    store = store_at(path)
    with store.writing() as writer:
        for file in sorted(one for one in folder.rglob("*") if one.is_file()):
            found = extract(folder, Job(str(file.relative_to(folder))), {})
            if found.outcome == "read":
                record = FileRecord(found.path, 0, 0, 0, "", "", "indexed")
                writer.write(FileChange("store", record, None, found.entries))
        writer.commit()
    with store.reading() as reader:
        yield reader


def spans_read(reader: StoreReader, question: str) -> list[Span]:
    """Give the places that a reader of the best passages has read."""
    alone = _Alone(DatabaseSearch(reader, ""))
    read: list[Span] = []
    room = BUDGET
    for hit in search_passages_together(alone, question, MOST_READ).hits:
        (passage,) = reader.passages.around(hit.entry_id, hit.location.start, 0)
        place = passage.location
        if place.end - place.start <= room:
            room -= place.end - place.start
            read.append(Span("", hit.entry_id, place.start, place.end))
    return read


def measure(reader: StoreReader, questions: Sequence[Line]) -> tuple[float, float]:
    """Give mean recall and mean precision over the questions whose quotes are found."""
    ids = {one.key or one.path: one.id for one in reader.entries.names()}
    texts = {number: reader.passages.text(number) for number in ids.values()}
    found: list[Mapping[str, float]] = []
    for question in questions:
        wanted = list(_wanted(question, ids, texts))
        if wanted:
            read = spans_read(reader, question["question"])
            found.append(measures_of(overlap(wanted, read, lambda _, entry: texts[entry])))
    return fmean(one["recall"] for one in found), fmean(one["precision"] for one in found)


def _wanted(question: Line, ids: Mapping[str, int], texts: Mapping[int, str]) -> Iterator[Span]:
    for number, quote in enumerate(question.get("quotes", ())):
        for name in map(str, question["relevant"]):
            entry = ids.get(name)
            starts = question.get("starts")
            start = starts[number] if starts else texts.get(entry or 0, "").find(quote)
            if entry is not None and start >= 0:
                yield Span("", entry, start, start + len(quote))
                break


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let fewer questions be asked."""
    parser.add_argument("--questions", type=int, default=10**9, help="of each part, at most")


def measured(options: argparse.Namespace) -> Report:
    """Make a row for each size."""
    if not (options.data / "covidqa").is_dir():
        return absent(options.data / "covidqa")
    lines = read_lines(options.data / "covidqa" / "questions.jsonl")
    folder = unpack(options.data / "covidqa", options.scratch / "covidqa")
    collections: list[tuple[str, Path, list[Sequence[Line]]]] = [
        ("COVID-QA", folder, [lines[:FOR_CHOOSING], lines[FOR_CHOOSING:]])
    ]
    for name in DEMO:
        asked = demo_lines(name)
        collections.append((name, CORPORA / name, [asked[::2], asked[1::2]]))
    rows = []
    for name, folder, parts in collections:
        for target, longest in SIZES:
            path = options.scratch / f"{name}-{target}.db"
            with cut_to(target, longest), index_folder(folder, path) as reader:
                count = reader.vocabulary.passages()
                values = [v for one in parts for v in measure(reader, one[: options.questions])]
            discard_file(path)
            rows.append(
                [name, f"{target} to {longest}", str(count), *(f"{one:.4f}" for one in values)]
            )
    head = ("recall, choosing", "precision, choosing", "recall, rest", "precision, rest")
    found = table(("", "characters of a passage", "passages", *head), rows)
    return Report(tables=[found])
