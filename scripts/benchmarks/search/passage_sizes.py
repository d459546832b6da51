"""What size of passage finds the most evidence, on COVID-QA.

For each size the articles are cut and indexed as the product does it; each question takes the best
passages until BUDGET characters are read. Recall is the share of the reference answer's words that
were read, precision the share of what was read that is reference answer, as `eval` measures both.
"""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any

from rag_assistant.evaluation.measuring.excerpts import measures_of, overlap
from rag_assistant.evaluation.runs.outcomes import Span
from rag_assistant.files.aside import discard_file
from rag_assistant.ingest.passages import split
from rag_assistant.search.planning import plan_alone
from rag_assistant.store.opening import store_at
from rag_assistant.store.reading import StoreReader
from rag_assistant.values.documents import Document, ReadEntry
from rag_assistant.values.ledger import FileChange, FileRecord
from scripts.benchmarks.shared.figures import Report, table
from scripts.benchmarks.shared.places import FOR_CHOOSING, absent, read_lines

SIZES = ((400, 600), (700, 1050), (1000, 1500), (1500, 2250), (2500, 3750))
BUDGET = 6_000


MOST_READ = 40
"""Passages that are looked at for a question."""


@contextmanager
def index_articles(
    articles: list[dict[str, Any]], target: int, longest: int, path: Path
) -> Iterator[StoreReader]:
    """Cut and index the articles."""
    store = store_at(path)
    with store.writing() as writer:
        for article in articles:
            document = Document(article["text"], "text/plain", article.get("title", ""))
            rows = tuple(
                (
                    p.location.start,
                    p.location.end,
                    None,
                    None,
                    p.location.heading,
                    p.text,
                    p.sections,
                )
                for p in split(document, target=target, longest=longest)
            )
            size = len(document.text)
            entry = ReadEntry(document.title, "", "text/plain", {}, None, size, "", rows)
            record = FileRecord(str(article["_id"]), 0, 0, 0, "", "", "indexed")
            writer.write(FileChange("store", record, None, [entry]))
        writer.commit()
    with store.reading() as reader:
        yield reader


def spans_read(reader: StoreReader, question: str) -> list[Span]:
    """Give the places that a reader of the best passages has read."""
    found = reader.candidates.best(plan_alone(reader, question), MOST_READ)
    scored = [
        (score, passage)
        for one in found
        for passage, score in zip(one.passages, one.scores, strict=True)
    ]
    best = [passage for _, passage in sorted(scored, key=lambda pair: -pair[0])[:MOST_READ]]
    sources = reader.passages.sources(best)
    read: list[Span] = []
    room = BUDGET
    for source in (sources[passage] for passage in best):
        place = source.passage.location
        if place.end - place.start > room:
            break
        room -= place.end - place.start
        read.append(Span("", source.entry_id, place.start, place.end))
    return read


def measure(
    reader: StoreReader, articles: Mapping[str, str], questions: list[dict[str, Any]]
) -> tuple[float, float]:
    """Give mean recall and mean precision over the questions; `articles` are texts by id."""
    names = {one.id: one.path for one in reader.entries.names()}
    entries = {name: entry for entry, name in names.items()}
    found: list[Mapping[str, float]] = []
    for question in questions:
        start, quote = question["starts"][0], question["quotes"][0]
        wanted = Span("", entries[str(question["relevant"][0])], start, start + len(quote))
        read = spans_read(reader, question["question"])
        compared = overlap([wanted], read, lambda _, entry: articles[names[entry]])
        found.append(measures_of(compared))
    return fmean(one["recall"] for one in found), fmean(one["precision"] for one in found)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let fewer questions be asked."""
    parser.add_argument("--questions", type=int, default=10**9, help="of each part, at most")


def measured(options: argparse.Namespace) -> Report:
    """Make a row for each size."""
    folder = options.data / "covidqa"
    if not folder.is_dir():
        return absent(folder)
    articles = read_lines(folder / "corpus.jsonl.gz")
    texts = {str(article["_id"]): article["text"] for article in articles}
    questions = read_lines(folder / "questions.jsonl")
    parts = [
        part[: options.questions] for part in (questions[:FOR_CHOOSING], questions[FOR_CHOOSING:])
    ]
    rows = []
    for target, longest in SIZES:
        path = options.work / f"passages-{target}.db"
        discard_file(path)
        with index_articles(articles, target, longest, path) as reader:
            count = reader.vocabulary.passages()
            measured = [value for part in parts for value in measure(reader, texts, part)]
        discard_file(path)
        rows.append([f"{target} to {longest}", str(count), *(f"{value:.4f}" for value in measured)])
    head = ("recall, choosing", "precision, choosing", "recall, rest", "precision, rest")
    found = table(("characters of a passage", "passages", *head), rows)
    return Report(tables=[found])
