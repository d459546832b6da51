"""Values that are the same although they are told as different things: a quarter and 25 %, 1890 and
the 1890s, 1914 to 1918 and four years, the third edition and edition 3, noon and 12.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product

from rag_assistant.text.dates import Date
from rag_assistant.text.quantities import Quantity, Reading

MONTHS = 12
"""Of a year: what lasts years is told in months."""

HOURS = 12
"""After which a clock face begins again."""


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


def _is_same(one: Reading, other: Reading) -> bool:
    amount = one.low
    if not isinstance(amount, int | Fraction) or one.low != one.high or other.low != other.high:
        return False
    bare = one.kind == "number" and not one.unit
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


def _holds(span: Reading, one: Reading) -> bool:
    """Whether a span of years, as a decade, holds a date."""
    low, high, date = span.low, span.high, one.low
    if not (isinstance(low, Date) and isinstance(high, Date) and isinstance(date, Date)):
        return False
    if low == high or low.year is None or high.year is None or date.year is None:
        return False
    return low == Date(low.year) and high == Date(high.year) and low.year <= date.year <= high.year


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
