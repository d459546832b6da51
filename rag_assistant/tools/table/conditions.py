"""Conditions on the columns of a table, as a call writes them: "Owner = Ann", "Amount > 1,000"."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from rag_assistant.errors import ToolFailed
from rag_assistant.text.dates import Date
from rag_assistant.text.quantities import Quantity, Reading, may_be_same, quantities_in

_CONDITION = re.compile(r"\s*(?P<column>.+?)\s*(?P<sign>!=|>=|<=|=|>|<|~)\s*(?P<value>.*?)\s*")
_MARKS = "*_` "

Ordered = TypeVar("Ordered", Fraction, tuple[int, int, int])

NUMBERS = frozenset(("number", "money", "share"))
"""The kinds of values that can be computed with."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a column: `sign` is =, !=, <, <=, >, >= or ~, which is "contains"."""

    column: str
    sign: str
    value: str

    @property
    def words(self) -> str:
        """Write it."""
        return f"{self.column} {self.sign} {self.value}"

    def holds(self, cell: str) -> bool:
        """Whether it holds for the words of a cell. An empty one is neither less nor more."""
        ours, theirs = _plain(cell), _plain(self.value)
        match self.sign:
            case "~":
                return theirs in ours
            case "=":
                return ours == theirs or _is_same_value(cell, self.value)
            case "!=":
                return not (ours == theirs or _is_same_value(cell, self.value))
            case sign:
                order = _order(cell, self.value)
                return (
                    order is not None
                    and {
                        "<": order < 0,
                        "<=": order <= 0,
                        ">": order > 0,
                        ">=": order >= 0,
                    }[sign]
                )


def read_condition(written: str) -> Condition:
    """Read a condition. Raises ToolFailed."""
    found = _CONDITION.fullmatch(written)
    if found is None:
        raise ToolFailed(
            f"{written[:60]!r} is no condition.",
            hint='Write a column, one of = != < <= > >= ~ and a value: "Owner = Ann".',
        )
    return Condition(found["column"], found["sign"], found["value"])


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_MARKS)


def single_value(text: str) -> Quantity | None:
    """Give the value that the words of a cell are; None where there is none, or more than one."""
    values = quantities_in(text.strip(_MARKS))
    return values[0] if len(values) == 1 else None


def _is_same_value(one: str, other: str) -> bool:
    ours, theirs = single_value(one), single_value(other)
    whole = ours and theirs and ours.words.strip() == one.strip(_MARKS)
    return bool(whole and ours and theirs and may_be_same(ours, theirs))


def _order(one: str, other: str) -> int | None:
    """Compare two values: below 0 where the first is less; None where they do not compare."""
    ours, theirs = single_value(one), single_value(other)
    if ours is None or theirs is None:
        return None
    before, after = ours.readings[0].low, theirs.readings[0].low
    if isinstance(before, Date) and isinstance(after, Date):
        return _sign(_day(before), _day(after))
    left, right = numbers_of(ours), numbers_of(theirs)
    if not (left and right):
        return None
    if left[0].unit == right[0].unit:
        return _sign(amount_of(left[0]), amount_of(right[0]))
    one_is_open = "" in (left[0].unit, right[0].unit)
    return _sign(written_amount(left[0]), written_amount(right[0])) if one_is_open else None


def numbers_of(value: Quantity) -> list[Reading]:
    """Give the readings of a value as a number; "2000" is read as a year as well."""
    return [
        one for one in value.readings if isinstance(one.low, int | Fraction) and one.kind in NUMBERS
    ]


def amount_of(reading: Reading) -> Fraction:
    """Give a number in the base of its unit."""
    return Fraction(str(reading.low))


def written_amount(reading: Reading) -> Fraction:
    """Give a number as it is written, whatever its unit."""
    return Fraction(str(reading.bare))


def _sign(one: Ordered, other: Ordered) -> int:
    return (one > other) - (one < other)


def _day(date: Date) -> tuple[int, int, int]:
    return date.year or 0, date.month or 0, date.day or 0
