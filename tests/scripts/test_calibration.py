"""The figures of the calibration are what they are called."""

import numpy as np
import pytest

from scripts.benchmarks.trust import calibration_figures as figures


def test_a_fit_finds_the_weights_that_made_the_data() -> None:
    """The constants of the product would be of another regression."""
    chance = np.random.default_rng(1)
    values = chance.random((4_000, 2))
    likely = 1 / (1 + np.exp(-(-2.0 + 4.0 * values[:, 0])))
    right = (chance.random(4_000) < likely).astype(float)
    bias, strong, none = figures.fit(values, right, np.ones(4_000))
    assert bias == pytest.approx(-2.0, abs=0.3)
    assert strong == pytest.approx(4.0, abs=0.4)
    assert none == pytest.approx(0.0, abs=0.3)


def test_no_weight_pulls_against_its_signal() -> None:
    """Chance in little data would refuse answers for fitting well."""
    values = np.array([[0.1], [0.2], [0.8], [0.9]] * 20)
    right = np.array([1.0, 1.0, 0.0, 0.0] * 20)
    assert figures.fit(values, right, np.ones(80))[1] == 0.0


def test_the_area_counts_how_often_a_right_answer_is_above_a_wrong_one() -> None:
    """A judgement that puts every right answer first would not look better than chance."""
    likely, came = np.array([0.9, 0.5, 0.1]), np.array([1.0, 0.0, 0.0])
    assert figures.ranks_apart(likely, came, np.ones(3)) == 1.0


def test_intervals_resample_whole_questions() -> None:
    """Three models that answer the same would look like three times the evidence."""
    values = np.r_[np.zeros(30), np.ones(30)]
    questions = [str(place // 6) for place in range(60)]

    def mean(places: np.ndarray[tuple[int], np.dtype[np.intp]]) -> float:
        return float(values[places].mean())

    low, high = figures.interval(mean, questions)
    alone_low, alone_high = figures.interval(mean, [str(place) for place in range(60)])
    assert low < 0.5 < high
    assert high - low > alone_high - alone_low
