"""Numbers with all that belongs to them: currencies, scales, units and rates."""

import re
from fractions import Fraction
from functools import lru_cache

from rag_assistant.text.numerals import (
    NUMBER_WORDS,
    SCALE_LETTERS,
    SCALES,
    Numeral,
    numeral_at,
)
from rag_assistant.text.signs import Before, follows_its_number, is_cell
from rag_assistant.text.terms import STOP_WORDS
from rag_assistant.text.told import UNSCALED, Measure, Told
from rag_assistant.text.units import (
    CENTS,
    ONLY_TIGHT,
    SIGNS,
    UNITS,
    Unit,
    base_of,
    currencies_of,
    two_words,
    units_of,
)

_SHARES = frozenset(("%", "pp"))
_RANK = re.compile(r"(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
_NAME = re.compile(
    r"(?P<gap>[-‑]|[*_]{0,2}\s{0,3})(?P<name>[^\W\d_]{1,30}(?:·[^\W\d_]{1,30})?(?:[²³]|[23](?!\w))?"
    r"|(?:US|AU?|CA?|NZ|HK)?\$|[%‰€£¥₹₽₩₺₪฿¢℃℉]|°\s?[CF](?!\w)|°|[″′])"
)
_DOT = re.compile(r"\.(?=\s?(?:[^\W\d_]|[€£$]))")
_DOTTED = frozenset("mio mrd mln tsd".split())
_BEFORE_NUMBER = re.compile(r"\s?\d")
_HYPHENATED = re.compile(r"-[^\W\d_]{1,30}")
_PER = re.compile(r"\s?/\s?|\s{1,2}(?:[Pp]er|PER|pro)\s{1,2}")
_EACH = re.compile(
    r"\s{1,2}(?:an?|each|every|per)\s{1,2}(?P<name>year|annum|month|week|day|night|hour|minute"
    r"|person|head|class|copy|km|mile|kg|unit)\b",
    re.IGNORECASE,
)
_PER_NAME = re.compile(r"[^\W\d_]{1,30}[²³]?(?!\w)")
_FURTHER = re.compile(r"\s{1,3}(?P<between>[a-z][a-z-]{2,30})\s{1,3}(?P<unit>[a-z]{3,30})(?!\w)")
_MORE = re.compile(r",?\s{1,2}(?:and\s{1,2})?(?=[\da-z])|(?=\d)")

_TOLD_IN_TWO = frozenset(("s", "m", "g", "month"))
"""Dimensions in which one value is told in two units: "1 hour 30 minutes"."""

_HUNDREDTH = Fraction(1, 100)


def told_at(text: str, place: int, ahead: Before, shared: tuple[str, ...] = ()) -> Told | None:
    """Read the number whose first digit or letter is at `place`, with all that belongs to it.

    `shared` are the currencies of a value just before, that this one may be in as well.
    """
    numeral = numeral_at(text, place)
    if numeral is None:
        return None
    if not numeral.amounts:
        return Told(place, numeral.end, (), code=True)
    known = ahead.currencies or shared
    if ahead.bracket >= 0 and text[numeral.end : numeral.end + 1] == ")":
        return _bracketed(text, numeral, ahead, known)
    bare = tuple(Fraction(amount, numeral.scale) for amount in numeral.amounts)
    told = Told(ahead.start, numeral.end, bare if numeral.scale > 1 else numeral.amounts)
    told.scales = (numeral.scale,)
    told.limit, told.currencies, told.rank = ahead.limit, ahead.currencies, numeral.rank
    if ahead.negative:
        told.negate()
    _take_tail(text, told, known)
    if ahead.bracket >= 0:
        _take_closing(text, told, ahead.bracket)
    followed = text[told.end : told.end + 1]
    if followed.isalnum() or followed == "_":
        return None if numeral.words else Told(place, numeral.end, (), code=True)
    alone = numeral.words == 1 and numeral.amounts == (1,) and told.is_plain
    return None if alone else told  # "one" is mostly a pronoun


def _take_closing(text: str, told: Told, bracket: int) -> None:
    """Make less than nothing of money or a share in brackets that has a cell to itself."""
    if told.is_plain or text[told.end : told.end + 1] != ")":
        return
    in_accounts = all(kind != "number" for kind, _, _ in told.measures)
    if in_accounts and is_cell(text, bracket, told.end + 1):
        told.start, told.end = bracket, told.end + 1
        told.negate()


def _bracketed(text: str, numeral: Numeral, ahead: Before, known: tuple[str, ...]) -> Told:
    """Read "(8)": less than nothing in accounts, a reference or a repetition elsewhere."""
    bracket, end = ahead.bracket, numeral.end + 1
    repeats = follows_its_number(text, bracket)
    told = Told(bracket, end, numeral.amounts)
    _take_tail(text, told, known)
    of_accounts = bool(known) or (told.measures[0][1] == "%" and text[told.end - 1] in "%‰")
    if of_accounts and not told.is_plain and not repeats:
        told.start = ahead.start if ahead.bracket_within else bracket
        told.negate()
        return told
    if repeats and not told.is_plain:
        return told
    told = Told(bracket, end, numeral.amounts)
    if not text[bracket + 1 : numeral.end].isdecimal() and is_cell(text, bracket, end):
        told.negate()
    else:
        told.bare = (*told.bare, *(-amount for amount in told.bare))
    return told


def _take_tail(text: str, told: Told, known: tuple[str, ...]) -> None:
    """Take in what stands behind a number; `known` are the currencies that it is told in."""
    ends = text[told.end : told.end + 1]
    rank = _RANK.match(text, told.end) if ends and ends in "snrtSNRT" else None
    if rank:
        told.end, told.rank = rank.end(), True
    if told.rank:
        return
    match = _take_scales(text, told)
    if match and match["name"].lower() in SCALE_LETTERS:
        following = _NAME.match(text, match.end())
        if known or (following and _currency(text, following)[0]):
            told.scale((SCALE_LETTERS[match["name"].lower()],), match.end())
            match = following
    codes, end = _currency(text, match) if match else ((), told.end)
    if known:
        both = tuple(code for code in codes if code in known)
        _take_money(text, told, both or known, end if both else told.end)
    elif codes:
        _take_money(text, told, codes, end)
    elif match:
        _take_unit(text, told, match)


def _take_scales(text: str, told: Told) -> re.Match[str] | None:
    """Take in "million" and the like; give the name that stands behind."""
    match = _NAME.match(text, told.end)
    for _ in range(2):
        name = match["name"].lower() if match else ""
        if match is None or name not in SCALES or match["name"] in UNITS:  # meganewtons: MN
            break
        dot = _DOT.match(text, match.end()) if name in _DOTTED else None
        told.scale(SCALES[name], dot.end() if dot else match.end())
        match = _NAME.match(text, told.end)
    return match


def _currency(text: str, match: re.Match[str]) -> tuple[tuple[str, ...], int]:
    """Give the currencies that a name behind a number stands for, with its end."""
    codes, end = currencies_of(match["name"], text, match.end())
    if codes and match["name"][-1] in SIGNS and _BEFORE_NUMBER.match(text, end):
        return (), end  # it is that of the next number
    return codes, end


def _take_money(text: str, told: Told, codes: tuple[str, ...], end: int) -> None:
    told.measures = tuple(("money", code, 1) for code in codes)
    by_name = told.scales == UNSCALED and text[told.end : end].strip(" -").lower() in _POUNDS
    if by_name and not told.currencies:
        told.measures += _measures(units_of("lb"))
    told.end = end
    _take_rate(text, told)


_POUNDS = frozenset(("pound", "pounds"))


def _take_unit(text: str, told: Told, match: re.Match[str]) -> None:
    name, gap = match["name"], match["gap"]
    if name.lower() in CENTS or (name == "p" and not gap):
        codes = CENTS.get(name.lower(), ("GBP",))
        told.end, told.measures = match.end(), tuple(("money", c, _HUNDREDTH) for c in codes)
        return _take_rate(text, told)
    if not gap and name in ("k", "m", "M"):
        metres: tuple[Unit, ...] = (("m", 1),) if name == "m" else ()
        told.end = match.end()
        told.measures = _measures((*metres, ("", SCALE_LETTERS[name.lower()])))
        return None
    measures, end = _measures_at(text, name, gap, match.end())
    in_words = text[told.end - 1].isalpha()
    if not measures or (in_words and len(name) == 1 and name.isalpha()):  # "ONE A"
        return _take_unit_apart(text, told)
    told.measures, told.end = measures, end
    _take_rate(text, told)
    if measures[0][1] in _TOLD_IN_TWO and told.measures is measures:
        _take_smaller(text, told)
    return None


def _measures_at(text: str, name: str, gap: str, end: int) -> tuple[tuple[Measure, ...], int]:
    """Give what a name behind a number measures, with its end."""
    name = name.replace(" ", "")
    units, far = two_words(name, text, end)
    if units:
        return _measures(units), far
    hyphen = _HYPHENATED.match(text, end) if text[end : end + 1] == "-" else None
    if hyphen and (units := units_of(name + hyphen[0])):
        return _measures(units), hyphen.end()
    on_another_line = "\n" in gap and len(name) < 3
    if on_another_line or (gap and name in ONLY_TIGHT) or text[end : end + 1] == "_":
        return (), end
    return _measures(units_of(name)), end


@lru_cache(500)
def _measures(units: tuple[Unit, ...]) -> tuple[Measure, ...]:
    return tuple(("share" if base in _SHARES else "number", base, size) for base, size in units)


def _take_unit_apart(text: str, told: Told) -> None:
    """Find a unit behind one word of another kind: "six full weeks"."""
    match = _FURTHER.match(text, told.end)
    between = match["between"] if match else ""
    if match is None or between in STOP_WORDS or between in SCALES or between in NUMBER_WORDS:
        return
    if units := units_of(match["unit"]):
        told.measures, told.apart = _measures(units), True


def _take_rate(text: str, told: Told) -> None:
    """Take in "per week", "/kg" and, behind money and shares, "a week"."""
    match = _PER.match(text, told.end)
    name = _PER_NAME.match(text, match.end()) if match else None
    if name is None:
        each = _EACH.match(text, told.end) if told.measures[0][0] != "number" else None
        if each:
            told.per, told.end = _rate_of(each["name"]), each.end()
        return
    told.end = name.end()
    under = units_of(name[0])
    if told.measures[0][0] != "number" or not under:
        told.per = _rate_of(name[0])
        return
    base, size_below = under[0]
    told.measures = tuple(
        (kind, f"{unit}/{base}" if unit else unit, Fraction(size) / size_below if unit else size)
        for kind, unit, size in told.measures
    )


def _rate_of(name: str) -> str:
    lower = "year" if name.lower() == "annum" else name.lower()
    return base_of(name) or base_of(lower) or lower.removesuffix("s")


def _take_smaller(text: str, told: Told) -> None:
    """Take in what the same value has in a smaller unit: "1 h 30 min", "5 ft 3 in"."""
    match = _MORE.match(text, told.end)
    if match is None or len(told.bare) * len(told.measures) * len(told.scales) > 1:
        return
    numeral = numeral_at(text, match.end())
    name = _NAME.match(text, numeral.end) if numeral and len(numeral.amounts) == 1 else None
    if (
        numeral is None
        or name is None
        or numeral.rank
        or text[name.end() : name.end() + 1].isalnum()
    ):
        return
    units = units_of(name["name"])
    kind, base, size = told.measures[0]
    if len(units) != 1 or units[0][0] != base:
        return
    more = numeral.amounts[0] * Fraction(units[0][1])
    if units[0][1] < size and 0 < more < size:
        told.bare, told.end = (told.bare[0] + more / size,), name.end()
        told.measures = ((kind, base, size),)
