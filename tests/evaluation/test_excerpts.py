"""Measures of excerpts, on texts small enough to count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.evaluation.excerpts import Excerpt, find_excerpt, overlap

TEXTS = {"a": "one two three four five six seven eight nine ten", "b": "one two three"}


def spans(*places: tuple[str, int, int]) -> list[Excerpt]:
    return [Excerpt(*place) for place in places]


@pytest.mark.parametrize(
    ("wanted", "found", "measured"),
    [
        ([("a", 0, 13)], [("a", 0, 13)], (1, 1, 1)),
        ([("a", 0, 13)], [("a", 4, 18)], (2 / 3, 2 / 3, 2 / 4)),
        ([("a", 0, 13)], [("b", 0, 13)], (0, 0, 0)),
        ([("a", 0, 7), ("b", 0, 3)], [("a", 0, 48), ("a", 0, 7)], (2 / 3, 2 / 10, 2 / 11)),
        ([("a", 0, 13)], [], (0, 0, 0)),
    ],
)
def test_counted_by_hand(
    wanted: list[tuple[str, int, int]],
    found: list[tuple[str, int, int]],
    measured: tuple[float, float, float],
) -> None:
    """If this fails, the figures of retrieved evidence are not what their source defines."""
    compared = overlap(spans(*wanted), spans(*found), TEXTS.__getitem__)
    assert tuple(compared.measures.values()) == pytest.approx(measured)


Span = st.tuples(st.sampled_from(sorted(TEXTS)), st.integers(0, 50), st.integers(0, 50))


@given(st.lists(Span, max_size=4), st.lists(Span, max_size=4))
def test_bounds_and_symmetry(
    one: list[tuple[str, int, int]], other: list[tuple[str, int, int]]
) -> None:
    """If this fails, a share is no share, or depends on what is called the reference."""
    there = overlap(spans(*one), spans(*other), TEXTS.__getitem__).measures
    back = overlap(spans(*other), spans(*one), TEXTS.__getitem__).measures
    assert all(0 <= value <= 1 for value in there.values())
    assert there["recall"] == back["precision"]
    assert there["IoU"] == back["IoU"] <= min(there["recall"], there["precision"])


def test_finding_a_quote() -> None:
    """If this fails, evidence is compared with another place than the reference is of."""
    text = "It is so.\nIt is\nso. It is not."
    assert find_excerpt("a", text, "It is so.") == Excerpt("a", 0, 9)
    assert find_excerpt("a", text, "It is so.", near=11) == Excerpt("a", 10, 19)
    assert find_excerpt("a", text, "It was so.") is None
    assert find_excerpt("a", text, " ") is None
