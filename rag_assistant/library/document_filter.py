"""Documents by the query language: which there are that hold all words and pass all filters.

Unlike a search this ranks nothing and leaves nothing out: what it gives can be counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_assistant.search.phrases import exactly
from rag_assistant.search.planning import plan_alone
from rag_assistant.search.query_language import parse
from rag_assistant.store.reading import StoreReader
from rag_assistant.text.terms import content_terms, words_in
from rag_assistant.values.search_plan import AllOf, Filter, Phrase, Plan

_ANY_DATE = Filter("after", "0000")
_ALL = 2**31
"""More entries than a database has."""


@dataclass(frozen=True, slots=True)
class FilteredDocuments:
    """The ids of the documents that a query lets through, by id, of `total` that there are.

    `dates` has their dates, ISO 8601, as far as they have text. `words` are those that each holds
    in some form of theirs.
    """

    ids: tuple[int, ...]
    total: int
    dates: dict[int, str]
    words: tuple[str, ...] = ()


def filtered_documents(reader: StoreReader, query: str) -> FilteredDocuments:
    """Give the documents that hold every word and phrase of a query and pass its filters.

    A word counts in any form of its stem, wherever it stands: title, headings or text. An excluded
    word must stand nowhere in the document.
    """
    everything = reader.candidates.let_through([])
    parsed = parse(query)
    plan = plan_alone(reader, query)
    words = tuple(content_terms(parsed.plain).values())
    needed: list[AllOf] = [*plan.required, *(exactly(word) for word in words)]
    needed += [(Phrase(tuple(words_in(one)), begun=True),) for one in parsed.prefixes]
    found = set(reader.candidates.let_through(plan.filters))
    for phrases in needed:
        found.intersection_update(_holding(reader, phrases))
    for phrases in plan.excluded:
        found.difference_update(_holding(reader, phrases))
    dated = reader.candidates.newest(Plan(filters=(*plan.filters, _ANY_DATE)), _ALL)
    dates = {one.entry_id: one.date for one in dated if one.entry_id in found}
    return FilteredDocuments(tuple(sorted(found)), len(everything), dates, words)


def _holding(reader: StoreReader, phrases: AllOf) -> Sequence[int]:
    return reader.candidates.entries_with(phrases, _ALL)
