"""Documents by the query language: which there are that hold all words and pass all filters.

Unlike a search this ranks nothing and leaves nothing out: what it gives can be counted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_assistant.search.phrases import exactly
from rag_assistant.search.planning import plan_alone
from rag_assistant.search.query_language import parse
from rag_assistant.store.reading import StoreReader
from rag_assistant.text.terms import content_terms, words_in
from rag_assistant.text.version_names import document_date
from rag_assistant.values.documents import Entry
from rag_assistant.values.search_plan import AllOf, Filter, Phrase

_ALL = 2**31
"""More entries than a database has."""


@dataclass(frozen=True, slots=True)
class DatedEntry:
    """An entry with the day that it is of, ISO 8601, to the day at most; "" where none is known."""

    entry: Entry
    date: str


@dataclass(frozen=True, slots=True)
class FilteredDocuments:
    """The documents that a query lets through, by path, of `total` that there are.

    `words` are those that each holds in some form of theirs.
    """

    documents: tuple[DatedEntry, ...]
    total: int
    words: tuple[str, ...] = ()


def filtered_documents(reader: StoreReader, query: str) -> FilteredDocuments:
    """Give the documents that hold every word and phrase of a query and pass its filters.

    A word counts in any form of its stem, wherever it stands: title, headings or text. An excluded
    word must stand nowhere in the document. The day of a document is that in its name, else its
    own, else its file's.
    """
    everything = reader.entries.all()
    plan = plan_alone(reader, query)
    parsed = parse(query)
    words = tuple(content_terms(parsed.plain).values())
    needed: list[AllOf] = [*plan.required, *(exactly(word) for word in words)]
    needed += [(Phrase(tuple(words_in(one)), begun=True),) for one in parsed.prefixes]
    by_date = [one for one in plan.filters if one.name in ("after", "before")]
    others = [one for one in plan.filters if one not in by_date]
    found = set(reader.candidates.let_through(others))
    for phrases in needed:
        found.intersection_update(_holding(reader, phrases))
    for phrases in plan.excluded:
        found.difference_update(_holding(reader, phrases))
    dated = (DatedEntry(one, _date_of(one)) for one in everything if one.id in found)
    return FilteredDocuments(
        tuple(one for one in dated if _is_within(one.date, by_date)), len(everything), words
    )


def _date_of(entry: Entry) -> str:
    return document_date(entry.path, entry.metadata, entry.changed)[0]


def _is_within(date: str, filters: Iterable[Filter]) -> bool:
    """Whether a day passes conditions on it: `after` includes the day, `before` does not."""
    for one in filters:
        passes = date >= one.value if one.name == "after" else "" < date < one.value
        if passes == one.negated:
            return False
    return True


def _holding(reader: StoreReader, phrases: AllOf) -> Sequence[int]:
    return reader.candidates.entries_with(phrases, _ALL)
