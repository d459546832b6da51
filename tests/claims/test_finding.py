"""Quotes are found by code; what is shown as verified must stand in the entry."""

from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rag_assistant.claims.quotes import QuoteFinder, find_quote
from rag_assistant.text.quantities import quantities_in
from rag_assistant.values.documents import Location, Passage
from rag_assistant.values.evidence import QuoteMatch
from tests.examples import examples

TEXT = "# Leave\n\nParents get **sixteen weeks** of\npaid “leave” — in full.\n\nAsk Zoë."


def passages(*cuts: int) -> list[Passage]:
    bounds = [0, *cuts, len(TEXT)]
    return [
        Passage(TEXT[a:b], Location(a, b, heading="Leave", line=1 + TEXT.count("\n", 0, a)))
        for a, b in pairwise(bounds)
    ]


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Parents get **sixteen weeks** of", "Parents get **sixteen weeks** of"),
        ("parents GET **sixteen weeks** of paid", "Parents get **sixteen weeks** of\npaid"),
        ('paid "leave" - in full.', "paid “leave” — in full."),
        ('"Ask Zoë."', "Ask Zoë."),
    ],
)
def test_a_quote_is_found_and_given_as_the_entry_has_it(quote: str, found: str) -> None:
    """Citations of a model that tidies white space or quotation marks would count as invented."""
    result = find_quote(quote, passages(9, 40))
    assert result is not None
    assert result.text == found
    assert TEXT[result.location.start : result.location.end] == found
    assert result.location.line == 1 + TEXT.count("\n", 0, result.location.start)


@pytest.mark.parametrize("quote", ["Parents get seventeen weeks", "", "  ", "…", "''"])
def test_other_words_are_not_found(quote: str) -> None:
    """An invented quote would be shown as verified."""
    assert find_quote(quote, passages(9)) is None


def test_a_quote_across_left_out_text_is_not_found() -> None:
    """Words that never stood together could be quoted as if they did."""
    first, _, last = passages(9, 72)
    assert find_quote("# Leave Ask Zoë.", [first, last]) is None


@given(st.integers(0, len(TEXT)), st.integers(0, len(TEXT)), st.integers(1, len(TEXT) - 1))
def test_every_span_of_the_text_is_found_as_itself(a: int, b: int, cut: int) -> None:
    """A verbatim quote would be called unverified, or be given another place's words."""
    start, end = min(a, b), max(a, b)
    assume(not any(v.start < place < v.end for v in quantities_in(TEXT) for place in (start, end)))
    quote = TEXT[start:end]
    result = find_quote(quote, passages(cut))
    if quote.strip():
        assert result is not None
        assert result.text == quote


ENTRY = (
    "The partner of a mother receives six weeks at full pay, whatever their length of service."
    " Technicians may carry over eight days of leave into the next leave year, unless the Board"
    " decides other-\nwise. Overtime is not paid on Sundays. Gordon Haswell will chair the meeting"
    " on 12 March 2025 in the old harbour office. The crane lifts 14 t at a reach of 9 m."
)


def match_of(quote: str, text: str = ENTRY) -> QuoteMatch:
    found = find_quote(quote, [Passage(text, Location(0, len(text)))])
    if found is None:
        return QuoteMatch.MISSING
    assert text[found.location.start : found.location.end] == found.text
    return found.match


@pytest.mark.parametrize(
    ("quote", "match"),
    [
        ("Overtime is not paid on Sundays.", QuoteMatch.EXACT),
        ("OVERTIME is not\n\n paid, on Sundays", QuoteMatch.LEVELLED),
        ("unless the Board decides otherwise", QuoteMatch.LEVELLED),
        ("Technicians may carryover eight days of leave", QuoteMatch.LEVELLED),
        ("The partner of a mother gets six weeks at full pay, whatever their length of service",
         QuoteMatch.ALIGNED),
        ("The partner of a mother receives 6 weeks at full pay whatever their length of service",
         QuoteMatch.ALIGNED),
        ("Technicians may carry over eight days of leave into the next year, unless the Board"
         " decides otherwise", QuoteMatch.ALIGNED),
        ("Gordon Haswell will chair the meeting on March 12, 2025 in the old harbour office",
         QuoteMatch.ALIGNED),
        ("The crane lifts 14 t at a reach of 9 metres", QuoteMatch.ALIGNED),
        ("Technicians may carry over eight days … unless the Board decides otherwise.",
         QuoteMatch.ALIGNED),
    ],
)  # fmt: skip
def test_a_quote_with_slips_is_found_and_said_to_have_them(quote: str, match: QuoteMatch) -> None:
    """A true citation would be called invented, or one with slips pass for the letter."""
    assert match_of(quote) is match


@pytest.mark.parametrize(
    "quote",
    [
        "The partner of a mother receives seven weeks at full pay, whatever their length of work",
        "The partner of a mother receives six days at full pay, whatever their length of service",
        "Technicians must carry over eight days of leave into the next leave year",
        "Technicians may not carry over eight days of leave into the next leave year",
        "Overtime is paid on Sundays", "Overtime is … paid on Sundays on",
        "Harold Haswell will chair the meeting on 12 March 2025 in the old harbour office",
        "Gordon Haswell will chair the meeting on 13 March 2025 in the old harbour office",
        "The crane lifts 14 kg at a reach of 9 m", "The crane lifts 14 t at a reach of 9 km",
        "Technicians may carry over the meeting on 12 March 2025",
        "Mothers' partners have a month and a half of leave with all their salary",
        "Gordon Haswell will … six weeks at full pay", "in … of … the … on",
    ],
)  # fmt: skip
def test_another_claim_is_not_found_however_alike_it_is(quote: str) -> None:
    """A wrong number, date, unit, name or negation would be shown as the source's own words."""
    assert match_of(quote) is QuoteMatch.MISSING


def test_parts_far_apart_are_two_quotes() -> None:
    """Words from two ends of a document would be joined to a claim that nobody made."""
    text = f"The fee is waived for all. {'Other words stand here. ' * 40}Only guests pay the fee."
    assert match_of("The fee is waived … only guests pay the fee", text) is QuoteMatch.MISSING
    near = text.replace("Other words stand here. ", "", 35)
    assert match_of("The fee is waived … only guests pay the fee", near) is QuoteMatch.ALIGNED


@settings(max_examples=examples(150))
@given(st.text(st.sampled_from("ab1 .-…\n%é中'")), st.text(st.sampled_from("ab1 .-…\n%é中'")))
def test_whatever_is_found_stands_in_the_text(quote: str, text: str) -> None:
    """A strange text would end the run, or a quote be given words that are not the entry's."""
    match_of(quote, text)


def test_hostile_texts_and_quotes_take_a_bounded_number_of_steps() -> None:
    """One document could keep the assistant busy for minutes: such pairs took quadratic time."""
    for text in ("the cat " * 40_000, "1 " * 100_000, "a" * 300_000, "... " * 60_000):
        finder = QuoteFinder([Passage(text, Location(0, len(text)))])
        for quote in (
            "the dog " * 199,
            "1 " * 399 + "2",
            "the … the … " * 400 + "x y z",
            "(“" * 999,
        ):
            assert finder.find(quote) is None or quote.strip() in text


PAID = "The Harbour Fund paid £{} to the council for the new breakwater in the spring."


@pytest.mark.parametrize(
    ("written", "quoted", "found"),
    [
        ("5 million", "5 million", True),
        ("5 million", "5m", True),
        ("5 million", "5,000,000", True),
        *(("5 million", other, False) for other in (
            "5 billion", "5 thousand", "5 trillion", "5bn", "5k", "5 Mrd.", "5 crore", "5",
            "50 million", "5.1 million",
        )),
        ("1.2m", "1.2 million", True),
        ("1.2m", "1.2k", False),
        ("1,234", "1234", True),
        ("1,234", "1.234", False),
        ("5 million a week", "5 million", False),
    ],
)  # fmt: skip
def test_a_sum_is_quoted_at_its_size(written: str, quoted: str, found: bool) -> None:
    """£5 billion for a source's £5 million would be shown as verified."""
    match = match_of(PAID.format(quoted), PAID.format(written))
    assert (match is not QuoteMatch.MISSING) is found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("the grant was £5", "In all the grant was £5 million."),
        ("The grant was £5", "It was late.\n\nThe grant was £5\nmillion in all."),
        ("5 million was paid", "In all £15 million was paid."),
        ("profit grew by 8%", "In 2024 profit grew by (8)%."),
        ("grew by (8)% in all", "It grew by 8% in all."),
        ("a load of 5 MW is safe", "A load of 5 mW is safe."),
        ("the profit was 1,234", "the profit was\n(1,234)\n"),
    ],
)
def test_the_same_letters_of_another_value_are_no_quote(quote: str, text: str) -> None:
    """Words that stand in a source would be shown as verified, though they cut a value short."""
    assert match_of(quote, text) is QuoteMatch.MISSING


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("profit grew by (8)%", "In 2024 profit grew by (8)%."),
        ("the reach is 9", "There the reach is 9 m."),
        ("the fee of 5 May", "It is the fee of 5 May 2024."),
        ("A LOAD OF 5 KW IS SAFE", "A load of 5 kW is safe."),
        ("a sum of 1 234 francs", "A sum of 1 234 francs."),
    ],
)
def test_a_quote_may_stop_short_of_a_unit_or_a_year(quote: str, text: str) -> None:
    """True citations would be called invented."""
    assert match_of(quote, text) is not QuoteMatch.MISSING
