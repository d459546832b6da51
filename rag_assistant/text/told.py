"""A number with all that belongs to it, as it is read bit by bit."""

from dataclasses import dataclass
from itertools import product
from typing import Literal

from rag_assistant.text.numerals import Amount

Measure = tuple[Literal["number", "share", "money"], str, Amount]
"""A kind ("number", "share", "money"), the unit that it is told in, and how many of it one is."""

PLAIN: tuple[Measure, ...] = (("number", "", 1),)
UNSCALED = (1,)


@dataclass(slots=True)
class Told:
    """A number with all that belongs to it, between `start` and `end`, as it is read bit by bit.

    `bare` are its readings without a unit, `scales` those of its scale. `apart` says that the unit
    stands one word further on ("six full weeks"); `currencies` are those before the number.
    """

    start: int
    end: int
    bare: tuple[Amount, ...]
    scales: tuple[int, ...] = UNSCALED
    measures: tuple[Measure, ...] = PLAIN
    per: str = ""
    limit: str = ""
    currencies: tuple[str, ...] = ()
    rank: bool = False
    apart: bool = False
    code: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is a number and nothing else."""
        return self.measures == PLAIN and self.scales == UNSCALED and not self.rank

    def negate(self) -> None:
        """Make it less than nothing, or more."""
        self.bare = tuple(-amount for amount in self.bare)

    def scale(self, others: tuple[int, ...], end: int) -> None:
        """Take in a scale that ends at a place."""
        self.scales = tuple(a * b for a, b in product(self.scales, others))
        self.end = end
