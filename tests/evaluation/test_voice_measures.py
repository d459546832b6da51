"""What is measured of the voices, against examples computed by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.evaluation.measuring.answers import Pair, answer_measures
from rag_assistant.evaluation.measuring.reliability import (
    reliability,
    reliability_intervals,
    reliability_metrics,
)
from rag_assistant.evaluation.measuring.report import Bin
from rag_assistant.evaluation.measuring.voices import (
    FEWEST,
    VOICE_MEASURES,
    aurc,
    chance_metrics,
    chances,
    first_right,
    resampled,
    roc,
)
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.values.evidence import Voice
from tests.evaluation.made_answers import made_outcome

CARRIED = "Up to eight days may be carried over."
PAID = "The salary is paid on the 25th of each month."
QUESTION = Question("1", "How many days?", {"a.md": 1}, (CARRIED,), ("eight days",))
UNANSWERABLE = Question("2", "Who ate it?", answerable=False)

TOLD = st.lists(st.tuples(st.floats(0, 1), st.sampled_from((0.0, 1.0))), min_size=1)


def pair(chance: float, quote: str = CARRIED, voice: Voice = Voice.ANSWER) -> Pair:
    """Give what was quoted with a chance; right is what is carried over."""
    return QUESTION, made_outcome("x", [quote], voice=voice, chance=chance)


def test_the_first_quote_alone_decides() -> None:
    """If it fails, four quotes, of which one is right, make what is said first right."""
    assert first_right(QUESTION, made_outcome("x", [CARRIED, PAID])) == 1
    assert first_right(QUESTION, made_outcome("x", [PAID, CARRIED])) == 0
    assert first_right(QUESTION, made_outcome("x")) == 0
    assert first_right(UNANSWERABLE, made_outcome("x", [CARRIED])) == 0
    assert first_right(Question("3", "What?"), made_outcome("x", [CARRIED])) is None


def test_the_same_words_of_another_document_are_not_right() -> None:
    """If it fails, a single word as the reference is found right wherever it stands."""
    assert first_right(QUESTION, made_outcome("x", [CARRIED], paths=["b.md"])) == 0
    record = made_outcome("x", [CARRIED], paths=["all.jsonl"], documents=["a.md"])
    assert first_right(QUESTION, record) == 1
    anywhere = Question("4", "How many?", {}, (CARRIED,))
    assert first_right(anywhere, made_outcome("x", [CARRIED], paths=["b.md"])) == 1


def test_each_voice_has_its_use_and_its_precision() -> None:
    """If it fails, a voice that is right half of the time counts as right."""
    measured = answer_measures(*pair(0.6, PAID, Voice.PROBABLY))
    voices = {name: measured[name] for name in VOICE_MEASURES if name in measured}
    assert voices == {
        "voice_answer": 0.0,
        "voice_probably": 1.0,
        "voice_nearest": 0.0,
        "voice_probably_right": 0.0,
    }
    unjudged = answer_measures(QUESTION, made_outcome("x", [CARRIED], confidence=9))
    assert not unjudged.keys() & set(VOICE_MEASURES)


def test_the_areas_by_hand() -> None:
    """If they fail, the figures that voices are chosen by are of something else."""
    told = [(0.9, 1.0), (0.8, 0.0), (0.7, 1.0), (0.1, 0.0)]
    assert roc(told) == pytest.approx(3 / 4)
    assert aurc(told) == pytest.approx((0 + 1 / 2 + 1 / 3 + 2 / 4) / 4)
    assert roc([(0.5, 1.0), (0.5, 0.0)]) == 0.5
    assert aurc([(0.5, 1.0), (0.5, 0.0)]) == pytest.approx(0.5)


@given(TOLD)
def test_the_areas_do_not_depend_on_the_order(told: list[tuple[float, float]]) -> None:
    """If it fails, a run whose questions are sorted otherwise is another."""
    assert 0 <= aurc(told) <= 1
    assert aurc(told) == pytest.approx(aurc(told[::-1]))
    assert roc(told) == pytest.approx(roc(told[::-1]), nan_ok=True)


def test_few_answers_have_no_areas() -> None:
    """If it fails, three answers have a perfect area."""
    some = [(place / FEWEST, float(place % 2)) for place in range(FEWEST)]
    assert None not in chance_metrics(some).values()
    assert set(chance_metrics(some[1:]).values()) == {None}
    assert set(chance_metrics([(0.5, 1.0)] * FEWEST).values()) == {None}
    assert chance_metrics(some).keys() | set(VOICE_MEASURES) <= EXPLANATIONS.keys()


def test_the_chances_of_all_voices_are_held_against_what_came() -> None:
    """If it fails, what is shown as may not answer is left out, and the rest looks sure."""
    pairs = [pair(0.91), pair(0.55, PAID, Voice.PROBABLY), pair(0.12, PAID, Voice.NEAREST)] * 10
    assert list(chances(pairs[:3])) == [(0.91, 1.0), (0.55, 0.0), (0.12, 0.0)]
    assert reliability(pairs) == (Bin(0.15, 10, 0), Bin(0.55, 10, 0), Bin(0.95, 10, 1))
    found = reliability_metrics(pairs)["confidence_ECE"]
    assert found is not None
    assert found == pytest.approx((0.09 + 0.55 + 0.12) / 3)
    ends = reliability_intervals(pairs, seed=7)
    assert ends["confidence_ECE"].low < found < ends["confidence_ECE"].high
    assert ends.keys() == {"confidence_ECE", "confidence_Brier", "chance_ROC", "chance_AURC"}


def test_an_interval_holds_its_figure() -> None:
    """If it fails, the interval is of other answers."""
    told = [(place / 100, float(place % 3 > 0 and place > 30)) for place in range(100)]
    ends = resampled(roc, told, seed=7)
    assert ends is not None
    assert ends.low < roc(told) < ends.high
    assert resampled(roc, [(0.5, 1.0)] * 9, seed=7) is None
