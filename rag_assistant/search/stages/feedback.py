"""Relevance feedback: the words of the best entries find entries like them (Rocchio 1971).

Only words that the pool holds matter, and their rarity is that in the pool, so that nothing has to
be looked up in the index.
"""

from collections.abc import Sequence

from rag_assistant.search.keys import Keys
from rag_assistant.search.pool import Pool, scaled

BEST, MOST_KEYS = 3, 100
"""Entries taken for relevant, and words taken from them."""

WEIGHT = 0.4
"""Of the highest score so far. Chosen on Vaswani, where .35 and .5 do as well."""


def like_the_best(pool: Pool, scores: Sequence[float]) -> list[float]:
    """Score the words that each extract shares with the best ones; zero in a pool of few."""
    if len(pool.extracts) <= 2 * BEST:
        return [0.0] * len(pool.extracts)
    keys = pool.keys
    best = sorted(range(len(scores)), key=lambda index: -scores[index])[:BEST]
    centre: dict[str, float] = {}
    for index in best:
        for key, weight in keys.unit_vector(index).items():
            centre[key] = centre.get(key, 0.0) + weight
    telling = sorted(centre, key=lambda key: (-centre[key], key))[:MOST_KEYS]
    wanted = {key: centre[key] * keys.idf[key] for key in telling}
    raw = [_match(keys, index, wanted) for index in range(len(scores))]
    return scaled(raw, WEIGHT * max(scores))


def _match(keys: Keys, index: int, wanted: dict[str, float]) -> float:
    shared = wanted.keys() & keys.counts[index].keys()
    return sum([wanted[key] * keys.saturated(index, key) for key in shared])
