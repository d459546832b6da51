"""The pool: the entries that a search ranks, by the terms that are stored of them.

An entry takes part with its extract: its title and its best few passages. For short entries that
is the whole text; of long ones it is what bears on the query. No text is cut into words but where
only it can tell: of mails that repeat one another, and where nothing but stop words is asked for.
Values of which a search makes hundreds are named tuples.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import NamedTuple

from rag_assistant.search.keys import Keys, keys_of
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.term_counts import (
    TermCounter,
    counted,
    term_id,
    words_counted,
)
from rag_assistant.text.terms import terms_of_words
from rag_assistant.values.search_plan import Candidate, Plan
from rag_assistant.values.term_records import PassageRecord

Words = Sequence[str]
Terms = Mapping[str, int]


class PassageTerms(NamedTuple):
    """A passage of an extract: `terms` and `heading` count the terms of the query in its text, its
    variants and its heading; `length` counts all words, those of title and heading too.
    """

    terms: Terms
    heading: Terms
    length: int


class Extract(NamedTuple):
    """An entry in the pool: `title` counts the terms of the query in its title.

    `counts` counts all terms of title and texts, by number and without stop words; `length` is the
    number of their words.
    """

    candidate: Candidate
    title_words: Words
    title: Terms
    passages: Sequence[PassageTerms]
    counts: Mapping[int, int]
    length: int

    @property
    def terms(self) -> frozenset[str]:
        """The terms of the query that it holds."""
        held = ((*passage.terms, *passage.heading) for passage in self.passages)
        return frozenset(self.title).union(*held)


@dataclass(frozen=True, slots=True)
class Pool:
    """All extracts of a search, with their keys."""

    plan: Plan
    extracts: Sequence[Extract]
    keys: Keys


def make_pool(plan: Plan, candidates: Sequence[Candidate]) -> Pool:
    """Count the terms of the query in candidates that came with their records."""
    if plan.for_stop_words or any(r.quotes for one in candidates for r in one.records):
        candidates = _with_own_words(plan, candidates)
    wanted = {term_id(term): term for term in plan.weights}
    extracts = [_extract(candidate, wanted) for candidate in candidates]
    return Pool(plan, extracts, keys_of([extract.counts for extract in extracts]))


def _extract(candidate: Candidate, wanted: Mapping[int, str]) -> Extract:
    title_words: Words = ()
    title_ids: Sequence[int] = ()
    if candidate.entry:
        title_words, title_ids = lower_words(candidate.entry.name), candidate.entry.title
    title = _counted(title_ids, wanted)
    passages: list[PassageTerms] = []
    for record in candidate.records:
        # In the order of the terms, since sums of floats depend on it.
        held = record.terms
        terms = {term: held[number] for number, term in wanted.items() if number in held}
        heading = _counted(record.heading, wanted) if record.heading else {}
        length = record.length + record.heading_length + len(title_words)
        passages.append(PassageTerms(terms, heading, length))
    length = len(title_words) + sum([record.length for record in candidate.records])
    counts = _all_counts(candidate.records, title_ids)
    return Extract(candidate, title_words, title, passages, counts, length)


def _all_counts(records: Sequence[PassageRecord], title: Sequence[int]) -> Mapping[int, int]:
    """Count all terms of the passages and of the title."""
    if len(records) == 1:
        counts = dict(records[0].terms)
    else:
        counts = {}
        for record in records:
            for term, count in record.terms.items():
                counts[term] = counts.get(term, 0) + count
    for term in title:
        counts[term] = counts.get(term, 0) + 1
    return counts


def _counted(ids: Iterable[int], wanted: Mapping[int, str]) -> Terms:
    counts: dict[str, int] = {}
    for number in ids:
        if number in wanted:
            counts[wanted[number]] = counts.get(wanted[number], 0) + 1
    return counts


def _with_own_words(plan: Plan, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Count the words of texts anew, without what they repeat of one another, with stop words."""
    from rag_assistant.search.quoted import said_once  # noqa: PLC0415 - few questions come here

    said = said_once(candidates)
    counter = TermCounter(keeps_stop_words=plan.for_stop_words)
    made: list[Candidate] = []
    for candidate, texts in zip(candidates, said, strict=True):
        records: list[PassageRecord] = []
        for record, text in zip(candidate.records, texts, strict=True):
            whole = candidate.texts.get(record.id)
            if text is None or whole is None:
                records.append(record)
                continue
            body, heading = counter.numbered(
                [words_counted(text, whole.variants), lower_words(whole.heading)]
            )
            own = counted(body)
            terms = dict(zip(own.ids, chain(own.counts, repeat(1)), strict=False))
            records.append(record._replace(terms=terms, length=own.length, heading=heading))
        entry = candidate.entry
        if entry:
            (title,) = counter.numbered([lower_words(entry.name)])
            entry = entry._replace(title=title)
        made.append(candidate._replace(records=records, entry=entry))
    return made


def query_terms(words: Collection[str], wanted: Collection[str]) -> dict[str, str]:
    """Map those of the words that stand for a wanted term to it.

    Stemming is what costs, so only words are stemmed that may give one: Porter's stems keep the
    first letter, and the second unless it is a y that becomes an i; folding changes what is not
    ASCII.
    """
    starts = {term[:2] for term in wanted} | {term[:1] + "y" for term in wanted}
    short = tuple(term for term in wanted if len(term) == 1)
    likely = [word for word in words if word[:2] in starts or not word.isascii()]
    if short:
        likely += [word for word in words if word.startswith(short)]
    by_word = terms_of_words(likely)
    return {word: term for word, term in by_word.items() if term in wanted}
