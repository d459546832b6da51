"""One search of one database, or of several together, step by step.

All take each step before any takes the next: they count what is asked for, so that a word is as
rare in one as in the others; they plan and bring candidates, which are ranked in one pool; they
show those of their entries that were chosen. A single database is searched by the same steps.
"""

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Protocol, TypeVar

from rag_assistant.search.counts import summed
from rag_assistant.search.database_search import DatabaseSearch
from rag_assistant.search.empty_filters import notes_on_filters
from rag_assistant.search.passage_ranking import rank_passages
from rag_assistant.search.passage_reading import READ, SeenPassage, read_closely
from rag_assistant.search.pool import make_pool
from rag_assistant.search.query_terms import QueryTerms, read_query
from rag_assistant.search.ranking import (
    EntryScore,
    Profile,
    RankedEntry,
    SearchResult,
    most_promising,
    rank,
    rank_as_typed,
    rank_by_date,
)
from rag_assistant.search.spelling import Correction, likeliest
from rag_assistant.search.weights import TermWeights, unknown_words, weigh, with_corrections
from rag_assistant.values.search_plan import Candidate, Plan

Result = TypeVar("Result")

ENTRIES = 20
"""Entries whose scores raise their passages, at least, where passages are asked for."""


class Searches(Protocol):
    """All databases of a search."""

    def ask(self, step: Callable[[DatabaseSearch], Result]) -> list[Result]:
        """Take a step in each, one result at least; those that cannot are left out from then on."""
        ...


def search_together(
    searches: Searches, text: str, limit: int, profile: Profile = "question"
) -> SearchResult:
    """Find the `limit` entries that best match any text, each shown by its best passage.

    Filters without words list entries, newest first. What only some of the databases have to say
    of the query, such as that they do not hold a phrase, is not said.
    """
    query, by_stages = read_query(text, typing=profile == "typing"), profile == "question"
    plan, candidates = bring_together(searches, query, limit, by_stages=by_stages)
    if not candidates:
        chosen: list[RankedEntry] = []
    elif not plan.has_words:
        chosen = rank_by_date(candidates)
    elif not by_stages:
        chosen = rank_as_typed(plan, candidates)
    else:
        chosen = shown_of(searches, rank(make_pool(plan, candidates)), limit)
    ranked = list(enumerate(chosen[:limit], 1))
    hits = sorted(chain(*searches.ask(lambda search: search.hits(ranked))), key=lambda h: h.rank)
    # Only where a database gave fewer than it was to show are there gaps.
    renumbered = tuple(
        hit if hit.rank == rank else replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)
    )
    by_meaning = limit > 0 and by_stages and plan.has_words and plan.by_meaning
    notes = plan.notes
    if not renumbered and limit > 0:
        notes = (*notes, *notes_on_filters(query.parsed.filters, searches.ask))
    return SearchResult(renumbered, notes, by_meaning=by_meaning)


def search_passages_together(searches: Searches, text: str, limit: int) -> SearchResult:
    """Find the `limit` passages that best match any text; an entry has as many hits as it deserves.

    Filters without words list entries, newest first, each by its first passage.
    """
    query = read_query(text)
    plan, candidates = bring_together(searches, query, ENTRIES if limit > 0 else 0)
    if not plan.has_words or limit <= 0:
        return search_together(searches, text, limit)
    chosen, entries = _best_passages(searches, plan, candidates, max(limit, READ))
    best = read_closely(text, plan.weights, _with_texts(searches, chosen[:READ]))
    ranked = list(enumerate([*best, *chosen[READ:]][:limit], 1))
    hits = sorted(chain(*searches.ask(lambda search: search.hits(ranked))), key=lambda h: h.rank)
    notes = (
        plan.notes if hits else (*plan.notes, *notes_on_filters(query.parsed.filters, searches.ask))
    )
    return SearchResult(tuple(hits), notes, by_meaning=plan.by_meaning, entries=entries)


def passages_to_read(
    searches: Searches, text: str
) -> tuple[Mapping[str, float], list[SeenPassage]]:
    """Give the passages that a search for a text reads closely, and the weights of its terms."""
    plan, candidates = bring_together(searches, read_query(text), ENTRIES)
    if not plan.has_words:
        return {}, []
    chosen, _ = _best_passages(searches, plan, candidates, READ)
    return plan.weights, _with_texts(searches, chosen)


def _best_passages(
    searches: Searches, plan: Plan, candidates: Sequence[Candidate], limit: int
) -> tuple[list[RankedEntry], tuple[EntryScore, ...]]:
    """Give the best passages by their scores, and the entries that raise them, the best first."""
    ranking = rank(make_pool(plan, candidates)) if candidates else []
    shown = dict(ChainMap(*searches.ask(lambda search: search.entries_of(ranking))))
    found = searches.ask(lambda search: search.passages())
    chosen = rank_passages(plan.weights, found, ranking, shown.keys(), limit)
    entries = [one for _, one in sorted(shown.values(), key=lambda pair: pair[0])]
    return chosen, tuple(entries[:ENTRIES])


def _with_texts(searches: Searches, ranked: Sequence[RankedEntry]) -> list[SeenPassage]:
    """Give passages with their texts; those of a database that is left out by now are, too."""
    texts = dict(ChainMap(*searches.ask(lambda search: search.texts_of(ranked))))
    places = [(one.candidate.database, one.candidate.passages[0]) for one in ranked]
    return [(one, texts[at]) for one, at in zip(ranked, places, strict=True) if at in texts]


def bring_together(
    searches: Searches, query: QueryTerms, limit: int, *, by_stages: bool = True
) -> tuple[Plan, list[Candidate]]:
    """Let each plan, by the rarity that words have in all, and bring its candidates.

    Gives what their plans share. By meaning is what any does so: where only some have vectors, the
    passages of the others are as those without a vector yet, and get the cosine that their words
    let expect. Several bring no more to rank by stages than one would.
    """
    weights = _weights(searches, query)
    brought = searches.ask(lambda search: search.bring(query, weights, limit, by_stages=by_stages))
    plans = [plan for plan, _ in brought]
    notes = [note for note in plans[0].notes if all(note in plan.notes for plan in plans)]
    by_meaning = any(plan.by_meaning for plan in plans)
    like: dict[str, set[int]] = {}
    for gram, terms in chain(*(one.like.items() for one in plans)):
        like.setdefault(gram, set()).update(terms)
    plan = replace(
        plans[0],
        notes=tuple(notes),
        by_meaning=by_meaning,
        like=plans[0].like if len(plans) == 1 else {gram: sorted(like[gram]) for gram in like},
    )
    candidates = list(chain(*(found for _, found in brought)))
    if by_stages and plan.has_words and len(brought) > 1:
        candidates = most_promising(candidates, limit)
    return plan, candidates


def _weights(searches: Searches, query: QueryTerms) -> TermWeights:
    """Weigh the words by what all databases count, and correct those that none of them holds."""
    total = summed(searches.ask(lambda search: search.count(query)))
    weights = weigh(query, total)
    unknown = unknown_words(query, weights, total)
    if not unknown:
        return weights
    proposed = searches.ask(lambda search: search.corrections(unknown))
    chosen: dict[str, Correction] = {}
    for word in unknown:
        if best := likeliest(word, [some[word] for some in proposed if word in some]):
            chosen[word] = best
    counted = searches.ask(lambda search: search.count_corrections(chosen.values()))
    counts = {one.term: sum(some.get(one.term, 0) for some in counted) for one in chosen.values()}
    chosen = {word: replace(one, passages=counts[one.term]) for word, one in chosen.items()}
    return with_corrections(weights, chosen, total.passages)


def shown_of(searches: Searches, ranking: Sequence[RankedEntry], limit: int) -> list[RankedEntry]:
    """Give the best of a ranking that differ, `limit` of each database, the best first."""
    best = searches.ask(lambda search: search.best_of(ranking, limit))
    return sorted(chain(*best), key=lambda one: one.place)
