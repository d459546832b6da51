"""Intervals and p: against enumeration, against scipy, and on samples whose truth is known."""

import math
from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.evaluation.measuring.significance import (
    EXACT,
    FEWEST,
    LEVEL,
    adjusted,
    interval,
    paired,
)
from tests.examples import examples

SHARES = st.floats(0, 1).map(lambda value: round(value, 4))
ROWS = st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=20)


def p_by_hand(differences: Sequence[float]) -> float:
    """Try every choice of signs, in whole ten-thousandths."""
    whole = [round(each * 10_000) for each in differences]
    seen = abs(sum(whole))
    sums = [
        abs(sum(sign * each for sign, each in zip(signs, whole, strict=True)))
        for signs in product((1, -1), repeat=len(whole))
    ]
    return sum(each >= seen for each in sums) / len(sums)


def drawn(chance: Random) -> float:
    """A difference as of nDCG: most questions have none, some a large one."""
    return 0.0 if chance.random() < 0.4 else round(chance.gauss(0, 0.3), 4)


@settings(max_examples=examples(60))
@given(st.lists(SHARES.map(lambda value: value - 0.5), min_size=1, max_size=8))
def test_few_pairs_have_the_p_of_all_choices(differences: list[float]) -> None:
    """If this fails, a run of ten questions is judged by a p that nobody can check."""
    found = paired([0.0] * len(differences), differences, seed=1)
    assert found.p == p_by_hand([round(each, 4) for each in differences])


def test_many_pairs_have_nearly_the_p_of_all_choices() -> None:
    """If this fails, p jumps where the choices become too many to be tried."""
    chance = Random(5)
    for shift in (0.0, 0.1, 0.2):
        differences = [round(chance.gauss(shift, 0.3), 4) for _ in range(EXACT + 2)]
        found = paired([0.0] * len(differences), differences, seed=1)
        assert found.p == pytest.approx(p_by_hand(differences), abs=0.015)


@pytest.mark.soak
def test_scipy_gives_the_same_interval_and_p() -> None:
    """If this fails, what a statistician computes from the JSON is not what we printed."""
    np = pytest.importorskip("numpy")
    stats = pytest.importorskip("scipy.stats")
    chance = Random(8)
    values = np.array([round(chance.gauss(0.03, 0.2), 4) for _ in range(300)])
    found = paired([0.0] * 300, list(map(float, values)), seed=3)
    theirs = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=9_999, rng=3
    )
    assert found.p == pytest.approx(theirs.pvalue, abs=0.01)
    their_interval = stats.bootstrap((values,), np.mean, method="percentile", rng=3)
    held = found.interval
    assert held is not None
    width = held.high - held.low
    assert held.low == pytest.approx(their_interval.confidence_interval.low, abs=width / 15)
    assert held.high == pytest.approx(their_interval.confidence_interval.high, abs=width / 15)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "draw", "mean"),
    [
        ("normal", lambda chance: chance.gauss(0.5, 0.2), 0.5),
        ("reciprocal ranks", lambda chance: 1 / chance.choice((1, 1, 2, 3, 10)), 0.58666),
        ("shares", lambda chance: chance.choice((0.0, 0.0, 0.25, 1.0, 1.0)), 0.45),
    ],
)
def test_intervals_of_ten_questions_hold_the_true_mean(
    name: str, draw: Callable[[Random], float], mean: float
) -> None:
    """If this fails, 95 % is a word: plain percentiles hold it nine times in ten."""
    chance = Random(11)
    held = 0
    for seed in range(400):
        found = interval([draw(chance) for _ in range(10)], seed=seed, samples=400)
        held += found is not None and found.low <= mean <= found.high
    assert 0.925 <= held / 400 <= 0.99, name


def test_an_interval_says_nothing_where_resampling_tells_nothing() -> None:
    """If this fails, ten right answers of ten read as certainty."""
    assert interval([], seed=0) is None
    assert interval([0.7], seed=0) is None
    assert interval([1.0] * 10, seed=0) is None


@pytest.mark.soak
def test_chance_is_called_a_difference_in_one_of_twenty() -> None:
    """If this fails, a change that does nothing looks like a gain more often than is said."""
    chance = Random(2)
    rounds = 300
    wrong = 0
    for seed in range(rounds):
        differences = [drawn(chance) for _ in range(20)]
        wrong += paired([0.0] * 20, differences, seed=seed, samples=300).p <= LEVEL
    assert wrong / rounds <= 0.09


def test_a_clear_difference_is_found() -> None:
    """If this fails, every comparison ends in noise."""
    chance = Random(3)
    found = 0
    for seed in range(50):
        differences = [chance.gauss(0.15, 0.25) for _ in range(40)]
        found += paired([0.0] * 40, differences, seed=seed, samples=300).p <= LEVEL
    assert found >= 45


def test_fewer_than_six_that_differ_are_never_more_than_noise() -> None:
    """If this fails, five questions prove something."""
    for count in range(1, 12):
        found = paired([0.0] * count, [1.0] * count, seed=0)
        assert found.p == pytest.approx(2 ** (1 - count))
        assert (found.p <= LEVEL) is (count >= FEWEST)


def test_equal_runs_and_no_runs() -> None:
    """If this fails, comparing a run with itself breaks, or finds something."""
    same = paired([0.5, 0.2, 1.0], [0.5, 0.2, 1.0], seed=0)
    assert (same.pairs, same.differ, same.difference, same.p) == (3, 0, 0.0, 1.0)
    assert same.interval is None
    assert paired([0.1], [0.9], seed=0).p == 1
    with pytest.raises(ValueError, match="no pairs"):
        paired([], [], seed=0)
    with pytest.raises(ValueError, match="zip"):
        paired([0.1], [0.1, 0.2], seed=0)


@settings(max_examples=examples(60))
@given(ROWS)
def test_swapping_the_runs_turns_the_sign_and_nothing_else(rows: list[tuple[float, float]]) -> None:
    """If this fails, "better" and "worse" are judged by two measures."""
    old, new = zip(*rows, strict=True)
    there = paired(old, new, seed=4, samples=200)
    back = paired(new, old, seed=4, samples=200)
    assert back.difference == pytest.approx(-there.difference)
    assert back.p == pytest.approx(there.p, abs=0.1)
    assert there.differ == sum(a != b for a, b in rows)


@settings(max_examples=examples(60))
@given(ROWS, st.integers(0, 2**32))
def test_every_figure_is_a_number(rows: list[tuple[float, float]], seed: int) -> None:
    """If this fails, a report has NaN in it, which is no JSON."""
    old, new = zip(*rows, strict=True)
    found = paired(old, new, seed=seed, samples=100)
    assert 0 < found.p <= 1
    if found.interval:
        assert -1 <= found.interval.low <= found.interval.high <= 1
        assert math.isfinite(found.interval.low + found.interval.high)
    together = adjusted({"a": new, "b": old}, seed=seed, samples=100)
    assert all(0 < p <= 1 for p in together.values())


def test_a_seed_gives_the_same_figures_again() -> None:
    """If this fails, two people with the same runs read different figures."""
    chance = Random(6)
    old = [chance.random() for _ in range(60)]
    new = [chance.random() for _ in range(60)]
    assert paired(old, new, seed=9) == paired(old, new, seed=9)
    assert paired(old, new, seed=9) != paired(old, new, seed=10)
    measures = {"a": old, "b": new}
    assert adjusted(measures, seed=9) == adjusted(measures, seed=9)


def test_measures_together_are_as_enumeration_has_them() -> None:
    """If this fails, the p beside a metric is not that of the method that is named."""
    chance = Random(12)
    measures = {name: [chance.gauss(0.15, 0.3) for _ in range(9)] for name in "abc"}
    units = {name: math.sqrt(sum(d * d for d in held)) for name, held in measures.items()}
    seen = {name: abs(sum(held)) / units[name] for name, held in measures.items()}
    order = sorted(seen, key=lambda name: -seen[name])
    choices = list(product((1, -1), repeat=9))
    far = {
        name: [
            abs(sum(sign * d for sign, d in zip(signs, measures[name], strict=True))) / units[name]
            for signs in choices
        ]
        for name in order
    }
    found = adjusted(measures, seed=1)
    largest = 0.0
    for place, name in enumerate(order):
        most = [max(each) for each in zip(*(far[rest] for rest in order[place:]), strict=True)]
        share = sum(each >= seen[name] - 1e-9 for each in most) / len(choices)
        largest = max(largest, share)
        assert found[name] == pytest.approx(largest, abs=0.02)


def test_a_copy_of_a_measure_costs_nothing() -> None:
    """If this fails, a report hides a difference by printing it in five forms."""
    chance = Random(14)
    held = [chance.gauss(0.1, 0.25) for _ in range(40)]
    alone = paired([0.0] * 40, held, seed=1).p
    together = adjusted({f"copy {n}": held for n in range(10)}, seed=1)
    assert all(p == pytest.approx(alone, abs=0.01) for p in together.values())


@pytest.mark.soak
def test_many_measures_of_nothing_find_nothing() -> None:
    """If this fails, one of ten metrics is "better" in two comparisons of five."""
    chance = Random(15)
    rounds = 150
    wrong = alone = 0
    for seed in range(rounds):
        base = [drawn(chance) for _ in range(25)]
        measures = {f"near {n}": [each + drawn(chance) / 4 for each in base] for n in range(4)}
        measures |= {f"own {n}": [drawn(chance) for _ in range(25)] for n in range(6)}
        together = adjusted(measures, seed=seed, samples=300)
        wrong += min(together.values()) <= LEVEL
        alone += any(
            adjusted({name: held}, seed=seed, samples=100)[name] <= LEVEL
            for name, held in measures.items()
            if name.startswith("own")
        )
    assert wrong / rounds <= 0.09
    assert alone / rounds > 0.15  # so that there was something to guard against


def test_a_difference_is_found_among_many_measures_of_nothing() -> None:
    """If this fails, the more a report measures the less it can say."""
    chance = Random(16)
    measures = {f"m{n}": [drawn(chance) for _ in range(40)] for n in range(20)}
    found = adjusted(
        {**measures, "real": [chance.gauss(0.2, 0.25) for _ in range(40)]}, seed=2, samples=2_000
    )
    assert found["real"] <= 0.01
    assert [name for name, p in found.items() if p <= LEVEL] == ["real"]


def test_together_with_nothing() -> None:
    """If this fails, comparing equal runs ends in a traceback."""
    assert adjusted({}, seed=0, samples=10) == {}
    assert adjusted({"a": [0.0, 0.0]}, seed=0, samples=10) == {"a": 1.0}
