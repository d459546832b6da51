"""The tool that finds every place of exact words or of a regular expression, and counts them."""

import asyncio
import json
from collections.abc import Sequence
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
from rag_assistant.tools.database_choice import DatabaseChoice
from rag_assistant.tools.exact_words import exact_evidence, item_of
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import Tally
from rag_assistant.values.evidence import EvidenceItem
from rag_assistant.values.messages import JsonObject, ToolSpec

NAME = "grep"

ROWS, MOST_ROWS = 15, 50
"""Places that are shown, unless a call asks for another number of them."""

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
    "limit": {"type": "integer", "minimum": 0, "maximum": MOST_ROWS},
    "offset": {"type": "integer", "minimum": 0},
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
    limit, offset = int(arguments.get("limit", ROWS)), int(arguments.get("offset", 0))
    expression = bool(arguments.get("regex"))
    deadline = monotonic() + SECONDS
    findings: list[tuple[Database, PatternFindings]] = []
    for database in databases:
        left = max(0.0, deadline - monotonic())
        these = find_pattern(database, pattern, query, is_expression=expression, seconds=left)
        findings.append((database, these))
    found = [(database, one) for database, these in findings for one in these.found]
    tallies = [t for database, these in findings for t in _tallies(database, pattern, query, these)]
    places = _spread(found)
    page = places[offset : offset + limit]
    looked = sum(these.looked_at for _, these in findings)
    there = sum(these.documents for _, these in findings)
    matches = sum(one.count for _, one in found)
    result: dict[str, Any] = {
        "places": matches,
        "documents": len(found),
        "of": there,
        "all_looked_at": looked == there,
    }
    if looked < there:
        result["looked_at"] = looked
        result["why"] = "the time was over: narrow it by `query`, or use a simpler expression"
    if page and offset + len(page) < len(places):
        result["next_offset"] = offset + len(page)
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


def _tallies(
    database: Database, pattern: str, query: str, found: PatternFindings
) -> tuple[Tally, ...]:
    whole = found.looked_at == found.documents
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
