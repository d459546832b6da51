"""The values that a sentence claims: what they are of, and whether it denies or bounds them.

The values themselves are read by `text.quantities`; numbers that name things ("plot 12") claim
nothing. Values of one kind can be compared: lengths with lengths, guests with guests.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from rag_assistant.text.dates import WEEKDAY_BEFORE, Date
from rag_assistant.text.quantities import Quantity, Reading, conflict, may_be_same, quantities_in
from rag_assistant.text.terms import STOP_WORDS, terms_of

Denial = Literal["", "wrong", "before"]

LOOKED_BACK = 80
"""Characters before a value among which words about it end: no such words are longer."""

TELLING_DIGITS = 3
"""Digits of a number, zeros at its end apart, that hardly come twice by chance."""

_COUNTED = re.compile(r"[ -](?P<word>[^\W\d_]+)")
_UNIT_BEHIND = re.compile(r"(?<=[\d\w½¼¾)])[ \u00a0-][^\W\d_°%‰$€£][^\s]*$|[ \u00a0]°.*$")

_LABELLED = re.compile(
    r"\b(?:plot|item|page|section|step|class|chapter|version|table|figure|room|type|model|level"
    r"|grade|stage|part|unit|zone|line|phase|paragraph|rule|article|clause|appendix|week|day|band"
    r"|building|no|nr|number|form|case|form|lot|gate|bay|pump|error|code|sample|site|group|team"
    r"|order|option|schedule|motion|bulletin|report|invoice)\.?\s+$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d+(?:\.\d+)+ [A-Z]|\d+\. ")
"""The number of a heading."""

_OF_THE_DOCUMENT = re.compile(
    r"\b(?:reviewed|updated|revised|published|prepared|printed|modified|created|sent|written|dated"
    r"|received|posted|issued|date)\b(?!.*\b(?:by|before|until)\s+$)[^.;]{0,40}$",
    re.IGNORECASE,
)
"""What a date is of that tells of the document and not of its subject."""

_WRONG_WORDS = ("not", "nor", "neither", "instead of", "rather than", "wrongly", "in error")
_FORMER_WORDS = (
    *("formerly", "previously", "until now", "no longer", "used to be", "replaces", "replacing"),
)
_FILLING = ("as", "on", "at", "the", "was")
"""Words that may stand between what denies a value and the value."""

_BEFORE_WORDS = ("from", "up from", "down from", "against", "was", "once")


def _behind_any(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{'|'.join(words)})\s+(?:(?:{'|'.join(_FILLING)})\s+)*$", re.IGNORECASE
    )


_WRONG, _FORMERLY = _behind_any(_WRONG_WORDS), _behind_any(_FORMER_WORDS)
_BEFORE = re.compile(rf"\b(?:{'|'.join(_BEFORE_WORDS)})\s+$", re.IGNORECASE)
_CHANGING = (
    *("rais", "increas", "reduc", "cut", "rose", "risen", "lower", "chang", "mov", "postpon"),
    *("went", "gone", "correct", "amend", "brought"),
)
"""How the words begin that say of a value that it has become another."""

_CHANGED = re.compile(rf"\b(?:{'|'.join(_CHANGING)})\w*\b", re.IGNORECASE)
_CALLED_WRONG = re.compile(r"\s*(?:as (?:printed|stated|minuted|reported)|(?:is|was) wrong)\b")
_GOES_ON = re.compile(r"\W*(?:nor|or|and)\s+")
_BOUNDS: Mapping[str, str] = {
    **dict.fromkeys(
        ("at least", "no less than", "minimum of", "more than", "over", "above", "beyond"), ">"
    ),
    **dict.fromkeys(
        ("at most", "up to", "no more than", "maximum of", "less than", "under", "below"), "<"
    ),
    **dict.fromkeys(("about", "around", "roughly", "nearly", "almost", "some", "circa"), "~"),
    **dict.fromkeys(("by", "before", "no later than", "until", "till"), "<"),
    **dict.fromkeys(("from", "after", "since"), ">"),
}
_BOUND = re.compile(
    rf"\b({'|'.join(sorted(_BOUNDS, key=len, reverse=True))})\s+(?:the\s+)?$", re.IGNORECASE
)
_BENDING = frozenset(
    words.split()[-1]
    for words in (*_WRONG_WORDS, *_FORMER_WORDS, *_FILLING, *_BEFORE_WORDS, *_BOUNDS)
)
"""The last words of all that denies or bounds a value: behind any other word it is plain."""

_DENYING = frozenset(
    "not nor neither instead rather wrongly error formerly previously until longer used replaces"
    " replacing printed stated minuted reported wrong".split()
)
"""A word of each wording that denies a value."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a sentence: what it is of, how much, as it is written, and where.

    `quantity` is None for a name, whose words are in `name`. `end` comes before a unit that is a
    word of its own, `unit_end` behind it. `denied` is "wrong" where the sentence says that of it,
    "before" where it was so once. `bound` is ">", "<" or "~" where it is a limit or not exact.
    """

    kind: str
    words: str
    start: int
    end: int
    quantity: Quantity | None = None
    name: tuple[str, ...] = ()
    unit_end: int = 0
    denied: Denial = ""
    bound: str = ""

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What it may mean."""
        return self.quantity.readings if self.quantity else ()

    @property
    def is_telling(self) -> bool:
        """Whether it is so exact that the same value elsewhere is hardly about something else."""
        if self.kind == "date":
            return all(None not in date.parts for date in self.dates)
        digits = "".join(filter(str.isdigit, self.words))
        return len(digits.rstrip("0")) >= TELLING_DIGITS

    @property
    def dates(self) -> tuple[Date, ...]:
        """The first day of each reading of a date."""
        return tuple(one.low for one in self.readings if isinstance(one.low, Date))


def values_in(sentence: str) -> list[Value]:
    """Find the values of a sentence; numbers that name things ("plot 12") are none."""
    found: list[Value] = []
    for quantity in _told_apart(sentence):
        if not _claims(quantity, sentence):
            continue
        value = _value(quantity, sentence)
        bent = _is_bent(sentence, value.start)
        denied = _denial(sentence, value, found[-1] if found else None, bent=bent)
        bound = _just_before(_BOUND, sentence, value.start) if bent else None
        limit = _BOUNDS[bound[1].lower()] if bound else _LIMITS.get(quantity.limit, "")
        found.append(replace(value, denied=denied, bound=limit) if denied or limit else value)
    return found


def may_deny(words: Iterable[str]) -> bool:
    """Whether a text of some words, lower case, may deny a value: else it states all it has."""
    known = frozenset(words)
    return not known.isdisjoint(_DENYING) or any(word.startswith(_CHANGING) for word in known)


def _is_bent(sentence: str, place: int) -> bool:
    """Whether what stands right before a place may deny or bound the value there."""
    word = sentence[max(0, place - LOOKED_BACK) : place].rsplit(maxsplit=1)[-1:]
    return bool(word) and word[0].lower().strip("(“\"'‘*_") in _BENDING


_LIMITS: Mapping[str, str] = {"<": "<", "≤": "<", ">": ">", "≥": ">", "±": "~", "≈": "~", "~": "~"}


def _told_apart(sentence: str) -> Iterator[Quantity]:
    """Give the values of a sentence; what changed "from 30 to 60" are two."""
    for quantity in quantities_in(sentence):
        changed = quantity.is_range and _just_before(_BEFORE, sentence, quantity.start)
        apart = changed and _changes(sentence, quantity.start)
        yield from quantity.ends() if apart else (quantity,)


def _changes(sentence: str, place: int) -> bool:
    return _CHANGED.search(sentence, 0, place) is not None


def _claims(quantity: Quantity, sentence: str) -> bool:
    """Whether a value tells of something, and does not name or count what is told."""
    start = quantity.start
    if quantity.kind in ("code", "ordinal"):
        return False
    if quantity.kind == "number":
        beside = (
            sentence[start - 1 : start] in ("/", ".", ",", "-")
            or sentence[quantity.end : quantity.end + 1] == "/"
        )
        labelled = _just_before(_LABELLED, sentence, start) and not quantity.readings[0].unit
        return not (beside or labelled or (start == 0 and _NUMBERED.match(sentence)))
    if quantity.kind == "date":
        of_document = not quantity.is_year and _just_before(_OF_THE_DOCUMENT, sentence, start)
        low = quantity.readings[0].low
        months = isinstance(low, Date) and low == Date(None, low.month)
        return not (of_document or months)
    return True


def _value(quantity: Quantity, sentence: str) -> Value:
    """Say what a value is of: its unit, its currency and rate, or what it counts."""
    start, end, shown = quantity.start, quantity.end, quantity.end
    reading = quantity.readings[0]
    kind: str = quantity.kind
    if kind == "date":
        kind = "year" if quantity.is_year else kind
        weekday = WEEKDAY_BEFORE.search(sentence, max(0, start - LOOKED_BACK), start)
        start = weekday.start() if weekday else start
    elif kind == "money":
        kind = f"money {reading.unit} {reading.per}".strip()
    elif kind == "share":
        kind = "share" if reading.unit == "%" else f"share {reading.unit}"
    elif kind == "number" and reading.unit and not quantity.apart:
        kind = f"number {reading.unit} {reading.per}".strip()
        end = _without_unit(quantity)
    elif kind == "number":
        counted = _COUNTED.match(sentence, end)
        word = counted["word"] if counted else ""
        if counted and word.lower() not in STOP_WORDS:
            kind, shown = f"number {_term(word.lower())}", counted.end()
    words = " ".join(sentence[start:shown].split())
    return Value(kind, words, start, end, quantity, unit_end=quantity.end)


def _without_unit(quantity: Quantity) -> int:
    """Give where a number ends before a unit that is a word of its own."""
    behind = _UNIT_BEHIND.search(quantity.words)
    return quantity.start + behind.start() if behind else quantity.end


def _just_before(pattern: re.Pattern[str], sentence: str, place: int) -> re.Match[str] | None:
    """Look for words that a place in a sentence comes right after."""
    return pattern.search(sentence, max(0, place - LOOKED_BACK), place)


def _denial(sentence: str, value: Value, last: Value | None, *, bent: bool) -> Denial:
    """Say whether the words around a value deny it."""
    start = value.start
    wrong = bent and _just_before(_WRONG, sentence, start)
    if wrong or _CALLED_WRONG.match(sentence, value.unit_end):
        return "wrong"
    changed = bent and _just_before(_BEFORE, sentence, start) and _changes(sentence, start)
    if changed or (bent and _just_before(_FORMERLY, sentence, start)):
        return "before"
    # "neither 16 nor 23 August": both are denied.
    if last and last.denied and _GOES_ON.fullmatch(sentence, last.unit_end, start):
        return last.denied
    return ""


def _term(word: str) -> str:
    return next(iter(terms_of(word)), word)


def disagree(one: Value, other: Value) -> bool:
    """Say whether two values of the same thing cannot both be right."""
    if one.kind != other.kind or one.bound != other.bound or not (one.quantity and other.quantity):
        return False
    if one.kind == "date" and one.dates[0].known_with(other.dates[0]) < 2:
        return False  # "May" and "2024"
    return conflict(one.quantity, other.quantity)


def equal(one: Value, other: Value) -> bool:
    """Say whether two values are the same as far as both are known."""
    if one.quantity is None or other.quantity is None:
        return one.name == other.name
    return may_be_same(one.quantity, other.quantity)


def apart_from(values: list[Value], sentence: str) -> Iterator[str]:
    """Give what a sentence says around its values and their units."""
    place = 0
    for value in values:
        yield sentence[place : value.start]
        place = max(place, value.unit_end)
    yield sentence[place:]
