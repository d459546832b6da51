"""Compounds: the parts of an identifier (`foo-bar`, `v1.2.3`) count more where they are whole."""

from collections.abc import Sequence

from rag_assistant.search.pool import Extract, Pool
from rag_assistant.text.likeness import lower_words

WEIGHT = 0.5
"""Share of the weights of a compound's terms that is added where it stands whole."""


def side_by_side(pool: Pool, _: Sequence[float]) -> list[float]:
    """Score the compounds of the query that stand whole in a passage or the title."""
    worth = _worth(pool)
    return [
        sum([worth[compound] for compound in worth if _holds(pool, extract, compound)], 0.0)
        for extract in pool.extracts
    ]


def passages_with_compounds(pool: Pool, extract: Extract) -> list[float]:
    """Score the passages of an extract by the compounds that stand whole in text and heading.

    A passage that bears the name, such as a function, has it in both.
    """
    worth = _worth(pool)
    scores: list[float] = []
    for text, passage in zip(extract.candidate.texts, extract.passages, strict=True):
        fields = [passage.words, lower_words(text.heading)] if worth else []
        places = [[pool.terms.get(word, "") for word in words] for words in fields]
        scores.append(
            sum([worth[run] for run in worth for terms in places if stands_in(terms, run)], 0.0)
        )
    return scores


def _worth(pool: Pool) -> dict[tuple[str, ...], float]:
    weights = pool.plan.weights
    return {
        compound: WEIGHT * sum(weights.get(term, 0.0) for term in compound)
        for compound in pool.plan.compounds
        if len(compound) > 1
    }


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
