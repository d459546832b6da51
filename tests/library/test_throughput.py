"""The estimate of the time left: honest about what is not known yet."""

import pytest

from rag_assistant.library.throughput import LEAST_SECONDS, WINDOW_SECONDS, Throughput


def _steady(seconds: float, items_a_second: float, weight: float) -> Throughput:
    pace = Throughput()
    for step in range(int(seconds * 4) + 1):
        pace = pace.after(step / 4, int(step / 4 * items_a_second), step / 4 * weight)
    return pace


def test_nothing_is_said_too_early() -> None:
    """If it fails, the first number a person sees is a guess that jumps at once."""
    pace = Throughput().after(0, 0, 0).after(LEAST_SECONDS / 2, 50, 50)
    assert pace.seconds_left(100, 100) is None
    assert pace.items_a_second is None
    assert Throughput().after(0, 0, 0).after(20, 1, 9).seconds_left(5, 5) is None


def test_a_steady_pace_is_told_as_it_is() -> None:
    """If it fails, the time left is wrong even where nothing is unclear."""
    pace = _steady(8, 50, 1000)
    assert pace.items_a_second == pytest.approx(50, rel=0.1)
    assert pace.seconds_left(100, 2000) == pytest.approx(2, rel=0.1)


def test_large_things_that_are_left_count_by_their_weight() -> None:
    """If it fails, "1 s left" stands for minutes because one large file comes last."""
    pace = _steady(8, 50, 1000)
    assert pace.seconds_left(1, 60_000) == pytest.approx(60, rel=0.1)


def test_only_the_latest_seconds_count() -> None:
    """If it fails, a quick beginning promises an end that never comes near."""
    pace = Throughput()
    for second in range(100):
        quick = min(second, 20) * 1000
        pace = pace.after(second, quick + max(0, second - 20), 0)
    assert pace.items_a_second == pytest.approx(1, rel=0.1)
    assert len(pace.samples) <= WINDOW_SECONDS * 4 + 2


def test_standing_still_is_a_pace() -> None:
    """If it fails, one slow file makes the rest seem done, or divides by nothing."""
    pace = _steady(2, 10, 10).after(40, 20, 20).after(41, 21, 21)
    left = pace.seconds_left(10, 10)
    assert left is None or left > 10
