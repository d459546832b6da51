"""Neighbours: entries that are like each other share their scores.

An entry that says in other words what the best ones say comes nearer to them; it is mostly what is
found at all that gains. After Diaz 2007, Regularizing query-based retrieval scores.
"""

from collections import defaultdict
from collections.abc import Sequence

from rag_assistant.search.pool import Pool, scaled

NEAREST, MOST_KEYS = 10, 30
"""Neighbours that share with an entry, and the weightiest words that say who is near."""

WEIGHT = 0.2
"""Of the highest score so far. Chosen on Vaswani."""


def of_the_neighbours(pool: Pool, scores: Sequence[float]) -> list[float]:
    """Score the mean score of the nearest extracts, weighed by how near they are (the cosine)."""
    vectors = [pool.keys.unit_vector(index, MOST_KEYS) for index in range(len(scores))]
    holders: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for index, vector in enumerate(vectors):
        for key, weight in vector.items():
            holders[key].append((index, weight))
    common = {key: held for key, held in holders.items() if len(held) > 1}
    raw: list[float] = []
    for index, vector in enumerate(vectors):
        cosines = [0.0] * len(vectors)
        for key in vector.keys() & common.keys():
            weight = vector[key]
            for other, other_weight in common[key]:
                cosines[other] += weight * other_weight
        cosines[index] = 0.0
        nearest = sorted(range(len(cosines)), key=cosines.__getitem__, reverse=True)[:NEAREST]
        near = sum([cosines[other] for other in nearest])
        shared = sum([cosines[other] * scores[other] for other in nearest])
        raw.append(shared / near if near > 0 else 0.0)
    return scaled(raw, WEIGHT * max(scores, default=0.0))
