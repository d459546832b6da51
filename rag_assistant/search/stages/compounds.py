"""Compounds: the parts of an identifier (`foo-bar`, `v1.2.3`) count more where they are whole."""

from collections.abc import Sequence

from rag_assistant.search.pool import Extract, Pool

WEIGHT = 0.5
"""Share of the weights of a compound's terms that is added where it stands whole."""


def side_by_side(pool: Pool, _: Sequence[float]) -> list[float]:
    """Score the compounds of the query that stand whole in a passage or the title."""
    weights = pool.plan.weights
    worth = {
        compound: WEIGHT * sum(weights.get(term, 0.0) for term in compound)
        for compound in pool.plan.compounds
        if len(compound) > 1
    }
    return [
        sum([worth[compound] for compound in worth if _holds(pool, extract, compound)], 0.0)
        for extract in pool.extracts
    ]


def _holds(pool: Pool, extract: Extract, compound: Sequence[str]) -> bool:
    telling = [term for term in compound if term in pool.plan.weights]
    places = [(passage.words, passage.terms) for passage in extract.passages]
    places.append((extract.title_words, extract.title))
    return any(
        stands_in([pool.terms.get(word, "") for word in words], compound)
        for words, held in places
        if all(term in held for term in telling)
    )


def stands_in(terms: Sequence[str], run: Sequence[str]) -> bool:
    """Say whether `run` stands in `terms`, one beside the other in its order."""
    last = len(terms) - len(run)
    first = run[0]
    return any(
        terms[start] == first and list(terms[start : start + len(run)]) == list(run)
        for start in range(last + 1)
    )
