"""The values that a text states, read by one rule for quotes, claims, contradictions, versions and
questions: numbers, money, shares, dates, times and measures, each in one canonical form.

Amounts are exact, so that values are equal in whatever form they are written, and others never
are. What can be read in two ways keeps both readings: it contradicts neither, and is not known to
be the same as either. The time is in proportion to the text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from rag_assistant.text.amounts import told_at
from rag_assistant.text.dates import (
    FISCAL_BEFORE,
    QUARTER_BEFORE,
    Date,
    date_at,
    may_be_dated,
)
from rag_assistant.text.months import MONTH_NAMES
from rag_assistant.text.numerals import NUMBER_WORDS, ORDINAL_WORDS, VULGAR_SIGNS
from rag_assistant.text.ranges import Found, range_of, readings_of, separated
from rag_assistant.text.signs import Before, before
from rag_assistant.text.terms import STOP_WORDS
from rag_assistant.text.times import NAMED_TIMES, time_at
from rag_assistant.text.told import PLAIN, Told
from rag_assistant.text.units import CURRENCY_BEFORE
from rag_assistant.text.values import Kind, Quantity, Reading, conflict, may_be_same, same
from rag_assistant.text.word_patterns import any_of

__all__ = [
    "Kind",
    "Quantity",
    "Reading",
    "conflict",
    "holds_quantity",
    "may_be_same",
    "quantities_in",
    "same",
]


_WORDS = frozenset((*NUMBER_WORDS, *ORDINAL_WORDS, *MONTH_NAMES, *NAMED_TIMES))
_ARTICLES = (
    r"(?:[Aa]|[Hh]alf an?) (?=hundred|thousand|million|billion|trillion|dozen|third|quarter|fifth"
    r"|tenth)|[Hh]alf an? "
)
_ANCHOR = re.compile(rf"\d+|[{VULGAR_SIGNS}]|\b(?:{any_of(_WORDS)}(?!\w)|{_ARTICLES})")
"""Where alone a value can begin, but for what stands before its number."""

_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]{1,20}")
_CODE = re.compile(r"\d+(?:[.,:]\d+)*")
_DECADE = re.compile(r"(?:1[5-9]|20)\d0[sS](?!\w)")
_PART_OF_YEAR = re.compile(r"\b(?:mid|early|late|pre|post)[-‑]$", re.IGNORECASE)
_A_SECOND = re.compile(r"\b(?:per|each|every|split)[\s-]$", re.IGNORECASE)
_OF_A_MONTH = re.compile(
    r"\b(?:items?|numbers?|nos?\.|sections?|pages?|paragraphs?) $", re.IGNORECASE
)
_GLUED = re.compile(r"(?<![^\W_])[a-z]{2,6}$")
_LONGEST_INT = 18
_KEPT_LENGTH = 500


def quantities_in(text: str) -> list[Quantity]:
    """Give the values of a text in order, with their exact places; they do not overlap."""
    return [*_read_once(text)] if len(text) <= _KEPT_LENGTH else [*_read(text)]


@lru_cache(maxsize=2_048)
def _read_once(text: str) -> tuple[Quantity, ...]:
    """Read a sentence; several checks of an answer ask for the values of the same one."""
    return tuple(_read(text))


def holds_quantity(text: str) -> bool:
    """Say whether a text states any value but a place in an order; any digit is part of one."""
    return _DIGIT.search(text) is not None or any(v.kind != "ordinal" for v in _read(text))


def _read(text: str) -> Iterator[Quantity]:
    end = 0
    for anchor in _ANCHOR.finditer(text):
        if anchor.start() >= end and (found := _at(text, anchor.start(), end)):
            end = found.end
            yield found


def _at(text: str, place: int, floor: int) -> Quantity | None:
    """Read the value whose number or name begins at a place, with the other end of its range."""
    first = _single(text, place, floor)
    if first is None:
        return None
    one, told = first
    following = separated(text, one)
    if (
        following is None
        or one.kind in ("code", "ordinal")
        or not _ANCHOR.match(text, following[1])
    ):
        return one
    second = _single(text, following[1], following[0], told.currencies if told else ())
    readings = range_of(first, second) if second else ()
    if second is None or not readings:
        return one
    other = second[0]
    made = _made(readings[0].kind, text, (one.start, other.end), readings)
    between = one.end, other.start
    return replace(made, limit=one.limit, apart=other.apart, between=between)


def _single(text: str, place: int, floor: int, shared: tuple[str, ...] = ()) -> Found | None:
    """Read one value; `shared` are the currencies of one that it is the other end of."""
    digits = text[place].isdecimal()
    if digits and place > floor and _is_in_name(text, place):
        return _code(text, place), None
    ahead = before(text, place, floor)
    if ahead.currencies:
        return _number(text, place, ahead, shared)
    dated = _dated(text, place) if digits else _named(text, place)
    if dated is None:
        return _number(text, place, ahead, shared)
    may_count = dated.is_year and (dated.start, dated.end) == (place, place + 4)
    number = _number(text, place, ahead, shared) if may_count else None
    return _year_or_count(dated, *number) if number else (dated, None)


def _year_or_count(dated: Quantity, number: Quantity, told: Told | None) -> Found:
    """Give what "2024" is: with a unit a number; else a year that may as well count something."""
    if told is None:
        return dated, None
    if told.measures != PLAIN or told.scales != (1,):
        return number, told
    readings = (*dated.readings, *number.readings)
    return replace(dated, readings=readings, limit=number.limit), None


def _is_in_name(text: str, place: int) -> bool:
    """Whether digits belong to a name: "HLY-407", "M8"."""
    before, head = text[place - 1], text[max(0, place - 7) : place]
    if before.isalpha() or before == "_":
        if before == "T" and place > 1 and text[place - 2].isdecimal():
            return False  # between a date and its time
        glued = _GLUED.search(head)
        if glued and glued[0].lower() in STOP_WORDS:
            return False  # "1 to10"
        of_a_year = QUARTER_BEFORE.search(head) or FISCAL_BEFORE.search(head)
        return not of_a_year and not CURRENCY_BEFORE.search(head)
    if before not in "-‑" or place < 2 or not text[place - 2].isalpha():
        return False
    return not (
        _PART_OF_YEAR.search(head)
        or FISCAL_BEFORE.search(head)
        or CURRENCY_BEFORE.search(head[:-1])
    )


def _code(text: str, place: int) -> Quantity:
    match = _CODE.match(text, place)
    assert match is not None
    written = match[0]
    reading = Reading("code", written, written)
    if written.isdecimal() and len(written) <= _LONGEST_INT:
        reading = Reading("number", int(written), int(written))
    return Quantity("code", written, match.start(), match.end(), (reading,))


def _made(kind: Kind, text: str, span: tuple[int, int], readings: Iterable[Reading]) -> Quantity:
    start, end = span
    return Quantity(kind, text[start:end], start, end, tuple(dict.fromkeys(readings)))


def _named(text: str, place: int) -> Quantity | None:
    """Read a date or a time that begins with a word, if the word can begin one."""
    match = _WORD.match(text, place)
    word = match[0].lower() if match else ""
    if word in NAMED_TIMES:
        reading = Reading("time", NAMED_TIMES[word], NAMED_TIMES[word])
        return _made("time", text, (place, place + len(word)), (reading,))
    may_begin = word in MONTH_NAMES or word in ORDINAL_WORDS or NUMBER_WORDS.get(word, 99) <= 12
    return _dated(text, place) if may_begin else None


def _dated(text: str, place: int) -> Quantity | None:
    """Read a date or a time of day."""
    if not may_be_dated(text, place):
        return None
    if match := _DECADE.match(text, place):
        year = int(match[0][:-1])
        return _made("date", text, match.span(), (Reading("date", Date(year), Date(year + 9)),))
    if time := time_at(text, place):
        readings = (Reading("time", minutes, minutes) for minutes in time[0])
        return _made("time", text, (place, time[1]), readings)
    found = date_at(text, place)
    if found is None:
        return None
    unit = "fiscal" if found.fiscal else ""
    head = text[max(0, place - 20) : place]
    if found.spans[0][0].year is None and _OF_A_MONTH.search(head):
        return None  # "item 5 of May"
    ahead = FISCAL_BEFORE.search(head) or QUARTER_BEFORE.search(head) or _PART_OF_YEAR.search(head)
    start = place - len(ahead[0]) if ahead else place
    readings = (Reading("date", low, high, unit) for low, high in found.spans)
    return _made("date", text, (start, found.end), readings)


def _number(text: str, place: int, ahead: Before, shared: tuple[str, ...]) -> Found | None:
    told = told_at(text, place, ahead, shared)
    if told is None:
        return None
    if told.code:
        return (_code(text, place), None) if text[place].isdecimal() else None
    if told.rank and text[place] in "sS" and _A_SECOND.search(text, max(0, place - 6), place):
        return None  # a time
    readings = tuple(readings_of(told))
    start, end, kind = told.start, told.end, readings[0].kind
    return Quantity(kind, text[start:end], start, end, readings, told.limit, told.apart), told
