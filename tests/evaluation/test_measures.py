"""The ranking measures: worked examples, and agreement with ir_measures on random data."""

from math import log2

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, R, nDCG

from rag_assistant.evaluation.measures import (
    average_precision,
    mean,
    ndcg,
    percentile,
    recall,
    reciprocal_rank,
)

DOCUMENTS = [f"d{number}" for number in range(30)]


@given(
    ranking=st.lists(st.sampled_from(DOCUMENTS), unique=True, min_size=1),
    grades=st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1),
)
def test_measures_agree_with_ir_measures(ranking: list[str], grades: dict[str, int]) -> None:
    """If this fails, our figures cannot stand beside published ones."""
    run = {"q": {document: -float(rank) for rank, document in enumerate(ranking)}}
    theirs = ir_measures.calc_aggregate(
        [nDCG @ 10, nDCG @ 3, R @ 10, R @ 3, RR @ 10, RR @ 3, AP], {"q": grades}, run
    )
    ours = {
        nDCG @ 10: ndcg(ranking, grades, 10),
        nDCG @ 3: ndcg(ranking, grades, 3),
        R @ 10: recall(ranking, grades, 10),
        R @ 3: recall(ranking, grades, 3),
        RR @ 10: reciprocal_rank(ranking, grades, 10),
        RR @ 3: reciprocal_rank(ranking, grades, 3),
        AP: average_precision(ranking, grades),
    }
    assert ours == pytest.approx(theirs)


def test_measures_of_a_worked_example() -> None:
    """If this fails, the measures are wrong even where no reference library is installed."""
    ranking, grades = ["x", "a", "y", "b"], {"a": 1, "b": 2, "c": 1}
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert ndcg(ranking, grades, 10) == pytest.approx((1 / log2(3) + 2 / log2(5)) / ideal)
    assert recall(ranking, grades, 2) == pytest.approx(1 / 3)
    assert reciprocal_rank(ranking, grades, 10) == 0.5
    assert average_precision(ranking, grades) == pytest.approx((1 / 2 + 2 / 4) / 3)


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
