"""The tool that finds every place of exact words or of a regular expression, and counts them."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from rag_assistant.library.database import Database
from rag_assistant.library.pattern_search import (
    SECONDS,
    MatchingDocument,
    PatternFindings,
    PatternMatch,
    find_pattern,
)
from rag_assistant.tools.database_choice import PAGED, DatabaseChoice, page_of
from rag_assistant.tools.exact_words import dates_told, exact_evidence, in_part, item_of
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import Tally
from rag_assistant.values.evidence import EvidenceItem
from rag_assistant.values.messages import JsonObject, ToolSpec

NAME = "grep"

ROWS = 15
"""Places that are shown, unless a call asks for another number of them."""

MOST_NAMED = 5
"""Files that are named of which only a part is indexed."""

AROUND = 120
"""Characters before and after a match that are shown with it, within its line."""

_DESCRIPTION = (
    "Find every place of exact words (any case), or of a regular expression, in all documents or "
    "those that `query` lets through. Counts places by document."
)
_PROPERTIES: dict[str, Any] = {
    "pattern": {"type": "string", "minLength": 1},
    "regex": {"type": "boolean"},
    "query": {"type": "string"},
    **PAGED,
}

Found = tuple[Database, MatchingDocument]
Place = tuple[Database, MatchingDocument, PatternMatch]


def grep_tool(choice: DatabaseChoice) -> Tool:
    """Make `grep`."""

    async def run(arguments: JsonObject) -> ToolOutput:
        return await asyncio.to_thread(_searched, choice.some(arguments), arguments)

    schema = choice.schema(_PROPERTIES, ["pattern"], one=False)
    return Tool(ToolSpec(NAME, _DESCRIPTION, schema), run, "read")


def _searched(databases: Sequence[Database], arguments: JsonObject) -> ToolOutput:
    pattern, query = str(arguments["pattern"]), str(arguments.get("query", ""))
    limit, offset = page_of(arguments, ROWS)
    expression = bool(arguments.get("regex"))
    deadline = monotonic() + SECONDS
    findings: list[tuple[Database, PatternFindings]] = []
    for database in databases:
        left = max(0.0, deadline - monotonic())
        these = find_pattern(database, pattern, query, is_expression=expression, seconds=left)
        findings.append((database, these))
    found = [(database, one) for database, these in findings for one in these.found]
    tallies = [t for database, these in findings for t in _tallies(database, pattern, query, these)]
    if len(databases) > 1:
        tallies = _sums(tallies)
    places = _spread(found)
    page = places[offset : offset + limit]
    cut = [path for database, these in findings for path in in_part(database, these.entries)]
    looked = sum(these.looked_at for _, these in findings)
    there = sum(these.documents for _, these in findings)
    matches = sum(one.count for _, one in found)
    result: dict[str, Any] = {
        "places": matches,
        "documents": len(found),
        "of": there,
        "all_looked_at": looked == there and not cut,
    }
    if cut:
        result["indexed_in_part"] = cut[:MOST_NAMED]
    if looked < there:
        result["looked_at"] = looked
        result["why"] = "the time was over: narrow it by `query`, or use a simpler expression"
    if page and offset + len(page) < len(places):
        result["next_offset"] = offset + len(page)
    tallies += dates_told((database.name, one.entry.path, one.date) for database, one, _ in page)
    tallies += _not_shown(tallies, found, places[: offset + limit])
    if hidden := sum(these.hidden for _, these in findings):
        result["hidden"] = f"{hidden} places that are hidden from models were not looked at"
    summary = f"{matches} places in {len(found)} of {there} documents"
    return _output([one.name for one in databases], (pattern, summary), (result, page), tallies)


def _output(
    names: Sequence[str],
    said: tuple[str, str],
    shown: tuple[JsonObject, Sequence[Place]],
    tallies: Sequence[Tally],
) -> ToolOutput:
    pattern, summary = said
    result, page = shown
    if not page:
        return ToolOutput(json.dumps(result, ensure_ascii=False), summary, tallies=tuple(tallies))
    items = [_item(database.name, one, match) for database, one, match in page]
    # Places that one line has are one quote.
    rows = dict(zip(items, ({"places": one.count, "date": one.date} for _, one, _ in page)))  # noqa: B905
    evidence = exact_evidence(names, pattern, list(rows))
    return ToolOutput(
        "",
        summary,
        evidence=evidence,
        result=result,
        rows=tuple(rows.values()),
        tallies=tuple(tallies),
    )


def _spread(found: Sequence[Found]) -> list[Place]:
    """Give the places: of each document the first, then of each the others."""
    firsts = [(database, one, one.matches[0]) for database, one in found if one.matches]
    others = [(database, one, match) for database, one in found for match in one.matches[1:]]
    return [*firsts, *others]


def _item(name: str, one: MatchingDocument, match: PatternMatch) -> EvidenceItem:
    text = match.passage.text
    begin = max(text.rfind("\n", 0, match.start) + 1, match.start - AROUND)
    after = text.find("\n", match.end)
    end = min(after if after >= 0 else len(text), match.end + AROUND)
    # No word is cut in two.
    while 0 < begin < match.start and text[begin - 1].isalnum():
        begin += 1
    while match.end < end < len(text) and text[end].isalnum():
        end -= 1
    return item_of(name, one.entry, match.passage, begin, end)


def _not_shown(
    tallies: Sequence[Tally], found: Sequence[Found], shown: Sequence[Place]
) -> Iterator[Tally]:
    """Count the documents of which no place was shown yet."""
    rest = len(found) - len({(database.name, one.entry.id) for database, one, _ in shown})
    if rest and tallies:
        counted = tallies[0]
        what = f"{counted.what} after those shown"
        yield replace(counted, what=what, value=str(rest), of=str(len(found)))


def _sums(tallies: Sequence[Tally]) -> list[Tally]:
    """Put before what was counted in each database what that is in all of them."""
    sums: list[Tally] = []
    for what in dict.fromkeys(one.what for one in tallies):
        ours = [one for one in tallies if one.what == what]
        of = str(sum(int(one.of) for one in ours)) if ours[0].of else ""
        count = str(sum(int(one.value) for one in ours))
        sums.append(Tally("all", what, count, of, complete=all(one.complete for one in ours)))
    return [*sums, *tallies]


def _tallies(
    database: Database, pattern: str, query: str, found: PatternFindings
) -> tuple[Tally, ...]:
    whole = found.looked_at == found.documents and not in_part(database, found.entries)
    within = f" in “{query}”" if query else ""
    of = str(found.documents)
    matches = sum(one.count for one in found.found)
    return (
        Tally(
            database.name,
            f"documents with “{pattern}”{within}",
            str(len(found.found)),
            of,
            complete=whole,
        ),
        Tally(database.name, f"places of “{pattern}”{within}", str(matches), complete=whole),
    )
