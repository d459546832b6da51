"""Numbers of an answer that follow from numbers read: sums, differences, products, shares.

Numbers agree by chance, so a sentence must say that it computes, or name what it computes from.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from rag_assistant.claims.statements import Statement
from rag_assistant.text.quantities import Quantity, may_be_same
from rag_assistant.values.support import Computation

MOST_OPERANDS = 12
"""Numbers read that are tried with one another; those of the sentence itself come first."""

MOST_OF_A_SUM = 4

_SUM = re.compile(r"\b(?:total\w*|altogether|in all|together|sum\w*|combined|plus|both)\b|\+", re.I)
_DIFFERENCE = re.compile(
    r"\b(?:difference|differ\w*|more|less|fewer|longer|shorter|higher|lower|later|earlier|older"
    r"|younger|increas\w*|decreas\w*|rose|rise\w*|fell|fall\w*|grew|up|down|left|remain\w*|between"
    r"|by|dropped|gap|saved|minus)\b|−",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"\b(?:times|each|per|every|multipl\w*|annual\w*|a year|yearly)\b|[×x*]", re.I
)
_SHARE = re.compile(
    r"\b(?:per\s?cent|percentage|share|proportion|ratio|half|thirds?|quarters?|fifths?|tenths?"
    r"|average)\b|%",
    re.IGNORECASE,
)

COMPUTING = frozenset(
    """
    total totals altogether together sum sums combined plus both difference more less fewer times
    come comes amount amounts make makes add adds up all increase decrease rose fell rise share
    average percentage proportion ratio twice half double counting counted
    """.split()
)
"""Words that say how a number is computed, and which no source needs to have."""

Number = tuple[Fraction, str]
"""An amount in the base of its unit, and that unit with what it is per."""


def computation(value: Quantity, claim: Statement, known: Sequence[Quantity]) -> Computation | None:
    """Say how a value of a claim is computed from values that were read; None where it is not."""
    result = _number(value)
    if result is None:
        return None
    named = [one for one in claim.quantities if any(may_be_same(one, other) for other in known)]
    operands = _distinct([*named, *known])[:MOST_OPERANDS]
    said = " ".join(value.words.split())
    for how, used in _ways(result, operands, claim.text):
        if _is_told(how, used, named, claim.text):
            words = tuple(" ".join(one.words.split()) for one in used)
            return Computation(said, how, words)  # type: ignore[arg-type]
    return None


def _number(value: Quantity) -> Number | None:
    reading = value.readings[0]
    if value.kind not in ("number", "money", "share") or not isinstance(
        reading.low, int | Fraction
    ):
        return None
    return Fraction(reading.low), f"{reading.unit} {reading.per}"


def _distinct(values: Iterable[Quantity]) -> list[Quantity]:
    """Give the numbers among some values, each amount once."""
    found: dict[Number, Quantity] = {}
    for value in values:
        number = _number(value)
        if number is not None and number[0]:
            found.setdefault(number, value)
    return list(found.values())


def _ways(
    result: Number, operands: Sequence[Quantity], text: str
) -> Iterator[tuple[str, Sequence[Quantity]]]:
    """Give each way to come to a result, with what it is computed from."""
    amount, unit = result
    numbers = [(one, number) for one in operands if (number := _number(one))]
    alike = [(one, number[0]) for one, number in numbers if number[1] == unit]
    for count in range(2, MOST_OF_A_SUM + 1):
        for some in combinations(alike, count):
            if sum(size for _, size in some) == amount:
                yield "sum", [one for one, _ in some]
    for (one, size), (other, less) in combinations(alike, 2):
        if abs(size - less) == amount:
            yield "difference", [one, other] if size > less else [other, one]
    for (one, first), (other, second) in combinations(numbers, 2):
        units = {first[1], second[1]}
        if first[0] * second[0] == amount and unit in units:
            yield "product", [one, other]
        if first[1] == second[1] and unit in ("% ", " ") and first[0] and second[0]:
            small, large = sorted((first[0], second[0]))
            if _is_share(amount, small, large, percent=unit == "% "):
                yield "share", [one, other] if first[0] < second[0] else [other, one]


def _is_share(amount: Fraction, small: Fraction, large: Fraction, *, percent: bool) -> bool:
    """Whether an amount is what one number is of another, rounded as it is written."""
    if small <= 0:
        return False
    share = 100 * small / large if percent else small / large
    digits = 0 if amount.denominator == 1 else 1 if amount.denominator in (2, 5, 10) else 2
    change = 100 * (large - small) / small if percent else large / small
    return amount in (round(share, digits), round(change, digits), round(100 - share, digits))


def _is_told(how: str, used: Sequence[Quantity], named: Sequence[Quantity], text: str) -> bool:
    """Whether a sentence says that it computes so, or names all that it computes from."""
    if all(any(may_be_same(one, other) for other in named) for one in used):
        return True
    words = {"sum": _SUM, "difference": _DIFFERENCE, "product": _PRODUCT, "share": _SHARE}
    return words[how].search(text) is not None
