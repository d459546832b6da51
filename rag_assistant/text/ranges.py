"""Ranges of two values: "5–7 days", "between 5 and 7", "1 to 5 May", "£5–7 million", "9–11 am".

The first value takes from the second what it lacks: a unit, a scale, a month, a year.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from rag_assistant.text.dates import Date
from rag_assistant.text.told import PLAIN, Told
from rag_assistant.text.values import Quantity, Reading

MOST_READINGS = 12
"""Readings of a number that are kept."""

_TO = re.compile(r"\s?[-‐‑‒–—]\s?|\s{1,2}(?:to|till|until|bis|à)\s{1,2}", re.IGNORECASE)
_AND = re.compile(r"\s{1,2}(?:and|und|et)\s{1,2}", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre)\s{1,2}(?:the\s)?$", re.IGNORECASE)
_NEXT = re.compile(r"(?:[A-Z]{3}\s?|[A-Z]{0,2}[£€$¥₹]\s?)?(?=\d)|(?=[a-zA-Z])")
_LOOKED_BACK = 14

Found = tuple[Quantity, Told | None]
"""A value, with how its number is told where it is one."""


def separated(text: str, first: Quantity) -> tuple[int, int] | None:
    """Find where the other end of a range may begin: with its currency, and with its number."""
    match = _TO.match(text, first.end)
    if match is None and (match := _AND.match(text, first.end)):
        low = max(0, first.start - _LOOKED_BACK)
        match = match if _BETWEEN.search(text, low, first.start) else None
    following = _NEXT.match(text, match.end()) if match else None
    if match is None or following is None or following.end() >= len(text):
        return None
    return match.end(), following.end()


def readings_of(told: Told) -> Sequence[Reading]:
    """Give what a number may mean."""
    if told.measures is PLAIN and len(told.bare) == len(told.scales) == 1:
        amount = told.bare[0] * told.scales[0]
        return (Reading("ordinal" if told.rank else "number", amount, amount),)
    return tuple(_readings(told))


def _readings(told: Told) -> Iterator[Reading]:
    every = product(told.bare, told.scales, told.measures)
    for bare, scale, (kind, unit, size) in islice(every, MOST_READINGS):
        amount = bare if scale == size == 1 else bare * scale * size
        yield Reading("ordinal" if told.rank else kind, amount, amount, unit, told.per, size)


def range_of(first: Found, second: Found) -> Sequence[Reading]:
    """Give the readings of the range from one value to another, none where they make none."""
    (one, told), (other, other_told) = first, second
    if other.kind == "time":
        return _of_times(one, told, other)
    if other.kind == "date":
        return _of_dates(one, told, other)
    if told is None or other_told is None or other.kind in ("code", "ordinal"):
        return ()
    return list(_of_numbers(_with_shared(told, other_told), other_told))


def _with_shared(told: Told, other: Told) -> Told:
    """Give a number the scale and the unit of the one that it goes up to."""
    if told.is_plain and not told.currencies:
        return replace(told, scales=other.scales, measures=other.measures, per=other.per)
    if told.currencies and told.scales == (1,) and told.bare[0] < other.bare[0]:
        return replace(told, scales=other.scales, per=other.per)
    return replace(told, per=other.per) if told.currencies else told


def _of_numbers(told: Told, other: Told) -> Iterator[Reading]:
    for low, high in zip(readings_of(told), readings_of(other), strict=False):
        numbers = isinstance(low.low, int | Fraction) and isinstance(high.low, int | Fraction)
        if numbers and low.compares_with(high) and low.low < high.low:  # type: ignore[operator]
            yield replace(low, high=high.low)


def _whole(one: Quantity, told: Told | None, most: int) -> int | None:
    """Give the whole number up to `most` that a value is and nothing besides."""
    if told is None or not told.is_plain or told.currencies or len(told.bare) != 1:
        return None
    number = told.bare[0]
    return number if isinstance(number, int) and 0 < number <= most else None


def _of_times(one: Quantity, told: Told | None, other: Quantity) -> Sequence[Reading]:
    if one.kind == "time":
        pairs = zip(one.readings, other.readings, strict=False)
        return [replace(low, high=high.low) for low, high in pairs]
    hour, last = _whole(one, told, 12), other.readings[0].low
    if hour is None or not isinstance(last, int) or other.words[-1:].lower() not in ("m", "."):
        return ()
    low = hour % 12 * 60 + (720 if last >= 720 else 0)
    low = low if low < last else low - 720
    return [Reading("time", low, last)] if low >= 0 else ()


def _of_dates(one: Quantity, told: Told | None, other: Quantity) -> Sequence[Reading]:
    last = other.readings[0].high
    assert isinstance(last, Date)
    if (day := _whole(one, told, 31)) and last.day and day < last.day:
        return [Reading("date", replace(last, day=day), last)]
    low = one.readings[0].low
    if not isinstance(low, Date) or (low.day is None) is not (last.day is None):
        return ()
    low = replace(low, year=low.year or last.year)
    ordered = [tuple(part or 0 for part in date.parts) for date in (low, last)]
    if (low.month is None) is not (last.month is None) or ordered[0] >= ordered[1]:
        return ()
    return [Reading("date", low, last)]
