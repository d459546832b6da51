"""What a question presupposes, and what is cited does not say."""

import pytest

from rag_assistant.verification.presupposed import CitedSource, presupposed

ROOF = CitedSource(
    ("In 2025 the repair of the roof cost £5,400.",),
    "Accounts of Saint Anne's Hall accounts/roof.md Repairs",
    "2026-01-12",
    "In 2025 the repair of the roof cost £5,400. The Harbour Committee paid by 3 May. The beam of"
    " 12 km is that of release 4.2, built for the World Trade Organization. FORM-7 names it.",
)


@pytest.mark.parametrize(
    ("question", "asked", "read"),
    [
        ("What did the roof cost in 2024?", "2024", ("2025",)),
        ("What did the Finance Board pay for the roof?", "Finance Board", ()),
        ("What does release 4.3 change?", "release 4.3", ("4.2",)),
        ("What does FORM-9 ask for?", "FORM-9", ()),
    ],
)
def test_what_the_sources_do_not_say_is_told(
    question: str, asked: str, read: tuple[str, ...]
) -> None:
    """An answer from another year, body or version would look like the one that was asked for."""
    (found,) = presupposed(question, [ROOF])
    assert (found.asked, found.read) == (asked, read)
    assert asked in found.words
    assert all(value in found.words for value in read)


@pytest.mark.parametrize(
    "question",
    [
        "What did the roof cost in 2025?",
        "What did the roof cost?",
        "Which repairs were made between 2020 and 2026?",
        "What did the harbour committee pay?",
        "What did the Harbor Comittee pay?",
        "What does FORM-7 name?",
        "What was built for the WTO?",
        "What does release 4.2 change?",
        "I moved here from Portugal in 2019. What did the roof cost?",
        "Does it close on a Friday before Christmas?",
    ],
)
def test_what_they_say_in_any_form_is_not(question: str) -> None:
    """A warning that comes with right answers would be read no more."""
    assert presupposed(question, [ROOF]) == []


def test_a_unit_that_is_asked_for_is_compared() -> None:
    """Kilometres would be read as miles."""
    beam = CitedSource(("The beam is 12 km long.",), "beam.md", "", "The beam is 12 km long.")
    (found,) = presupposed("How many miles long is the beam?", [beam])
    assert found.read == ("12 km",)
    assert presupposed("How many kilometres long is the beam?", [beam]) == []
    assert presupposed("How long is the beam?", [beam]) == []


def test_without_a_source_nothing_is_told() -> None:
    """An answer that cites nothing would be blamed for what it did not choose."""
    assert presupposed("What did the roof cost in 2024?", []) == []
