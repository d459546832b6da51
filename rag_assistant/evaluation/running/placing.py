"""Where the quotes of a question stand in the documents as they are indexed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag_assistant.evaluation.measuring.excerpts import find_excerpt
from rag_assistant.evaluation.questions.values import Question, document_id
from rag_assistant.evaluation.runs.outcomes import Span
from rag_assistant.library.contents import names_of
from rag_assistant.library.database import Database
from rag_assistant.library.searching import search_databases

LOOKED_THROUGH = 10
"""Hits of a search for a quote that are looked through, where no document is known to hold it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The places of a question's quotes, and those quotes that stand in none of the documents."""

    spans: tuple[Span, ...]
    missing: tuple[str, ...]


def placed(databases: Sequence[Database], question: Question) -> Placed:
    """Look up the quotes of a question that has an answer.

    A quote counts in each relevant document that holds it, at the place nearest to where
    `question.starts` says it begins. Where no document is said to be relevant, it counts in the
    first that a search for its words finds it in.
    """
    if not question.answerable or not question.quotes:
        return Placed((), ())
    relevant = {name for name, grade in question.relevant.items() if grade > 0}
    known = list(_relevant(databases, relevant)) if relevant else []
    texts = {(base.name, entry_id): base.text(entry_id) for base, entry_id in known}
    starts = question.starts or (0,) * len(question.quotes)
    spans: dict[Span, None] = {}
    missing: list[str] = []
    for quote, near in zip(question.quotes, starts, strict=True):
        found = list(_places(texts, quote, near)) if relevant else _searched(databases, quote, near)
        spans.update(dict.fromkeys(found))
        if not found:
            missing.append(quote)
    return Placed(tuple(spans), tuple(missing))


def _relevant(databases: Sequence[Database], names: set[str]) -> Iterator[tuple[Database, int]]:
    for database in databases:
        for entry in names_of(database):
            if document_id(entry.path) in names or (entry.key and document_id(entry.key) in names):
                yield database, entry.id


def _places(texts: Mapping[tuple[str, int], str], quote: str, near: int) -> Iterator[Span]:
    for (database, entry_id), text in texts.items():
        if place := find_excerpt(text, quote, near):
            yield Span(database, entry_id, *place)


def _searched(databases: Sequence[Database], quote: str, near: int) -> list[Span]:
    by_name = {database.name: database for database in databases}
    found = search_databases(databases, quote, LOOKED_THROUGH, rerank=False, by_meaning=False)
    for hit in found.hits:
        if place := find_excerpt(by_name[hit.database].text(hit.entry_id), quote, near):
            return [Span(hit.database, hit.entry_id, *place)]
    return []
