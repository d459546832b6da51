"""Which values of a sentence stand in what was read: each in any form, none nearly."""

from collections.abc import Iterable, Sequence
from itertools import product

from rag_assistant.text.dates import Date
from rag_assistant.text.quantities import Quantity, Reading, may_be_same, same


def is_known(value: Quantity, known: Sequence[Quantity]) -> bool:
    """Whether a value is one of the known ones, or a part of one.

    A date may name less than a known one, and a year that is told apart from its day. A number
    without a unit is known with any; one with a unit without it, if it stands with no other.
    """
    if any(_is_date_of(value, one, known) for one in known):
        return True
    alike = [one for one in known if may_be_same(value, one)]
    if _is_bare(value):
        written = value.readings[0].bare
        return bool(alike) or any(
            one.limit == value.limit and reading.bare == written
            for one in known
            if not _is_bare(one)
            for reading in one.readings
        )
    if any(not _is_bare(one) for one in alike):
        return True
    bare = {reading.bare for reading in value.readings}
    with_other_units = any(
        not _is_bare(one) and not bare.isdisjoint(r.bare for r in one.readings) for one in known
    )
    return not with_other_units and any(one.kind != "code" for one in alike)


def _is_bare(value: Quantity) -> bool:
    return value.kind in ("number", "ordinal", "code") and not value.readings[0].unit


def _is_date_of(value: Quantity, one: Quantity, known: Sequence[Quantity]) -> bool:
    return any(_is_part(a, b, known) for a, b in product(value.readings, one.readings))


def _is_part(told: Reading, source: Reading, known: Sequence[Quantity]) -> bool:
    """Whether a date says no more than a known one does, with the years that are known."""
    low, high = told.low, told.high
    if not isinstance(low, Date) or not isinstance(high, Date):
        return False
    if not isinstance(source.low, Date) or not isinstance(source.high, Date):
        return False
    if low != high:
        return (low, high) == (source.low, source.high)
    return any(_names_no_more(low, date, known) for date in (source.low, source.high))


def _names_no_more(told: Date, source: Date, known: Sequence[Quantity]) -> bool:
    if told.is_like(source):
        named = zip(told.parts[1:], source.parts[1:], strict=True)
        if all(mine is None or theirs is not None for mine, theirs in named):
            return told.year is None or source.year is not None or _is_told(told.year, known)
    return False


def _is_told(year: int, known: Sequence[Quantity]) -> bool:
    bounds = (date for one in known for reading in one.readings for date in _dates(reading))
    return any(date.year == year for date in bounds)


def _dates(reading: Reading) -> list[Date]:
    return [date for date in (reading.low, reading.high) if isinstance(date, Date)]


def ambiguous_grounds(values: Iterable[Quantity], known: Sequence[Quantity]) -> list[str]:
    """Say which known values bear one out in one of their readings only.

    What a sum is in is mostly plain from where it stands, and is not told.
    """
    told: dict[str, None] = {}
    for value in values:
        alike = [one for one in known if may_be_same(value, one)]
        if any(same(value, one) or not (one.is_ambiguous or value.is_ambiguous) for one in alike):
            continue
        for one in alike:
            if value.kind != "money" or value.readings[0] != one.readings[0]:
                told[_unclear(value, one)] = None
    return list(told)


def _unclear(value: Quantity, source: Quantity) -> str:
    """Say which of an answer's value and a source's can be read in several ways."""
    if source.is_ambiguous:
        return (
            f"“{_line(source)}” can be read in more than one way; the answer says “{_line(value)}”."
        )
    return f"“{_line(value)}” can be read in more than one way; the source says “{_line(source)}”."


def _line(value: Quantity) -> str:
    return " ".join(value.words.split()).rstrip(".")
