"""The plan of a search in one database: what its candidates must hold, and what finds them.

Words are alternatives, so that a question finds passages that hold only some of them. Only the
rarest words find the candidates, as far as a budget of postings goes; all words rank them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf, isqrt

from rag_assistant.search.counts import count
from rag_assistant.search.phrases import exactly, first_words
from rag_assistant.search.query_terms import QueryTerms, read_query
from rag_assistant.search.spelling import correction
from rag_assistant.search.weights import (
    MOST_COMPLETIONS,
    TermWeights,
    unknown_words,
    weigh,
    with_corrections,
)
from rag_assistant.store.reading import StoreReader
from rag_assistant.store.searching import Candidates
from rag_assistant.text.terms import STOP_WORDS, is_unspaced, terms_by_word, words_in
from rag_assistant.values.search_plan import AllOf, Counts, Filter, Phrase, Plan

MOST_COMPOUNDS = 16
"""Compounds of a query that are looked up whole."""


MOST_EXACT = 64
"""Words of all exact phrases, demanded and excluded. Each costs 1 ms of 100,000 passages if all
hold it."""

EXACT_CUT = f"of the exact phrases only the first {MOST_EXACT} words were looked for"
"""What is said where there are more."""


def posting_budget(passages: int, *, typing: bool = False) -> int:
    """Give how many postings may be read for candidates: some .08 of 100,000 passages, .025 of 1M.

    A share of .2 to .4 left the ranking of small collections as it was. It falls as the square root
    of the size, so that a hundred times the passages take ten times as long. While a person is
    `typing`, half of them must do.
    """
    return max(5_000, (12 if typing else 25) * isqrt(passages))


def plan_alone(reader: StoreReader, text: str, *, typing: bool = False) -> Plan:
    """Plan for any text in one database, by the rarity that its words have there.

    While a person is `typing`, the last word may be the beginning of one, and nothing is corrected.
    """
    query = read_query(text, typing=typing)
    own = count(reader.vocabulary, query)
    weights = weigh(query, own)
    unknown = unknown_words(query, weights, own)
    found = {word: right for word in unknown if (right := correction(reader.vocabulary, word))}
    weights = with_corrections(weights, found, own.passages)
    corrected = {right.term: right.passages for right in found.values()}
    own = replace(own, frequencies={**corrected, **own.frequencies})
    return make_plan(reader.candidates, query, weights, own)


def make_plan(
    candidates: Candidates,
    query: QueryTerms,
    weights: TermWeights,
    own: Counts,
    *,
    share: float = 1.0,
) -> Plan:
    """Plan for a database, which chooses its candidates by its `own` counts.

    It may read a `share` of the postings that one alone may.
    """
    phrases = _demanded(query.parsed.phrases)
    unwanted = list(dict.fromkeys(map(exactly, query.parsed.excluded)))
    whole = [*phrases.values(), *unwanted]
    exact = first_words(whole, MOST_EXACT)
    cut = (EXACT_CUT,) if exact != whole else ()
    excluded = [one for one in exact[len(phrases) :] if one]
    phrases = {text: one for text, one in zip(phrases, exact, strict=False) if one}
    missing = [phrase for phrase, needed in phrases.items() if not candidates.hold(needed)]
    titles, others = _titles(query.parsed.filters)
    required = [*phrases.values(), *((title,) for title, negated in titles if not negated)]
    return Plan(
        tuple(_alternatives(query, weights, own, needs_none=bool(required), share=share)),
        tuple(required),
        tuple(dict.fromkeys([*excluded, *((title,) for title, negated in titles if negated)])),
        others,
        weights.by_term,
        tuple(tuple(_terms(words)) for words in query.compounds),
        weights.also,
        (
            *weights.notes,
            *cut,
            *(f"no passage holds the exact words {phrase!r}" for phrase in missing),
        ),
        numbered=tuple(tuple(_terms(words)) for words in query.numbered[:MOST_COMPOUNDS]),
        for_stop_words=any(word.lower() in STOP_WORDS for word in weights.words.values()),
    )


def _demanded(phrases: Iterable[str]) -> dict[str, AllOf]:
    """Give what passages must hold of exact phrases; those that are said already are left out.

    "the" thirty times over would be read as often.
    """
    found: dict[str, AllOf] = {}
    said: set[tuple[str, ...]] = set()
    for phrase in phrases:
        needed = exactly(phrase)
        terms = [tuple(_terms(one.words)) for one in needed if not one.begun]
        if needed in found.values() or (len(terms) == len(needed) and said.issuperset(terms)):
            continue
        said.update(terms)
        found[phrase] = needed
    return found


def _terms(words: Iterable[str]) -> list[str]:
    """Give the index terms of words, in order."""
    given = list(words)
    by_word = terms_by_word(" ".join(given))
    return [by_word[word] for word in given if word in by_word]


def _titles(filters: Iterable[Filter]) -> tuple[list[tuple[Phrase, bool]], tuple[Filter, ...]]:
    """Part filters into phrases of titles, each with whether it is negated, and the others.

    Words of scripts without spaces are no words to an index: they stay a filter.
    """
    titles: list[tuple[Phrase, bool]] = []
    others: list[Filter] = []
    for one in filters:
        words = words_in(one.value) if one.name == "title" else []
        if not words or any(map(is_unspaced, words)):
            others.append(one)
        else:
            begun = one.value.endswith("*") and len(words[-1]) > 1
            titles.append((Phrase(tuple(words), begun, "title"), one.negated))
    return titles, tuple(others)


def _alternatives(
    query: QueryTerms, weights: TermWeights, own: Counts, *, needs_none: bool, share: float
) -> Iterator[Phrase]:
    """Give what finds candidates: the rarest words and prefixes that the budget has postings for.

    A prefix that costs more than all of it stands for some of its completions, the most frequent
    for which there is room then. Where nothing known is left, unknown words are looked for, unless
    something else is required (`needs_none`).
    """
    by_term, words, postings = weights.by_term, weights.words, own.frequencies
    budget = share * posting_budget(own.passages, typing=query.typing)
    known = words.keys() & by_term.keys() & postings.keys()
    costs: dict[Phrase, float] = {Phrase((words[term],)): postings[term] for term in sorted(known)}
    for prefix in query.prefixes:
        found = own.completions.get(prefix, {})
        costs |= {Phrase((stem,)): found[stem] for stem in weights.stems if stem in found}
        costs[_begun(prefix)] = inf if prefix in own.broad else sum(found.values())
    broad = {_begun(one): one for one in query.prefixes if costs[_begun(one)] > budget}
    spent = 0.0
    for phrase in sorted((one for one in costs if one not in broad), key=lambda one: costs[one]):
        if spent and spent + costs[phrase] > budget:
            break
        spent += costs[phrase]
        yield phrase
    for prefix in broad.values():
        for phrase, cost in _completions(prefix, own, budget - spent, alone=not spent):
            spent += cost
            yield phrase
    for compound in query.compounds[:MOST_COMPOUNDS]:
        read = [postings.get(term, 0) for term in _terms(compound)]
        if all(read) and sum(read) <= budget:
            yield Phrase(compound)
    if not (known or needs_none or query.prefixes):
        yield from [Phrase((words[term],)) for term in by_term if term in words]


def _completions(prefix: str, own: Counts, room: float, *, alone: bool) -> list[tuple[Phrase, int]]:
    """Choose words that begin with a prefix, as there is room for their postings.

    Where there is room for none, the rarest is chosen if it stands `alone`.
    """
    *before, _ = words_in(prefix)
    found = own.completions[prefix]
    by_word = terms_by_word(" ".join(found))
    # Terms are stems: not all of them are words that have this stem.
    terms = [term for term in found if by_word.get(term) == term]
    chosen: list[tuple[Phrase, int]] = []
    for term in sorted(terms, key=lambda one: -found[one]):
        if found[term] <= room and len(chosen) < MOST_COMPLETIONS:
            room -= found[term]
            chosen.append((Phrase((*before, term)), found[term]))
    if alone and not chosen:
        rarest = sorted(terms, key=lambda one: found[one])[:1]
        chosen = [(Phrase((*before, term)), found[term]) for term in rarest]
    return chosen


def _begun(prefix: str) -> Phrase:
    return Phrase(tuple(words_in(prefix)), begun=True)
