"""The filters of the query language, offered with what there is to fill them with."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath

from rag_assistant.text.languages import language_name
from rag_assistant.tui.question.choices import Completion
from rag_assistant.tui.question.completion import CompletionOffer
from rag_assistant.tui.question.fuzzy_names import fitting
from rag_assistant.tui.question.scope_names import ScopeNames
from rag_assistant.values.ledger import IndexedFile
from rag_assistant.values.search_plan import UNKNOWN_LANGUAGE

FILTERS = {
    "path:": "only files whose path holds this",
    "type:": "only files of this type",
    "title:": "only titles with these words",
    "author:": "only what this author or sender signed",
    "lang:": "only what is in this language",
    "after:": "only what is dated later: after:2025-03",
    "before:": "only what is dated earlier: before:2025",
}
MOST_OFFERED = 20

_VALUE = re.compile(
    r'(?:^|(?<=\s))(-?(?:path|type|title|author|lang|after|before):)("[^"]*|[^\s"]*)$'
)
_NAME = re.compile(r"(?:^|(?<=\s))-?([a-z]{2,6})$")


def offer_filters(typed: str, names: ScopeNames, today: date) -> CompletionOffer:
    """Find what a filter that ends at the cursor may become, or the name of one that is begun."""
    if found := _VALUE.search(typed):
        filter_name, begun = found[1], found[2].lstrip('"')
        choices = _values(filter_name.lstrip("-").removesuffix(":"), begun, names, today)
        given = tuple(Completion(filter_name + _quoted(value), help) for value, help in choices)
        return CompletionOffer(found[0], found.start(), given)
    if found := _NAME.search(typed):
        begun = found[1]
        minus = "-" if found[0].startswith("-") else ""
        fits = [name for name in FILTERS if name.startswith(begun)]
        given = tuple(Completion(minus + name, FILTERS[name]) for name in fits)
        return CompletionOffer(found[0], found.start(), given)
    return CompletionOffer()


def is_filter(offered: CompletionOffer) -> bool:
    """Tell whether a filter's value is being typed, and not a word that may be anything."""
    return ":" in offered.typed


def _quoted(value: str) -> str:
    return f'"{value}"' if re.search(r"\s", value) else value


def _values(name: str, begun: str, names: ScopeNames, today: date) -> list[tuple[str, str]]:
    files = [file for some in names.files.values() for file in some]
    match name:
        case "path":
            found = fitting(begun, names.places, MOST_OFFERED)
            return [(path, _counted(names.places[path])) for path in found]
        case "type":
            types = Counter(PurePosixPath(file.path).suffix[1:].lower() for file in files)
            del types[""]
            common = [suffix for suffix, _ in types.most_common()]
            return [(one, _counted(types[one])) for one in fitting(begun, common, MOST_OFFERED)]
        case "title":
            return [(title, "") for title in fitting(begun, _titles(files), MOST_OFFERED)]
        case "author":
            found = fitting(begun, names.authors, MOST_OFFERED)
            return [(one, _counted(names.authors[one])) for one in found if '"' not in one]
        case "lang":
            return list(_languages(begun, names.languages))
        case _:
            return [(day, told) for day, told in _days(today) if day.startswith(begun)]


def _languages(begun: str, counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Give the languages that there are by code or name, the commonest first."""
    for code, count in sorted(counts.items(), key=lambda one: -one[1]):
        name = language_name(code) if code else "none that is told"
        if any(one.lower().startswith(begun.lower()) for one in (code, name) if one or not begun):
            yield code or UNKNOWN_LANGUAGE, f"{name}, {_counted(count)}"


def _titles(files: Sequence[IndexedFile]) -> list[str]:
    return list(dict.fromkeys(file.title for file in files if file.title and '"' not in file.title))


def _counted(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"


def _days(today: date) -> list[tuple[str, str]]:
    """Give days that are often meant, written as the filters read them."""
    month = today.replace(day=1)
    last_month = date.fromordinal(month.toordinal() - 1)
    return [
        (f"{today:%Y-%m-%d}", "today"),
        (f"{month:%Y-%m}", "this month"),
        (f"{last_month:%Y-%m}", "last month"),
        (f"{today:%Y}", "this year"),
        (f"{today.year - 1}", "last year"),
    ]
