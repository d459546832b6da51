"""How far confidence can be relied on, by hand; and what a stage took."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.evaluation.measuring.answers import Pair
from rag_assistant.evaluation.measuring.measured import traffic_metrics
from rag_assistant.evaluation.measuring.reliability import (
    LEAST,
    brier,
    ece,
    reliability,
    reliability_metrics,
)
from rag_assistant.evaluation.measuring.report import Bin
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.runs.outcomes import STAGES, ModelVerdict, QuestionCost, Stage
from tests.evaluation.made_answers import made_outcome

QUESTION = Question("1", "When?", {}, (), ("30 June",))


def pair(confidence: int, text: str) -> Pair:
    """Give an answer of a confidence; right is what says 30 June."""
    return QUESTION, made_outcome(text, ["a quote"], confidence=confidence)


def test_each_confidence_has_its_answers_and_the_share_right() -> None:
    """If this fails, the curve says that sure answers are right when they are not."""
    partly = made_outcome("x", ["y"], confidence=8, judgement=ModelVerdict("far", "partly"))
    pairs = [
        pair(8, "30 June"), pair(8, "1 May"), (QUESTION, partly), pair(3, "1 May"),
        pair(0, "30 June"),  # its confidence was not judged
        (QUESTION, made_outcome("The documents do not hold it.", confidence=1)),
    ]  # fmt: skip
    assert reliability(pairs) == (Bin(0.25, 1, 0), Bin(0.75, 3, 0.5))
    assert reliability([]) == ()


def test_errors_of_calibration_are_counted() -> None:
    """If this fails, a judgement that is always wrong by a half counts as calibrated."""
    sure, right = [0.9] * 100, [1.0] * 90 + [0.0] * 10
    even = [1.0] * 100
    assert ece(sure, right, even) == pytest.approx(0.0)
    assert ece(sure, [1 - one for one in right], even) == pytest.approx(0.8)
    assert brier([1.0, 0.0], [1.0, 1.0], [1.0, 1.0]) == 0.5
    assert brier([1.0, 0.0], [1.0, 1.0], [3.0, 1.0]) == 0.25


def test_errors_in_one_bin_do_not_make_up_for_those_in_another() -> None:
    """If this fails, too sure here and too modest there add up to calibrated."""
    assert ece([0.25, 0.75], [1.0, 0.0], [1.0, 1.0]) == pytest.approx(0.75)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from((0.0, 0.5, 1.0))), min_size=1))
def test_errors_are_from_0_to_1(told: list[tuple[float, float]]) -> None:
    """If this fails, a likelihood at an end falls out of the bins, or into two."""
    likely, right = zip(*told, strict=True)
    even = [1.0] * len(told)
    assert 0 <= ece(likely, right, even) <= 1 + 1e-9
    assert 0 <= brier(likely, right, even) <= 1 + 1e-9


def test_few_answers_have_no_error_of_calibration() -> None:
    """If this fails, a person changes what they do for chance in ten answers."""
    # All at 8, which says 0.75, half of them right.
    pairs = [pair(8, "30 June" if place % 2 else "1 May") for place in range(LEAST)]
    found = reliability_metrics(pairs)
    assert found["confidence_ECE"] == pytest.approx(0.25)
    assert found["confidence_Brier"] == pytest.approx((0.25**2 + 0.75**2) / 2)
    assert set(reliability_metrics(pairs[1:]).values()) == {None}
    assert found.keys() <= EXPLANATIONS.keys()


def test_what_a_stage_took_is_added_up() -> None:
    """If this fails, the cost of a run, or what waiting is like, is told wrongly."""
    taken = [
        QuestionCost(float(ms), ms / 2 if ms != 100 else None, 2, 10, 1, cost)
        for ms, cost in zip(range(1, 101), [0.25, None] * 50, strict=True)
    ]
    assert traffic_metrics("answer", taken) == {
        "answer_p50_ms": 50, "answer_p95_ms": 95, "answer_p99_ms": 99,
        "answer_first_p50_ms": 25, "answer_first_p95_ms": 47.5,
        "answer_tool_calls": 2, "answer_tokens_in": 1000, "answer_tokens_out": 100,
        "answer_cost": 12.5,
    }  # fmt: skip
    assert traffic_metrics("retrieve", [QuestionCost(1.0)])["retrieve_cost"] is None


@pytest.mark.parametrize("stage", STAGES)
def test_every_figure_has_its_line(stage: Stage) -> None:
    """If this fails, a report stops at a figure that has no words."""
    assert traffic_metrics(stage, [QuestionCost(1.0)]).keys() <= EXPLANATIONS.keys()
    assert set(traffic_metrics("search", [])) == {"search_p50_ms", "search_p95_ms", "search_p99_ms"}
