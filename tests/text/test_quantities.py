"""Values of texts: equal ones are equal in every form, and others never are."""

from datetime import date
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.text.dates import Date
from rag_assistant.text.quantities import (
    Quantity,
    conflict,
    holds_quantity,
    may_be_same,
    quantities_in,
    same,
)
from rag_assistant.text.units import UNITS
from tests.examples import examples
from tests.text.written import SCALES, dated, in_digits, in_words, per_cent, read, with_decimals

DAYS = st.dates(date(1971, 1, 1), date(2068, 12, 31))
CURRENCIES = {
    "GBP": ("£{}", "£ {}", "GBP {}", "{} GBP", "{} pounds sterling"),
    "EUR": ("€{}", "{} €", "EUR {}", "{} EUR", "{} euros", "{}€"),
    "CHF": ("CHF {}", "{} CHF", "{} Swiss francs"),
    "INR": ("₹{}", "₹ {}", "INR {}", "Rs. {}", "{} rupees"),
    "USD": ("US${}", "USD {}", "{} USD", "{} US dollars"),
}
"""Forms of a sum; what behind them is no letter takes every scale."""


def sums(amount: int, code: str) -> list[tuple[int, str]]:
    """Write an amount of a currency under every scale, each with what it comes to."""
    return [
        (amount * scale, form.format(f"{amount}{word}"))
        for form, (scale, words) in product(CURRENCIES[code], SCALES.items())
        for word in words
    ]


@pytest.mark.parametrize("code", CURRENCIES)
def test_every_scale_of_money_against_every_other(code: str) -> None:
    """A source's £5 million would bear out an answer's £5 billion."""
    read_sums = [(value, read(written)) for value, written in sums(5, code)]
    for (value, one), (other_value, other) in combinations(read_sums, 2):
        assert same(one, other) is (value == other_value), (one, other)
        assert conflict(one, other) is (value != other_value), (one, other)


def test_every_currency_against_every_other() -> None:
    """Pounds would pass for euros."""
    read_sums = [(code, read(form.format(40))) for code in CURRENCIES for form in CURRENCIES[code]]
    for (code, one), (other_code, other) in combinations(read_sums, 2):
        assert same(one, other) is (code == other_code), (one, other)


def test_every_scale_of_a_number_against_every_other() -> None:
    """Five million people would pass for five billion."""
    written = [
        (scale, f"5{word} people")
        for scale, words in SCALES.items()
        for word in words
        if len(word.strip()) > 2 or word in ("bn", " bn", "mn", "k", "")
    ]
    for (scale, one), (other_scale, other) in combinations(written, 2):
        assert same(read(one), read(other)) is (scale == other_scale), (one, other)


@settings(max_examples=examples(60))
@given(st.integers(2, 999_999), st.integers(2, 999_999))
def test_a_whole_number_in_every_form(one: int, other: int) -> None:
    """Forty-two would not be 42, or 1,234 would be 1.234."""
    forms = [*in_digits(one), in_words(one), in_words(one).capitalize()]
    read_forms = [read(f"{form} sheep") for form in forms]
    for a, b in combinations(read_forms, 2):
        assert same(a, b), (a, b)
    for a, written in product(read_forms, (*in_digits(other), in_words(other))):
        assert same(a, read(f"{written} sheep")) is (one == other)


@settings(max_examples=examples(60))
@given(st.integers(1, 99_999_999), st.integers(1, 99_999_999))
def test_decimals_in_every_form(one: int, other: int) -> None:
    """A comma for the point would make another sum, or the same of another."""
    ours = [read(f"€{form}") for form in with_decimals(Fraction(one, 100))]
    for a, b in combinations(ours, 2):
        assert same(a, b), (a, b)
    for a, written in product(ours, with_decimals(Fraction(other, 100))):
        assert same(a, read(f"€{written}")) is (one == other)


@settings(max_examples=examples(40))
@given(st.integers(-200, 200).filter(bool), st.integers(-200, 200).filter(bool))
def test_every_sign_of_a_share(one: int, other: int) -> None:
    """A loss of (8)% would bear out a gain of 8 %."""
    ours = [read(form) for form in per_cent(one)]
    for number in (one, -one, other):
        for a, b in product(ours, [read(form) for form in per_cent(number)]):
            assert same(a, b) is (one == number), (a, b)
            assert conflict(a, b) is (one != number), (a, b)


@pytest.mark.parametrize("text", ["(1,234)", "| Loss | (1,234) |", "Loss\t(1,234)\n", "-1,234"])
def test_accounts_write_what_is_less_than_nothing_in_brackets(text: str) -> None:
    """A loss would pass for a profit."""
    (found,) = quantities_in(text)
    assert [reading.low for reading in found.readings] == [-1234]


@pytest.mark.parametrize("text", ["£(5)m", "(£5m)", "-£5m", "£-5m", "−£5 million"])
def test_signs_of_money(text: str) -> None:
    """A debt would pass for money at hand."""
    (found,) = quantities_in(text)
    assert same(found, read("minus £5 million"))
    assert conflict(found, read("£5 million"))


@pytest.mark.parametrize("text", ["the fee (£5m) is", "most (8%) of", "in Smith (2024) we"])
def test_brackets_of_prose_turn_nothing_round(text: str) -> None:
    """What a writer put in brackets would become a loss."""
    assert "(" not in quantities_in(text)[0].words


def test_a_number_in_brackets_by_itself_is_ambiguous() -> None:
    """A reference would pass for a loss, or a loss for a reference."""
    (found,) = quantities_in("as item (8) says")
    assert found.is_ambiguous
    assert not conflict(found, read("8"))
    assert not conflict(found, read("-8"))
    assert conflict(found, read("9"))


def names_of_units() -> list[str]:
    """Give every name that is read behind a number with a space."""
    return [name for name in UNITS if name not in ("in", "d", "′", "″", "M")]


def test_every_unit_against_every_other() -> None:
    """Kilometres would pass for metres, or would not be km."""
    told = {name: read(f"7 {name}") for name in names_of_units()}
    for (name, one), (other_name, other) in combinations(told.items(), 2):
        equal = set(UNITS[name]) == set(UNITS[other_name])
        assert same(one, other) is equal, (name, other_name)


@pytest.mark.parametrize(
    "forms",
    [
        ("5 km", "5 kilometres", "5 kilometers", "5km", "5-km", "five kilometres", "5,000 m"),
        ("90 minutes", "1.5 hours", "1 h 30 min", "one and a half hours", "1½ hours", "5400 s"),
        ("36 km/h", "10 m/s", "36 kilometres per hour", "36 kph"),
        ("2 weeks", "14 days", "one fortnight", "336 hours"),
        ("1 year", "12 months", "twelve months", "one year"),
        ("20 °C", "20°C", "20 degrees Celsius", "twenty degrees Celsius"),
        ("5 mg/l", "5 mg/L", "5 milligrams per litre", "5 g/m³"),
        ("1 inch", "2.54 cm", "25.4 mm"),
        ("5 per cent", "5%", "5 percent", "five per cent", "5.0 %"),
        ("25 basis points", "0.25 percentage points", "25 bps"),
        ("14 N·m", "14 Nm", "14 newton metres"),
        ("£5 per week", "£5 a week", "£5/week", "£5.00 each week"),
        ("half a million", "500,000", "500 000", "0.5 million", "500 thousand", "5 lakh"),
        ("two thirds", "2/3", "⅔"),
        ("a dozen", "12", "twelve"),
        ("2.30 pm", "14:30", "14h30", "2:30pm", "14.30 Uhr", "2:30 p.m.", "14:30:00"),
        ("noon", "12:00", "12 pm"),
        ("Q3 2023", "third quarter of 2023", "3rd quarter 2023", "Q3/2023"),
        ("H1 2024", "first half of 2024"),
        ("September 2024", "Sept 2024", "Sep 2024", "09/2024", "2024-09", "septembre 2024"),
        ("5-7 days", "5 to 7 days", "5–7 days", "five to seven days", "5 days to 7 days"),
        ("£5-7 million", "£5m to £7m", "£5–7m", "£5 million to £7 million"),
        ("three to five million", "3 to 5 million", "3,000,000 to 5,000,000"),
        ("1-5 May 2024", "1 to 5 May 2024", "1 May to 5 May 2024", "1 May 2024 – 5 May 2024"),
        ("2023/24", "2023-24", "2023–2024", "2023 to 2024"),
        ("21st", "twenty-first"),
        ("50p", "50 pence", "£0.50"),
    ],
)  # fmt: skip
def test_equal_values_in_other_forms(forms: tuple[str, ...]) -> None:
    """Two ways of writing would be two values, and one of them call the other a lie."""
    for one, other in combinations(forms, 2):
        assert same(read(one), read(other)), (one, other)


@pytest.mark.parametrize(
    "forms",
    [
        ("5 %", "5 percentage points", "5 bps", "5", "5 km", "£5", "5 ‰", "5 months", "5th"),
        ("5 km", "5 m", "5 mm", "5 miles", "5 km/h", "5 kg", "5 days", "5 g"),
        ("5 ms", "5 mS", "5 MW", "5 mW", "5 m", "5 kW", "5 kWh"),
        ("£5 per week", "£5 per day", "£5", "£5 per person", "€5 per week"),
        ("Q3 2023", "Q2 2023", "Q3 2024", "H1 2023", "2023", "July 2023", "FY2023"),
        ("1 May 2024", "May 2024", "1 May", "1 May 2023", "5 May 2024", "1 March 2024", "2024"),
        ("14:30", "15:30", "14:31", "2.30 am", "14.30"),
        ("<5 mg", ">5 mg", "5 mg", "≤5 mg", "±5 mg"),
        ("5-7 days", "5-8 days", "5 days", "7 days", "5-7 weeks"),
        ("20 °C", "20 °F", "20 K", "-20 °C"),
        ("5 billion", "5 Billionen", "5 million"),
        ("1/2", "1/3", "2/3", "half a million", "3/4"),
    ],
)  # fmt: skip
def test_other_values_are_never_the_same(forms: tuple[str, ...]) -> None:
    """A source would bear out what it does not say."""
    for one, other in combinations(forms, 2):
        assert not same(read(one), read(other)), (one, other)


@settings(max_examples=25)
@given(DAYS, DAYS)
def test_every_form_of_a_date_against_every_other(one: date, other: date) -> None:
    """1 Sept 2024 would not be 1 September 2024, or would be 9 January."""
    ours = [read(form) for form in dated(one)]
    for a, b in combinations(ours, 2):
        assert same(a, b), (a, b)
    theirs = [read(form) for form in dated(other)]
    for a, b in product(ours, theirs):
        assert same(a, b) is (one == other), (a, b)
        assert conflict(a, b) is (one != other), (a, b)


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("03/04/2024", ("3 April 2024", "4 March 2024")),
        ("1.234", ("1,234", "1.2340")),
        ("5m", ("5 metres", "5 million")),
        ("5 billions", ("5 billion", "5 Billionen")),
        ("2:30", ("2.30 am", "2.30 pm")),
        ("$5", ("US$5", "A$5")),
        ("5 pounds", ("£5", "5 lb")),
        ("5 tons", ("5 tonnes", "10000 lb")),
        ("2010-11", ("2010/11", "November 2010")),
        ("20 degrees", ("20 °C", "20 °F")),
    ],
)
def test_what_is_ambiguous_is_said_to_be_so(text: str, readings: tuple[str, ...]) -> None:
    """It would contradict what it may mean, or prove it."""
    found = read(text)
    assert found.is_ambiguous
    assert same(found, read(text))
    for one in readings:
        assert not read(one).is_ambiguous
        assert may_be_same(found, read(one)), one
        assert not same(found, read(one)), one
        assert not conflict(found, read(one)), one


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Up to 12 may be used.", ["12"]),
        ("One of them came.", []),
        ("A second later the third came.", ["second", "third"]),
        ("five per second", ["five"]),
        ("ONE A DAY", []),
        ("1 to10% of july", ["1", "10%", "july"]),
        ("in July–August of 2007", ["July–August of 2007"]),
        ("80‑90% in 2005‑2006", ["80‑90%", "2005‑2006"]),
        ("Send FORM-PL-3 and M8 to 3.5.0.", ["3", "8", "3.5.0"]),
        ("for 2 £40 tickets", ["2", "£40"]),
        ("from 60 to 30 requests", ["60", "30"]),
        ("in May, or in September", ["May", "September"]),
        ("the 1990s", ["1990s"]),
        ("2024-09-01T14:30:00Z", ["2024-09-01", "14:30:00"]),
        ("within five (5) years", ["five", "(5) years"]),
        ("1, 2 and 3", ["1", "2", "3"]),
        ("in 1,2,3", ["1", "2", "3"]),
        ("mid-2023 and FY2023", ["mid-2023", "FY2023"]),
        ("a 5-million-pound grant", ["5-million-pound"]),
        ("3 Mio. € im Jahr", ["3 Mio. €"]),
        ("Smith (8) and Jones", ["(8)"]),
    ],
)  # fmt: skip
def test_values_are_found_where_they_stand(text: str, values: list[str]) -> None:
    """A value would be passed over, or two be taken for one."""
    assert [found.words for found in quantities_in(text)] == values


@settings(max_examples=examples(60))
@given(st.lists(st.sampled_from([f for _, f in sums(5, "GBP")]), max_size=6))
def test_places_are_exact(parts: list[str]) -> None:
    """A mark would stand at the wrong words."""
    text = "; ".join(f"then {part} fell" for part in parts)
    assert [found.words for found in quantities_in(text)] == parts


PIECES = (
    "1 2 12 , . - – / ( ) % £ € $ m k million bn and two twenty hundred half a third May Sept 2024"
    " 03/04 Q H FY ' ½ : am pm km °C per week between to 1,234 1.234 \n \t | * minus − < first s 0"
).split(" ")


@settings(max_examples=examples(300))
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join) | st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    """A strange text would end the run, or give values that overlap."""
    end = 0
    for found in quantities_in(text):
        assert end <= found.start < found.end <= len(text)
        assert text[found.start : found.end] == found.words
        assert found.readings
        assert same(found, found)
        assert may_be_same(found, found)
        assert not conflict(found, found)
        for one in found.ends():
            assert not one.is_range
        end = found.end
    held = any(v.kind != "ordinal" or v.words[0].isdigit() for v in quantities_in(text))
    assert holds_quantity(text) is held


@pytest.mark.soak
def test_the_work_is_in_proportion_to_the_text() -> None:
    """One document could keep the assistant busy for minutes."""
    for piece in "1, 1. 1- 123· £1- two·and· (1 ½ 1·m· a· May· -".split():
        text = piece.replace("·", " ") * 8_000
        found = quantities_in(text)
        assert all(isinstance(one, Quantity) for one in found)
    assert quantities_in("9" * 100_000)[0].kind == "code"


def test_a_date_knows_its_parts() -> None:
    """A year would be a day, or a quarter no more than its first month."""
    assert read("Q3 2023").readings[0].low == Date(2023, 7)
    assert read("Q3 2023").readings[0].high == Date(2023, 9)
    assert read("12 March").readings[0].low == Date(None, 3, 12)
    assert read("September").readings[0].low == Date(None, 9)
    assert read("2024").is_year
    assert Date(2024, 9, 1).iso == "2024-09-01"
