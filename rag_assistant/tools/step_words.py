"""What a call of a tool does, in words for a person: no names of tools and no ids.

Front ends say it of each step; tools of servers are named, since nothing else is known of them.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

LONGEST_WORDS = 60
"""Characters of what was asked for that are quoted."""

_OF_DATABASE = re.compile(r"(search|query)_(\w+)_database")
_ALL = {"search_databases": "search", "query_database": "query"}

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StepWords:
    """A step in words: `done` when it has ended, `going` while it runs.

    `others` are arguments of which these say nothing: a server's own.
    """

    done: str
    going: str
    others: tuple[tuple[str, str], ...] = ()


def step_words(tool: str, arguments: Arguments, databases: Collection[str] = ()) -> StepWords:
    """Say what a call does; `databases` are those asked, whose names tools have in part."""
    named = _OF_DATABASE.fullmatch(tool)
    does = named[1] if named else _ALL.get(tool, tool)
    place = _named(named[2], databases) if named else str(arguments.get("database") or "")
    if does not in _OURS:
        others = tuple((name, str(value)) for name, value in arguments.items())
        return StepWords(f"Used {tool}", f"using {tool}", others)
    past, present, rest = _OURS[does]
    more = rest(arguments, place)
    return StepWords(f"{past} {more}".rstrip(), f"{present} {more}".rstrip())


def asked_entries(arguments: Arguments) -> list[str]:
    """Give the ids of the entries that a call reads, as the model wrote them."""
    return re.findall(r"\d+", str(arguments.get("ids", arguments.get("id", ""))))


def _named(slug: str, databases: Collection[str]) -> str:
    return next((name for name in databases if re.sub(r"\W", "_", name) == slug), slug)


def _quoted(written: object) -> str:
    text = " ".join(str(written or "").split())
    if len(text) > LONGEST_WORDS:
        text = f"{text[:LONGEST_WORDS].rstrip()}…"
    return f"“{text}”" if text else ""


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _search(arguments: Arguments, place: str) -> str:
    words = _quoted(arguments.get("keyword"))
    return _joined(place or "all databases", f"for {words}" if words else "")


def _documents(arguments: Arguments, place: str) -> str:
    count = len(asked_entries(arguments))
    return _joined(f"{count} document{'' if count == 1 else 's'}", f"of {place}" if place else "")


def _one(arguments: Arguments, place: str) -> str:
    return _joined("a document", f"of {place}" if place else "")


def _part(arguments: Arguments, place: str) -> str:
    section, page = _quoted(arguments.get("section")), arguments.get("page")
    what = (section and f"the section {section}") or (f"page {page}" if page else "")
    return _joined(f"{what} of" if what else "", _one(arguments, place))


def _wherever(arguments: Arguments, place: str) -> str:
    words = _quoted(arguments.get("query"))
    return _joined(f"of {place}" if place else "", f"that fit {words}" if words else "")


def _exact(arguments: Arguments, place: str) -> str:
    return _joined(_quoted(arguments.get("pattern")), f"in {place}" if place else "")


def _question(arguments: Arguments, place: str) -> str:
    words = _quoted(arguments.get("question"))
    return _joined(f"of {place}" if place else "", f"for {words}" if words else "")


def _nothing(arguments: Arguments, place: str) -> str:
    return ""


def _object(arguments: Arguments, place: str) -> str:
    return _quoted(arguments.get("target_object"))


_OURS: Mapping[str, tuple[str, str, Callable[[Arguments, str], str]]] = {
    "search": ("Searched", "searching", _search),
    "query": ("Read", "reading", _documents),
    "read": ("Read", "reading", _part),
    "outline": ("Looked at the contents of", "looking at the contents of", _one),
    "list_documents": ("Listed the documents", "listing the documents", _wherever),
    "grep": ("Looked for every place of", "looking for every place of", _exact),
    "table": ("Looked into the tables", "looking into the tables", _wherever),
    "digest": ("Read every passage", "reading every passage", _question),
    "run_python": ("Ran Python", "running Python", _nothing),
    "detect_bounding_box": ("Looked in an image for", "looking in an image for", _object),
}
"""What each tool of ours did, does, and the rest of the sentence."""
