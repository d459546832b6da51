"""Answers about a folder as a whole, written from what was listed or counted.

The first line has the number and how the question was taken; the documents follow with their dates.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from rag_assistant.models.extractive.folder_parts import FolderQuestion
from rag_assistant.text.terms import content_terms
from rag_assistant.values.messages import JsonObject

MOST_LISTED = 20
"""Documents that an answer names."""


def folder_answer(asked: FolderQuestion, result: JsonObject) -> str:
    """Write the answer from the result of a tool."""
    first = _first_line(asked, result)
    lines = [*_grouped(asked, result)] if asked.shape == "groups" else [*_documents(result)]
    if not lines:
        return f"{first}."
    return "\n\n".join([f"{first}:", "\n".join(lines), *_more(asked, result, len(lines))])


def _first_line(asked: FolderQuestion, result: JsonObject) -> str:
    count, of = result["documents"], result["of"]
    if asked.shape == "places":
        places = "1 place" if result["places"] == 1 else f"{result['places']} places"
        being = _being(asked)
        which = f" that {'is' if of == 1 else 'are'} {being}" if being else ""
        documents = f"{count} of {of} documents{which}, {_looked(result)}"
        return f"“{asked.words}” stands in {places}, in {documents}"
    said = f"{count} of {of} documents, {_looked(result)}, {_conditions(asked, count)}"
    if not _conditions(asked, count):
        said = f"There {'is' if of == 1 else 'are'} {_counted(of)}"
    if asked.shape == "groups":
        return f"{said}; by {asked.by}"
    if asked.shape != "list" and count:
        shown = min(asked.count, count)
        return f"{said}; the {asked.shape}{f' {shown}' if shown > 1 else ''}"
    return said


def _looked(result: JsonObject) -> str:
    """Say how much was looked at."""
    if "looked_at" in result:
        return f"only {result['looked_at']} looked at ({result['why']})"
    return "all looked at" if result["all_looked_at"] else "some indexed only in part"


def _conditions(asked: FolderQuestion, count: int) -> str:
    """Say what documents were counted, and by what; "" for all of them."""
    one = count == 1
    parts = [f"{'has' if one else 'have'} {_words(asked)}"] if asked.words else []
    if being := _being(asked):
        of_kind = "one of the " if one and asked.kind.filter else ""
        parts.append(f"{'is' if one else 'are'} {of_kind}{being}")
    return " and ".join(parts)


def _words(asked: FolderQuestion) -> str:
    if asked.together or " " not in asked.words:
        return f"“{asked.words}”"
    *others, last = [f"“{word}”" for word in content_terms(asked.words).values()]
    return f"{', '.join(others)} and {last}" if others else last


def _being(asked: FolderQuestion) -> str:
    kind = asked.kind
    parts: list[str] = []
    if kind.filter:
        told = f" (by {kind.filter.split()[0]})" if kind.name else ""
        parts.append(f"{kind.called}{told}")
    if asked.author:
        parts.append(f"by {asked.author}")
    if asked.start or asked.end:
        parts.append(f"dated {_dates(asked)}")
    if asked.language:
        parts.append(f"in {asked.language}")
    if asked.folder:
        parts.append(f"in {asked.folder}/")
    return " ".join(parts)


def _dates(asked: FolderQuestion) -> str:
    if asked.start is None:
        return f"before {asked.end}"
    if asked.end is None:
        return f"{asked.start} or later"
    last = asked.end - timedelta(days=1)
    return f"{asked.start}" if last == asked.start else f"{asked.start} to {last}"


def _grouped(asked: FolderQuestion, result: JsonObject) -> Iterator[str]:
    groups: dict[str, int] = result.get("count_by", {})
    if asked.by in ("year", "month"):
        groups = dict(sorted(groups.items()))
    yield from (f"- {name}: {_counted(number)}" for name, number in groups.items())
    if result.get("groups", 0) > len(groups):
        yield f"- and {result['groups'] - len(groups)} smaller groups"


def _documents(result: JsonObject) -> Iterator[str]:
    """Name documents: date, title, path, and the citation of the words that tell."""
    for source in result.get("sources", ()):
        quote = source["quotes"][0]
        yield f"- {_named(source, quote)} [{quote['cite']}]"
    for row in result.get("without_text", ()):
        yield f"- {_named(row, row)}: without text"


def _named(source: JsonObject, row: JsonObject) -> str:
    date = f"{row['date']}: " if row.get("date") else ""
    path = f" ({source['path']})" if source.get("path") else ""
    return f"{date}{source['title']}{path}"


def _more(asked: FolderQuestion, result: JsonObject, shown: int) -> Sequence[str]:
    """Say how many documents are not named."""
    rest: Any = result["documents"] - shown
    if asked.shape == "groups" or rest <= 0:
        return ()
    return (f"And {rest} more {'document' if rest == 1 else 'documents'}.",)


def _counted(number: int) -> str:
    return "1 document" if number == 1 else f"{number} documents"
