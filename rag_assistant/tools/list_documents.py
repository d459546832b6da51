"""The tool that lists and counts documents: all that pass a filter, none left out, none ranked."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from rag_assistant.injection.detector import why_suspicious
from rag_assistant.library.database import Database
from rag_assistant.library.document_filter import (
    DatedEntry,
    FilteredDocuments,
    filtered_documents,
)
from rag_assistant.store.reading import StoreReader
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.terms import content_terms
from rag_assistant.tools.database_choice import PAGED, DatabaseChoice, page_of
from rag_assistant.tools.exact_words import dates_told, exact_evidence, item_of
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import Tally
from rag_assistant.values.documents import Passage
from rag_assistant.values.evidence import EvidenceItem
from rag_assistant.values.messages import JsonObject, ToolSpec
from rag_assistant.values.outline import EntryFacts

NAME = "list_documents"

ROWS = 15
"""Documents on a page, unless a call asks for another number of them."""

LONGEST_QUOTE = 160
"""Characters of the words that are shown of a document."""

MOST_GROUPS = 40
"""Groups that are counted out; of more the largest are."""

_ADDRESS = re.compile(r"(?<=\S)\s*<[^<>]*>\s*$")
"""The address of an author who has a name as well."""

_DESCRIPTION = (
    "List and count exactly the documents that match a query in the query language: all words, all "
    "filters, nothing left out; empty for all. count_by counts them in groups."
)
_SORTS = ("newest", "oldest", "path", "longest")
_GROUPS = ("kind", "author", "folder", "year", "month", "language")
_PROPERTIES: dict[str, Any] = {
    "query": {"type": "string"},
    "sort": {"enum": list(_SORTS)},
    "count_by": {"enum": list(_GROUPS)},
    **PAGED,
}


@dataclass(frozen=True, slots=True)
class _Listed:
    """A document of a page: what can be cited of it, and what is said of it."""

    item: EvidenceItem | None
    row: JsonObject


def list_tool(choice: DatabaseChoice) -> Tool:
    """Make `list_documents`."""

    async def run(arguments: JsonObject) -> ToolOutput:
        return await asyncio.to_thread(_at_once, choice.some(arguments), arguments)

    schema = choice.schema(_PROPERTIES, one=False)
    return Tool(ToolSpec(NAME, _DESCRIPTION, schema), run, "read")


def _at_once(databases: Sequence[Database], arguments: JsonObject) -> ToolOutput:
    """List, and read what is listed, of one moment: files may be going meanwhile."""
    with ExitStack() as held:
        for database in databases:
            held.enter_context(database.at_once())
        return _listing(databases, arguments)


def _listing(databases: Sequence[Database], arguments: JsonObject) -> ToolOutput:
    query = str(arguments.get("query", "")).strip()
    limit, offset = page_of(arguments, ROWS)
    found: list[tuple[Database, DatedEntry]] = []
    tallies: list[Tally] = []
    groups: Counter[str] = Counter()
    words: tuple[str, ...] = ()
    for database in databases:
        with database.reading() as reader:
            passing = filtered_documents(reader, query)
            if by := str(arguments.get("count_by", "")):
                groups += _counted(reader, passing, by)
        words = passing.words
        found += ((database, one) for one in passing.documents)
        count, total = len(passing.documents), passing.total
        tallies.append(Tally(database.name, _what(query), str(count), str(total)))
    of = sum(int(one.of) for one in tallies)
    name = databases[0].name if len(databases) == 1 else "all"
    if len(databases) > 1:
        tallies.insert(0, Tally(name, _what(query), str(len(found)), str(of)))
    found.sort(key=_ORDERS[str(arguments.get("sort", "path"))])
    page = found[offset : offset + limit]
    listed = [_listed(database, one, words) for database, one in page]
    result: dict[str, Any] = {
        "documents": len(found),
        "of": of,
        "all_looked_at": True,
    }
    if groups:
        result["count_by"] = dict(groups.most_common(MOST_GROUPS))
        if len(groups) > MOST_GROUPS:
            result["groups"] = len(groups)
        tallies += (
            Tally(name, f"{_what(query)} {group}", str(number), str(len(found)))
            for group, number in groups.most_common(MOST_GROUPS)
        )
    tallies += dates_told((database.name, one.entry.path, one.date) for database, one in page)
    if offset + len(page) < len(found) and page:
        result["next_offset"] = offset + len(page)
        more = len(found) - offset - len(page)
        what = f"{_what(query)} after those shown"
        tallies.append(Tally(name, what, str(more), str(len(found))))
    return _output(databases, query, (result, listed), tallies)


def _output(
    databases: Sequence[Database],
    query: str,
    page: tuple[JsonObject, Sequence[_Listed]],
    tallies: Sequence[Tally],
) -> ToolOutput:
    result, listed = page
    summary = f"{result['documents']} of {result['of']} documents"
    citable = [(one.item, one.row) for one in listed if one.item]
    if blank := [one.row for one in listed if one.item is None]:
        result = {**result, "without_text": blank}
    if not citable:
        return ToolOutput(json.dumps(result, ensure_ascii=False), summary, tallies=tuple(tallies))
    names = [database.name for database in databases]
    evidence = exact_evidence(names, query, [item for item, _ in citable])
    rows = tuple(row for _, row in citable)
    return ToolOutput(
        "", summary, evidence=evidence, result=result, rows=rows, tallies=tuple(tallies)
    )


def _what(query: str) -> str:
    return f"documents for “{query}”" if query else "documents"


_ORDERS: dict[str, Callable[[tuple[Database, DatedEntry]], Any]] = {
    "path": lambda one: (one[0].name, one[1].entry.path, one[1].entry.id),
    "newest": lambda one: (*_backwards(one[1].date), one[1].entry.path),
    "oldest": lambda one: (one[1].date or "9999", one[1].entry.path),
    "longest": lambda one: (-one[1].entry.length, one[1].entry.path),
}


def _backwards(date: str) -> tuple[int, ...]:
    """Give a day so that the newest sorts first, and none last."""
    parts = [int(part) for part in date.split("-") if part.isdigit()]
    return tuple(-part for part in [*parts, 0, 0, 0][:3])


def _counted(reader: StoreReader, passing: FilteredDocuments, by: str) -> Counter[str]:
    groups: Counter[str] = Counter()
    ids = [one.entry.id for one in passing.documents]
    known = reader.entries.facts_of(ids) if by in ("kind", "language", "author") else {}
    for one in passing.documents:
        if by in ("year", "month"):
            names = [one.date[: 4 if by == "year" else 7]]
        elif by == "folder":
            names = [one.entry.path.rpartition("/")[0] or "."]
        else:
            facts = known[one.entry.id]
            names = {
                "kind": [facts.kind],
                "language": [facts.language],
                "author": [_ADDRESS.sub("", author) for author in facts.authors],
            }[by]
        groups.update(_safe(name) or "unknown" for name in names or [""])
    return groups


def _safe(name: str) -> str:
    """Give words of a document that are no part of its text; none that give orders."""
    return "(hidden)" if why_suspicious(name) else " ".join(name.split())[:80]


def _listed(database: Database, one: DatedEntry, words: Sequence[str]) -> _Listed:
    entry, facts = one.entry, database.facts(one.entry.id)
    row: dict[str, Any] = {"date": one.date, "kind": facts.kind, **_told(facts)}
    item = _telling_words(database, one, words)
    if item is None:
        row = {"id": entry.id, "title": _safe(entry.title), **row}
    return _Listed(item, {key: value for key, value in row.items() if value})


def _told(facts: EntryFacts) -> dict[str, Any]:
    authors = ", ".join(_safe(_ADDRESS.sub("", author)) for author in facts.authors[:3])
    return {"author": authors, "pages": facts.pages, "words": facts.words}


def _telling_words(
    database: Database, one: DatedEntry, words: Sequence[str]
) -> EvidenceItem | None:
    """Give the sentence that has most of a query's words, or what the document begins with."""
    wanted = set(content_terms(" ".join(words)))
    passages: list[Passage] = []
    if wanted:
        passages = database.matching(one.entry.id, " ".join(words), 1)
    if not passages:
        passages = database.passages(one.entry.id)[:1]
    shown = database.part(one.entry.id, passages)
    best: tuple[tuple[int, bool], Passage, int, int] | None = None
    for passage in shown.passages:
        for begin, end in sentences_of(passage.text):
            words_here = content_terms(passage.text[begin:end])
            score = len(wanted.intersection(words_here)), passage.text[begin] != "#"
            # Of equals the first; a heading only where no sentence has as many.
            if best is None or (wanted and score > best[0]):
                best = (score, passage, begin, end)
    if best is None:
        return None
    _, passage, begin, end = best
    return item_of(database.name, one.entry, passage, begin, min(end, begin + LONGEST_QUOTE))
