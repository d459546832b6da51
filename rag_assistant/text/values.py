"""A value as it is compared: what it may mean, exactly, and whether two are the same."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Literal

from rag_assistant.text.dates import Date
from rag_assistant.text.numerals import Amount

Kind = Literal["number", "money", "share", "date", "time", "ordinal", "code"]
"""What a value is: a number with or without a unit, money, a share in per cent or percentage
points, a date, a time of day, a place in an order, or digits in a name ("HLY-407")."""

Bound = Amount | Date | str

_FIGURES = re.compile(r"\d+(?:[.,'’ ]\d+)*")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a value may mean: all from `low` to `high`, which are the same but for ranges.

    Numbers are in the base `unit` of their dimension (m, s, g, GBP, %), "" where they have none;
    dates are `Date`s, times are minutes since midnight, codes are as written. `per` is the unit
    of a rate. `size` is how many base units the unit is that was written.
    """

    kind: Kind
    low: Bound
    high: Bound
    unit: str = ""
    per: str = ""
    size: Amount = field(default=1, compare=False)

    @property
    def bare(self) -> Bound:
        """The number that was written, whatever its unit."""
        low = self.low
        return Fraction(low) / self.size if isinstance(low, int | Fraction) else low

    def may_be(self, other: "Reading") -> bool:
        """Whether both may mean the same: what one leaves open, a unit or a year, fits all."""
        if isinstance(self.low, Date) and isinstance(other.low, Date):
            return _fits(self, other) and (self.unit == other.unit or "" in (self.unit, other.unit))
        if "" not in (self.per, other.per) and self.per != other.per:
            return False
        if self.unit != other.unit and "" in (self.unit, other.unit):
            return self.bare == other.bare and self.kind != "time" != other.kind
        same = (self.low, self.high, self.unit) == (other.low, other.high, other.unit)
        return same and ("time" in (self.kind, other.kind)) is (self.kind == other.kind == "time")

    def compares_with(self, other: "Reading") -> bool:
        """Whether the two are of one kind and unit, so that they are either the same or not."""
        return (self.kind, self.unit, self.per) == (other.kind, other.unit, other.per)


def _fits(one: Reading, other: Reading) -> bool:
    """Whether no known part of two dates differs, at the beginning or the end of either."""
    assert isinstance(one.low, Date)
    assert isinstance(one.high, Date)
    assert isinstance(other.low, Date)
    assert isinstance(other.high, Date)
    return one.low.is_like(other.low) and one.high.is_like(other.high)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value where it stands: `words` is the text from `start` to `end`.

    `readings` are all that it may mean, the likeliest first. `limit` is a sign before it ("<").
    `apart` says that its unit stands one word behind it. `between` is, of a range, where the words
    of its first value end and those of its second begin.
    """

    kind: Kind
    words: str
    start: int
    end: int
    readings: tuple[Reading, ...]
    limit: str = ""
    apart: bool = False
    between: tuple[int, int] | None = None

    @property
    def is_ambiguous(self) -> bool:
        """Whether its readings differ by more than that "2024" may count guests."""
        return len({_plain(reading) for reading in self.readings}) > 1

    @property
    def is_year(self) -> bool:
        """Whether it is a year and no more."""
        low = self.readings[0].low
        return isinstance(low, Date) and low == Date(low.year) and low.year is not None

    @property
    def is_range(self) -> bool:
        """Whether two values are written."""
        return self.between is not None

    def ends(self) -> "tuple[Quantity, ...]":
        """Give the two values of a range, each in its place, or the one that this is."""
        if self.between is None:
            return (self,)
        low = tuple(replace(one, high=one.low) for one in self.readings)
        high = tuple(replace(one, low=one.high) for one in self.readings)
        first, second = self.between
        return (
            self._part(low, self.start, first),
            self._part(high, second, self.end),
        )

    def moved(self, by: int) -> "Quantity":
        """Give it in a text in which it stands further on."""
        between = (self.between[0] + by, self.between[1] + by) if self.between else None
        return replace(self, start=self.start + by, end=self.end + by, between=between)

    def _part(self, readings: tuple[Reading, ...], start: int, end: int) -> "Quantity":
        words = self.words[start - self.start : end - self.start]
        return replace(self, words=words, start=start, end=end, readings=readings, between=None)


def _plain(reading: Reading) -> tuple[Kind, Bound, Bound, str, str]:
    """Give what makes readings the same: 2024 is one number, of a year or of guests."""
    low, high = reading.low, reading.high
    if isinstance(low, Date) and low == high and low.year and low == Date(low.year):
        return "number", low.year, low.year, reading.unit, reading.per
    return reading.kind, low, high, reading.unit, reading.per


def _alike(one: Quantity, other: Quantity) -> bool:
    """Whether two are written alike, but for capitals, spaces and separators of thousands."""
    plain = str.maketrans("", "", " ,'’\u00a0\u202f\u2009\n*_")
    return one.words.casefold().translate(plain) == other.words.casefold().translate(plain)


def same(one: Quantity, other: Quantity) -> bool:
    """Say whether two values are the same for certain.

    What can be read in several ways is the same as what can be read in just these, or as what
    is written alike and shares a reading.
    """
    if one.limit != other.limit:
        return False
    ours = frozenset(map(_plain, one.readings))
    theirs = frozenset(map(_plain, other.readings))
    return ours == theirs or (bool(ours & theirs) and _alike(one, other))


def may_be_same(one: Quantity, other: Quantity) -> bool:
    """Say whether a reading of one fits a reading of the other; what one leaves open fits all."""
    return one.limit == other.limit and any(
        mine.may_be(theirs) for mine, theirs in _paired(one, other)
    )


def _paired(one: Quantity, other: Quantity) -> Iterable[tuple[Reading, Reading]]:
    """Pair the readings of two values: each with each, or in order where they share their digits.

    "1.740 million" is not "1.740 billion", whichever way its point is read.
    """
    ours, theirs = one.readings, other.readings
    differ = len(ours) == len(theirs) > 1 and frozenset(ours) != frozenset(theirs)
    if differ and _FIGURES.findall(one.words) == _FIGURES.findall(other.words):
        return zip(ours, theirs, strict=True)
    return product(ours, theirs)


def conflict(one: Quantity, other: Quantity) -> bool:
    """Say whether two values of one kind and unit cannot be the same in any reading."""
    if one.limit != other.limit or may_be_same(one, other):
        return False
    pairs = _paired(one, other)
    return any(mine.compares_with(theirs) for mine, theirs in pairs)
