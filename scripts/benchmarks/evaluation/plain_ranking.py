"""What FTS5 finds by itself: the words of a question joined by OR, in the order of its bm25.

The ranking is a TREC run, so that `rag-assistant eval --ranking` judges it as any other.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.evaluation.questions.values import Question, document_of
from rag_assistant.evaluation.runs.outcomes import QuestionCost, RankedDocument, SearchOutcome
from rag_assistant.evaluation.runs.trec_runs import write_run
from rag_assistant.text.terms import content_terms

PASSAGES, DOCUMENTS = 500, 100
"""Passages that are looked at for a question, and documents of its ranking, by their best one."""

_FOUND = (
    "SELECT files.path, entries.key FROM passages_fts"
    " JOIN passages ON passages.id = passages_fts.rowid"
    " JOIN entries ON entries.id = passages.entry_id JOIN files ON files.id = entries.file_id"
    " WHERE passages_fts MATCH ? ORDER BY rank LIMIT ?"
)


def write_plain_ranking(index: Path, questions: Path, run: Path) -> None:
    """Rank the documents of an index for the questions of a file that have an answer."""
    asked = [one for one in read_questions(questions).questions if one.ranks]
    with sqlite3.connect(f"{index.absolute().as_uri()}?mode=ro", uri=True) as connection:
        outcomes = [
            SearchOutcome(one.id, tuple(_ranked(connection, one)), one.relevant, QuestionCost(0))
            for one in asked
        ]
    write_run(run, outcomes, "plain-fts5")


def _ranked(connection: sqlite3.Connection, question: Question) -> Iterator[RankedDocument]:
    match = " OR ".join(f'"{word}"' for word in content_terms(question.text).values())
    rows = connection.execute(_FOUND, (match, PASSAGES)).fetchall()
    found = dict.fromkeys(document_of(path, key, question.relevant) for path, key in rows)
    for rank, document in enumerate(list(found)[:DOCUMENTS]):
        yield RankedDocument(document, 1.0 - rank / DOCUMENTS)
