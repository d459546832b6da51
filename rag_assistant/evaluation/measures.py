"""Measures of a ranking against graded judgements, defined as trec_eval defines them.

A ranking lists documents, best first, each once. `grades` maps judged documents to grades; a
document is relevant from grade 1 on and counts as not relevant when it was not judged. Where no
document is relevant every measure is 0. Source: https://github.com/usnistgov/trec_eval
"""

from collections.abc import Mapping, Sequence
from math import ceil, log2


def ndcg(ranking: Sequence[str], grades: Mapping[str, int], k: int) -> float:
    """Normalised discounted cumulative gain of the first `k`, from 0 to 1.

    DCG@k = sum over ranks r <= k of grade(r) / log2(r + 1), divided by that of the best possible
    ranking. The gain is the grade itself. Source: Järvelin and Kekäläinen 2002, doi
    10.1145/582415.582418; `ndcg_cut` of trec_eval.
    """
    ideal = _dcg(sorted(grades.values(), reverse=True)[:k])
    return _dcg([grades.get(document, 0) for document in ranking[:k]]) / ideal if ideal else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum(max(0, gain) / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def recall(ranking: Sequence[str], grades: Mapping[str, int], k: int) -> float:
    """Share of the relevant documents that are among the first `k`: `recall` of trec_eval."""
    relevant = _relevant(grades)
    return len(relevant.intersection(ranking[:k])) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking: Sequence[str], grades: Mapping[str, int], k: int) -> float:
    """1 / rank of the first relevant document, 0 when none is among the first `k`.

    Source: Voorhees 1999, the TREC-8 question answering track; `recip_rank` of trec_eval.
    """
    relevant = _relevant(grades)
    ranks = (rank for rank, document in enumerate(ranking[:k], 1) if document in relevant)
    return 1 / next(ranks, float("inf"))


def average_precision(ranking: Sequence[str], grades: Mapping[str, int]) -> float:
    """Precision at the rank of each relevant document, averaged; 0 for those not in the ranking.

    AP = 1/R * sum over ranks r of relevant documents of (relevant in the first r) / r, where R
    counts the relevant documents. Source: Buckley and Voorhees 2000, doi 10.1145/345508.345543;
    `map` of trec_eval.
    """
    relevant = _relevant(grades)
    ranks = [rank for rank, document in enumerate(ranking, 1) if document in relevant]
    found = sum(count / rank for count, rank in enumerate(ranks, 1))
    return found / len(relevant) if relevant else 0.0


def _relevant(grades: Mapping[str, int]) -> set[str]:
    return {document for document, grade in grades.items() if grade > 0}


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean; None of nothing, which is neither good nor bad."""
    return sum(values) / len(values) if values else None


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The smallest value that `percent` of the values do not exceed (nearest rank)."""
    if not values:
        return None
    return sorted(values)[max(0, ceil(len(values) * percent / 100) - 1)]
