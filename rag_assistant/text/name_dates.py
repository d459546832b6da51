"""Dates in names of files and folders: words are joined by any mark, and days stand first."""

import re

from rag_assistant.text.dates import Date
from rag_assistant.text.months import MONTH_NAMES, MONTH_PATTERN

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_GAP = r"[-_. ]"
_DATES = tuple(
    re.compile(rf"(?<![^\W_]){pattern}(?![^\W_])")
    for pattern in (
        rf"{_YEAR}{_GAP}?(?P<number>0[1-9]|1[0-2]){_GAP}?(?P<day>0[1-9]|[12]\d|3[01])",
        rf"{_DAY}{_GAP}(?P<number>0?[1-9]|1[0-2]){_GAP}{_YEAR}",
        rf"{_DAY}{_GAP}?{MONTH_PATTERN}{_GAP}?{_YEAR}",
        rf"{MONTH_PATTERN}{_GAP}?{_YEAR}",
        rf"{_YEAR}{_GAP}?{MONTH_PATTERN}",
        rf"{_YEAR}{_GAP}(?P<number>0[1-9]|1[0-2])",
        _YEAR,
    )
)
"""Dates in names, the most exact first."""

_CENTURY = re.compile(r"(?:19|20)\d\d")
ISO = re.compile(r"[12]\d{3}(?:-\d\d(?:-\d\d)?)?")
"""A date as programs write it down, to the year at least."""


def date_in_name(name: str) -> tuple[Date, int, int] | None:
    """Find the most exact date of a name in lower case; give it with its place."""
    if not _CENTURY.search(name):
        return None
    for pattern in _DATES:
        if found := pattern.search(name):
            parts = found.groupdict()
            word, number, day = parts.get("month"), parts.get("number"), parts.get("day")
            month = MONTH_NAMES[word] if word else int(number) if number else None
            return Date(int(parts["year"]), month, int(day) if day else None), *found.span()
    return None
