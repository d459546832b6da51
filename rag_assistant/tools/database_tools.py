"""The two tools of a database: search it, and read entries of it condensed to what matters."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from rag_assistant.errors import EntryNotFound, ToolFailed
from rag_assistant.injection.detector import why_suspicious
from rag_assistant.injection.naming import prompt_heading, prompt_path, prompt_title
from rag_assistant.library.database import Database
from rag_assistant.library.hidden import has_hidden, reasons_of, snippet_for_models
from rag_assistant.library.question_vectors import question_vector
from rag_assistant.library.searching import search_databases
from rag_assistant.search.ranking import SearchResult
from rag_assistant.tools.entry_parts import parts_of
from rag_assistant.tools.retrieval_ranks import RetrievalRanks
from rag_assistant.tools.retrieve import Retrieve
from rag_assistant.tools.run_cache import SearchDone, TextRead
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import EntryRead, SearchMade
from rag_assistant.values.documents import EntryText, Hit
from rag_assistant.values.messages import JsonObject, ToolSpec

HITS = 8
"""Hits that a search shows to a model."""

ENTRIES_PER_QUERY = 6
"""Entries that one call reads; more would leave each too small a share of the budget."""


NEIGHBOURS = 2
"""Passages on either side of a place that is read."""


class DatabaseReader:
    """Searches one database, and reads its entries condensed, for the calls of a run.

    `token_budget` is how many tokens of text one query hands to `retrieve`, shared by its entries;
    `search_name` is the tool that ids are taken from.
    """

    def __init__(
        self, database: Database, retrieve: Retrieve, token_budget: int, search_name: str
    ) -> None:
        self.database = database
        self.ranks = RetrievalRanks()
        self._retrieve = retrieve
        self._token_budget = token_budget
        self._search_name = search_name

    async def search(self, arguments: JsonObject) -> ToolOutput:
        """Find entries by words."""
        name, keyword = self.database.name, str(arguments["keyword"])
        result = await asyncio.to_thread(search_databases, [self.database], keyword, HITS)
        self.ranks.note(keyword, result.hits)
        output = listing_of({"database": name}, result)
        made = SearchMade(name, keyword, len(result.hits))
        found = SearchDone(name, keyword, HITS, result)
        return replace(output, searches=(made,), found=found)

    async def query(self, arguments: JsonObject) -> ToolOutput:
        """Read entries by id, condensed to what bears on a query."""
        database, question = self.database, str(arguments["query"])
        ids = parse_ids(arguments["ids"])
        notes: list[str] = []
        if len(ids) > ENTRIES_PER_QUERY:
            left = ", ".join(map(str, ids[ENTRIES_PER_QUERY:]))
            notes.append(f"not read, call again for them: {left}")
            ids = ids[:ENTRIES_PER_QUERY]
        at = arguments.get("at")
        if at is not None and len(ids) > 1:
            raise ToolFailed("`at` is a place in one entry.", hint="Give that entry's id alone.")
        read = _reader(database, question, self._token_budget // len(ids), at)
        entries, unknown = await asyncio.to_thread(_read, read, ids)
        if unknown:
            missing = ", ".join(map(str, unknown))
            if not entries:
                raise ToolFailed(
                    f"No entry of {database.name} has the id {missing}.",
                    hint=f"Take ids from a result of {self._search_name}.",
                )
            notes.append(f"no entry has the id {missing}")
        entries = await asyncio.to_thread(database.for_prompt, entries)
        notes += [_hidden_note(database.name, text) for text in entries if text.hidden]
        parts = await asyncio.to_thread(parts_of, database, entries[0]) if len(ids) == 1 else ()
        evidence = await self._retrieve(database.name, entries, question)
        evidence = replace(
            evidence,
            notes=(*evidence.notes, *notes),
            retrieved=self.ranks.of(evidence.entries_read),
            parts=parts,
        )
        count = len(evidence.items)
        summary = f"{count} quotes from {len(entries)} entries, confidence {evidence.confidence}"
        opened = tuple(EntryRead(database.name, t.entry.id, t.entry.title) for t in entries)
        texts = tuple(
            TextRead(database.name, question if at is None else "", text) for text in entries
        )
        return ToolOutput("", summary, evidence=evidence, read=opened, texts=texts)


def listing_of(head: JsonObject, result: SearchResult) -> ToolOutput:
    """Give what a search found as a model reads it; `head` is what its JSON begins with."""
    by_hit = "database" not in head
    listing: dict[str, Any] = {**head, "hits": [_shown(hit, by_hit) for hit in result.hits]}
    nothing = [] if result.hits else ["Nothing matches. Try other words, or fewer."]
    if notes := [*result.notes, *nothing]:
        listing["notes"] = notes
    titles = ", ".join(hit.title for hit in result.hits[:3])
    summary = f"{len(result.hits)} entries" + (f": {titles}" if titles else "")
    if barred := [hit.database for hit in result.hits if has_hidden(hit)]:
        summary += f"; {len(barred)} hidden in part (why: databases suspicious {barred[0]})"
    shown = tuple((hit.database, hit.entry_id) for hit in result.hits)
    return ToolOutput(json.dumps(listing, ensure_ascii=False), summary, entries=shown)


def database_tools(database: Database, retrieve: Retrieve, *, token_budget: int) -> list[Tool]:
    """Make `search_<name>_database` and `query_<name>_database`; see `DatabaseReader`."""
    slug = re.sub(r"\W", "_", database.name)
    search_name, query_name = f"search_{slug}_database", f"query_{slug}_database"
    reader = DatabaseReader(database, retrieve, token_budget, search_name)
    within = WITHIN if database.scope else ""
    searching = SEARCH.format(f"the database {database.name!r}") + within
    querying = QUERY.format(f"the database {database.name!r}", search_name)
    return [
        Tool(ToolSpec(search_name, searching, SEARCH_SCHEMA), reader.search, "search"),
        Tool(ToolSpec(query_name, querying, QUERY_SCHEMA), reader.query, "read"),
    ]


SEARCH = "Search {} by words or a question: ids, titles, snippets, best first."
QUERY = "Read entries of {} by ids from {}, condensed to quotes to cite."
WITHIN = " The person limited it to some of its documents."
SEARCH_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"keyword": {"type": "string", "minLength": 1}},
    "required": ["keyword"],
    "additionalProperties": False,
}
QUERY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "ids": {
            "type": ["string", "integer", "array"],
            "minLength": 1,
            "minItems": 1,
            "description": "12 or 12,15",
        },
        "at": {"type": "integer", "description": "Of one id: read round this place"},
    },
    "required": ["query", "ids"],
    "additionalProperties": False,
}


def parse_ids(written: object) -> list[int]:
    """Read ids from "12, 15", 12 or [12, "15"], each once. Raises ToolFailed."""
    parts = written if isinstance(written, list) else str(written).split(",")
    ids: list[int] = []
    for part in parts:
        digits = str(part).strip().removeprefix("#")
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 18:
            raise ToolFailed(
                f"{str(part)[:40]!r} is not an entry id.", hint="Give numbers: 12 or 12,15."
            )
        ids.append(int(digits))
    return list(dict.fromkeys(ids))


def _reader(
    database: Database, question: str, budget: int, at: int | None
) -> Callable[[int], EntryText]:
    if at is not None:
        return lambda entry_id: database.read_around(entry_id, at, NEIGHBOURS)
    meaning = cache(partial(question_vector, database, question))
    return lambda entry_id: database.read_for(entry_id, question, budget, meaning)


def _read(
    read: Callable[[int], EntryText], ids: Sequence[int]
) -> tuple[list[EntryText], list[int]]:
    entries: list[EntryText] = []
    unknown: list[int] = []
    for entry_id in ids:
        try:
            entries.append(read(entry_id))
        except EntryNotFound:
            unknown.append(entry_id)
    return entries, unknown


def _shown(hit: Hit, by_hit: bool) -> dict[str, Any]:
    """Render a hit for a model: its place, never its raw score, nor words that give orders.

    `by_hit`: with its database.
    """
    versions = [version.words for version in hit.versions]
    shown: dict[str, Any] = {
        "database": hit.database if by_hit else None,
        "id": hit.entry_id,
        "title": prompt_title(hit.title, hit.path),
        "path": prompt_path(hit.path),
        "heading": prompt_heading(hit.location.heading),
        "page": hit.location.page,
        "at": hit.location.start,
        "snippet": snippet_for_models(hit),
        "versions": [words for words in versions if not why_suspicious(words)] or None,
    }
    return {key: value for key, value in shown.items() if value is not None}


def _hidden_note(name: str, text: EntryText) -> str:
    """Say what was not read of an entry; the words themselves are not repeated."""
    count = len(text.hidden)
    return (
        f"entry {text.entry.id}: {count} place{'s' * (count > 1)} hidden from the model: "
        f"{reasons_of(text.hidden)} (databases suspicious {name} --entry {text.entry.id})"
    )
