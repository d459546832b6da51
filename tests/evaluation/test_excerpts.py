"""Measures of excerpts, on texts small enough to count."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.evaluation.measuring.excerpts import (
    EVIDENCE_MEASURES,
    evidence_measures,
    find_excerpt,
    measures_of,
    overlap,
)
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.runs.outcomes import EvidenceOutcome, Overlap, QuestionCost, Span

TEXTS = {
    1: "one two three four five six seven eight nine ten",
    2: "one two three",
    3: "年次休暇は27日",
}

Place = tuple[int, int, int]


def spans(*places: Place) -> list[Span]:
    return [Span("staff", *place) for place in places]


def compared(wanted: list[Place], found: list[Place]) -> Overlap:
    return overlap(spans(*wanted), spans(*found), lambda _, entry_id: TEXTS[entry_id])


@pytest.mark.parametrize(
    ("wanted", "found", "measured"),
    [
        ([(1, 0, 13)], [(1, 0, 13)], (1, 1, 1)),
        ([(1, 0, 13)], [(1, 4, 18)], (2 / 3, 2 / 3, 2 / 4)),
        ([(1, 0, 13)], [(2, 0, 13)], (0, 0, 0)),
        ([(1, 0, 7), (2, 0, 3)], [(1, 0, 48), (1, 0, 7)], (2 / 3, 2 / 10, 2 / 11)),
        ([(1, 0, 13)], [], (0, 0, 0)),
        ([(1, 8, 18)], [(1, 10, 18)], (1 / 2, 1, 1 / 2)),
        ([(3, 0, 4)], [(3, 2, 6)], (2 / 4, 2 / 4, 2 / 6)),
    ],
)
def test_counted_by_hand(
    wanted: list[Place], found: list[Place], measured: tuple[float, float, float]
) -> None:
    """If this fails, the figures of retrieved evidence are not what their source defines."""
    assert tuple(measures_of(compared(wanted, found)).values()) == pytest.approx(measured)


def test_the_same_entry_id_in_another_database_is_another_text() -> None:
    """If this fails, evidence of one database counts as that of another."""
    found = overlap([Span("a", 1, 0, 3)], [Span("b", 1, 0, 3)], lambda *_: "one")
    assert found == Overlap(1, 1, 0)


Places = st.tuples(st.sampled_from(sorted(TEXTS)), st.integers(0, 50), st.integers(0, 50))


@given(st.lists(Places, max_size=4), st.lists(Places, max_size=4))
def test_bounds_and_symmetry(one: list[Place], other: list[Place]) -> None:
    """If this fails, a share is no share, or depends on what is called the reference."""
    there, back = measures_of(compared(one, other)), measures_of(compared(other, one))
    assert all(0 <= value <= 1 for value in there.values())
    assert there["recall"] == back["precision"]
    assert there["IoU"] == back["IoU"] <= min(there["recall"], there["precision"])


@given(st.text("ab é.\n", max_size=20), st.integers(0, 20), st.integers(0, 20))
def test_a_token_counts_where_it_begins(text: str, start: int, end: int) -> None:
    """If this fails, half a word at the edge of a passage counts as a word of its own."""
    begin = [match.start() for match in re.finditer(r"(?<!\w)\w", text)]
    counted = overlap([Span("a", 1, start, end)], [], lambda *_: text)
    assert counted.wanted == sum(start <= place < end for place in begin)


def test_finding_a_quote() -> None:
    """If this fails, evidence is compared with another place than the reference is of."""
    text = "It is so.\nIt is\nso. It is not."
    assert find_excerpt(text, "It is so.") == (0, 9)
    assert find_excerpt(text, "It is so.", near=11) == (10, 19)
    assert find_excerpt(text, "It was so.") is None
    assert find_excerpt(text, " ") is None


def test_what_an_outcome_is_worth() -> None:
    """If this fails, a question without quotes lowers the means, or a measure has no name."""
    nothing = EvidenceOutcome("1", QuestionCost(1.0))
    assert evidence_measures(nothing) == {}
    found = EvidenceOutcome(
        "1",
        QuestionCost(1.0),
        passage_overlap=Overlap(4, 100, 4),
        evidence_overlap=Overlap(4, 6, 2),
    )
    assert evidence_measures(found) == pytest.approx(
        {
            "evidence_recall": 2 / 4,
            "evidence_precision": 2 / 6,
            "evidence_IoU": 2 / 8,
            "passage_recall": 1,
            "passage_precision": 4 / 100,
            "passage_IoU": 4 / 100,
        }
    )
    assert tuple(evidence_measures(found)) == EVIDENCE_MEASURES
    assert set(EVIDENCE_MEASURES) <= set(EXPLANATIONS)
