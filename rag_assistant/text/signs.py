"""What stands before a number and belongs to it: a minus, a bracket, a limit, a currency."""

import re
from dataclasses import dataclass

from rag_assistant.text.numerals import NUMBER_WORDS, SCALES
from rag_assistant.text.units import CURRENCY_BEFORE, WORDS_BEFORE, currencies_of

_LOOKED_BACK = 12
_LIMIT = re.compile(r"[<>≤≥±≈~]\s?$")
_MINUS = re.compile(r"(?<!\d)(?<!\d\s)\bminus\s$", re.IGNORECASE)
_BEFORE_SIGN = frozenset(" \t\n\r\u00a0\u202f([|:;,/*\"“'‘=")
_SIGNS = frozenset("-−–(<>≤≥±≈~$£€¥₹₽₩₺₪฿")
_CELL_BEFORE = re.compile(r"(?:^|[\n\t|]|\s\s|[\d)]\s)\s*$")
_CELL_AFTER = re.compile(r"\s*(?:$|[\n\t|])|\s\s|\s[\d(]")


@dataclass(slots=True)
class Before:
    """What stands before a number, from `start` on."""

    start: int
    negative: bool = False
    limit: str = ""
    currencies: tuple[str, ...] = ()
    bracket: int = -1
    """The place of a bracket that is opened right before the number or its currency, or -1."""
    bracket_within: bool = False
    """Whether a currency stands before the bracket."""


def before(text: str, place: int, floor: int) -> Before:
    """Read what stands before a number, no further back than `floor`."""
    if not _may_belong(text, place, floor):
        return Before(place)
    low = max(floor, place - _LOOKED_BACK)
    start, negative, bracket = _signed(text, place, low)
    found = CURRENCY_BEFORE.search(text, low, start)
    currencies: tuple[str, ...] = ()
    within = False
    if found:
        within = bracket >= 0
        name = found["code"] or found["dollar"] or found["sign"]
        currencies, _ = currencies_of(name, "", 0)
        start = found.start()
        if not (negative or within):
            start, negative, bracket = _signed(text, start, low)
    if not negative and (minus := _MINUS.search(text, low, start)):
        start, negative = minus.start(), True
    limit = _LIMIT.search(text, low, start)
    if bracket >= 0 and not within:
        start = max(start, bracket + 1)
    if limit and bracket < 0:
        return Before(limit.start(), negative, limit[0].strip(), currencies)
    return Before(start, negative, "", currencies, bracket, within)


def _signed(text: str, place: int, low: int) -> tuple[int, bool, int]:
    """Give where a minus or a bracket before a place begins, which, and the bracket's place."""
    sign = text[place - 1 : place] if place > low else ""
    if sign and sign in "-−–" and (place == 1 or text[place - 2] in _BEFORE_SIGN):
        return place - 1, True, -1
    if sign and sign in "-−" and place > 1 and CURRENCY_BEFORE.search(text, low, place - 1):
        return place - 1, True, -1
    return (place - 1, False, place - 1) if sign == "(" else (place, False, -1)


def _may_belong(text: str, place: int, floor: int) -> bool:
    """Whether what stands before a place can be part of a value: mostly another word does."""
    if place <= floor:
        return False
    last = text[place - 1]
    if last.isspace() and place - 1 > floor:
        last = text[place - 2]
    if not (last.isalpha() or last == "."):
        return last in _SIGNS
    words = text[max(floor, place - _LOOKED_BACK) : place].split()
    return bool(words) and words[-1].rstrip(".").lower().lstrip("(-−") in WORDS_BEFORE


def follows_its_number(text: str, bracket: int) -> bool:
    """Whether a number in brackets repeats the one before them: "five (5)"."""
    if bracket < 2 or text[bracket - 1] != " ":
        return False
    words = text[max(0, bracket - 1 - _LOOKED_BACK) : bracket - 1]
    last = words.rsplit(" ", maxsplit=1)[-1].lower()
    return last[-1:].isdigit() or last.rpartition("-")[2] in NUMBER_WORDS or last in SCALES


def is_cell(text: str, start: int, end: int) -> bool:
    """Whether what stands between two places has a cell of a table, or a line, to itself."""
    ahead = _CELL_BEFORE.search(text, max(0, start - _LOOKED_BACK), start)
    return ahead is not None and _CELL_AFTER.match(text, end) is not None
