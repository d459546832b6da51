"""Contradictions between sources: told where there are some, and nowhere else."""

from typing import Any

import pytest

from rag_assistant.claims.claim_values import values_in
from rag_assistant.claims.disagreements import Cited, disagreements, notes_on
from rag_assistant.values.documents import Entry, Location, Version
from rag_assistant.values.evidence import EvidenceItem
from scripts.benchmarks.trust.contradictions import PAIRS, found_in

NOT_FOUND = {"pair-30", "pair-57", "pair-62", "pair-87"}
"""Contradictions that the rules do not see: most are paraphrases."""


def item(text: str, number: int = 1, path: str = "", heading: str | None = None) -> EvidenceItem:
    """Make a verified quote of an entry."""
    place = Location(0, len(text), heading=heading)
    return EvidenceItem("d", number, "", path or f"{number}.md", text, place, verified=True)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['id']} {pair['why']}")
def test_labelled_pairs(pair: dict[str, Any]) -> None:
    """A contradiction would go untold, or a reader be warned of one that is none."""
    assert bool(found_in(pair)) is (pair["contradict"] and pair["id"] not in NOT_FOUND)


def test_both_sides_are_told_newest_first() -> None:
    """A reader could not tell the corrected figure from the wrong one."""
    first = item("The firm's new price is £18,540 including VAT.", 1, "minutes/2025-04-08.md")
    later = item("The figure should read £18,450, not £18,540.", 2, "minutes/2025-05-13.md")
    (found,) = disagreements([first, later], {("d", 1): "2025-04-08", ("d", 2): "2025-05-13"})
    assert found.words == (
        "The sources disagree on “The firm's new price is … including VAT”:"
        " £18,450 (minutes/2025-05-13.md, 2025-05-13)"
        " or £18,540 (minutes/2025-04-08.md, 2025-04-08)."
    )
    assert [side.item for side in found.sides] == [later, first]


def test_three_sources_make_one_disagreement() -> None:
    """The same thing would be told three times."""
    texts = [
        "The hall holds 120 guests.",
        "The hall holds 140 guests.",
        "The hall holds 120 guests.",
    ]
    (found,) = disagreements([item(text, n) for n, text in enumerate(texts)], {})
    assert sorted(side.value for side in found.sides) == ["120 guests", "140 guests"]


def test_an_entry_does_not_contradict_itself() -> None:
    """The rows of a table would contradict one another."""
    texts = ["The hall holds 120 guests.", "The hall holds 140 guests."]
    assert disagreements([item(text) for text in texts], {}) == ()


def test_words_that_were_not_found_count_for_nothing() -> None:
    """A quote that a model made up would put its source in the wrong."""
    made_up = EvidenceItem("d", 2, "", "2.md", "The hall holds 9 guests.", Location(0, 9), False)
    assert disagreements([item("The hall holds 120 guests."), made_up], {}) == ()


def test_many_claims_take_bounded_work() -> None:
    """A run over long lists would not come to its end."""
    lists = [
        item(
            "".join(f"Gate {n} of quay {k} is {n * k} m wide.\n" for n in range(400)), k, f"{k}.md"
        )
        for k in range(1, 6)
    ]
    assert disagreements(lists, {}) == ()


def test_a_model_is_told_to_give_both_and_of_what_superseded_an_entry() -> None:
    """A model would pick one value, or cite a draft as if it held."""
    items = [item("The hall holds 120 guests.", 1), item("The hall holds 140 guests.", 2)]
    newer = Version(2, "", "hall.md", "newer", "2025-06-10", "the date in its name")
    entries = [
        Entry(1, "", "hall-draft.md", "", 9, versions=(newer,)),
        Entry(2, "", "hall.md", "", 9),
    ]
    told = notes_on(items, entries)
    assert "disagree" in told[0]
    assert "both values" in told[0]
    assert told[1] == (
        "entry 1 (hall-draft.md) is superseded by entry 2 (hall.md), newer by the date in its name"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("£1,200.00", "£1200"),
        ("5 per cent", "5%"),
        ("31 March 2027", "2027-03-31"),
        ("March 31st, 2027", "Wednesday 31 March 2027"),
        ("7.30 pm", "19:30"),
        ("twelve months", "12 months"),
        ("120 mm", "120mm"),
        ("€3 million", "3,000,000 euros"),
    ],
)
def test_one_value_in_two_spellings(one: str, other: str) -> None:
    """Two ways of writing would be a contradiction."""
    (first,), (second,) = values_in(one), values_in(other)
    assert (first.kind, first.readings) == (second.kind, second.readings)


def test_what_is_cited_is_held_against_all_of_its_kind() -> None:
    """What is left out for its kind would have been a contradiction, or an entry be left unread."""
    dates = {("d", 1): "2025-04-08", ("d", 2): "2025-05-13"}
    hall = item("The hall holds 120 guests. The caretaker of the hall is Ann Moss.", 1)
    cited = Cited([hall], dates)
    assert not cited.may_differ(("d", 1))
    assert cited.may_differ(("d", 2))
    assert not Cited([item("The hall has a stage.", 1)], dates).may_differ(("d", 2))
    others = [
        item("The hall holds 140 guests.", 2),
        item("The caretaker of the hall is Bob Fenn.", 3),
        item("The hall holds guests until 11 pm.", 4),
        item("The hall holds 150 guests.", 1),
    ]
    assert cited.disagreements(others, dates) == disagreements([hall, *others[:3]], dates)
    assert len(cited.disagreements(others, dates)) == 2
    assert cited.disagreements(others[2:], dates) == ()


@pytest.mark.parametrize("label", ["plot 12", "item 4", "8.7 Dosing channels", "page 3"])
def test_numbers_that_name_things_are_no_values(label: str) -> None:
    """Two chapters would contradict one another by their numbers."""
    assert values_in(label) == []


def test_what_was_changed_from_one_value_to_another_is_told_of_each() -> None:
    """The value that no longer holds would be taken for one that does, or both for a range."""
    first, second = values_in("The limit was raised from 30 to 60 requests.")
    assert [(first.words, first.denied), (second.words, second.denied)] == [
        ("30", "before"),
        ("60 requests", ""),
    ]


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("The hall cost £5 million in all.", "The hall cost £5 billion in all.", True),
        ("The hall cost £5 million in all.", "The hall cost £5m in all.", False),
        ("The hall opens on 1 Sept 2024.", "The hall opens on 1 September 2024.", False),
        ("The hall opens on 1 Sept 2024.", "The hall opens on 2 September 2024.", True),
        ("The hall opens on 03/04/2024.", "The hall opens on 4 March 2024.", False),
        ("The hall opens on 03/04/2024.", "The hall opens on 5 March 2024.", True),
        ("The path to the hall is 5 km.", "The path to the hall is 5 kilometres.", False),
        ("The path to the hall is 5 km.", "The path to the hall is 7,000 metres.", True),
        ("Profit of the hall grew by (8)%.", "Profit of the hall grew by 8%.", True),
    ],
)
def test_values_contradict_one_another_whatever_their_form(
    one: str, other: str, told: bool
) -> None:
    """A thousandfold sum would be no contradiction, or two ways of writing be one."""
    assert bool(disagreements([item(one, 1), item(other, 2)], {})) is told


def test_who_holds_a_role_is_compared_with_what_is_cited() -> None:
    """An answer would name one treasurer, though another entry that was read names another."""
    one, other = item("The treasurer is Gordon Haswell.", 1), item("Treasurer: Ifeoma Brandt", 2)
    dates = {("d", 1): "2025-11-01", ("d", 2): "2025-12-01"}
    for cited, read in ((one, other), (other, one)):
        assert len(Cited([cited], dates).disagreements([read], dates)) == 1
