"""What stands around a number and makes a value of it: signs and brackets before it, currencies on
either side, scales, units and rates behind it.
"""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Literal

from rag_assistant.terms import STOP_WORDS
from rag_assistant.text.numerals import (
    NUMBER_WORDS,
    SCALE_LETTERS,
    SCALES,
    Amount,
    Numeral,
    numeral_at,
)
from rag_assistant.text.units import (
    CENTS,
    CURRENCY_BEFORE,
    ONLY_TIGHT,
    Unit,
    base_of,
    currencies_of,
    two_words,
    units_of,
)

Measure = tuple[Literal["number", "share", "money"], str, Amount]
"""A kind ("number", "share", "money"), the unit that it is told in, and how many of it one is."""

PLAIN: tuple[Measure, ...] = (("number", "", 1),)
SHARES = frozenset(("%", "pp"))
_LOOKED_BACK = 12

_LIMIT = re.compile(r"[<>≤≥±≈~]\s?$")
_MINUS = re.compile(r"(?:(?<!\d)(?<!\d\s)\bminus\s)$", re.IGNORECASE)
_BEFORE_SIGN = frozenset(" \t\n\r\u00a0\u202f([|:;,/*\"“'‘=")
_CELL_BEFORE = re.compile(r"(?:^|[\n\t|]|\s\s|[\d)]\s)\s*$")
_CELL_AFTER = re.compile(r"\s*(?:$|[\n\t|])|\s\s|\s[\d(]")
_RANK = re.compile(r"(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
_SCALE = re.compile(
    r"(?:[*_]{0,2}\s{0,2}|[-‑])(?P<word>[^\W\d_]{2,})(?!\w)"
    r"(?P<dot>(?<=[Mm]io|[Mm]rd|[Tt]sd|[Mm]ln)\.(?=\s?(?:[^\W\d_]|[€£$])))?"
)
_LETTER = re.compile(r"(?:\s?|[-‑])(?P<letter>[kmbt]|tn|mm|md|cr)(?!\w)", re.IGNORECASE)
_NAME = re.compile(
    r"(?P<gap>[-‑]|[*_]{0,2}\s{0,3})(?P<name>(?:US|AU?|CA?|NZ|HK)?\$|[%‰€£¥₹₽₩₺₪฿¢℃℉]|°\s?[CF](?!\w)|°"
    r"|[^\W\d_]+(?:·[^\W\d_]+)?(?:[²³]|[23](?!\w))?|[″′])"
)
_HYPHENATED = re.compile(r"-[^\W\d_]+")
_PER = re.compile(r"\s?/\s?|\s{1,2}(?:per|pro)\s{1,2}", re.IGNORECASE)
_EACH = re.compile(
    r"\s{1,2}(?:an?|each|every|per)\s{1,2}(?P<name>year|annum|month|week|day|night|hour|minute|person|head"
    r"|class|copy|km|mile|kg|unit)\b",
    re.IGNORECASE,
)
_PER_NAME = re.compile(r"[^\W\d_]+[²³]?(?!\w)")
_FURTHER = re.compile(r"\s{1,3}(?P<between>[a-z][a-z-]{2,})\s{1,3}(?P<unit>[a-z]{3,})(?!\w)")
_COMPOUND = re.compile(r"(?:,?\s{1,2}(?:and\s{1,2})?)?(?=\d)|,?\s{1,2}(?:and\s{1,2})?(?=[a-z])")
_POUNDS = re.compile(r"\bpounds?$", re.IGNORECASE)

_SMALLER = {"s", "m", "g", "month"}
"""Dimensions in which one value is told in two units: "1 hour 30 minutes"."""


@dataclass(frozen=True, slots=True)
class Told:
    """A number with all that belongs to it, between `start` and `end`.

    `bare` are its readings without a unit, `scales` those of its scale. `apart` says that the unit
    stands one word further on ("six full weeks"); `currencies` are those before the number.
    """

    start: int
    end: int
    bare: tuple[Amount, ...]
    scales: tuple[int, ...] = (1,)
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
        return self.measures == PLAIN and self.scales == (1,) and not self.rank


@dataclass(frozen=True, slots=True)
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
    elif text[start - 1 : start] in ("£", "€", "$"):
        start = place
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


def told_at(text: str, place: int, floor: int, currencies: tuple[str, ...] = ()) -> Told | None:
    """Read the number whose first digit or letter is at `place`, with all that belongs to it.

    `currencies` are those of a value just before, that this one may share.
    """
    numeral = numeral_at(text, place)
    if numeral is None:
        return None
    if not numeral.amounts:
        return Told(place, numeral.end, (), code=True)
    ahead = before(text, place, floor)
    known = ahead.currencies or currencies
    if ahead.bracket >= 0 and text[numeral.end : numeral.end + 1] == ")":
        return _bracketed(text, numeral, ahead, known)
    sign = -1 if ahead.negative else 1
    told = Told(
        ahead.start,
        numeral.end,
        tuple(sign * amount for amount in numeral.amounts),
        limit=ahead.limit,
        currencies=ahead.currencies,
        rank=numeral.rank,
    )
    told = _in_accounts(text, _with_tail(text, told, known), ahead)
    followed = text[told.end : told.end + 1]
    if followed.isalnum() or followed == "_":
        return None if numeral.words else Told(place, numeral.end, (), code=True)
    alone = numeral.words == 1 and told.is_plain and numeral.amounts == (1,)
    return None if alone else told  # "one" is mostly a pronoun


def _in_accounts(text: str, told: Told, ahead: Before) -> Told:
    """Make less than nothing of money or a share in brackets that has a cell to itself."""
    closed = ahead.bracket >= 0 and not told.is_plain and text[told.end : told.end + 1] == ")"
    if not closed or any(kind == "number" for kind, _, _ in told.measures):
        return told
    if not _is_cell(text, ahead.bracket, told.end + 1):
        return told
    bare = tuple(-amount for amount in told.bare)
    return replace(told, start=ahead.bracket, end=told.end + 1, bare=bare)


def _bracketed(text: str, numeral: Numeral, ahead: Before, known: tuple[str, ...]) -> Told:
    """Read "(8)": less than nothing in accounts, a reference or a repetition elsewhere."""
    bracket, end = ahead.bracket, numeral.end + 1
    negative = tuple(-amount for amount in numeral.amounts)
    repeats = bracket > 1 and text[bracket - 1] == " " and _ends_in_number(text, bracket - 1)
    told = _with_tail(text, Told(bracket, end, negative), known)
    per_cent = told.measures[0][1] == "%" and text[told.end - 1] in "%‰"
    if (known and not told.is_plain) or (per_cent and not repeats):
        return replace(told, start=ahead.start if ahead.bracket_within else bracket)
    grouped = bool(re.search(r"\D", text[bracket + 1 : numeral.end])) or bool(known)
    cell = _is_cell(text, bracket, end)
    if grouped and cell:
        return Told(bracket, end, negative)
    plain = _with_tail(text, Told(bracket, end, numeral.amounts), known) if repeats else None
    if plain and not plain.is_plain:
        return plain
    return Told(bracket, end, (*numeral.amounts, *negative))


def _ends_in_number(text: str, end: int) -> bool:
    words = text[max(0, end - _LOOKED_BACK) : end].rsplit(" ", maxsplit=1)[-1].lower()
    return words[-1:].isdigit() or words.rpartition("-")[2] in NUMBER_WORDS or words in SCALES


def _is_cell(text: str, start: int, end: int) -> bool:
    """Whether what stands between two places has a cell of a table, or a line, to itself."""
    return bool(
        _CELL_BEFORE.search(text, max(0, start - _LOOKED_BACK), start)
        if start > _LOOKED_BACK
        else _CELL_BEFORE.search(text[:start])
    ) and bool(_CELL_AFTER.match(text, end))


def _with_tail(text: str, told: Told, known: tuple[str, ...]) -> Told:
    """Take in what stands behind a number; `known` are the currencies that it is told in."""
    rank = _RANK.match(text, told.end) if text[told.end - 1].isdecimal() else None
    if rank or told.rank:
        return replace(told, end=rank.end() if rank else told.end, rank=True)
    told = _scaled(text, told)
    letter = _LETTER.match(text, told.end)
    if letter and known:
        told, letter = _with_letter(told, letter), None
    own, end = _currency_after(text, letter.end() if letter else told.end)
    if letter and own:
        told = _with_letter(told, letter)
    elif letter:
        own, end = _currency_after(text, told.end)
    if known and not set(own) & set(known):
        own, end = known, told.end  # "£5 euros" is of pounds
    elif known:
        own = tuple(code for code in own if code in known)
    if own:
        return _with_rate(text, _in_money(text, replace(told, end=end), own))
    return _with_unit(text, told)


def _with_letter(told: Told, letter: re.Match[str]) -> Told:
    scale = SCALE_LETTERS[letter["letter"].lower()]
    return replace(told, end=letter.end(), scales=_times(told.scales, (scale,)))


def _times(scales: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a * b for a, b in product(scales, others))


def _scaled(text: str, told: Told) -> Told:
    for _ in range(2):
        match = _SCALE.match(text, told.end)
        scales = SCALES.get(match["word"].lower()) if match else None
        if match is None or scales is None:
            break
        told = replace(told, end=match.end(), scales=_times(told.scales, scales))
    return told


def _currency_after(text: str, end: int) -> tuple[tuple[str, ...], int]:
    match = _NAME.match(text, end)
    if match is None:
        return (), end
    return currencies_of(match["name"], text, match.end())


def _in_money(text: str, told: Told, codes: tuple[str, ...]) -> Told:
    measures: list[Measure] = [("money", code, 1) for code in codes]
    if (
        told.scales == (1,)
        and codes == ("GBP",)
        and _POUNDS.search(text, max(told.start, told.end - 8), told.end)
    ):
        measures += _measures(units_of("lb"))
    return replace(told, measures=tuple(measures))


def _with_unit(text: str, told: Told) -> Told:
    match = _NAME.match(text, told.end)
    if match is None:
        return told
    name, gap = match["name"].replace(" ", ""), match["gap"]
    if name.lower() in CENTS or (name == "p" and not gap):
        codes = CENTS.get(name.lower(), ("GBP",))
        cents: list[Measure] = [("money", code, Fraction(1, 100)) for code in codes]
        return _with_rate(text, replace(told, end=match.end(), measures=tuple(cents)))
    if not gap and name in ("k", "m", "M"):
        metres: tuple[Unit, ...] = (("m", 1),) if name == "m" else ()
        several = (*metres, ("", SCALE_LETTERS[name.lower()]))
        return replace(told, end=match.end(), measures=_measures(several))
    units, end = _units_at(text, name, gap, match.end())
    if not units:
        return _with_unit_apart(text, told)
    found = _with_rate(text, replace(told, end=end, measures=_measures(units)))
    smaller = found.measures[0][1] in _SMALLER and not found.per
    return _with_smaller(text, found) if smaller else found


def _units_at(text: str, name: str, gap: str, end: int) -> tuple[tuple[Unit, ...], int]:
    """Give the units of a name behind a number, with their end."""
    units, far = two_words(name, text, end)
    if units:
        return units, far
    hyphen = _HYPHENATED.match(text, end)
    if hyphen and (units := units_of(name + hyphen[0])):
        return units, hyphen.end()
    on_another_line = "\n" in gap and len(name) < 3
    if on_another_line or (gap and name in ONLY_TIGHT) or text[end : end + 1] == "_":
        return (), end
    return units_of(name), end


def _measures(units: tuple[Unit, ...]) -> tuple[Measure, ...]:
    return tuple(("share" if base in SHARES else "number", base, factor) for base, factor in units)


def _with_unit_apart(text: str, told: Told) -> Told:
    """Find a unit behind one word of another kind: "six full weeks"."""
    match = _FURTHER.match(text, told.end)
    if match is None or match["between"] in STOP_WORDS or match["between"] in SCALES:
        return told
    units = units_of(match["unit"])
    if not units or match["between"] in NUMBER_WORDS:
        return told
    return replace(told, measures=_measures(units), apart=True)


def _with_rate(text: str, told: Told) -> Told:
    """Take in "per week", "/kg" and, behind money and shares, "a week"."""
    match = _PER.match(text, told.end)
    name = _PER_NAME.match(text, match.end()) if match else None
    if name is None and told.measures[0][0] in ("money", "share"):
        each = _EACH.match(text, told.end)
        return replace(told, end=each.end(), per=_rate_of(each["name"])) if each else told
    if match is None or name is None:
        return told
    under = units_of(name[0])
    if told.measures[0][0] != "number" or not under:
        return replace(told, end=name.end(), per=_rate_of(name[0]))
    base, factor = under[0]
    rates = tuple(
        (kind, f"{unit}/{base}" if unit else unit, Fraction(size) / factor if unit else size)
        for kind, unit, size in told.measures
    )
    return replace(told, end=name.end(), measures=rates)


def _rate_of(name: str) -> str:
    lower = "year" if name.lower() == "annum" else name.lower()
    return base_of(name) or base_of(lower) or lower.removesuffix("s")


def _with_smaller(text: str, told: Told) -> Told:
    """Take in what the same value has in a smaller unit: "1 h 30 min", "5 ft 3 in"."""
    match = _COMPOUND.match(text, told.end)
    if match is None or len(told.bare) * len(told.measures) * len(told.scales) > 1:
        return told
    if not (text[match.end()].isdecimal() or text[match.end()].isalpha()):
        return told
    numeral = numeral_at(text, match.end())
    if numeral is None or len(numeral.amounts) != 1 or numeral.rank:
        return told
    name = _NAME.match(text, numeral.end)
    units = units_of(name["name"]) if name else ()
    if name and name["name"] == "in" and told.measures[0][1] == "m":
        units = (("m", Fraction(254, 10_000)),)
    kind, base, factor = told.measures[0]
    followed = text[name.end() : name.end() + 1] if name else ""
    if name is None or len(units) != 1 or units[0][0] != base or followed.isalnum():
        return told
    smaller = units[0][1]
    if not (smaller < factor and 0 < numeral.amounts[0] * smaller < factor):
        return told
    amount = told.bare[0] + numeral.amounts[0] * Fraction(smaller) / factor
    return replace(told, end=name.end(), bare=(amount,), measures=((kind, base, factor),))
