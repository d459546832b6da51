"""What speaks for an answer: how the words that it cites stand to the question, and to the rest.

Everything is looked up in the databases that were asked; nothing is taken from what a model says of
itself. Only quotes that were found in their source count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_assistant.library.database import Database
from rag_assistant.library.rarity import Rarity, rarity
from rag_assistant.library.searching import search_passages
from rag_assistant.search.ranking import EntryScore, SearchResult
from rag_assistant.text.nearness import together
from rag_assistant.text.terms import terms_of, variants_of
from rag_assistant.tools.run_cache import RunCache
from rag_assistant.values.documents import Hit, Passage
from rag_assistant.values.evidence import Answer, EvidenceItem

PASSAGE, ABOVE = 0.6, 0.5
"""What a word of the question counts that stands not in the quote, but in its passage, or above it
in the heading, the title or the path."""

HITS, FIFTH = 8, 4
"""Passages and entries of the search by which an answer is judged, and the place whose score is the
usual one."""

LEAST_HITS = 3
"""Entries below which none can stand out from the others; the signal is then not known."""

REWORDED = 0.5
"""What it counts that an answer fits the words a model searched for and not those of the person."""

FEW_WORDS = 3
"""Telling words below which a question ("And in winter?") says too little without the words that a
model made of it: then those count in full."""

MOST_REWORDED = 2

MANY = 8
"""Words of a question that a passage holds, from which more tell no more."""

Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class _Cited:
    """A quote with the terms of its surroundings; those of its passage are in their order."""

    item: EvidenceItem
    quote: frozenset[str]
    passage: Sequence[str]
    above: frozenset[str]

    def share(self, term: str) -> float:
        """Say how much it counts that the quote or its surroundings hold a term."""
        if term in self.quote:
            return 1.0
        return PASSAGE if term in self.passage else ABOVE if term in self.above else 0.0

    def covered(self, asked: Rarity) -> float:
        """Give the share of what is asked, by rarity, that the quote and its surroundings hold."""
        held = sum(weight * self.share(term) for term, weight in asked.weights.items())
        return held / asked.total if asked.total else 0.0

    def many(self, asked: Rarity) -> float:
        """Tell how many of the words that are asked the passage, or what is above it, holds."""
        return min(1.0, sum(self.share(term) > 0 for term in asked.weights) / MANY)


@dataclass(frozen=True, slots=True)
class Looked:
    """The signals of an answer by name, each from 0 to 1, and what a search for the question finds.

    `unknown` are words of the question that no document has.
    """

    values: Values
    hits: tuple[Hit, ...]
    unknown: tuple[str, ...]


def look(
    answer: Answer, databases: Sequence[Database], run_cache: RunCache, *, closely: bool = False
) -> Looked:
    """Look up what speaks for an answer, but for what is in the cache of its run.

    `closely` reads what the best hits hold as well, cited or not; see `_best_found`. Raises
    RagError where a database cannot be read.
    """
    items = [citation.item for citation in answer.citations if citation.item.verified]
    cited = list(_cited(items, databases))
    asked = rarity(databases, answer.question)
    result = _found(databases, answer.question, run_cache)
    unknown = tuple(word for term, word in asked.words.items() if term not in asked.known)
    values = _fit(asked, cited, result.entries[:HITS])
    if closely:
        values |= _best_found(asked, result, databases)
    share = 1.0 if len(asked.words) < FEW_WORDS else REWORDED
    for words in _reworded(answer):
        weights, found = rarity(databases, words), _found(databases, words, run_cache)
        other = _fit(weights, cited, found.entries[:HITS])
        if closely:
            other |= _best_found(weights, found, databases)
        for name in values.keys() & other.keys():
            blended = (1 - share) * values[name] + share * other[name]
            values[name] = max(values[name], blended)
    return Looked(values, result.hits, unknown)


def _cited(items: Sequence[EvidenceItem], databases: Sequence[Database]) -> Iterator[_Cited]:
    """Read the passages that quotes stand in; one of a database not asked now stands for itself."""
    passages: dict[EvidenceItem, Passage | None] = {}
    for database in databases:
        here = [item for item in items if item.database == database.name]
        at = [(item.entry_id, item.location.start) for item in here]
        passages |= zip(here, database.passages_at(at), strict=True) if at else ()
    for item in items:
        passage = passages.get(item)
        text = passage.text if passage else item.quote
        above = f"{item.location.heading or ''} {item.title} {item.path}"
        yield _Cited(item, _held(item.quote), _in_order(text), _held(above))


def _held(text: str) -> frozenset[str]:
    return frozenset(_in_order(text))


def _in_order(text: str) -> list[str]:
    """Give the terms of a text; those of scripts without spaces follow as segments."""
    return terms_of(f"{text} {variants_of(text)}")


def _found(databases: Sequence[Database], words: str, run_cache: RunCache) -> SearchResult:
    """Give what a search of all databases finds: the run's, where no model ranked its passages."""
    names = [database.name for database in databases]
    made = run_cache.search(names, words, HITS)
    if made and not any(database.reranker for database in databases):
        return made
    return search_passages(databases, words, HITS, rerank=False)


def _reworded(answer: Answer) -> list[str]:
    """Give what a model searched for or asked of the entries that it cites, in words of its own."""
    cited = {(one.item.database, one.item.entry_id) for one in answer.citations}
    asked = [
        found.query
        for found in answer.evidence
        if any((item.database, item.entry_id) in cited for item in found.items)
    ]
    others = [words for words in dict.fromkeys(asked) if words.strip() != answer.question.strip()]
    return others[:MOST_REWORDED]


def _fit(asked: Rarity, cited: Sequence[_Cited], entries: Sequence[EntryScore]) -> Values:
    """Say how what is cited fits some words, and which entries a search for them found."""
    ranks = [
        rank
        for rank, entry in enumerate(entries, 1)
        if any(_is_of(entry, one.item) for one in cited)
    ]
    values = {
        "words": max((one.covered(asked) for one in cited), default=0.0),
        "together": max((together(asked.weights, one.passage) for one in cited), default=0.0),
        "rank": 1 / ranks[0] if ranks else 0.0,
        "many": max((one.many(asked) for one in cited), default=0.0),
    }
    if len(entries) >= LEAST_HITS:
        values["margin"] = _margin(entries)
        values["lead"] = _lead(entries)
    return values


def _best_found(asked: Rarity, result: SearchResult, databases: Sequence[Database]) -> Values:
    """Say how much of some words the best of the passages found holds, cited or not.

    Where the documents do not hold the answer, none of them holds much, or holds it side by side.
    """
    if not asked.total:
        return {}
    values = {"found": 0.0, "found_together": 0.0}
    for database in databases:
        here = [hit for hit in result.hits if hit.database == database.name]
        passages = database.passages_at([(hit.entry_id, hit.location.start) for hit in here])
        for hit, passage in zip(here, passages, strict=True):
            terms = _in_order(passage.text if passage else hit.snippet)
            held = _held(f"{hit.location.heading or ''} {hit.title}").union(terms)
            weight = sum(asked.weights[term] for term in asked.weights.keys() & held)
            values["found"] = max(values["found"], weight / asked.total)
            near = together(asked.weights, terms)
            values["found_together"] = max(values["found_together"], near)
    return values


def _is_of(entry: EntryScore, item: EvidenceItem) -> bool:
    ids = (entry.entry_id, *entry.duplicates)
    return entry.database == item.database and item.entry_id in ids


def _margin(entries: Sequence[EntryScore]) -> float:
    """Say by what part of its score the first stands out from the fifth, or from the last one."""
    best, usual = entries[0].score, entries[min(FIFTH, len(entries) - 1)].score
    return max(0.0, best - usual) / best if best > 0 else 0.0


def _lead(entries: Sequence[EntryScore]) -> float:
    """Say by what part of its score the first stands out from the second."""
    best = entries[0].score
    return max(0.0, best - entries[1].score) / best if best > 0 else 0.0
