"""Measure what size of passage finds the most evidence, on COVID-QA:

    .venv/bin/python scripts/passage_sizes.py ../shared/data/covidqa

For each size the articles are cut and indexed as the product does it; each question takes the best
passages until BUDGET characters are read. Recall is the share of the reference answer's words that
were read, precision the share of what was read that is reference answer, as `eval` measures both.
The first 700 questions are for choosing, the rest for reporting.
"""

import argparse
import gzip
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from figures import Report, show, table

from rag_assistant.documents import Document, ReadEntry
from rag_assistant.evaluation.measuring.excerpts import measures_of, overlap
from rag_assistant.evaluation.runs.outcomes import Span
from rag_assistant.index.ledger import FileRecord
from rag_assistant.index.schema import create_tables
from rag_assistant.index.writer import IndexWriter
from rag_assistant.ingest.passages import split
from rag_assistant.search.candidates import FTS_WEIGHTS
from rag_assistant.search.query import plan_query

SIZES = ((400, 600), (700, 1050), (1000, 1500), (1500, 2250), (2500, 3750))
BUDGET = 6_000
FOR_CHOOSING = 700


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines, compressed or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def index_articles(articles: list[dict[str, Any]], target: int, longest: int) -> sqlite3.Connection:
    """Cut and index the articles in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    create_tables(connection)
    writer = IndexWriter(connection)
    for article in articles:
        document = Document(article["text"], "text/plain", article.get("title", ""))
        rows = tuple(
            (p.location.start, p.location.end, None, None, p.location.heading, p.text)
            for p in split(document, target=target, longest=longest)
        )
        entry = ReadEntry(document.title, "", "text/plain", {}, None, len(document.text), "", rows)
        record = FileRecord(str(article["_id"]), 0, 0, 0, "", "", "indexed")
        writer.store(record, None, [entry])
    writer.commit()
    return connection


def spans_read(connection: sqlite3.Connection, question: str) -> list[Span]:
    """Give the places that a reader of the best passages has read."""
    query = plan_query(connection, question)
    rows = connection.execute(
        'SELECT entry_id, passages.start, passages."end" FROM passages_fts'
        " JOIN passages ON passages.id = passages_fts.rowid"
        " WHERE passages_fts MATCH ? ORDER BY bm25(passages_fts, ?, ?, ?, ?) LIMIT 40",
        (query.match, *FTS_WEIGHTS),
    ).fetchall()
    read: list[Span] = []
    room = BUDGET
    for entry, start, end in rows:
        if end - start > room:
            break
        room -= end - start
        read.append(Span("", entry, start, end))
    return read


def measure(
    connection: sqlite3.Connection, articles: Mapping[str, str], questions: list[dict[str, Any]]
) -> tuple[float, float]:
    """Give mean recall and mean precision over the questions; `articles` are texts by id."""
    rows = connection.execute(
        "SELECT entries.id, files.path FROM entries JOIN files ON files.id = file_id"
    ).fetchall()
    names = dict(rows)
    entries = {name: entry for entry, name in rows}
    found: list[Mapping[str, float]] = []
    for question in questions:
        start, quote = question["starts"][0], question["quotes"][0]
        wanted = Span("", entries[str(question["relevant"][0])], start, start + len(quote))
        read = spans_read(connection, question["question"])
        compared = overlap([wanted], read, lambda _, entry: articles[names[entry]])
        found.append(measures_of(compared))
    return fmean(one["recall"] for one in found), fmean(one["precision"] for one in found)


def main() -> None:
    """Make a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("../shared/data/covidqa"))
    parser.add_argument("--questions", type=int, default=10**9, help="of each part, at most")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder: Path = options.folder
    if not folder.is_dir():
        show(Report(skipped=[f"there is no {folder}; give the collection's folder"]), options.json)
        return
    articles = read_lines(folder / "corpus.jsonl.gz")
    texts = {str(article["_id"]): article["text"] for article in articles}
    questions = read_lines(folder / "questions.jsonl")
    parts = [
        part[: options.questions] for part in (questions[:FOR_CHOOSING], questions[FOR_CHOOSING:])
    ]
    rows = []
    for target, longest in SIZES:
        connection = index_articles(articles, target, longest)
        count = connection.execute("SELECT count(*) FROM passages").fetchone()[0]
        measured = [value for part in parts for value in measure(connection, texts, part)]
        rows.append([f"{target} to {longest}", str(count), *(f"{value:.4f}" for value in measured)])
    head = ("recall, choosing", "precision, choosing", "recall, rest", "precision, rest")
    found = table(("characters of a passage", "passages", *head), rows)
    show(Report(tables=[found]), options.json)


if __name__ == "__main__":
    main()
