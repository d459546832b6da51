"""Measures of rankings against graded judgements, as trec_eval defines them, by ir-measures.

The library comes with the extra `eval`. Without it `found@10` is still there, which is ours, and
`why_no_measures` says what the others need.
"""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from rag_assistant.config.installation import how_to_add
from rag_assistant.evaluation.runs.outcomes import SearchOutcome

FOUND = 10
"""Ranks among which a relevant document counts as found."""

BY_LIBRARY = ("nDCG@10", "R@10", "R@100", "MRR@10", "MAP")
RANKING_MEASURES = (*BY_LIBRARY, f"found@{FOUND}")
"""All measures of a ranking, in the order of a report."""

_PACKAGES = ("ir_measures", "pytrec_eval")


def why_no_measures() -> str:
    """Say what is not measured without the library and what would help; empty where it is there."""
    if all(map(find_spec, _PACKAGES)):
        return ""
    *names, last = BY_LIBRARY
    return (
        f"{', '.join(names)} and {last} were not computed: they need ir-measures, of the extra "
        "'eval'. The rankings are kept, and rag-assistant eval report NUMBER measures them after: "
        + how_to_add("eval")
    )


def first_relevant(outcome: SearchOutcome) -> int:
    """Give the rank of the first relevant document, from 1; 0 where the ranking has none."""
    ranks = enumerate(outcome.ranking, 1)
    return next((rank for rank, one in ranks if outcome.grades.get(one.document, 0) > 0), 0)


def ranking_measures(outcomes: Sequence[SearchOutcome]) -> dict[str, dict[str, float]]:
    """Measure rankings, by the ids of their questions: each measure from 0 to 1, in order.

    A document is relevant from grade 1 on; one that was not judged or has a negative grade is not,
    and gains nothing. Questions without a relevant document are left out; those with an empty
    ranking have 0. nDCG@10 is `ndcg_cut_10` of trec_eval (Järvelin and Kekäläinen 2002, doi
    10.1145/582415.582418, the gain being the grade), R@k `recall_k`, MAP `map_cut_100`; MRR@10 is
    the reciprocal rank as MS MARCO cuts it, and found@10 whether a relevant document is among the
    first ten. Source: https://github.com/usnistgov/trec_eval, https://ir-measur.es
    """
    judged = [one for one in outcomes if any(grade > 0 for grade in one.grades.values())]
    measured: dict[str, dict[str, float]] = {one.question_id: {} for one in judged}
    if judged and not why_no_measures():
        for question_id, name, value in _by_library(judged):
            measured[question_id][name] = value
    for one in judged:
        measured[one.question_id][f"found@{FOUND}"] = float(1 <= first_relevant(one) <= FOUND)
    return {
        question_id: {name: values[name] for name in RANKING_MEASURES if name in values}
        for question_id, values in measured.items()
    }


def _by_library(judged: Sequence[SearchOutcome]) -> Iterator[tuple[str, str, float]]:
    """Let ir-measures compute; give question ids, names of measures and values.

    The library is given numbers in the place of ids and scores: it orders ties by id, and its C
    code takes no id that is not UTF-8, as the name of a file may be.
    """
    import ir_measures  # noqa: PLC0415 - of an extra, and slow
    from ir_measures import AP, RR, R, nDCG  # noqa: PLC0415

    by_measure = dict(zip([nDCG @ 10, R @ 10, R @ 100, RR @ 10, AP @ 100], BY_LIBRARY, strict=True))
    grades: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, outcome in enumerate(judged):
        ranked = list(dict.fromkeys(one.document for one in outcome.ranking))
        ids = {
            name: str(rank) for rank, name in enumerate(dict.fromkeys([*ranked, *outcome.grades]))
        }
        run[str(number)] = {ids[name]: -float(rank) for rank, name in enumerate(ranked)}
        grades[str(number)] = {ids[name]: grade for name, grade in outcome.grades.items()}
    for metric in ir_measures.iter_calc(list(by_measure), grades, run):
        outcome = judged[int(metric.query_id)]
        yield outcome.question_id, by_measure[metric.measure], float(metric.value)
