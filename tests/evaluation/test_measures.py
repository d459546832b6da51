"""The ranking measures, against values worked out by hand and what trec_eval documents."""

import sys
from collections.abc import Mapping, Sequence
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.config.installation import how_to_add
from rag_assistant.evaluation.measuring.ranking import (
    BY_LIBRARY,
    RANKING_MEASURES,
    first_relevant,
    ranking_measures,
    why_no_measures,
)
from rag_assistant.evaluation.measuring.summary import mean, percentile
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.runs.outcomes import QuestionCost, RankedDocument, SearchOutcome


def outcome(
    ranking: Sequence[str],
    grades: Mapping[str, int],
    question: str = "q 1",
    score: float | None = None,
) -> SearchOutcome:
    """Give a ranking in this order; `score` is that of all documents."""
    scores = [score if score is not None else -float(rank) for rank in range(len(ranking))]
    ranked = tuple(map(RankedDocument, ranking, scores))
    return SearchOutcome(question, ranked, grades, QuestionCost(1.0))


def measured(ranking: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    return ranking_measures([outcome(ranking, grades)])["q 1"]


def test_a_worked_example() -> None:
    """If this fails, our figures cannot stand beside published ones."""
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert measured(["x", "a", "y", "b"], {"a": 1, "b": 2, "c": 1}) == pytest.approx(
        {
            "nDCG@10": (1 / log2(3) + 2 / log2(5)) / ideal,
            "R@10": 2 / 3,
            "R@100": 2 / 3,
            "MRR@10": 1 / 2,
            "MAP": (1 / 2 + 2 / 4) / 3,
            "found@10": 1,
        }
    )


def test_where_each_measure_ends() -> None:
    """If this fails, a measure looks deeper or less deep than its name says."""
    ranking = [f"d{rank}" for rank in range(1, 121)]
    eleventh = measured(ranking, {"d11": 1})
    assert eleventh == pytest.approx(
        {"nDCG@10": 0, "R@10": 0, "R@100": 1, "MRR@10": 0, "MAP": 1 / 11, "found@10": 0}
    )
    assert measured(ranking, {"d10": 1})["MRR@10"] == pytest.approx(1 / 10)
    beyond = measured(ranking, {"d101": 1})
    assert set(beyond.values()) == {0}
    assert first_relevant(outcome(ranking, {"d101": 1})) == 101


@given(
    ranking=st.lists(st.sampled_from([f"d{n}" for n in range(30)]), unique=True),
    grades=st.dictionaries(st.sampled_from([f"d{n}" for n in range(30)]), st.integers(-2, 3)),
)
def test_definitions_hold_for_any_ranking(ranking: list[str], grades: dict[str, int]) -> None:
    """If this fails, some rankings are measured otherwise than trec_eval defines the measures."""
    relevant = {document for document, grade in grades.items() if grade > 0}
    found = ranking_measures([outcome(ranking, grades)])
    if not relevant:
        assert found == {}
        return
    values = found["q 1"]
    ranks = [rank for rank, document in enumerate(ranking, 1) if document in relevant]
    gains = [max(0, grades.get(document, 0)) for document in ranking]
    best = sorted((max(0, grade) for grade in grades.values()), reverse=True)
    discounts = [1 / log2(rank + 1) for rank in range(1, 11)]
    gain, ideal = (
        sum(g * d for g, d in zip(each, discounts, strict=False)) for each in (gains, best)
    )
    precisions = [count / rank for count, rank in enumerate(ranks, 1)]
    assert values == pytest.approx(
        {
            "nDCG@10": gain / ideal,
            "R@10": sum(rank <= 10 for rank in ranks) / len(relevant),
            "R@100": len(ranks) / len(relevant),
            "MRR@10": 1 / ranks[0] if ranks and ranks[0] <= 10 else 0,
            "MAP": sum(precisions) / len(relevant),
            "found@10": float(bool(ranks) and ranks[0] <= 10),
        }
    )
    assert list(values) == list(RANKING_MEASURES)


def test_the_order_counts_where_scores_are_equal() -> None:
    """If this fails, ids decide the figures wherever scores tie, as trec_eval would have it."""
    grades = {"a": 1}
    for ranking, rank in ((["a", "z"], 1), (["z", "a"], 2)):
        values = ranking_measures([outcome(ranking, grades, score=1.0)])["q 1"]
        assert values["MRR@10"] == 1 / rank


def test_names_that_no_trec_file_could_hold() -> None:
    """If this fails, a file with a space, a stroke or a byte that is no text ends a report."""
    names = ["pay/pay dates.md", "caf\udce9.txt", "a\x00b", "ü", "%20", ""]
    for rank, name in enumerate(names, 1):
        assert measured(names, {name: 1, "also relevant": 1})["MRR@10"] == pytest.approx(1 / rank)


def test_which_questions_count() -> None:
    """If this fails, a question nobody can find anything for pulls the means down, or one for
    which nothing was found does not."""
    found = ranking_measures(
        [
            outcome(["a"], {"a": 1}, "found"),
            outcome([], {"a": 1}, "nothing came"),
            outcome(["a"], {}, "not judged"),
            outcome(["a"], {"a": 0, "b": -1}, "nothing is relevant"),
        ]
    )
    assert list(found) == ["found", "nothing came"]
    assert set(found["found"].values()) == {1}
    assert set(found["nothing came"].values()) == {0}
    assert ranking_measures([]) == {}


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, whoever has not installed the extra gets a traceback in place of a report, or
    does not learn what is missing."""
    assert why_no_measures() == ""
    for package in ("ir_measures", "pytrec_eval"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, package, None)
            assert ranking_measures([outcome(["x", "a"], {"a": 1})]) == {"q 1": {"found@10": 1}}
            said = why_no_measures()
    assert all(name in said for name in BY_LIBRARY)
    assert said.endswith(how_to_add("eval"))
    assert "\n" not in said


def test_every_measure_is_explained() -> None:
    """If this fails, a report has a figure of which nobody knows what it says."""
    assert set(RANKING_MEASURES) <= set(EXPLANATIONS)


def test_nothing_to_measure_is_none_and_not_a_score() -> None:
    """If this fails, an empty set looks perfect or hopeless."""
    assert mean([]) is None
    assert percentile([], 95) is None


def test_percentiles_are_values_that_occurred() -> None:
    """If this fails, latencies are misstated."""
    values = [float(number) for number in range(1, 101)]
    assert percentile(values, 50) == 50
    assert percentile(values, 95) == 95
    assert percentile([7.0], 95) == 7
