"""What must not differ between two wordings: numbers, dates, units, names, and words that turn.

Facts are read by rule, for English first: a number is the same in digits and in words, a date the
same in its usual notations, a unit the same written out. What is no fact here is left to likeness.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from rag_assistant.quotes.words import levelled, plain_number
from rag_assistant.terms import STOP_WORDS

MONTHS = (
    "january february march april may june july august september october november december"
).split()
_MONTH = "|".join(month[:3] + (f"(?:{month[3:]})?" if month[3:] else "") for month in MONTHS)
_DAY = r"(?P<day{0}>\d{{1,2}})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year{0}>[12]\d{{3}})"
_DATE = re.compile(
    rf"\b{_YEAR.format(1)}-(?P<month1>\d\d)-(?P<day1>\d\d)\b"
    rf"|\b{_DAY.format(2)}\s+(?:of\s+)?(?P<month2>{_MONTH})\b\.?(?:,?\s+{_YEAR.format(2)}\b)?"
    rf"|\b(?P<month3>{_MONTH})\.?\s+{_DAY.format(3)}\b(?:,?\s+{_YEAR.format(3)}\b)?"
    rf"|\b(?P<month4>{_MONTH})\.?,?\s+{_YEAR.format(4)}\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"(?P<number>(?:(?:(?<=[\s(])|^)[-−](?=\d))?\d+(?:[.,:]\d+)*)(?:st|nd|rd|th)?"
    r"|(?P<sign>[%‰\u20a0-\u20cf$£¥]|°\s?[CFK]?\b|[<>≤≥±](?=\s?\d))"
    r"|(?P<word>[^\W\d_]+(?:·[^\W\d_]+)?)",
    re.MULTILINE,
)

_SMALL = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
NUMBER_WORDS: Mapping[str, int] = {**_SMALL, **_TENS}
"""Numbers of a single word, below a hundred."""

_GREAT = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 10**9}

_UNITS = """
mm millimetre millimeter|cm centimetre centimeter|m metre meter|km kilometre kilometer
inch inches|ft foot feet|mile miles|yard|mg milligram|µg microgram|g gram gramme
kg kilogram kilogramme kilo|lb lbs pound|oz ounce|tonne|ml millilitre milliliter|l litre liter
ms millisecond|s sec second|min minute|h hr hour|day|week|month|year yr|% percent pct
€ euro eur|£ gbp|$ dollar usd|°c celsius|°f fahrenheit|pa pascal|kpa kilopascal|bar|psi|w watt
kw kilowatt|mw megawatt|kwh|v volt|a amp ampere|hz hertz|khz kilohertz|mhz megahertz|ghz gigahertz
kb kilobyte|mb megabyte|gb gigabyte|tb terabyte|n·m newton-metre|rpm|° degree
"""
_UNIT_OF = {
    form: names.split()[0]
    for names in re.split(r"[|\n]", _UNITS.strip())
    for name in names.split()
    for form in ((name, f"{name}s") if len(name) > 2 and name.isalpha() else (name,))
}
_CURRENCIES = frozenset("€£$¥")
_LIMITS = frozenset("<>≤≥±")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_POSSESSIVE = re.compile(r"['’]s$")

NEGATION = "¬"
_NEGATIONS = frozenset(
    """
    not no never none nor neither without cannot nobody nothing nowhere dont doesnt didnt isnt arent
    wasnt werent cant couldnt wont wouldnt shouldnt mustnt hasnt havent hadnt neednt shant hardly
    nicht kein keine keinen keiner keinem keines nie ohne ne pas jamais sans aucun aucune nunca sin
    ningún ninguna niet geen zonder não sem non mai senza
    """.split()
)
_NOT_NEGATING = re.compile(
    r"\b(?:no|not)\s+(?:more|less|later|earlier|fewer|sooner|only)\b|\bor not\b|\bno\.\s*\d",
    re.IGNORECASE,
)
_TURNING = frozenset(
    """
    may might must shall should can could will would only except unless before after until since
    more less fewer most least above below over under between within beyond all every each any some
    half both either first last next previous once twice always sometimes rarely maximum minimum
    increase increases increased decrease decreases decreased higher lower greater smaller earlier
    later up down one another former latter inside outside
    """.split()
)
NEGATIVE_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "mis", "de")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A number, sign or word on the way to facts."""

    kind: str
    text: str


Fact = tuple[str, str]
"""A number or date in one notation, and its unit, "" where it has none."""


def facts_of(text: str) -> list[Fact]:
    """Give the numbers of a text with their units, and its dates, in order.

    "12 March 2025", "March 12, 2025" and "2025-03-12" give the same; so do "eight days" and "8
    days". A year is a fact of its own.
    """
    facts: list[Fact] = []
    end = 0
    for match in _DATE.finditer(text):
        facts += _figures(text[end : match.start()])
        facts += _date(match)
        end = match.end()
    return facts + _figures(text[end:])


def names_of(text: str) -> list[str]:
    """Give the levelled words of a text that are written as names; the months of dates are none."""
    dates = [match.span() for match in _DATE.finditer(text)]
    return [
        levelled(_POSSESSIVE.sub("", match[0]))
        for match in _WORD.finditer(text)
        if is_name(text, *match.span())
        and not any(start <= match.start() < end for start, end in dates)
    ]


def _date(match: re.Match[str]) -> Iterator[Fact]:
    found = {name[:-1]: value for name, value in match.groupdict().items() if value}
    month = found["month"]
    number = int(month) if month.isdigit() else _month_number(month)
    yield (f"day {int(found['day'])}-{number}" if "day" in found else f"month {number}"), ""
    if "year" in found:
        yield found["year"], ""


def _month_number(name: str) -> int:
    return next(n for n, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))


def _figures(text: str) -> list[Fact]:
    pieces = [_Piece(match.lastgroup or "", match[0]) for match in _FIGURE.finditer(text)]
    facts: list[Fact] = []
    place = 0
    while place < len(pieces):
        number, used = _number_at(pieces, place)
        if not used:
            place += 1
            continue
        before = pieces[place - 1] if place else None
        place += used
        sign = before.text if before and before.kind == "sign" else ""
        if sign in _CURRENCIES:
            facts.append((number, sign))
        else:
            facts.append((sign + number if sign in _LIMITS else number, _unit_at(pieces, place)))
    return facts


def _number_at(pieces: list[_Piece], place: int) -> tuple[str, int]:
    """Read a number in digits or in words; give it with the count of its pieces, 0 for none."""
    piece = pieces[place]
    if piece.kind == "number":
        return _in_digits(piece.text), 1
    total, part, used = 0, 0, 0
    for piece in pieces[place : place + 8]:
        word = piece.text.lower()
        if word in _SMALL:
            part += _SMALL[word]
        elif word in _TENS:
            part += _TENS[word]
        elif word in _GREAT and used:
            part = max(part, 1) * _GREAT[word]
            total, part = (total, part) if word == "hundred" else (total + part, 0)
        else:
            break
        used += 1
    # A lone "one" is mostly a pronoun.
    if not used or (used == 1 and pieces[place].text.lower() == "one"):
        return "", 0
    return str(total + part), used


def _in_digits(written: str) -> str:
    number = plain_number(written).rstrip("stndrh")
    if re.fullmatch(r"-?\d+\.\d+", number):
        number = number.rstrip("0").rstrip(".")
    return number.lstrip("0") or "0" if number.isdigit() else number


def _unit_at(pieces: list[_Piece], place: int) -> str:
    """Give the unit of a number that ends before `place`: beside it, or one word further."""
    for distance, piece in enumerate(pieces[place : place + 2]):
        if piece.kind == "number":
            break
        word = levelled(piece.text).replace(" ", "")
        if piece.text == "per" and pieces[place + 1 : place + 2] == [_Piece("word", "cent")]:
            return "%"
        named = _UNIT_OF.get(word, "")
        if named and (distance == 0 or len(word) > 2):
            return named
        if distance == 0 and piece.text in ("M", "k"):
            return piece.text
    return ""


def turning(form: str) -> str:
    """Give what a levelled word does to a claim: negate it, turn it, or nothing ("")."""
    if form in _NEGATIONS:
        return NEGATION
    return form if form in _TURNING else ""


def unit(form: str, *, measures: bool) -> str:
    """Give the unit that a levelled word stands for, "" for none.

    A letter or two are one only where the word `measures`: it follows a number.
    """
    return _UNIT_OF.get(form, "") if measures or len(form) > 2 else ""


def negates(text: str) -> bool:
    """Whether a text holds a word that negates: "no later than" and "not only" do not."""
    told = _NOT_NEGATING.sub(" ", text)
    return any(levelled(match[0]) in _NEGATIONS for match in _WORD.finditer(told))


@cache
def opposed(one: str, other: str) -> bool:
    """Whether one word is the other with a prefix that negates it: paid and unpaid."""
    short, long = sorted((one, other), key=len)
    return len(short) > 2 and any(long == prefix + short for prefix in NEGATIVE_PREFIXES)


_BEGINS = re.compile(r"(?:^|[.!?:…;\n|>*#“\"]|[-–—]\s)[\s*_#>\"'“‘(\[-]*$")
_LOOKED_BACK = 12


def is_name(text: str, start: int, end: int) -> bool:
    """Whether the word at a place is written as a name: with a capital within a sentence.

    A word all in capitals is one wherever it stands.
    """
    word = text[start:end]
    if not word[:1].isupper() or levelled(word) in STOP_WORDS:
        return False
    if len(word) > 1 and (word.isupper() or any(c.isupper() for c in word[1:])):
        return True
    return not _BEGINS.search(text[max(0, start - _LOOKED_BACK) : start])
