"""The tool that gives the words of a document whole: a section, a page, lines or characters of it.

No model condenses them. Each passage can be cited, and what did not fit is named by its place.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from rag_assistant.errors import ToolFailed
from rag_assistant.library.database import CHARACTERS_PER_TOKEN, Database
from rag_assistant.tools.database_choice import DatabaseChoice
from rag_assistant.tools.exact_words import as_read, exact_evidence, passage_items
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import EntryRead
from rag_assistant.values.documents import Entry, EntryText, Passage
from rag_assistant.values.messages import JsonObject, ToolSpec

NAME = "read"

MOST_NEIGHBOURS = 10

_DESCRIPTION = (
    "The words of one document, uncondensed, from its beginning or a place in it: a section by its "
    "heading, a page, a line, or characters from `at` to `end`; `neighbours` adds passages around."
)
_PROPERTIES: dict[str, Any] = {
    "id": {"type": "integer"},
    "section": {"type": "string"},
    "page": {"type": "integer"},
    "line": {"type": "integer"},
    "at": {"type": "integer"},
    "end": {"type": "integer"},
    "neighbours": {"type": "integer"},
}

Span = tuple[int, int]


def read_tool(choice: DatabaseChoice, *, token_budget: int) -> Tool:
    """Make `read`; a call gives `token_budget` tokens of text at most."""

    async def run(arguments: JsonObject) -> ToolOutput:
        database = choice.one(arguments)
        return await asyncio.to_thread(_at_once, database, arguments, token_budget)

    schema = choice.schema(_PROPERTIES, ["id"], one=True)
    return Tool(ToolSpec(NAME, _DESCRIPTION, schema), run, "read")


def _at_once(database: Database, arguments: JsonObject, token_budget: int) -> ToolOutput:
    """Read text and what is hidden of it of one moment: the file may be changing meanwhile."""
    with database.at_once():
        return _read(database, arguments, token_budget)


def _read(database: Database, arguments: JsonObject, token_budget: int) -> ToolOutput:
    entry = database.entry(int(arguments["id"]))
    passages = database.passages(entry.id)
    span = _span(database, entry, passages, arguments)
    chosen = [n for n, one in enumerate(passages) if _overlaps(one, span)]
    if not chosen:
        raise ToolFailed(
            f"Document {entry.id} has nothing there.",
            hint=f"It has {entry.length} characters; its parts: outline.",
        )
    beside = min(int(arguments.get("neighbours", 0)), MOST_NEIGHBOURS)
    first, last = max(0, chosen[0] - beside), min(len(passages), chosen[-1] + 1 + beside)
    fitting = _fitting(passages[first:last], token_budget * CHARACTERS_PER_TOKEN)
    shown = database.part(entry.id, fitting)
    result: dict[str, Any] = {"id": entry.id, "characters": entry.length}
    if first + len(fitting) < last:
        result["next_at"] = fitting[-1].location.end
    return _output(database, shown, len(passages), result)


def _output(database: Database, shown: EntryText, there: int, result: JsonObject) -> ToolOutput:
    entry = shown.entry
    items = tuple(passage_items(database.name, [shown]))
    notes = [f"{len(shown.hidden)} places are hidden from models"] if shown.hidden else []
    words = f"document {entry.id}"
    evidence = exact_evidence([database.name], words, items, read=[entry.id], notes=notes)
    return ToolOutput(
        "",
        f"{len(items)} of {there} passages of {entry.title}",
        evidence=evidence,
        result=result,
        read=(EntryRead(database.name, entry.id, entry.title),),
        texts=(as_read(database, shown),),
    )


def _span(
    database: Database, entry: Entry, passages: Sequence[Passage], arguments: JsonObject
) -> Span:
    """Give the characters that a call asks for."""
    if section := str(arguments.get("section", "")).strip():
        return _section(database, entry, section)
    if "page" in arguments:
        return _page(passages, int(arguments["page"]))
    if "line" in arguments:
        return _line(database, entry, int(arguments["line"]))
    start = int(arguments.get("at", 0))
    if "end" in arguments:
        return start, max(start + 1, int(arguments["end"]))
    return start, entry.length if "at" not in arguments else start + 1


def _section(database: Database, entry: Entry, wanted: str) -> Span:
    """Give the part whose name is the wanted words, or has them; the first where several do."""
    folded = " ".join(wanted.casefold().split())
    outline = database.facts(entry.id).outline
    named = [(" ".join(part.label.casefold().split()), part) for part in outline]
    found = [part for name, part in named if name == folded]
    found = found or [part for name, part in named if folded in name]
    if not found:
        raise ToolFailed(
            f"Document {entry.id} has no part {wanted[:60]!r}.",
            hint="Its parts: outline. Or give a page, a line or `at`.",
        )
    return found[0].start, found[0].end


def _page(passages: Sequence[Passage], page: int) -> Span:
    on_it = [one.location for one in passages if one.location.page == page]
    if not on_it:
        last = max((one.location.page or 0 for one in passages), default=0)
        told = f"its last page is {last}" if last else "it has no pages"
        raise ToolFailed(f"There is no page {page}: {told}.", hint="Give another place.")
    return on_it[0].start, on_it[-1].end


def _line(database: Database, entry: Entry, line: int) -> Span:
    """Give the characters of a line, counted from 1."""
    text = database.text(entry.id)
    start = 0
    for _ in range(line - 1):
        after = text.find("\n", start)
        if after < 0:
            raise ToolFailed(f"There is no line {line}.", hint="Give another place.")
        start = after + 1
    end = text.find("\n", start)
    return start, end if end >= 0 else len(text)


def _overlaps(passage: Passage, span: Span) -> bool:
    start, end = span
    return passage.location.start < max(end, start + 1) and passage.location.end > start


def _fitting(passages: Sequence[Passage], room: int) -> list[Passage]:
    """Give the first passages that there is room for, one in any case."""
    kept: list[Passage] = []
    for passage in passages:
        room -= len(passage.text)
        if kept and room < 0:
            break
        kept.append(passage)
    return kept
