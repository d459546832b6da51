"""Compounds: the parts of an identifier (`foo-bar`, `v1.2.3`) count more where they are whole."""

from collections.abc import Iterable, Sequence

from rag_assistant.search.pool import Extract, Pool, query_terms
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.term_counts import term_id, words_counted
from rag_assistant.values.search_plan import Plan
from rag_assistant.values.term_records import PassageRecord

WEIGHT = 0.5
"""Share of the weights of a compound's terms that is added where it stands whole."""


def side_by_side(pool: Pool, _: Sequence[float]) -> list[float]:
    """Score the compounds of the query that stand whole in a passage or the title."""
    worth = _worth(pool.plan)
    if not worth:
        return [0.0] * len(pool.extracts)
    scores: list[float] = []
    for extract in pool.extracts:
        places = _places(pool, extract)
        held = [run for run in worth if any(stands_in(terms, run) for terms in places)]
        scores.append(sum([worth[run] for run in held], 0.0))
    return scores


def passages_with_compounds(pool: Pool, extract: Extract) -> list[float]:
    """Score the passages of an extract by the compounds that stand whole in text and heading.

    A passage that bears the name, such as a function, has it in both.
    """
    worth = _worth(pool.plan)
    scores: list[float] = []
    for record in extract.candidate.records:
        text = extract.candidate.texts.get(record.id) if worth else None
        fields = (
            [words_counted(text.text, text.variants), lower_words(text.heading)] if text else []
        )
        places = [_as_terms(pool.plan, words) for words in fields]
        scores.append(
            sum([worth[run] for run in worth for terms in places if stands_in(terms, run)], 0.0)
        )
    return scores


def passages_to_read(plan: Plan, records: Iterable[PassageRecord]) -> list[int]:
    """Give the passages that hold all telling terms of a compound: their texts have to be read."""
    wanted = [
        {term_id(term) for term in compound if term in plan.weights} for compound in _worth(plan)
    ]
    return [
        record.id
        for record in records
        if wanted and any(one <= record.terms.keys() | set(record.heading) for one in wanted)
    ]


def _worth(plan: Plan) -> dict[tuple[str, ...], float]:
    return {
        compound: WEIGHT * sum(plan.weights.get(term, 0.0) for term in compound)
        for compound in plan.compounds
        if len(compound) > 1
    }


def _places(pool: Pool, extract: Extract) -> list[list[str]]:
    """Give the title and the passages that were read, each as terms."""
    texts = extract.candidate.texts
    read = [texts[record.id] for record in extract.candidate.records if record.id in texts]
    places = [words_counted(text.text, text.variants) for text in read]
    return [_as_terms(pool.plan, words) for words in (*places, extract.title_words)]


def _as_terms(plan: Plan, words: Sequence[str]) -> list[str]:
    """Give the terms of the plan's compounds that words stand for, "" for the others."""
    terms = query_terms(set(words), {term for compound in plan.compounds for term in compound})
    return [terms.get(word, "") for word in words]


def stands_in(terms: Sequence[str], run: Sequence[str]) -> bool:
    """Say whether `run` stands in `terms`, one beside the other in its order."""
    last = len(terms) - len(run)
    first = run[0]
    return any(
        terms[start] == first and list(terms[start : start + len(run)]) == list(run)
        for start in range(last + 1)
    )
