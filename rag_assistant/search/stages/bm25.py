"""BM25 with all terms of the query, of the best passage and of the whole extract.

    sum over terms t of idf(t) * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))

where f counts t in the fields, each by its weight (Robertson and Zaragoza 2009, doi
10.1561/1500000019). FTS5's constants are fixed (b is 0.75), and it looked for rare terms only.
"""

from collections.abc import Mapping, Sequence

from rag_assistant.search.pool import Extract, Pool, Terms
from rag_assistant.text.term_counts import term_id
from rag_assistant.text.terms import terms_by_word
from rag_assistant.values.search_plan import Plan
from rag_assistant.values.term_records import PassageRecord

K1, B = 1.2, 0.5
"""Chosen on Vaswani, where b 0.75 loses .017."""

TITLE = 3.0
"""Weight of a word of the title beside one of the text."""

BEST_PASSAGE = 0.5
"""Share of the best passage's score; the rest is the extract's. On COVID-QA .3 loses .005
of nDCG@10; on Vaswani, of short texts, it makes no difference."""


def words(pool: Pool, _: Sequence[float]) -> list[float]:
    """Score headings and text."""
    return _scores(pool, 0.0, range(len(pool.extracts)))


def title(pool: Pool, _: Sequence[float]) -> list[float]:
    """Score what the title's words add to that."""
    titled = [index for index, extract in enumerate(pool.extracts) if extract.title]
    added = [0.0] * len(pool.extracts)
    if titled:
        both, without = _scores(pool, TITLE, titled), _scores(pool, 0.0, titled)
        for index, a, b in zip(titled, both, without, strict=True):
            added[index] = max(0.0, a - b)
    return added


def passage_scores(
    extract: Extract, weights: Mapping[str, float], mean_length: float, title_weight: float = TITLE
) -> list[float]:
    """Score the passages of one extract, each by itself with the title."""
    return [
        _bm25(
            weights,
            [(passage.terms, 1.0), (passage.heading, 1.0), (extract.title, title_weight)],
            passage.length / mean_length,
        )
        for passage in extract.passages
    ]


def judge(
    plan: Plan, mean_length: float, found: Sequence[tuple[PassageRecord, float]]
) -> list[float]:
    """Score passages by their own terms, before their entries are put together.

    What a passage was found by and does not hold itself is in its title.
    """
    weights = {term_id(term): weight for term, weight in plan.weights.items()}
    finding = {term_id(term) for term in found_by(plan)}
    scores: list[float] = []
    for record, rarity in found:
        norm = K1 * (1 - B + B * record.length / mean_length)
        score, held = 0.0, 0.0
        terms, heading = record.terms, record.heading
        for term, weight in weights.items():
            f = terms.get(term, 0)
            if heading and term in heading:
                f += heading.count(term)
            if f:
                held += weight if term in finding else 0.0
                score += weight * f * (K1 + 1) / (f + norm)
        titled = max(0.0, rarity - held) * TITLE * (K1 + 1) / (TITLE + norm)
        scores.append(score + titled)
    return scores


def found_by(plan: Plan) -> set[str]:
    """Give the terms of the single words that a plan finds passages by."""
    words = " ".join(one.words[0] for one in plan.any_of if len(one.words) == 1)
    return set(terms_by_word(words).values())


def mean_passage_length(pool: Pool) -> float:
    """Give the mean length of the passages in the pool, in words."""
    lengths = [passage.length for extract in pool.extracts for passage in extract.passages]
    return max(1.0, sum(lengths) / max(1, len(lengths)))


def _scores(pool: Pool, title_weight: float, indexes: Sequence[int]) -> list[float]:
    weights = pool.plan.weights
    mean_passage = mean_passage_length(pool)
    mean = max(1.0, sum(e.length for e in pool.extracts) / max(1, len(pool.extracts)))
    found: list[float] = []
    for extract in [pool.extracts[index] for index in indexes]:
        best = max(passage_scores(extract, weights, mean_passage, title_weight))
        fields = [(passage.terms, 1.0) for passage in extract.passages]
        # A heading over three passages is one heading, and counts once.
        headings = {tuple(passage.heading.items()) for passage in extract.passages}
        fields += [(dict(heading), 1.0) for heading in sorted(headings)]
        fields.append((extract.title, title_weight))
        whole = _bm25(weights, fields, extract.length / mean)
        found.append(BEST_PASSAGE * best + (1 - BEST_PASSAGE) * whole)
    return found


def _bm25(
    weights: Mapping[str, float], fields: Sequence[tuple[Terms, float]], relative_length: float
) -> float:
    held = [(terms, weight) for terms, weight in fields if terms and weight]
    counts: dict[str, float] = {}
    if len(held) == 1 and held[0][1] == 1.0:
        counts = dict(held.pop()[0])  # as most are
    for terms, weight in held:
        for term, count in terms.items():
            counts[term] = counts.get(term, 0.0) + weight * count
    norm = K1 * (1 - B + B * relative_length)
    return sum([weights[term] * f * (K1 + 1) / (f + norm) for term, f in counts.items()])
