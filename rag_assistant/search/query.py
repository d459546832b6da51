"""What a person typed, made into a legal FTS5 query. No text whatever is a syntax error.

Words are joined by OR, so that a question finds passages that hold only some of its words; words
too common to tell anything are left out, and very long texts are searched by their rarest words.
"""

import sqlite3
import unicodedata
from dataclasses import dataclass
from math import log1p

from rag_assistant.terms import content_terms

MOST_TERMS = 64
"""Distinct terms that one query looks up. Each costs a pass over its postings."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query ready to run.

    `weights` holds each term with its inverse document frequency among the passages; `match` is
    the FTS5 expression, empty when the text has no word at all. `notes` say what was left out.
    """

    text: str
    match: str
    weights: dict[str, float]
    notes: tuple[str, ...] = ()


def plan_query(connection: sqlite3.Connection, text: str) -> Query:
    """Make a query of any text, weighing its words by the rarity they have in this index."""
    # Composed, because a letter and its loose accent are one letter to FTS5 and two to a pattern.
    chosen = content_terms(unicodedata.normalize("NFC", text))
    frequencies = _document_frequencies(connection, list(chosen))
    total = _passage_count(connection)
    weights = {term: _idf(frequencies.get(term, 0), total) for term in chosen}
    notes: tuple[str, ...] = ()
    if len(weights) > MOST_TERMS:
        notes = (f"searched for the {MOST_TERMS} rarest of {len(weights)} different words",)
        present = sorted(weights, key=lambda term: (term not in frequencies, -weights[term]))
        kept = set(present[:MOST_TERMS])
        weights = {term: weight for term, weight in weights.items() if term in kept}
    match = " OR ".join(f'"{chosen[term]}"' for term in weights)
    return Query(text, match, weights, notes)


def _document_frequencies(connection: sqlite3.Connection, terms: list[str]) -> dict[str, int]:
    """Count the passages that hold each term; terms that none holds are absent."""
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary"
        " USING fts5vocab('main', 'passages_fts', 'row')"
    )
    found: dict[str, int] = {}
    for term in terms:
        row = connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
        if row:
            found[term] = row[0]
    return found


def _passage_count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM passages").fetchone()[0])


def _idf(frequency: int, total: int) -> float:
    """The inverse document frequency of Robertson and Sparck Jones, kept above zero as in Lucene.

    ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N passages.
    """
    return log1p((total - frequency + 0.5) / (frequency + 0.5))
