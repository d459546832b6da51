"""The two tools of a database: search it, and read entries of it condensed to what matters."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from rag_assistant.errors import EntryNotFound, ToolFailed
from rag_assistant.library.database import Database
from rag_assistant.library.question_vectors import question_vector
from rag_assistant.tools.entry_parts import parts_of
from rag_assistant.tools.found_passages import hidden_note, search_for_model
from rag_assistant.tools.retrieval_ranks import RetrievalRanks
from rag_assistant.tools.retrieve import ReadingBudgets, Retrieve
from rag_assistant.tools.run_cache import TextRead
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import EntryRead
from rag_assistant.values.documents import EntryText
from rag_assistant.values.messages import JsonObject, ToolSpec

ENTRIES_PER_QUERY = 6
"""Entries that one call reads; more would leave each too small a share of the budget."""


NEIGHBOURS = 2
"""Passages on either side of a place that is read."""


class DatabaseReader:
    """Searches one database, and reads its entries condensed, for the calls of a run.

    `search_name` is the tool that ids are taken from.
    """

    def __init__(
        self, database: Database, retrieve: Retrieve, budgets: ReadingBudgets, search_name: str
    ) -> None:
        self.database = database
        self.ranks = RetrievalRanks()
        self._retrieve = retrieve
        self._budgets = budgets
        self._search_name = search_name

    async def search(self, arguments: JsonObject) -> ToolOutput:
        """Find the passages that match words best."""
        keyword, budget = str(arguments["keyword"]), self._budgets.search
        output = await asyncio.to_thread(search_for_model, [self.database], keyword, budget)
        if output.found:
            self.ranks.note(keyword, output.found.result.hits)
        return output

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
        read = _reader(database, question, self._budgets.entries // len(ids), at)
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
        notes += [hidden_note(database.name, text) for text in entries if text.hidden]
        parts = await asyncio.to_thread(parts_of, database, entries[0]) if len(ids) == 1 else ()
        evidence = await self._retrieve(database.name, entries, question)
        evidence = replace(
            evidence,
            notes=(*evidence.notes, *notes),
            retrieved=self.ranks.of(evidence.entries_read),
            parts=parts,
        )
        count = len(evidence.items)
        sure = f", confidence {evidence.confidence}" if evidence.confidence else ""
        summary = f"{count} quote{'' if count == 1 else 's'}{sure}"
        opened = tuple(EntryRead(database.name, t.entry.id, t.entry.title) for t in entries)
        texts = tuple(
            TextRead(database.name, question if at is None else "", text) for text in entries
        )
        return ToolOutput("", summary, evidence=evidence, read=opened, texts=texts)


def database_tools(database: Database, retrieve: Retrieve, budgets: ReadingBudgets) -> list[Tool]:
    """Make `search_<name>_database` and `query_<name>_database`; see `DatabaseReader`."""
    slug = re.sub(r"\W", "_", database.name)
    search_name, query_name = f"search_{slug}_database", f"query_{slug}_database"
    reader = DatabaseReader(database, retrieve, budgets, search_name)
    within = WITHIN if database.scope else ""
    searching = SEARCH.format(f"the database {database.name!r}") + within
    querying = QUERY.format(f"the database {database.name!r}", search_name)
    return [
        Tool(ToolSpec(search_name, searching, SEARCH_SCHEMA), reader.search, "search"),
        Tool(ToolSpec(query_name, querying, QUERY_SCHEMA), reader.query, "read"),
    ]


SEARCH = "Search {} by words or a question: the best passages, to cite; `more` names documents."
QUERY = "Read more of entries of {} by ids from {}, condensed to quotes to cite."
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
