"""Values of a claim that a source has not, each beside the one that stands there instead."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from rag_assistant.claims.equal_values import is_in_one_word, is_of_ratio, is_told_otherwise
from rag_assistant.claims.findings import ClaimComparison, Finding
from rag_assistant.claims.ground import Ground
from rag_assistant.claims.statements import StatementToken
from rag_assistant.claims.support_values import is_known
from rag_assistant.text.quantities import Quantity, may_be_same
from rag_assistant.text.terms import words_in
from rag_assistant.values.support import Difference, DifferenceKind

LEAST_NEAR = 0.5
"""Share of a claim's other words that a window has before its scale or code stands against the
claim's, or before the value that it has instead is looked for."""

LEAST_NEAR_OF_VALUES = 0.6
"""The same before another value in it does: what is put in other words is told in other numbers."""

AROUND = 4
"""Tokens on both sides of a value that say what it is of."""

ROUNDED = Fraction(1, 10)
"""By what part a number that is said to be about right may differ from the source's."""

_ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|nearly|almost|some|circa|approximately|over|more than|just under"
    r"|just over|less than|under)|~|≈)\s*[£$€]?\s*$",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:at least|minimum(?: of)?|more than|over|above|greater than|higher than|longer than"
    r"|exceeds?|exceeding|beyond)\s+(?:the\s+|an?\s+)?[£$€<>]?\s*$",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:at most|up to|maximum(?: of)?|less than|under|below|within|fewer than|lower than"
    r"|shorter than)\s+(?:the\s+|an?\s+)?[£$€<>]?\s*$",
    re.IGNORECASE,
)
_NOT_BEFORE = re.compile(r"\b(?:no|not|never|cannot)\b[^.;,]{0,12}$", re.IGNORECASE)
_SCALES = frozenset("dozen hundred thousand million billion trillion".split())
_LOOKED_BACK = 40


def value_findings(beside: ClaimComparison) -> Iterator[Finding]:
    """Give the values of a claim that its window has not, or has with another limit."""
    known = beside.window.quantities
    yield from _other_scale(beside)
    for token in beside.claim.values:
        for value in token.value.ends() if token.value else ():
            if (
                is_known(value, known)
                or _is_about_right(beside, value, known)
                or _is_told_otherwise(beside, value)
            ):
                if _is_bounded_otherwise(beside, value):
                    yield Finding("bound")
            elif beside.bare or not _is_asked(beside, value):
                yield _finding(beside, token, value)


def _is_told_otherwise(beside: ClaimComparison, value: Quantity) -> bool:
    claim, window = beside.claim, beside.window
    return (
        is_told_otherwise(value, window.quantities)
        or any(is_in_one_word(value, one.text, window.quantities) for one in window.statements)
        or is_of_ratio(value, claim.text, claim.quantities, window.quantities)
    )


def _other_scale(beside: ClaimComparison) -> Iterator[Finding]:
    """Find "millions of them", or "several million", where the window has thousands."""
    window = beside.window
    read = [token for token in window.tokens if _scale(token.form) in _SCALES]
    values = (word for one in window.quantities for word in words_in(one.words.casefold()))
    forms = {*(_scale(token.form) for token in read), *map(_scale, values)}
    for token in beside.claim.tokens:
        if read and _scale(token.form) in _SCALES - forms:
            difference = Difference("number", token.raw, read[-1].raw)
            yield Finding("value", difference, hard=beside.near >= LEAST_NEAR)


def _scale(form: str) -> str:
    """Give the scale that a word names, if it names one: "millions", "million"."""
    return form.removesuffix("s")


def _is_asked(beside: ClaimComparison, value: Quantity) -> bool:
    return any(may_be_same(value, asked) for asked in beside.question.quantities)


def _is_about_right(beside: ClaimComparison, value: Quantity, known: Sequence[Quantity]) -> bool:
    """Whether a number that is said to be rounded is near one of the same kind."""
    ahead = beside.claim.text[max(0, value.start - _LOOKED_BACK) : value.start]
    if not _ABOUT.search(ahead):
        return False
    mine = value.readings[0]
    for one in known:
        theirs = one.readings[0]
        if not isinstance(mine.low, int | Fraction) or not isinstance(theirs.low, int | Fraction):
            continue
        if _digits(value) >= _digits(one) or mine.unit != theirs.unit:
            continue  # it is no rounder
        other = Fraction(theirs.low)
        if abs(Fraction(mine.low) - other) <= abs(other) * ROUNDED:
            return True
    return False


def _digits(value: Quantity) -> int:
    """Count the digits that tell: zeros at the end do not."""
    return len("".join(filter(str.isdigit, value.words)).rstrip("0"))


def _is_bounded_otherwise(beside: ClaimComparison, value: Quantity) -> bool:
    """Whether a value is the least in the claim and the most in the source, or the other way."""
    mine = _limit(beside.claim.text, value)
    if not mine:
        return False
    theirs = [
        _limit(one.text, other)
        for one in beside.window.statements
        for other in one.quantities
        if may_be_same(value, other)
    ]
    return bool(theirs) and all(limit and limit != mine for limit in theirs)


def _limit(text: str, value: Quantity) -> str:
    """Say whether a value is the least or the most, as the words before it have it."""
    ahead = text[max(0, value.start - _LOOKED_BACK) : value.start]
    more, less = _MORE.search(ahead), _LESS.search(ahead)
    found = more or less
    if found is None:
        return ""
    turned = _NOT_BEFORE.search(ahead[: found.start()]) is not None
    return ">" if bool(more) is not turned else "<"


def _finding(beside: ClaimComparison, token: StatementToken, value: Quantity) -> Finding:
    """Say which value stands there instead, and whether that is sure."""
    is_near = beside.near >= LEAST_NEAR
    other, shared = _instead(beside, token, value) if is_near or beside.bare else ("", 0)
    said = " ".join(value.words.split())
    difference = Difference(_kind(value), said, " ".join(other.split()))
    if is_small_count(value) and not shared:
        return Finding("value", difference)
    if not stands_somewhere(beside.ground, value.words):
        return Finding("value", difference, hard=True)
    near_enough = beside.near >= LEAST_NEAR_OF_VALUES
    return Finding("value", difference, hard=bool(other) and near_enough)


def _kind(value: Quantity) -> DifferenceKind:
    return "date" if value.kind in ("date", "time") else "number"


def is_small_count(value: Quantity) -> bool:
    """Whether a number in words counts what is told: "two kinds", "three of them"."""
    return value.kind == "number" and value.words.isalpha() and not value.readings[0].unit


def stands_somewhere(ground: Ground, words: str) -> bool:
    """Whether some words stand anywhere in all that was read, whatever is between them."""
    wanted = " ".join(words_in(words.casefold()))
    return bool(wanted) and f" {wanted} " in f" {ground.text} "


def _instead(beside: ClaimComparison, token: StatementToken, value: Quantity) -> tuple[str, int]:
    """Give the value of the window that stands among the same words, with how many these are."""
    around = _around(beside.claim.tokens, token)
    ours = beside.claim.quantities
    best, most = "", (0, 0)
    for place, other in enumerate(beside.window.tokens):
        if other.value is None or any(may_be_same(one, other.value) for one in ours):
            continue
        if _kind(other.value) != _kind(value) and not (other.value.is_year or value.is_year):
            continue
        shared = len(around & _around(beside.window.tokens, other, place))
        alike = other.value.readings[0].unit == value.readings[0].unit
        if (shared + alike, alike) >= most or not best:
            best, most = other.value.words, (shared + alike, alike)
    return best, most[0]


def _around(
    tokens: Sequence[StatementToken], token: StatementToken, place: int | None = None
) -> frozenset[str]:
    """Give the words around a value."""
    if place is None:
        place = next(number for number, one in enumerate(tokens) if one is token)
    near = tokens[max(0, place - AROUND) : place + AROUND + 1]
    return frozenset(one.term for one in near if one.term and one is not token)
