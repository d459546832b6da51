"""An answer is held against the entries that were read, not against its quotes alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.values.support import Support, check_lines
from tests.claims.reading import entry, judged, states

ROOF = entry(
    "# Roof\n\nThe Harbour Fund paid £5 million for the new roof in March 2025. Tom Hale did not"
    " sign the contract. The roof of the chapel cost £20,360. Anna Berg inspected the chapel and"
    " Tom Hale inspected the school.\n## Guarantee\n\nThe sheeting is guaranteed for 15 years. The"
    " gutters were painted in green.\n\n| Part | Price (£) | Due |\n|---|---|---|\n"
    "| Deposit | 3,690 | 1 May 2025 |\n| Gutters | 1,250 | 9 June 2025 |\n",
    title="Roof contract of St Olave",
    date="2025-05-28",
)
PAID = "The Harbour Fund paid £5 million for the new roof in March 2025."


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("The Harbour Fund paid £5 million for the new roof [1].", "supported"),
        ("The Harbour Fund paid £5 billion for the new roof [1].", "contradicted"),
        ("The Harbour Fund paid £7 million for the new roof [1].", "contradicted"),
        ("The Harbour Fund paid for the new roof in April 2025 [1].", "contradicted"),
        ("The Quarry Fund paid £5 million for the new roof [1].", "contradicted"),
        ("The sheeting is guaranteed for 15 years [1].", "in_entry"),
        ("The sheeting is guaranteed for 15 months [1].", "contradicted"),
        ("The windows are guaranteed for 15 years [1].", "unconfirmed"),
        ("Tom Hale signed the contract [1].", "unconfirmed"),
        ("Tom Hale inspected the chapel and Anna Berg inspected the school [1].", "unconfirmed"),
        ("The gutters were painted in green, mainly to please the neighbours [1].", "unconfirmed"),
        ("Parking permits for visitors are £99,321 [1].", "nowhere"),
    ],
)  # fmt: skip
def test_every_state_has_its_cause(answer: str, state: str) -> None:
    """What the sources say otherwise would look proven, or what they say would be doubted."""
    assert states(judged(answer, [ROOF], {1: PAID})) == [state]


def test_a_hard_mark_names_both_values_and_the_place() -> None:
    """A person would have to look for what is wrong with a sentence that is marked."""
    (one,) = judged("The sheeting is guaranteed for 12 years [1].", [ROOF], {1: PAID})
    assert [(each.said, each.read) for each in one.differences] == [("12 years", "15 years")]
    assert one.source is not None
    assert one.source.quote == "The sheeting is guaranteed for 15 years."
    assert one.source.location.heading == "Guarantee"
    whole = "".join(passage.text for passage in ROOF.passages)
    assert whole[one.source.location.start : one.source.location.end] == one.source.quote
    assert "“12 years”" in one.note
    assert "“15 years”" in one.note
    assert "Guarantee" in one.note


def test_the_better_citation_is_offered_with_the_section_of_its_words() -> None:
    """A right sentence would stay beside a quote that does not have its words."""
    (one,) = judged("The sheeting is guaranteed for 15 years [1].", [ROOF], {1: PAID})
    assert one.support is Support.IN_ENTRY
    assert one.markers == (1,)
    assert one.source is not None
    assert (one.source.quote, one.source.location.heading) == (
        "The sheeting is guaranteed for 15 years.",
        "Guarantee",
    )


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("| Deposit | £3,690 [1] |", "in_entry"),
        ("| Deposit | £3,960 [1] |", "contradicted"),
        ("The deposit is £3,690 [1].", "in_entry"),
        ("- Gutters: £1,250, due 9 June 2025 [1]", "in_entry"),
        ("- Gutters: £1,250, due 7 June 2025 [1]", "contradicted"),
    ],
)
def test_a_row_is_read_with_the_heads_of_its_columns(answer: str, state: str) -> None:
    """Every value of a table would be marked, or none."""
    written = f"| Part | Price |\n|---|---|\n{answer}\n" if answer.startswith("|") else answer
    found = judged(written, [ROOF], {1: PAID}, "What does each part of the roof cost?")
    assert states(found) == [state]


def test_title_path_and_date_are_ground() -> None:
    """What stands above a text would count as made up."""
    said = "The roof of St Olave cost £20,360, says the contract of 28 May 2025 [1]."
    found = judged(said, [ROOF], {1: "The roof of the chapel cost £20,360."})
    assert not found[0].support.is_hard


@pytest.mark.parametrize(
    ("answer", "how"),
    [
        ("Deposit and gutters come to £4,940 in total [1][2].", "sum"),
        ("The deposit is £2,440 more than the gutters [1][2].", "difference"),
    ],
)
def test_a_number_may_be_computed_from_numbers_that_were_read(answer: str, how: str) -> None:
    """A right sum would be said to stand in nothing that was read."""
    table = entry("The deposit is £3,690. The gutters are £1,250.\n")
    quotes = {1: "The deposit is £3,690.", 2: "The gutters are £1,250."}
    (one,) = judged(answer, [table], quotes)
    assert one.support is Support.COMPUTED
    assert one.computed[0].how == how
    assert one.computed[0].operands == ("£3,690", "£1,250")
    assert one.markers == (1, 2)
    assert one.note.startswith("computed from [1], [2]: ")


def test_a_number_that_happens_to_be_a_sum_is_not_computed() -> None:
    """A wrong price would pass for being the sum of two others."""
    table = entry("The deposit is £3,690. The gutters are £1,250.\n")
    quotes = {1: "The deposit is £3,690.", 2: "The gutters are £1,250."}
    (one,) = judged("The deposit is £4,940 [1][2].", [table], quotes)
    assert one.support is Support.CONTRADICTED


@pytest.mark.parametrize(
    "answer",
    [
        "## Costs in 2019", "Here is what the roof contract says:", "```\nrun --fast 99\n```",
        "Which roof do you mean?", "The documents do not say who painted it.",
        "Let me know if you need more.", "I searched the papers for “roof”.", "Sure!",
    ],
)  # fmt: skip
def test_what_claims_nothing_has_no_mark(answer: str) -> None:
    """Headings, lead-ins and code would be marked, and nobody would look at marks any more."""
    found = judged(answer, [ROOF], {1: PAID})
    assert {one.support for one in found} <= {Support.NO_CLAIM}


def test_bullets_bare_values_and_block_quotes_are_borne_out() -> None:
    """Right answers in the usual forms would be marked."""
    question = "What did the roof of the chapel cost?"
    quote = {1: "The roof of the chapel cost £20,360."}
    for answer in (
        "£20,360 [1]",
        "It cost:\n\n- £20,360 [1]\n",
        "> The roof of the chapel cost £20,360. [1]",
        "**£20,360** for the roof of the chapel [1].",
    ):
        assert set(states(judged(answer, [ROOF], quote, question))) == {"supported"}, answer
    assert states(judged("£20,630 [1]", [ROOF], quote, question)) == ["contradicted"]


def test_what_other_tools_gave_is_not_said_to_stand_nowhere() -> None:
    """A figure that a tool computed would be called made up."""
    answer = "Parking permits for visitors are £99,321."
    assert states(judged(answer, [ROOF], {1: PAID})) == ["nowhere"]
    assert states(judged(answer, [ROOF], {1: PAID}, other_tools=1)) == ["unconfirmed"]


def test_the_lines_of_the_command_line_say_hard_marks_one_by_one() -> None:
    """A person at the command line would not see what the sources say otherwise."""
    text = "The sheeting is guaranteed for 12 years [1]. Boots are free for all members [1]."
    lines = list(check_lines(text, judged(text, [ROOF], {1: PAID})))
    assert lines[0].startswith(
        "The sources say otherwise: “The sheeting is guaranteed for 12 years"
    )
    assert lines[0].endswith("the source “15 years” (Roof contract of St Olave, Guarantee)")
    assert lines[1] == "Not confirmed word for word: Boots are free for all members [1]."


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("25 per cent of members voted.", "A quarter of the members voted"),
        ("A third of members voted.", "33% of the members voted"),
        ("The hall was built in 1890.", "The hall was built in the 1890s"),
        ("The war lasted from 1914 to 1918.", "The war lasted four years"),
        ("It opens at noon.", "It opens at 12"),
        ("There were 1,000 patients, of whom 250 died.", "A quarter of the 1,000 patients died"),
        ("Three to five million people came.", "Between 3 and 5 million people came"),
    ],
)
def test_a_value_told_as_another_thing_is_not_said_otherwise(source: str, answer: str) -> None:
    """A right answer would be called wrong for saying "a quarter" where the source says 25 %."""
    (sentence,) = judged(f"{answer} [1].", [entry(f"{source}\n")], {1: source})
    assert not sentence.support.is_hard, sentence.note


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("25 per cent of members voted.", "A third of the members voted"),
        ("The hall was built in 1890.", "The hall was built in the 1880s"),
        ("The war lasted from 1914 to 1918.", "The war lasted five years"),
        ("It opens at noon.", "It opens at 11"),
    ],
)
def test_what_is_told_as_another_thing_and_wrong_is_said(source: str, answer: str) -> None:
    """Any fraction, decade or span of years would pass."""
    (sentence,) = judged(f"{answer} [1].", [entry(f"{source}\n")], {1: source})
    assert sentence.support.is_hard


NUMBERS = st.integers(min_value=13, max_value=9_999_999)


@settings(max_examples=40, deadline=None)
@given(NUMBERS, NUMBERS)
def test_any_number_is_borne_out_by_itself_and_by_no_other(one: int, other: int) -> None:
    """A number would be taken for another one by the way it is written."""
    read = entry(f"The chapel bought {one:,} new chairs for the choir.\n")
    quote = {1: read.passages[0].text.strip()}
    right = judged(f"The chapel bought {one} new chairs for the choir [1].", [read], quote)
    assert states(right) == ["supported"]
    if one != other:
        wrong = judged(f"The chapel bought {other:,} new chairs for the choir [1].", [read], quote)
        assert states(wrong) == ["contradicted"]


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("ab 1|\n.#-£%[]ßé。not"), max_size=80), st.text(max_size=60))
def test_any_answer_to_any_entry_is_judged(answer: str, text: str) -> None:
    """A strange document would end the run."""
    found = judged(answer, [entry(text)])
    assert all(one.start < one.end <= len(answer) for one in found)


def test_thousands_are_no_millions() -> None:
    """A scale without a number before it would be taken for any other."""
    read = entry("Catholics killed thousands of Huguenots in Paris.\n")
    quote = {1: "Catholics killed thousands of Huguenots in Paris."}
    (one,) = judged("Catholics killed millions of Huguenots in Paris [1].", [read], quote)
    assert one.support is Support.CONTRADICTED
    assert [(each.said, each.read) for each in one.differences] == [("millions", "thousands")]
