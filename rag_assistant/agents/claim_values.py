"""The values that a sentence states: money, shares, dates, times, numbers of something.

Each is written down in one way, so that "£27.50" and "27.5 pounds" are equal and "5 km" and "5 m"
are of two kinds, which nothing compares.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from rag_assistant.quotes.facts import MONTHS, NUMBER_WORDS
from rag_assistant.terms import STOP_WORDS, terms_of

Amount = tuple[float | str, ...]
Denial = Literal["", "wrong", "before"]

LOOKED_BACK = 80
"""Characters before a value among which words about it end: no such words are longer."""

TELLING_DIGITS = 3
"""Digits of a number, zeros at its end apart, that hardly come twice by chance."""

_MONTHS = [month[:3] for month in MONTHS]
_MONTH = f"(?:{'|'.join((*MONTHS, 'sept', *_MONTHS))})"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WEEKDAY = rf"(?:(?:{'|'.join(_WEEKDAYS)}),?\s+)?"
_NUMBER = r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SPELLED = {word: number for word, number in NUMBER_WORDS.items() if number > 1}
"""Numbers in words; "one" mostly counts nothing."""

_CURRENCIES: Mapping[str, str] = {
    **dict.fromkeys(("£", "gbp", "pound", "pounds", "sterling"), "GBP"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "EUR"),
    **dict.fromkeys(("$", "usd", "dollar", "dollars"), "USD"),
}
_NAMED_MONEY = "|".join(word for word in _CURRENCIES if word.isalpha())
_SCALES: Mapping[str, float] = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9}
_RATE = (
    r"(?:\s*(?:/|\bper\s+|\ban?\s+|\beach\s+)\s*"
    r"(?P<rate>year|annum|month|week|day|night|hour|person|head|class|copy|km|mile|kg|unit))?"
)
_VALUE = re.compile(
    rf"""
    \b(?P<iso>\d{{4}}-\d\d-\d\d)\b
    | {_WEEKDAY}\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH})\b
        (?:,?\s+(?P<year>(?:19|20)\d\d)\b)?
    | {_WEEKDAY}\b(?P<month2>{_MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b
        (?:,?\s+(?P<year2>(?:19|20)\d\d)\b)?
    | \b(?P<month3>{_MONTH})\s+(?P<year3>(?:19|20)\d\d)\b
    | (?:(?P<sign>[£€$])\s?(?P<money>{_NUMBER})(?:\s?(?P<scale>k|m|bn|million|thousand)\b)?
        |\b(?P<money2>{_NUMBER})\s?(?P<currency>{_NAMED_MONEY})\b){_RATE}
    | \b(?P<share>{_NUMBER})\s?(?:%|per\s?cent\b)
    | \b(?P<hour>\d{{1,2}})(?:[.:](?P<minute>[0-5]\d))?\s?(?P<half>am|pm|a\.m\.|p\.m\.)(?!\w)
    | \b(?P<hour2>[01]?\d|2[0-3]):(?P<minute2>[0-5]\d)\b
    | (?<![\w.,-])(?P<calendar>(?:19|20)\d\d)(?:[-/]\d\d)?(?![\w,]|\.\d)
    | (?<![\w.,/-])(?P<number>{_NUMBER}|\b(?:{"|".join(_SPELLED)})\b)
        (?:\s?(?:-|–|to)\s?(?P<upto>{_NUMBER}))?
        (?![\w/]|[.,]\d)(?:[ -](?P<unit>[^\W\d_]+(?:/[^\W\d_]+)?|°C|µS))?
    | (?<![\w.,/-])(?P<tight>{_NUMBER})(?P<tight_unit>mm|cm|km|m|kg|g|mg|l|ml|h|s|ms|min|kb|mb|gb
        |kw|w|v|°C|°)(?!\w)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def _any_case(words: Iterable[str]) -> str:
    """Give a pattern of words whose letters may be capitals, several times as fast as a flag."""
    return "|".join("".join(f"[{c.upper()}{c}]" for c in word) for word in words)


_BEGINNING = re.compile(rf"[\d£€$]|{_any_case(_WEEKDAYS)}|\b(?:{_any_case((*_MONTHS, *_SPELLED))})")
"""Where alone a value can begin: most sentences have few such places, and many none."""

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

_WRONG = re.compile(
    r"\b(?:not|nor|neither|instead of|rather than|wrongly|in error)\s+(?:(?:as|on|at|the)\s+)*$",
    re.IGNORECASE,
)
_FORMERLY = re.compile(
    r"\b(?:formerly|previously|until now|no longer|used to be|replac(?:es|ing))\s+"
    r"(?:(?:as|on|at|the|was)\s+)*$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\b(?:from|up from|down from|against|was|once)\s+$", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:rais|increas|reduc|cut|rose|risen|lower|chang|mov|postpon|went|gone|correct|amend"
    r"|brought)\w*\b",
    re.IGNORECASE,
)
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


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a sentence: what it is of, how much, as it is written, and where.

    `denied` is "wrong" where the sentence says that of it, "before" where it was so once. `bound`
    is ">", "<" or "~" where it is a limit or not exact.
    """

    kind: str
    amount: Amount
    words: str
    start: int
    end: int
    denied: Denial = ""
    bound: str = ""

    @property
    def is_telling(self) -> bool:
        """Whether it is so exact that the same value elsewhere is hardly about something else."""
        if self.kind == "date":
            return "" not in self.amount
        digits = "".join(filter(str.isdigit, self.words))
        return len(digits.rstrip("0")) >= TELLING_DIGITS


def values_in(sentence: str) -> list[Value]:
    """Find the values of a sentence; numbers that name things ("plot 12") are none."""
    found: list[Value] = []
    for match in _matches(sentence):
        start, end = match.span()
        kind, amount = _read(match)
        shown_to, unit = end, match["unit"] or ""
        if unit:
            end = match.start("unit") - 1  # the unit counts among the words as well
            shown_to = shown_to if _is_unit(unit) else end
        if kind.startswith("number") and (
            _just_before(_LABELLED, sentence, start) or (start == 0 and _NUMBERED.match(sentence))
        ):
            continue
        if kind == "date" and _just_before(_OF_THE_DOCUMENT, sentence, start):
            continue
        bound = _just_before(_BOUND, sentence, start)
        found.append(
            Value(
                _kind(kind, match),
                amount,
                " ".join(sentence[start:shown_to].split()),
                start,
                end,
                denied=_denial(sentence, match, found[-1] if found else None),
                bound=_BOUNDS[bound[1].lower()] if bound else "",
            )
        )
    return found


def _matches(sentence: str) -> Iterator[re.Match[str]]:
    """Find what `_VALUE` finds, trying it only where a value can begin."""
    end = 0
    for beginning in _BEGINNING.finditer(sentence):
        if beginning.start() >= end and (match := _VALUE.match(sentence, beginning.start())):
            end = match.end()
            yield match


def _just_before(pattern: re.Pattern[str], sentence: str, place: int) -> re.Match[str] | None:
    """Look for words that a place in a sentence comes right after."""
    return pattern.search(sentence, max(0, place - LOOKED_BACK), place)


def _denial(sentence: str, match: re.Match[str], last: Value | None) -> Denial:
    """Say whether the words around a value deny it."""
    start = match.start()
    if _just_before(_WRONG, sentence, start) or _CALLED_WRONG.match(sentence, match.end()):
        return "wrong"
    changed = _just_before(_BEFORE, sentence, start) and _CHANGED.search(sentence, 0, start)
    if changed or _just_before(_FORMERLY, sentence, start):
        return "before"
    # "neither 16 nor 23 August": both are denied.
    if last and last.denied and _GOES_ON.fullmatch(sentence, last.end, start):
        return last.denied
    return ""


def _read(match: re.Match[str]) -> tuple[str, Amount]:
    if match["iso"]:
        year, month, day = match["iso"].split("-")
        return "date", (float(year), float(month), float(day))
    for suffix in ("", "2", "3"):
        if match[f"month{suffix}"]:
            return "date", _date(match, suffix)
    for name in ("money", "money2", "share", "number", "tight"):
        if written := match[name]:
            amounts = [_number(written)]
            if name == "money" and match["scale"]:
                amounts[0] *= _SCALES[match["scale"].lower()]
            if name == "number" and match["upto"]:
                amounts.append(_number(match["upto"]))
            return name.rstrip("2"), tuple(amounts)
    if match["calendar"]:
        return "year", (float(match["calendar"]),)
    return "time", (_minutes(match),)


def _date(match: re.Match[str], suffix: str) -> Amount:
    month = _MONTHS.index(match[f"month{suffix}"][:3].lower()) + 1
    year = match[f"year{suffix}"]
    day = match[f"day{suffix}"] if suffix != "3" else None
    return (float(year) if year else "", float(month), float(day) if day else "")


def _number(written: str) -> float:
    spelled = _SPELLED.get(written.lower())
    return float(written.replace(",", "")) if spelled is None else float(spelled)


def _minutes(match: re.Match[str]) -> float:
    if match["hour2"]:
        return int(match["hour2"]) * 60.0 + int(match["minute2"])
    hour = int(match["hour"]) % 12 + (12 if match["half"][0].lower() == "p" else 0)
    return hour * 60.0 + int(match["minute"] or 0)


def _kind(kind: str, match: re.Match[str]) -> str:
    """Name what a value is of, its unit, currency or rate with it."""
    if kind == "money":
        name = match["sign"] or match["currency"].lower()
        rate = (match["rate"] or "").lower().replace("annum", "year")
        return f"money {_CURRENCIES[name]} {rate}".strip()
    if kind == "tight":
        return f"number {match['tight_unit']}"
    if kind == "number":
        unit = (match["unit"] or "").lower()
        return f"number {_term(unit)}" if _is_unit(unit) else "number"
    return kind


def _is_unit(word: str) -> bool:
    """Whether what follows a number is what it counts; "m" and "s" are, though no words."""
    return bool(word) and (len(word) == 1 or word.lower() not in STOP_WORDS)


def _term(word: str) -> str:
    return next(iter(terms_of(word)), word)


def disagree(one: Value, other: Value) -> bool:
    """Say whether two values of the same thing cannot both be right."""
    if one.kind != other.kind or one.bound != other.bound:
        return False
    if one.kind == "date":
        known = [(a, b) for a, b in zip(one.amount, other.amount, strict=True) if "" not in (a, b)]
        return len(known) > 1 and any(a != b for a, b in known)
    return one.amount != other.amount


def equal(one: Value, other: Value) -> bool:
    """Say whether two values are the same as far as both are known."""
    if one.kind == "date" == other.kind:
        return all(
            a == b for a, b in zip(one.amount, other.amount, strict=True) if "" not in (a, b)
        )
    return (one.kind.split()[0], one.amount) == (other.kind.split()[0], other.amount)


def apart_from(values: list[Value], sentence: str) -> Iterator[str]:
    """Give what a sentence says around its values."""
    place = 0
    for value in values:
        yield sentence[place : value.start]
        place = value.end
    yield sentence[place:]
