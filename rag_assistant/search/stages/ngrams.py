"""Character n-grams: words that share letters with the query's find what stems do not join.

The n-grams of the query's terms are of four letters, the blank before a word being one. The store
says which terms hold them; each counts as a term of BM25 does, with its rarity in the pool.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from rag_assistant.search.keys import local_idf
from rag_assistant.search.pool import Pool
from rag_assistant.search.stages.scaling import scaled

WEIGHT = 0.2
"""Of the highest score so far. Chosen on Vaswani."""

K1, B = 1.2, 0.75


def shared(pool: Pool, scores: Sequence[float]) -> list[float]:
    """Score the n-grams of the query that the terms of each extract hold."""
    grams_by_term = _grams_by_term(pool)
    counts: list[dict[str, int]] = []
    for extract in pool.extracts:
        count: dict[str, int] = {}
        for term in grams_by_term.keys() & extract.counts.keys():
            times = extract.counts[term]
            for gram in grams_by_term[term]:
                count[gram] = count.get(gram, 0) + times
        counts.append(count)
    total = len(counts)
    frequencies = Counter(chain.from_iterable(counts))
    idf = {gram: local_idf(frequency, total) for gram, frequency in frequencies.items()}
    mean = max(1.0, sum(extract.length for extract in pool.extracts) / max(1, total))
    raw: list[float] = []
    for extract, count in zip(pool.extracts, counts, strict=True):
        norm = K1 * (1 - B + B * extract.length / mean)
        raw.append(sum([idf[gram] * f * (K1 + 1) / (f + norm) for gram, f in count.items()]))
    return scaled(raw, WEIGHT * max(scores, default=0.0))


def _grams_by_term(pool: Pool) -> dict[int, list[str]]:
    """Give the n-grams of the query that each term of the pool holds, for those that hold any."""
    there = pool.keys.idf.keys()
    found: dict[int, list[str]] = {}
    for gram, terms in pool.plan.like.items():
        for term in there & terms:
            found.setdefault(term, []).append(gram)
    return found
