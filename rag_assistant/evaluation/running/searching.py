"""Putting a question to search: the ranking of documents that comes back, and what it took."""

import time
from collections.abc import Iterable, Mapping, Sequence

from rag_assistant.errors import LibraryError
from rag_assistant.evaluation.questions.values import Question, document_of
from rag_assistant.evaluation.runs.outcomes import (
    QuestionCost,
    RankedDocument,
    SearchOutcome,
    ShownHit,
)
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.values.documents import Hit
from rag_assistant.values.scope import Wanted

HITS_SHOWN = 10
"""The first hits that are kept as a person sees them."""


def searched(
    library: Library, question: Question, wanted: Sequence[Wanted], depth: int = 100
) -> SearchOutcome:
    """Search for a question, `depth` hits deep. Raises LibraryError when a database is missing."""
    databases = library.databases(wanted)
    started = time.perf_counter()
    found = search_databases(databases, question.text, depth)
    elapsed = (time.perf_counter() - started) * 1000
    if len(found.databases) < len(databases):  # what is left out would look like misses
        raise LibraryError(f"{found.notes[0]}.")
    grades = _grades(found.hits, question)
    return SearchOutcome(
        question.id,
        _ranking(found.hits, question),
        grades,
        QuestionCost(elapsed, first_ms=elapsed if found.hits else None),
        tuple(_shown(hit, question, grades) for hit in found.hits[:HITS_SHOWN]),
    )


def _ranking(hits: Iterable[Hit], question: Question) -> tuple[RankedDocument, ...]:
    """Rank the documents, each where its first hit is: a file may hold several entries."""
    first: dict[str, RankedDocument] = {}
    for hit in hits:
        document = document_of(hit.path, hit.key, question.relevant)
        first.setdefault(document, RankedDocument(document, hit.score))
    return tuple(first.values())


def _grades(hits: Sequence[Hit], question: Question) -> Mapping[str, int]:
    """Judge versions of a document as one, where a hit stands for the others: by the best grade."""
    judged = question.relevant
    grades = dict(judged)
    shown = {document_of(hit.path, hit.key, judged) for hit in hits}
    for hit in hits:
        document = document_of(hit.path, hit.key, judged)
        for version in hit.versions:
            hidden = document_of(version.path, "", judged)
            if version.relation != "newer" and hidden in grades and hidden not in shown:
                grades[document] = max(grades.pop(hidden), grades.get(document, 0))
    return grades


def _shown(hit: Hit, question: Question, grades: Mapping[str, int]) -> ShownHit:
    document = document_of(hit.path, hit.key, question.relevant)
    return ShownHit(
        hit.database,
        hit.entry_id,
        hit.title,
        hit.path,
        hit.location,
        hit.snippet,
        grades.get(document, 0),
        document,
    )
