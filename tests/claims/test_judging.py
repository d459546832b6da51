"""What each sentence of an answer rests on: nothing unproven may look proven."""

import pytest
from hypothesis import given as given_any
from hypothesis import settings
from hypothesis import strategies as st

from rag_assistant.claims.judging import with_support
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Answer, Citation, Evidence, EvidenceItem
from rag_assistant.values.messages import Usage
from rag_assistant.values.support import Support
from scripts.benchmarks.trust.sentences import CASES, precision_and_recall
from tests.examples import examples


def test_unsupported_sentences_are_found_and_others_left_alone() -> None:
    """Claims without a proof would look proven, or a person would learn to overlook the mark.

    Many cases are worded freely, where no rule of words is good: what is right has a soft mark.
    """
    for cases in (CASES[::2], CASES[1::2]):
        precision, recall = precision_and_recall(cases)
        assert precision >= 0.75
        assert recall >= 0.85


QUOTE = (
    "Every parent gets sixteen weeks of leave at full pay, but no allowances. Send FORM-PL-3 to"
    " Anna Berg by 12 March 2025. The fee is £40, or 5 % of the pay."
)


def answer_of(text: str, *quotes: str, verified: bool = True, question: str = "?") -> Answer:
    items = [
        EvidenceItem("d", n, "Leave", "leave.md", quote, Location(0, len(quote)), verified)
        for n, quote in enumerate(quotes or (QUOTE,), 1)
    ]
    citations = tuple(Citation(number, one) for number, one in enumerate(items, 1))
    evidence = (Evidence("d", question, tuple(items), 5, (1,)),)
    return with_support(Answer(question, text, citations, evidence, Coverage(), "m", Usage(), 1))


def states(text: str, *quotes: str, verified: bool = True) -> list[str]:
    return [one.support.value for one in answer_of(text, *quotes, verified=verified).sentences]


@pytest.mark.parametrize(
    ("sentence", "state"),
    [
        ("Every parent gets sixteen weeks of leave at full pay [1].", "supported"),
        ("*every parent* gets “sixteen weeks” of leave, at full pay [1].", "supported"),
        ("The handbook says: “gets sixteen weeks of leave at full pay” [1].", "supported"),
        ("Each parent gets 16 weeks of leave [1].", "supported"),
        ("Send FORM-PL-3 to Anna Berg by March 12, 2025 [1].", "supported"),
        ("The fee is 5 percent of the pay [1].", "supported"),
        ("Every parent gets 17 weeks of leave [1].", "contradicted"),
        ("Every parent gets sixteen days of leave [1].", "contradicted"),
        ("Send FORM-PL-4 to Anna Berg [1].", "contradicted"),
        ("Send FORM-PL-3 to Tom Hale [1].", "unconfirmed"),
        ("Send FORM-PL-3 by 13 March 2025 [1].", "contradicted"),
        ("The fee is €40 [1].", "contradicted"),
        ("No parent gets sixteen weeks of leave [1].", "unconfirmed"),
        ("The document says: “gets seventeen weeks of leave at full pay” [1].", "contradicted"),
        ("Every parent gets sixteen weeks of leave at full pay.", "in_entry"),
        ("Every parent gets sixteen weeks of leave at full pay [7?].", "in_entry"),
        ("Crew members receive a uniform and boots [1].", "unconfirmed"),
    ],
)
def test_a_sentence_rests_on_what_its_quote_says(sentence: str, state: str) -> None:
    """A wrong number, unit, date, name or a denial would pass with a citation beside it."""
    assert states(sentence) == [state]


@pytest.mark.parametrize(
    ("quote", "sentence", "state"),
    [
        ("Leave may begin before birth.", "Leave may begin after birth", "unconfirmed"),
        ("Leave may begin before birth.", "Leave must begin before birth", "unconfirmed"),
        ("The days are paid at the usual rate.", "The days are unpaid", "unconfirmed"),
        ("The days are unpaid for all.", "The days are paid", "unconfirmed"),
        ("Selling leave is not possible, except now.", "Selling leave is possible", "unconfirmed"),
        ("Overtime is paid, but not on Sundays.", "Overtime is paid", "supported"),
        ("No more than five days may be moved.", "Five days may be moved at most", "supported"),
    ],
)  # fmt: skip
def test_the_opposite_of_a_quote_is_not_borne_out_by_it(
    quote: str, sentence: str, state: str
) -> None:
    """The words of a claim would be found in what denies it."""
    assert states(f"{sentence} [1].", quote) == [state]


def test_words_that_were_not_found_bear_nothing_out() -> None:
    """What a helper made up would prove what the answer says."""
    assert states("Every parent gets sixteen weeks of leave [1].", verified=False) == ["nowhere"]


@pytest.mark.parametrize(
    "sentence",
    [
        "# Leave for 3 parents", "Hello!", "Sure, here is what I found:", "Do you need more?",
        "The documents do not say what boots cost.", "I could not find anything on parking.",
        "I searched the handbook for “boots” and “uniform”.", "Yes.", "Let me know if I can help.",
        "None of the documents mentions 2019.", "***", "[1]", "Nothing was found.",
        "The handbook doesn't mention a fee of £50.",
    ],
)  # fmt: skip
def test_what_claims_nothing_needs_no_quote(sentence: str) -> None:
    """Headings, courtesies and refusals would be marked as unproven: the mark would mean little."""
    assert set(states(sentence)) <= {"no_claim"}


def test_places_are_those_of_the_answer_and_markers_go_with_their_sentence() -> None:
    """The mark would stand at the wrong sentence, or a citation prove its neighbour."""
    text = (
        "## Leave\n\nEvery parent gets sixteen weeks. [1] Boots are free.[2]\n\n"
        "- **The fee** is £40 [1]\n- e.g. for\n  boots\n\n| a | b |\n|---|---|\n| fee | £40 [1] |\n"
    )
    answer = answer_of(text, QUOTE, "Boots are free for all.")
    shown = [(text[one.start : one.end], one.markers) for one in answer.sentences]
    assert shown == [
        ("## Leave", ()),
        ("Every parent gets sixteen weeks. [1]", (1,)),
        ("Boots are free.[2]", (2,)),
        ("**The fee** is £40 [1]", (1,)),
        ("e.g. for\n  boots", ()),
        ("| a | b |", ()),
        ("|---|---|", ()),
        ("| fee | £40 [1] |", (1,)),
    ]


def test_a_citation_at_the_end_covers_what_stands_before_it_where_the_words_do() -> None:
    """A paragraph with one citation would be unproven but for its end, or proven as a whole."""
    text = "Every parent gets sixteen weeks. They get boots as well. The fee is £40 [1]."
    assert states(text) == ["supported", "unconfirmed", "supported"]
    listed = "- sixteen weeks of leave\n- boots\n- a fee of £40 [1]"
    assert states(listed) == ["supported", "unconfirmed", "supported"]
    before = "The fee is £40 [1]. Every parent gets sixteen weeks of leave."
    assert states(before) == ["supported", "in_entry"]


def test_a_number_that_no_quote_has_is_told_of() -> None:
    """A model that cites what it never read, or makes a figure up, would go unnoticed."""
    answer = answer_of("The fee is £45 [1]. It is due on 3 May 2026 [7?][12?].")
    assert [one.support for one in answer.sentences] == [Support.CONTRADICTED, Support.NOWHERE]
    assert [one.note for one in answer.sentences] == [
        "the answer says “£45”, the source “£40” (Leave)",
        "“3 May 2026” stands in nothing that was read",
    ]
    assert answer.objections == ("The answer cites [7], [12]: no quote with that number was read.",)
    assert answer_of("The fee is £40 [1].").objections == ()


@settings(max_examples=examples(200))
@given_any(st.text(st.sampled_from("ab .!?\n|-*`#>:“”[]12?—1.\t"), max_size=120))
def test_any_text_is_cut_into_places_in_order(text: str) -> None:
    """A strange answer would end the run, or be marked at places that overlap."""
    answer = answer_of(text)
    end = 0
    for sentence in answer.sentences:
        assert end <= sentence.start < sentence.end <= len(text)
        end = sentence.end


@pytest.mark.parametrize(
    ("quote", "right", "wrong"),
    [
        (
            "The Fund paid £5 million in all.",
            ("£5m", "£5,000,000", "5 Mio. £", "five million pounds", "£0.005bn"),
            ("£5 billion", "£5 thousand", "£5 trillion", "£5bn", "£5k", "5 Mrd £", "£5",
             "-£5 million", "€5 million"),
        ),
        (
            "The Fund paid on 1 Sept 2024.",
            ("1 September 2024", "2024-09-01", "1.9.2024", "September 1st, 2024", "1 September"),
            ("2 September 2024", "2024-09-02", "1 October 2024", "1 September 2025", "9 January"),
        ),
        ("The Fund paid 2024-09-01.", ("1 Sept 2024", "Sep 1, 2024"), ("1 Sept 2023",)),
        ("The Fund paid forty-two people.", ("42 people",), ("40 people", "forty people")),
        ("The Fund paid 1.740 million.", ("1.740 million", "1.74 million"), ("1.740 billion",)),
        ("The Fund paid several hundred thousand people.", ("several hundred thousand people",),
         ("several hundred million people", "several million people")),
        ("The Fund paid for 5 km.", ("5 kilometres", "5000 m"), ("5 m", "5 miles", "50 km")),
        ("The Fund paid (8)% of it.", ("-8%", "(8)%", "−8 per cent"), ("8%", "8 per cent")),
        ("The Fund paid a rate of 5 %.", ("5 per cent",), ("5 percentage points", "5 ‰")),
    ],
)  # fmt: skip
def test_a_value_is_borne_out_in_any_form_and_no_other_is(
    quote: str, right: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    """A thousandfold sum would be supported, or an honest date called an invention."""
    for value in right:
        found = states(f"The Fund paid {value} [1].", quote)
        assert set(found) - {"no_claim"} == {"supported"}, value
    for value in wrong:
        sentence = answer_of(f"The Fund paid {value} [1].", quote).sentences[0]
        assert sentence.support is Support.CONTRADICTED, value
        assert sentence.differences[0].said in value
        assert sentence.differences[0].read in quote


def test_what_a_source_leaves_open_is_said_to_be_open() -> None:
    """A date that may be March or April would pass for one of the two."""
    answer = answer_of("The Fund paid on 3 April 2024 [1].", "The Fund paid on 03/04/2024.")
    assert [one.support for one in answer.sentences] == [Support.SUPPORTED]
    assert answer.objections == (
        "“03/04/2024” can be read in more than one way; the answer says “3 April 2024”.",
    )
    assert states("The Fund paid on 5 April 2024 [1].", "The Fund paid on 03/04/2024.") == [
        "contradicted"
    ]


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The charge for six months is £1,412.", "The charge for the half-year is £1,412."),
        ("The boathouse is let for 12 months.", "The boathouse is let for a year."),
        ("It was found in 2 in 15 people.", "It was found in 13.3% of the people."),
        ("The gene takes up 20,400 bases.", "The gene takes up 20.4 kb."),
        ("Up to 5 million people left the city.", "Up to 5 m people left the city."),
        ("EU law is enforced by the Court.", "European Union law is enforced by the Court."),
        ("The price of item 5 of May is wrong.", "Item 5 of both May and June is wrong."),
    ],
)  # fmt: skip
def test_the_same_told_otherwise_has_no_hard_mark(answer: str, source: str) -> None:
    """A right answer would be said to stand against its source, for its own way to put it."""
    assert not any(one.support.is_hard for one in answer_of(f"{answer} [1]", source).sentences)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The charge for nine months is £1,412.", "The charge for the half-year is £1,412."),
        ("The lease of the boathouse runs for 12 months.",
         "The lease of the boathouse runs for 18 months from the first year."),
        ("The boathouse is let for 24 hours.", "The boathouse is let for 36 hours each day."),
        ("It was found in 9 in 15 people.", "It was found in 13.3% of the people."),
        ("The gene takes up 204,000 bases.", "The gene takes up 20.4 kb."),
        ("He was the president (1869–1913) of the college.",
         "He was the president (1869–1909) of the college."),
    ],
)  # fmt: skip
def test_another_value_told_otherwise_has_one(answer: str, source: str) -> None:
    """What bends one value to another would let every wrong one pass."""
    assert any(one.support.is_hard for one in answer_of(f"{answer} [1]", source).sentences)
