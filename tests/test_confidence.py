"""How likely an answer is right: one rule, that never pulls against what a signal means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.claims.confidence import ANSWER, READING, Judgement, judged

SHARES = st.floats(0, 1)
ALL = st.fixed_dictionaries(dict.fromkeys(ANSWER.signals, SHARES))


@given(ALL, st.sampled_from(sorted(ANSWER.signals)), SHARES)
def test_more_of_any_signal_never_makes_an_answer_less_likely(
    values: dict[str, float], name: str, more: float
) -> None:
    """An answer would be refused for fitting the question better, which nobody could explain."""
    raised = {**values, name: max(more, values[name])}
    assert judged(raised).likelihood >= judged(values).likelihood - 1e-9


@given(ALL)
def test_the_shares_explain_the_whole_of_a_judgement(values: dict[str, float]) -> None:
    """What is shown as the reason would not be what was decided by."""
    average = judged({name: fitted.mean for name, fitted in ANSWER.signals.items()})
    judgement = judged(values)
    assert [signal.name for signal in judgement.signals] == list(ANSWER.signals)
    raised = any(signal.share > 0 for signal in judgement.signals)
    if judgement.likelihood > average.likelihood + 1e-3:
        assert raised
    assert 1 <= judgement.confidence <= 10


@given(SHARES, SHARES)
def test_what_is_not_known_counts_as_the_average(words: float, margin: float) -> None:
    """A value that could not be looked up would speak for an answer or against it."""
    known = {"words": words, "margin": margin}
    rest = {name: fitted.mean for name, fitted in ANSWER.signals.items() if name not in known}
    assert judged(known).likelihood == pytest.approx(judged({**rest, **known}).likelihood, abs=1e-3)


@given(st.fixed_dictionaries(dict.fromkeys(READING.signals, SHARES)))
def test_without_a_margin_the_words_tell(values: dict[str, float]) -> None:
    """In a folder of two files nothing stands out, and everything would be refused."""
    assert {signal.name for signal in judged(values).signals} == set(READING.signals)


def test_the_confidence_is_the_likelihood_in_tenths() -> None:
    """A confidence of 7 would mean something else than seven of ten."""
    found = [Judgement(likely).confidence for likely in (0.0, 0.1, 0.11, 0.5, 0.699, 0.7, 1.0)]
    assert found == [1, 1, 2, 5, 7, 7, 10]
