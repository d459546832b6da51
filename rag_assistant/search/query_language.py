"""The query language: what of a text is an operator, and what are plain words.

"exact phrase", -word, -"phrase", word*, and the filters path: title: type: author: lang: after:
before:, each also with a minus before it. Whatever does not read as one of these is plain text,
never an error.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import cast

from rag_assistant.text.terms import words_in
from rag_assistant.values.search_plan import UNKNOWN_LANGUAGE, Filter, FilterName

MOST_OPERATORS = 32
"""Operators read of one text; what comes after them is plain words."""

LONGEST_VALUE, MOST_STARS = 300, 16
"""Characters of a filter's value, and stars and strokes in it: a longer one is no filter."""

_PIECE = re.compile(
    r"""
    (?<![^\s(\[{])                                   # at the beginning of a word
    (?P<minus>-)?
    (?:(?P<name>path|title|type|author|lang|after|before):)?
    (?:
        (?: "(?P<quoted>[^"]*)" | “(?P<curly>[^“”]*)” ) (?= $ | [\s.,;:!?)\]}] )
      | (?P<word> [^\s"“”(\[{] \S* )
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PREFIX = re.compile(r"(?P<stem>[^*]*[^\W_]{2})\*[,;:!?)]*")
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_TYPE = re.compile(r"\.?[\w+-]+(?:[/.][\w.+*-]+)?(?:[,|]\.?[\w+-]+(?:[/.][\w.+*-]+)?)*")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text taken apart: its plain words, what hits must and must not hold, and the filters.

    `prefixes` are without their stars.
    """

    plain: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()


def parse(text: str) -> Parsed:
    """Take any text apart."""
    phrases: list[str] = []
    excluded: list[str] = []
    prefixes: list[str] = []
    filters: list[Filter] = []
    plain: list[str] = []
    end, operators = 0, 0
    for piece in _PIECE.finditer(text):
        if operators == MOST_OPERATORS:
            break
        value = piece["quoted"] or piece["curly"] or piece["word"] or ""
        quoted = piece["word"] is None
        if piece["name"]:
            name = cast(FilterName, piece["name"].lower())
            condition = _filter(name, value, quoted, bool(piece["minus"]))
            understood = condition is not None
            filters += [condition] if condition else []
        elif piece["minus"]:
            # A number or an option is no exclusion: "-20 °C", "--all".
            understood = bool(words_in(value)) and (quoted or value[0].isalpha())
            excluded += [value] if understood else []
        elif quoted:
            understood = bool(words_in(value))
            phrases += [value] if understood else []
        else:
            prefix = _PREFIX.fullmatch(value)
            understood = prefix is not None
            prefixes += [prefix["stem"]] if prefix else []
        if understood:
            operators += 1
            plain.append(text[end : piece.start()])
            end = piece.end()
    plain.append(text[end:])
    return Parsed(" ".join(plain), tuple(phrases), tuple(excluded), tuple(prefixes), tuple(filters))


def _filter(name: FilterName, value: str, quoted: bool, negated: bool) -> Filter | None:
    """Read a filter's value; None when it makes no sense, and is plain text therefore."""
    if not quoted:
        value = value.rstrip(",;)" if name == "path" else ".,;:!?)")
        value = value.strip('"“”')
    if len(value) > LONGEST_VALUE or sum(map(value.count, "*|,")) > MOST_STARS:
        return None
    read = _VALUES[name](value)
    return Filter(name, read, negated) if read else None


def _languages(value: str) -> str:
    """Give the codes of languages that are written with commas between them, "" if one is none."""
    from rag_assistant.text.languages import language_code  # noqa: PLC0415 - few queries need it

    written = value.replace("|", ",").split(",")
    codes = [
        UNKNOWN_LANGUAGE if one.strip().lower() == UNKNOWN_LANGUAGE else language_code(one)
        for one in written
    ]
    return ",".join(dict.fromkeys(codes)) if all(codes) else ""


def _iso_day(value: str) -> str:
    """Give a year, month or day in ISO 8601, "" when there is no such."""
    found = _DATE.fullmatch(value.strip())
    if found is None:
        return ""
    numbers = [int(part) for part in found.groups() if part]
    try:
        date(*[*numbers, 1, 1][:3])
    except ValueError:
        return ""
    return "-".join([f"{numbers[0]:04}", *(f"{number:02}" for number in numbers[1:])])


_VALUES: Mapping[FilterName, Callable[[str], str]] = {
    "path": str.strip,
    "title": lambda value: value if words_in(value) else "",
    "type": lambda value: value.lower() if _TYPE.fullmatch(value) else "",
    "author": lambda value: value.strip() if words_in(value) else "",
    "lang": _languages,
    "after": _iso_day,
    "before": _iso_day,
}
"""What reads the value of each filter; it gives "" for one that makes no sense."""
