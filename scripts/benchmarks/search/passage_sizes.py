"""What size of passage finds the most evidence, on COVID-QA.

For each size the articles are cut and indexed as the product does it; each question takes the best
passages until BUDGET characters are read. Recall is the share of the reference answer's words that
were read, precision the share of what was read that is reference answer, as `eval` measures both.
"""

import argparse
import sqlite3
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from rag_assistant.evaluation.measuring.excerpts import measures_of, overlap
from rag_assistant.evaluation.runs.outcomes import Span
from rag_assistant.ingest.passages import split
from rag_assistant.search.candidates import FTS_WEIGHTS
from rag_assistant.search.query import plan_query
from rag_assistant.store.sqlite.ledger import FileRecord
from rag_assistant.store.sqlite.schema import create_tables
from rag_assistant.store.sqlite.writer import IndexWriter
from rag_assistant.values.documents import Document, ReadEntry
from scripts.benchmarks.shared.figures import Report, table
from scripts.benchmarks.shared.places import FOR_CHOOSING, absent, read_lines

SIZES = ((400, 600), (700, 1050), (1000, 1500), (1500, 2250), (2500, 3750))
BUDGET = 6_000


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
        connection = index_articles(articles, target, longest)
        count = connection.execute("SELECT count(*) FROM passages").fetchone()[0]
        measured = [value for part in parts for value in measure(connection, texts, part)]
        rows.append([f"{target} to {longest}", str(count), *(f"{value:.4f}" for value in measured)])
    head = ("recall, choosing", "precision, choosing", "recall, rest", "precision, rest")
    found = table(("characters of a passage", "passages", *head), rows)
    return Report(tables=[found])
