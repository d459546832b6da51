"""Dates in their usual forms, with the names of months in six languages.

A date has the parts that are written: a year, a month, a day, each of which may be missing. Where
the day and the month can be told apart by nothing ("03/04/2024"), it has both readings.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag_assistant.text.months import ANY_MONTH, MONTH_NAMES, MONTH_PATTERN

LAST_YEAR = 2099
"""The last of the years that four digits may stand for; the first is 1500."""

_LOOKED_BACK = 20

WEEKDAY_BEFORE = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun)\.?,?\s+$",
    re.IGNORECASE,
)
"""A weekday that stands right before a date."""


@dataclass(frozen=True, slots=True)
class Date:
    """The parts of a date that are known."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def is_like(self, other: "Date") -> bool:
        """Whether no part that both have differs."""
        return all(a == b or None in (a, b) for a, b in zip(self.parts, other.parts, strict=True))

    def known_with(self, other: "Date") -> int:
        """Count the parts that both have."""
        return sum(None not in pair for pair in zip(self.parts, other.parts, strict=True))

    @property
    def parts(self) -> tuple[int | None, int | None, int | None]:
        """Year, month and day."""
        return self.year, self.month, self.day

    @property
    def iso(self) -> str:
        """The date in ISO 8601, as far as it is known from the year on."""
        parts = [f"{self.year:04}" if self.year else "", *(f"{n:02}" for n in self.parts[1:] if n)]
        return "-".join(parts)


DateSpan = tuple[Date, Date]
"""The first and the last of what a date stands for: the same, but for quarters and the like."""


@dataclass(frozen=True, slots=True)
class DateFound:
    """A date that ends before `end`, with its readings; `fiscal` years are none of the calendar."""

    spans: tuple[DateSpan, ...]
    end: int
    fiscal: bool = False


_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)(?!\d|[.,]\d)"
_SHORT = r"['’](?P<short>\d\d)(?!\w)"
_TH = r"(?:st|nd|rd|th|er|\.|º|ª)?"
_DAY = rf"(?P<day>0?[1-9]|[12]\d|3[01]){_TH}"
_OF = r"(?:of\s+(?:the\s+)?|de\s+|del\s+)?"
_GAP = r"(?:\s{1,3}|\s?-|(?<=\.))"
_WITH_YEAR = rf"(?:,?(?:\s{{1,3}}|[-/]){_OF}(?:{_YEAR}|{_SHORT}))"
_ISO = re.compile(r"(?P<year>\d{4})-(?P<m>0[1-9]|1[0-2])-(?P<d>0[1-9]|[12]\d|3[01])(?!\d|-\d)")
_YEAR_FIRST = re.compile(
    r"(?P<year>(?:19|20)\d\d)([/.])(?P<m>0?[1-9]|1[0-2])\2(?P<d>\d\d?)(?![\d])"
)
_FIGURES = re.compile(
    r"(?P<a>\d\d?)(?P<sep>\.\s?|[/-])(?P<b>\d\d?)(?:\.\s?|(?P=sep))(?P<y>(?:19|20)\d\d|\d\d)(?!\w|[-/.,:]\d)"
)
_MONTH_OF_YEAR = re.compile(r"(?P<m>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d\d)(?![\d/])")
_YEARS = re.compile(
    r"(?P<year>(?:1[5-9]|20)\d\d)(?:(?P<sep>\s?[-‐‑‒–—]\s?|/)(?P<next>\d{4}|\d\d)(?!\w|[-/.,:]\d))?(?!\w|[.,]\d)"
)
_DAY_FIRST = re.compile(
    rf"{_DAY}{_GAP}?(?:of\s+|de\s+)?{MONTH_PATTERN}(?!\w)(?:\.(?=[\s,]))?{_WITH_YEAR}?",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"{MONTH_PATTERN}(?!\w)\.?(?:\s{{1,3}}|-)(?:the\s+)?{_DAY}(?!\w|[.,:]\d|\s?%)"
    rf"(?:,?\s{{1,3}}(?:{_YEAR}|{_SHORT}))?",
    re.IGNORECASE,
)
_MONTH_YEAR = re.compile(rf"{MONTH_PATTERN}(?!\w)\.?{_WITH_YEAR}", re.IGNORECASE)
_MONTH_ALONE = re.compile(rf"{MONTH_PATTERN}(?!\w)", re.IGNORECASE)
_ALSO_WORDS = frozenset("may march mars mar april june august jan dec sep mai mei jun".split())
_BEFORE_MONTH = re.compile(
    r"\b(?:in|of|since|until|till|by|from|before|after|during|early|late|mid|last|next|this|each|every"
    r"|to|through|and|or|between|both|for)[\s-]+$",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    rf"(?P<q>[1-4])(?:\s?[/-]?\s?(?:of\s+)?(?P<fy>FY\s?)?(?:{_YEAR}|{_SHORT}|(?<=\s)(?P<yy>\d\d)(?!\w)))?(?!\w)"
)
_ORDINALS = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
}
_PART_OF_YEAR = re.compile(
    rf"(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th)[\s-](?P<part>quarter|half)(?!\w)"
    rf"(?:,?\s+(?:of\s+)?(?:the\s+)?(?:year\s+)?(?:{_YEAR}))?",
    re.IGNORECASE,
)
_FISCAL = re.compile(r"(?:\d{4}|\d\d)(?:[/-](?:\d{4}|\d\d))?(?!\w|[.,]\d)")
FISCAL_BEFORE = re.compile(
    r"(?<!\w)(?:FY[\s-]?['’]?|(?:fiscal|financial)(?:\s+year)?\s+)$", re.IGNORECASE
)
QUARTER_BEFORE = re.compile(r"(?<!\w)[QH]$")


_MAY_BE_DATED = re.compile(
    r"(?:1[5-9]|20)\d\d|\d{1,2}(?:[.:/h-]\s?\d|\s?(?:[aApP]\.?[mM]|[uU]hr)|\so|[a-z.]{0,2}[\s-]"
    rf"(?:quarter|half)|{_TH}[\s-]{{0,3}}(?:of\s|de\s)?(?:the\s)?{ANY_MONTH})",
)


def may_be_dated(text: str, place: int) -> bool:
    """Whether a date or a time may begin at a place: with most digits, none can."""
    if not text[place].isdecimal() or (place and text[place - 1] in "QHY'’"):
        return True
    return _MAY_BE_DATED.match(text, place) is not None or text[max(0, place - 3) : place] == "FY "


def date_at(text: str, place: int) -> DateFound | None:
    """Read the date whose first digit or letter is at `place`."""
    forms = _IN_WORDS
    if text[place].isdecimal():
        if found := _behind(text, place):
            return found
        forms = _YEAR_FIRST_FORMS if text[place : place + 4].isdecimal() else _DAY_FIRST_FORMS
    for pattern, reading in forms:
        match = pattern.match(text, place)
        if match and (found := reading(match)):
            return found
    return None if text[place].isdecimal() else _month_alone(text, place)


def _month_alone(text: str, place: int) -> DateFound | None:
    """Read a month; those whose names are other words as well, behind what months follow."""
    match = _MONTH_ALONE.match(text, place)
    name = match[0] if match else ""
    if match is None or (len(name) < 4 and name != "May"):
        return None
    if name.lower() in _ALSO_WORDS:
        told = _BEFORE_MONTH.search(text, max(0, place - _LOOKED_BACK), place)
        if not (told and name[0].isupper()):
            return None
    date = Date(None, MONTH_NAMES[name.lower()])
    return DateFound(((date, date),), match.end())


def _behind(text: str, place: int) -> DateFound | None:
    """Read what follows "FY", "Q" or "H"."""
    before = text[max(0, place - _LOOKED_BACK) : place]
    if before[-1:] not in ("Q", "H", "Y", "r", " ", "-", "'", "’"):
        return None
    if FISCAL_BEFORE.search(before) and (match := _FISCAL.match(text, place)):
        return _fiscal(match)
    if QUARTER_BEFORE.search(before) and (match := _QUARTER.match(text, place)):
        return _part_of_year(match, {"Q": "quarter", "H": "half"}[before[-1]], int(match["q"]))
    return None


def _found(match: re.Match[str], *dates: Date) -> DateFound | None:
    known = tuple((date, date) for date in dict.fromkeys(dates) if _exists(date))
    return DateFound(known, match.end()) if known else None


def _exists(date: Date) -> bool:
    if date.month is not None and not 1 <= date.month <= 12:
        return False
    if date.day is None or date.month is None:
        return True
    longest = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}.get(date.month, 31)
    return 1 <= date.day <= longest


def _full_year(short: str) -> int:
    """Give the year of two digits: 69 to 99 are of the last century (POSIX, strptime)."""
    return int(short) + (1900 if int(short) >= 69 else 2000)


def _year_of(match: re.Match[str]) -> int | None:
    parts = match.groupdict()
    if parts.get("year"):
        return int(parts["year"])
    short = parts.get("short") or parts.get("yy")
    return _full_year(short) if short else None


def _named(match: re.Match[str]) -> DateFound | None:
    parts, name = match.groupdict(), match["month"]
    day = int(parts["day"]) if parts.get("day") else None
    year = _year_of(match)
    if year is None and name == "may":
        return None  # "up to 12 may be used"
    return _found(match, Date(year, MONTH_NAMES[name.lower()], day))


def _figures(match: re.Match[str]) -> DateFound | None:
    """Read "1.9.2024", which has the day first, and "3/4/2024", which may have either."""
    a, b, written = int(match["a"]), int(match["b"]), match["y"]
    dotted = match["sep"].startswith(".")
    if len(written) == 2 and dotted and len(match[0]) != 8:
        return None  # a version: "3.5.10"
    if len(written) == 2 and match["sep"] == "-":
        return None  # "12-10-05" is a number of something
    year = int(written) if len(written) == 4 else _full_year(written)
    dates = [Date(year, b, a)] if dotted else [Date(year, b, a), Date(year, a, b)]
    return _found(match, *dates)


def _nth_part(match: re.Match[str]) -> DateFound | None:
    return _part_of_year(match, match["part"].lower(), _ORDINALS[match["nth"].lower()])


def _in_order(match: re.Match[str]) -> DateFound | None:
    day, year = match.groupdict().get("d"), int(match["year"])
    return _found(match, Date(year, int(match["m"]), int(day) if day else None))


def _part_of_year(match: re.Match[str], part: str, number: int) -> DateFound | None:
    months = 3 if part == "quarter" else 6
    year = _year_of(match)
    if number * months > 12 or (year is None and not match[0][0].isdigit()):
        return None  # "the first half" may be of anything
    first, last = Date(year, (number - 1) * months + 1), Date(year, number * months)
    fiscal = bool(match.groupdict().get("fy"))
    return DateFound(((first, last),), match.end(), fiscal)


def _fiscal(match: re.Match[str]) -> DateFound:
    years = [int(y) if len(y) == 4 else _full_year(y) for y in re.split(r"[/-]", match[0])]
    span = Date(years[0]), Date(years[-1])
    return DateFound((span,), match.end(), fiscal=len(years) == 1)


def _years(match: re.Match[str]) -> DateFound | None:
    """Read a year, or two: "2023/24", "2023–2024"; "2010-11" may be a month."""
    year, following = int(match["year"]), match["next"]
    if not following:
        return _found(match, Date(year))
    last = int(following) if len(following) == 4 else year // 100 * 100 + int(following)
    if len(following) == 2 and following == "00":
        last += 100
    spans: list[DateSpan] = []
    if year < last <= LAST_YEAR:
        spans.append((Date(year), Date(last)))
    if len(following) == 2 and match["sep"].strip() in "-‐‑" and 1 <= int(following) <= 12:
        month = Date(year, int(following))
        spans.insert(0 if last != year + 1 else 1, (month, month))
    if not spans:
        return DateFound(((Date(year), Date(year)),), match.start("sep"))
    if last != year + 1 and len(following) == 2 and len(spans) > 1:
        spans = spans[:1]  # "2010-06"; "2001-10" as ten years is hardly written so
    return DateFound(tuple(spans), match.end())


_Form = tuple[re.Pattern[str], Callable[[re.Match[str]], DateFound | None]]
"""A form of dates, and what reads it."""

_YEAR_FIRST_FORMS: Sequence[_Form] = ((_ISO, _in_order), (_YEAR_FIRST, _in_order), (_YEARS, _years))
_DAY_FIRST_FORMS: Sequence[_Form] = (
    (_DAY_FIRST, _named),
    (_PART_OF_YEAR, _nth_part),
    (_FIGURES, _figures),
    (_MONTH_OF_YEAR, _in_order),
)
_IN_WORDS: Sequence[_Form] = (
    (_PART_OF_YEAR, _nth_part),
    (_MONTH_DAY, _named),
    (_MONTH_YEAR, _named),
)
