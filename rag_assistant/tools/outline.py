"""The tool that says what a document is made of: its facts, and its parts with their places."""

import asyncio
import json
from collections import Counter
from typing import Any

from rag_assistant.injection.naming import prompt_heading, prompt_path, prompt_title
from rag_assistant.library.database import Database
from rag_assistant.library.hidden import hidden_spans
from rag_assistant.tools.database_choice import DatabaseChoice
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import Tally
from rag_assistant.values.messages import JsonObject, ToolSpec
from rag_assistant.values.outline import EntryFacts, OutlineItem

NAME = "outline"

MOST_PARTS = 80
"""Parts that are named; of more the highest levels are, and how many there are is said."""

_LONGEST_NAME = 80

_DESCRIPTION = (
    "The parts of one document with their places (`at`), its facts, and the e-mails of its thread."
)
_PROPERTIES: dict[str, Any] = {"id": {"type": "integer"}}


def outline_tool(choice: DatabaseChoice) -> Tool:
    """Make `outline`."""

    async def run(arguments: JsonObject) -> ToolOutput:
        database = choice.one(arguments)
        return await asyncio.to_thread(_outlined, database, int(arguments["id"]))

    schema = choice.schema(_PROPERTIES, ["id"], one=True)
    return Tool(ToolSpec(NAME, _DESCRIPTION, schema), run, "read")


def _outlined(database: Database, entry_id: int) -> ToolOutput:
    entry, facts = database.entry(entry_id), database.facts(entry_id)
    with database.reading() as reader:
        hidden = hidden_spans(reader, [entry_id]).get(entry_id, ())
    shut = [(one.start, one.end) for one in hidden]
    parts = [part for part in facts.outline if not _is_in(part, shut)]
    shown = _highest(parts)
    told: dict[str, Any] = {
        "database": database.name,
        "id": entry.id,
        "title": prompt_title(entry.title, entry.path),
        "path": prompt_path(entry.path),
        "characters": entry.length,
        **_facts(facts),
        "parts": [_part(one) for one in shown],
    }
    if len(shown) < len(facts.outline):
        told["all_parts"] = len(facts.outline)
    if thread := database.thread(entry_id):
        told["thread"] = [
            {"id": mail.entry_id, "title": prompt_heading(mail.title) or "", "sent": mail.sent}
            for mail in thread
        ]
    text = json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False)
    summary = f"{len(facts.outline)} parts of {entry.title}"
    return ToolOutput(
        text,
        summary,
        entries=((database.name, entry.id),),
        tallies=_tallies(database.name, entry.path, facts),
    )


def _is_in(part: OutlineItem, spans: list[tuple[int, int]]) -> bool:
    return any(start <= part.start < end for start, end in spans)


def _facts(facts: EntryFacts) -> dict[str, Any]:
    return {
        "kind": facts.kind,
        "pages": facts.pages,
        "words": facts.words,
        "authors": [name for name in map(prompt_heading, facts.authors) if name],
        "created": facts.created,
        "modified": facts.modified,
    }


def _highest(parts: list[OutlineItem]) -> list[OutlineItem]:
    """Give the parts of the highest levels that there is room for; all where there is."""
    for level in sorted({part.level for part in parts}, reverse=True):
        kept = [part for part in parts if part.level <= level]
        if len(kept) <= MOST_PARTS:
            return kept
    return parts[:MOST_PARTS]


def _part(part: OutlineItem) -> dict[str, Any]:
    named = prompt_heading(part.label[:_LONGEST_NAME]) or ""
    told = {"at": part.start, "level": part.level, "part": named, "page": part.page}
    return {key: value for key, value in told.items() if value is not None}


def _tallies(database: str, path: str, facts: EntryFacts) -> tuple[Tally, ...]:
    counted = Counter((part.kind, part.level) for part in facts.outline)
    made = [
        Tally(database, f"{kind}s of level {level} in {path}", str(number))
        for (kind, level), number in counted.items()
    ]
    known = {"pages": facts.pages, "words": facts.words}
    return (
        *made,
        *(Tally(database, f"{what} of {path}", str(n)) for what, n in known.items() if n),
    )
