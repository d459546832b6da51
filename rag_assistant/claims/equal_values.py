"""Values that are the same although they are told as different things: a quarter and 25 %, 1890 and
the 1890s, 1914 to 1918 and four years, the third edition and edition 3, noon and 12, six months and
half-year, 2 in 15 and 13.3 %, 20,400 bases and 20.4 kb.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product

from rag_assistant.text.dates import Date
from rag_assistant.text.numerals import Amount
from rag_assistant.text.quantities import Quantity, Reading

MONTHS = 12
"""Of a year: what lasts years is told in months."""

HOURS = 12
"""After which a clock face begins again."""

NEARLY = Fraction(1, 20)
"""By what part "2 in 15" may differ from the share that it tells."""

_IN_ONE_WORD: Mapping[tuple[str, int], tuple[str, str]] = {
    ("month", 1): ("month", "monthly"),
    ("month", 3): ("quarter", "quarterly"),
    ("month", 6): ("semester", "half[- ]year(?:ly)?"),
    ("month", 12): ("year", "yearly|annual|annually|per annum"),
    ("month", 120): ("decade", "decennial"),
    ("month", 1_200): ("century", "centennial"),
    ("s", 3_600): ("hour", "hourly"),
    ("s", 86_400): ("day", "daily"),
    ("s", 604_800): ("week", "weekly"),
    ("s", 1_209_600): ("fortnight", "fortnightly|biweekly"),
}
"""What tells a length of time without a number: a noun that says one of it ("a year", "the past
week"), and what tells it alone. Of each, months or seconds."""

_ONE = "an?|one|per|each|every|past|last|next|following|previous|coming|whole|full|entire|first"
"""What stands before a noun that tells a length; "the day of the fair" tells none."""

_PREFIXES = frozenset((1_000, 1_000_000, 1_000_000_000))
_MILLION = 1_000_000
_ROUND_SPANS = (9, 99)  # years from the first of a decade or century to its last
_OUT_OF = re.compile(r"\s+(?:in|out of|of)(?:\s+(?:every|each|all))?\s+")


def is_told_otherwise(value: Quantity, known: Sequence[Quantity]) -> bool:
    """Whether a value says no more than one of the known ones, or two of them, told otherwise."""
    pairs = product(value.readings, (one for other in known for one in other.readings))
    if any(_is_same(mine, theirs) or _is_same(theirs, mine) for mine, theirs in pairs):
        return True
    return _lasts_between(value, known) or any(
        _holds(mine, theirs)
        for mine in value.readings
        for other in known
        for theirs in other.readings
    )


def is_in_one_word(value: Quantity, text: str, known: Sequence[Quantity]) -> bool:
    """Whether a text tells a length of time by a word: a half-year, weekly.

    Where one of the same unit is known in digits, that is the length that the text tells.
    """
    reading = value.readings[0]
    if not isinstance(reading.low, int | Fraction):
        return False
    words = _IN_ONE_WORD.get((reading.unit, int(reading.low)))
    if not words or any(other.unit == reading.unit for one in known for other in one.readings):
        return False
    noun, alone = words
    return bool(re.search(rf"\b(?:(?:{_ONE})\s+{noun}|{alone})\b", text, re.IGNORECASE))


def is_of_ratio(
    value: Quantity, text: str, beside: Sequence[Quantity], known: Sequence[Quantity]
) -> bool:
    """Whether a value is part of "2 in 15" in a text, and a known share is about that."""
    for one, other in pairwise(beside):
        if value not in (one, other) or not _OUT_OF.fullmatch(text, one.end, other.start):
            continue
        part, whole = one.readings[0].low, other.readings[0].low
        if isinstance(part, int | Fraction) and isinstance(whole, int | Fraction) and whole:
            share = 100 * Fraction(part) / Fraction(whole)
            return any(_is_about(share, reading) for each in known for reading in each.readings)
    return False


def _is_about(share: Fraction, known: Reading) -> bool:
    low = known.low
    if known.unit != "%" or not isinstance(low, int | Fraction):
        return False
    return abs(Fraction(low) - share) <= NEARLY * share


def _is_same(one: Reading, other: Reading) -> bool:
    amount = one.low
    if not isinstance(amount, int | Fraction) or one.low != one.high or other.low != other.high:
        return False
    bare = one.kind == "number" and not one.unit
    if bare and other.unit and _is_prefixed(amount, other):
        return True
    match other.kind:
        case "share":  # of a fraction, not of a whole number
            return bare and 0 < amount < 1 and other.unit == "%" and other.low == 100 * amount
        case "ordinal":
            return bare and other.low == amount
        case "time":
            hours = other.low
            on_the_hour = isinstance(hours, int) and not hours % 60
            return bare and on_the_hour and amount in (hours // 60, hours // 60 - HOURS)  # type: ignore[operator]
    return False


def _is_prefixed(amount: Amount, other: Reading) -> bool:
    """Whether a number is what a unit counts that the claim does not name: "20.4 kb", "5 m"."""
    low = other.low
    if not isinstance(low, int | Fraction):
        return False
    return (other.size in _PREFIXES and amount == low) or (
        other.unit == "m" and other.size == 1 and amount == low * _MILLION
    )


def _holds(span: Reading, one: Reading) -> bool:
    """Whether a decade or a century holds a date; years that are told one by one hold no other."""
    low, high, date = span.low, span.high, one.low
    if not (isinstance(low, Date) and isinstance(high, Date) and isinstance(date, Date)):
        return False
    if low.year is None or high.year is None or date.year is None:
        return False
    if (low, high) != (Date(low.year), Date(high.year)) or high.year - low.year not in _ROUND_SPANS:
        return False
    return low.year <= date.year <= high.year


def _lasts_between(value: Quantity, known: Iterable[Quantity]) -> bool:
    """Whether a value is how many years lie between two that are known."""
    lasting = value.readings[0]
    if lasting.unit != "month" or lasting.size != MONTHS:
        return False
    years = {year for one in known for reading in one.readings for year in _years(reading)}
    return any(abs(one - other) == lasting.bare for one, other in combinations(years, 2))


def _years(reading: Reading) -> list[int]:
    dates = (date for date in (reading.low, reading.high) if isinstance(date, Date))
    return [date.year for date in dates if date.year]
