"""How likely an answer is right: one rule, that never pulls against what a signal means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.claims.confidence import Judgement, judged_by
from rag_assistant.values.voice import Voice
from rag_assistant.verification.chance_weights import ANSWER, CHANCE, PROBABLY
from rag_assistant.verification.voices import voice_of

SHARES = st.floats(0, 1)
ALL = st.fixed_dictionaries(dict.fromkeys(CHANCE.signals, SHARES))


@given(ALL, st.sampled_from(sorted(CHANCE.signals)), SHARES)
def test_more_of_any_signal_never_makes_an_answer_less_likely(
    values: dict[str, float], name: str, more: float
) -> None:
    """An answer would lose its voice for fitting the question better: nobody could explain it."""
    raised = {**values, name: max(more, values[name])}
    assert judged_by(CHANCE, raised).likelihood >= judged_by(CHANCE, values).likelihood - 1e-9


@given(ALL)
def test_the_shares_explain_the_whole_of_a_judgement(values: dict[str, float]) -> None:
    """What is shown as the reason would not be what was decided by."""
    average = judged_by(CHANCE, {name: fitted.mean for name, fitted in CHANCE.signals.items()})
    judgement = judged_by(CHANCE, values)
    assert [signal.name for signal in judgement.signals] == list(CHANCE.signals)
    raised = any(signal.share > 0 for signal in judgement.signals)
    if judgement.likelihood > average.likelihood + 1e-3:
        assert raised
    assert 1 <= judgement.confidence <= 10


@given(SHARES, SHARES)
def test_what_is_not_known_counts_as_the_average(words: float, margin: float) -> None:
    """A value that could not be looked up would speak for an answer or against it.

    In a folder of two files no margin is known, and nothing there would be answered.
    """
    known = {"words": words, "margin": margin}
    rest = {name: fitted.mean for name, fitted in CHANCE.signals.items() if name not in known}
    whole = judged_by(CHANCE, {**rest, **known}).likelihood
    assert judged_by(CHANCE, known).likelihood == pytest.approx(whole, abs=1e-3)


def test_the_confidence_is_the_likelihood_in_tenths() -> None:
    """A confidence of 7 would mean something else than seven of ten."""
    found = [Judgement(likely).confidence for likely in (0.0, 0.1, 0.11, 0.5, 0.699, 0.7, 1.0)]
    assert found == [1, 1, 2, 5, 7, 7, 10]


@given(SHARES, SHARES)
def test_a_higher_chance_never_claims_less(one: float, other: float) -> None:
    """What is likelier right would be shown as what may not answer."""
    rising = [Voice.NEAREST, Voice.PROBABLY, Voice.ANSWER]
    low, high = sorted((one, other))
    assert rising.index(voice_of(low)) <= rising.index(voice_of(high))
    assert 0 < PROBABLY < ANSWER < 1


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (0.52, "about 5"),
        (0.849, "about 8"),
        (0.949, "about 9"),
        (0.799, "about 7"),
        (0.97, "over 9"),
        (1.0, "over 9"),
    ],
)
def test_the_chance_is_said_as_a_person_says_it(chance: float, said: str) -> None:
    """It would be called certain, or read like a measurement."""
    assert Voice.PROBABLY.words(chance) == f"Probably ({said} in 10)"
