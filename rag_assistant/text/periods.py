"""Spans of days as people name them: "March", "last week", "11 March 2025", "the last 3 months".

"Last week" is one of the calendar, "the last week" are the days up to today. A month or day without
a year is the last one that is not in the future.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from rag_assistant.text.dates import Date, date_at
from rag_assistant.text.months import MONTHS
from rag_assistant.text.numerals import NUMBER_WORDS

_MONTHS = {
    name: number for number, month in enumerate(MONTHS, 1) for name in (month, month[:3])
} | {"sept": 9}
_MOST_BACK = 400
"""Days, weeks, months or years that somebody looks back at most."""

_BACK = re.compile(
    r"(?P<the>the )?(?:last|past|previous) (?:(?P<count>\d{1,3}|[a-z]+) )?"
    r"(?P<unit>day|week|month|year)s?"
)
_THIS = re.compile(r"this (?P<unit>week|month|year)")
_TH = re.compile(r"^the (?=\d)|(?<=\d)(?:st|nd|rd|th) of(?= [a-z])")


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `start` up to, not including, `end`."""

    start: date
    end: date


def period_of(words: str, today: date) -> Period | None:
    """Read a span of days; None where the words name none, or more than that."""
    lower = " ".join(words.lower().split())
    if lower in ("today", "yesterday"):
        day = today - timedelta(days=lower == "yesterday")
        return Period(day, day + timedelta(days=1))
    if found := _THIS.fullmatch(lower):
        return _whole(today, found["unit"])
    if found := _BACK.fullmatch(lower):
        count = found["count"] or ("1" if found["the"] else None)
        return _back(count, found["unit"], today)
    if month := _MONTHS.get(lower):
        return _of(Date(None, month), today)
    written = _TH.sub("", lower)
    named = date_at(written, 0) if written else None
    if named is None or named.end != len(written) or len(named.spans) > 1 or named.fiscal:
        return None
    first, last = (_of(one, today) for one in named.spans[0])
    return Period(first.start, last.end) if first and last else None


def _back(count: str | None, unit: str, today: date) -> Period | None:
    """Give the calendar unit before this one, or so many units up to today."""
    if count is None:
        this = _whole(today, unit)
        return _whole(this.start - timedelta(days=1), unit)
    number = int(count) if count.isdigit() else NUMBER_WORDS.get(count, 0)
    if not 0 < number <= _MOST_BACK:
        return None
    tomorrow = today + timedelta(days=1)
    if unit in ("day", "week"):
        return Period(tomorrow - timedelta(days=number * (7 if unit == "week" else 1)), tomorrow)
    months = today.year * 12 + today.month - 1 - number * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    # 31 March less a month is the first of March rather than a day that is not there.
    start = _day(year, month + 1, today.day) or _next_month(date(year, month + 1, 1))
    return Period(start, tomorrow)


def _whole(day: date, unit: str) -> Period:
    """Give the day, week (from Monday), month or year that a day is in."""
    match unit:
        case "day":
            return Period(day, day + timedelta(days=1))
        case "week":
            monday = day - timedelta(days=day.weekday())
            return Period(monday, monday + timedelta(days=7))
        case "month":
            return Period(day.replace(day=1), _next_month(day))
        case _:
            return Period(date(day.year, 1, 1), date(day.year + 1, 1, 1))


def _of(named: Date, today: date) -> Period | None:
    """Give the days of a date; of one without a year the last that is not in the future."""
    if named.year:
        return _in_year(named, named.year)
    years = (today.year - back for back in range(9))  # 29 February comes every eighth year at worst
    found = (_in_year(named, year) for year in years)
    return next((one for one in found if one and one.start <= today), None)


def _in_year(named: Date, year: int) -> Period | None:
    first = _day(year, named.month or 1, named.day or 1)
    unit = "day" if named.day else "month" if named.month else "year"
    return _whole(first, unit) if first else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _next_month(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)
