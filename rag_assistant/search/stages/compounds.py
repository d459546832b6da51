"""Compounds: the parts of an identifier (`foo-bar`, `v1.2.3`) count more where they are whole.

Among passages a word and the number after it do, too: "clause 4" is not any clause with any 4.
"""

from collections.abc import Iterable, Mapping, Sequence

from rag_assistant.search.pool import Extract, Pool, query_terms
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.term_counts import term_id, words_counted
from rag_assistant.values.search_plan import CandidatePassage, Plan
from rag_assistant.values.term_records import PassageRecord

WEIGHT = 0.5
"""Share of the weights of a compound's terms that is added where it stands whole."""


def side_by_side(pool: Pool, _: Sequence[float]) -> list[float]:
    """Score the compounds of the query that stand whole in a passage or the title."""
    worth = _worth(pool.plan, pool.plan.compounds)
    if not worth:
        return [0.0] * len(pool.extracts)
    terms = _terms_in(worth)
    scores: list[float] = []
    for extract in pool.extracts:
        places = _places(pool, extract, terms)
        held = [run for run in worth if any(stands_in(place, run) for place in places)]
        scores.append(sum([worth[run] for run in held], 0.0))
    return scores


def passages_side_by_side(
    plan: Plan, records: Sequence[PassageRecord], texts: Mapping[int, CandidatePassage]
) -> list[float]:
    """Score passages by the compounds and numbered words that stand whole in text and heading.

    A passage that bears the name, such as a function, has it in both. `texts` are those of the
    `passages_to_read`.
    """
    worth = _worth(plan, _runs(plan))
    terms = _terms_in(worth)
    scores: list[float] = []
    for record in records:
        text = texts.get(record.id) if worth else None
        fields = (
            [words_counted(text.text, text.variants), lower_words(text.heading)] if text else []
        )
        places = [_as_terms(terms, words) for words in fields]
        scores.append(
            sum([worth[run] for run in worth for place in places if stands_in(place, run)], 0.0)
        )
    return scores


def passages_to_read(
    plan: Plan, records: Iterable[PassageRecord], *, numbered: bool = False
) -> list[int]:
    """Give the passages that hold all telling terms of a compound: their texts have to be read.

    `numbered`: or of a word with its number.
    """
    worth = _worth(plan, _runs(plan) if numbered else plan.compounds)
    wanted = [{term_id(term) for term in compound if term in plan.weights} for compound in worth]
    return [
        record.id
        for record in records
        if wanted and any(one <= record.terms.keys() | set(record.heading) for one in wanted)
    ]


def _runs(plan: Plan) -> Sequence[tuple[str, ...]]:
    return (*plan.compounds, *plan.numbered)


def _worth(plan: Plan, runs: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], float]:
    return {
        run: WEIGHT * sum(plan.weights.get(term, 0.0) for term in run)
        for run in runs
        if len(run) > 1
    }


def _terms_in(runs: Iterable[tuple[str, ...]]) -> set[str]:
    return {term for run in runs for term in run}


def _places(pool: Pool, extract: Extract, wanted: set[str]) -> list[list[str]]:
    """Give the title and the passages that were read, each as terms."""
    texts = extract.candidate.texts
    read = [texts[record.id] for record in extract.candidate.records if record.id in texts]
    places = [words_counted(text.text, text.variants) for text in read]
    return [_as_terms(wanted, words) for words in (*places, extract.title_words)]


def _as_terms(wanted: set[str], words: Sequence[str]) -> list[str]:
    """Give those of the wanted terms that words stand for, "" for the others."""
    terms = query_terms(set(words), wanted)
    return [terms.get(word, "") for word in words]


def stands_in(terms: Sequence[str], run: Sequence[str]) -> bool:
    """Say whether `run` stands in `terms`, one beside the other in its order."""
    last = len(terms) - len(run)
    first = run[0]
    return any(
        terms[start] == first and list(terms[start : start + len(run)]) == list(run)
        for start in range(last + 1)
    )
