"""What a question says against the words that are quoted first."""

import pytest

from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import EvidenceItem
from rag_assistant.verification.question_fit import question_fit


def fits(question: str, quote: str, title: str = "Leave") -> dict[str, float]:
    """Give the signals for a quote of an entry of this title."""
    return question_fit(
        question, EvidenceItem("staff", 1, title, "a.md", quote, Location(0, 1), True)
    )


@pytest.mark.parametrize(
    ("question", "quote", "signals"),
    [
        ("Who pays for the course?", "The cooperative pays for the course.", {}),
        ("Who does not pay for it?", "The cooperative pays for it.", {"undenied": 0.0}),
        ("Who does not pay for it?", "Members do not pay for it.", {}),
        ("Which days can be carried over?", "These days cannot be carried over.",
         {"affirmed": 0.0}),
        ("When did Anna Moss join the board?", "Peter Ling joined the board in 2019.",
         {"named": 0.0}),
    ],
)  # fmt: skip
def test_denials_and_names_are_held_against_the_quote(
    question: str, quote: str, signals: dict[str, float]
) -> None:
    """What says the contrary in the same words, or of somebody else, would be called likely."""
    assert fits(question, quote) == {"undenied": 1.0, "affirmed": 1.0, "named": 1.0, **signals}


def test_a_name_may_stand_above_the_quote() -> None:
    """A page about somebody, who is "she" in it, would never be about them."""
    quote = "She joined the board in 2019."
    assert fits("When did Anna Moss join?", quote, "Anna Moss")["named"] == 1.0
