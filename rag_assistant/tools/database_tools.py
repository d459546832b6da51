"""The two tools of a database: search it, and read entries of it condensed to what matters."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from rag_assistant.errors import EntryNotFound, ToolFailed
from rag_assistant.injection.detector import why_suspicious
from rag_assistant.injection.naming import prompt_heading, prompt_path, prompt_title
from rag_assistant.library.database import Database
from rag_assistant.library.hidden import has_hidden, reasons_of, snippet_for_models
from rag_assistant.library.searching import search_databases
from rag_assistant.tools.entry_parts import parts_of
from rag_assistant.tools.run_cache import SearchDone, TextRead
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import EntryRead, SearchMade
from rag_assistant.values.documents import EntryText, Hit
from rag_assistant.values.evidence import Evidence, Retrieved, StageRank
from rag_assistant.values.messages import JsonObject, ToolSpec

Retrieve = Callable[[str, Sequence[EntryText], str], Awaitable[Evidence]]
"""Condenses entries: (database, entries, query) to evidence."""

HITS = 8
"""Hits that a search shows to a model."""

ENTRIES_PER_QUERY = 6
"""Entries that one call reads; more would leave each too small a share of the budget."""


NEIGHBOURS = 2
"""Passages on either side of a place that is read."""


def database_tools(database: Database, retrieve: Retrieve, *, token_budget: int) -> list[Tool]:
    """Make `search_<name>_database` and `query_<name>_database`.

    `token_budget` is how many tokens of text one query hands to `retrieve`, shared by its entries.
    """
    slug = re.sub(r"\W", "_", database.name)
    search_name, query_name = f"search_{slug}_database", f"query_{slug}_database"

    ranks = RetrievalRanks()

    async def search(arguments: JsonObject) -> ToolOutput:
        keyword = str(arguments["keyword"])
        result = await asyncio.to_thread(search_databases, [database], keyword, HITS)
        ranks.note(keyword, result.hits)
        listing: dict[str, Any] = {
            "database": database.name,
            "hits": [_shown(hit) for hit in result.hits],
        }
        nothing = [] if result.hits else ["Nothing matches. Try other words, or fewer."]
        if notes := [*result.notes, *nothing]:
            listing["notes"] = notes
        titles = ", ".join(hit.title for hit in result.hits[:3])
        summary = f"{len(result.hits)} entries" + (f": {titles}" if titles else "")
        if barred := sum(map(has_hidden, result.hits)):
            summary += f"; {barred} hidden in part (why: databases suspicious {database.name})"
        shown = tuple((hit.database, hit.entry_id) for hit in result.hits)
        made = SearchMade(database.name, keyword, len(result.hits))
        text = json.dumps(listing, ensure_ascii=False)
        found = SearchDone(database.name, keyword, HITS, result)
        return ToolOutput(text, summary, searches=(made,), entries=shown, found=found)

    async def query(arguments: JsonObject) -> ToolOutput:
        ids = parse_ids(arguments["ids"])
        question = str(arguments["query"])
        notes: list[str] = []
        if len(ids) > ENTRIES_PER_QUERY:
            left = ", ".join(map(str, ids[ENTRIES_PER_QUERY:]))
            notes.append(f"not read, call again for them: {left}")
            ids = ids[:ENTRIES_PER_QUERY]
        at = arguments.get("at")
        if at is not None and len(ids) > 1:
            raise ToolFailed("`at` is a place in one entry.", hint="Give that entry's id alone.")
        read = _reader(database, question, token_budget // len(ids), at)
        entries, unknown = await asyncio.to_thread(_read, read, ids)
        if unknown:
            missing = ", ".join(map(str, unknown))
            if not entries:
                raise ToolFailed(
                    f"No entry of {database.name} has the id {missing}.",
                    hint=f"Take ids from a result of {search_name}.",
                )
            notes.append(f"no entry has the id {missing}")
        entries = await asyncio.to_thread(database.for_prompt, entries)
        notes += [_hidden_note(database.name, text) for text in entries if text.hidden]
        parts = await asyncio.to_thread(parts_of, database, entries[0]) if len(ids) == 1 else ()
        evidence = await retrieve(database.name, entries, question)
        evidence = replace(
            evidence,
            notes=(*evidence.notes, *notes),
            retrieved=ranks.of(evidence.entries_read),
            parts=parts,
        )
        count = len(evidence.items)
        summary = f"{count} quotes from {len(entries)} entries, confidence {evidence.confidence}"
        opened = tuple(EntryRead(database.name, t.entry.id, t.entry.title) for t in entries)
        texts = tuple(
            TextRead(database.name, question if at is None else "", text) for text in entries
        )
        return ToolOutput("", summary, evidence=evidence, read=opened, texts=texts)

    within = _WITHIN if database.scope else ""
    searching = _SEARCH.format(database.name) + within
    querying = _QUERY.format(database.name, search_name) + within
    return [
        Tool(ToolSpec(search_name, searching, _SEARCH_SCHEMA), search, "search"),
        Tool(ToolSpec(query_name, querying, _QUERY_SCHEMA), query, "read"),
    ]


_SEARCH = (
    "Search the database {!r} for entries by words. Gives ids, titles and snippets, best first. "
    "Use the words that the documents would use; search again with others if nothing fits."
)
_QUERY = (
    "Read entries of the database {!r} by id, condensed to the words that bear on the query. "
    "Gives quotes with numbers to cite. Take the ids from a result of {}."
)
_WITHIN = " The person limited it to some of its documents; no others can be found or read."
_SEARCH_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "keyword": {"type": "string", "minLength": 1, "description": "Words or a question."}
    },
    "required": ["keyword"],
    "additionalProperties": False,
}
_QUERY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "minLength": 1,
            "description": "What you want to know from the entries, as a whole question.",
        },
        "ids": {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "integer"},
                {
                    "type": "array",
                    "items": {"type": ["integer", "string"]},
                    "minItems": 1,
                },
            ],
            "description": "Entry ids: 12, or 12,15 or [12, 15].",
        },
        "at": {
            "type": "integer",
            "minimum": 0,
            "description": "With a single id: read what stands round this place of a long entry, "
            "the `at` of a hit or of one of its `parts`, instead of what bears on the query.",
        },
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
    return lambda entry_id: database.read_for(entry_id, question, budget)


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


def _shown(hit: Hit) -> dict[str, Any]:
    """Render a hit for a model: its place, never its raw score, nor words that give orders."""
    versions = [version.words for version in hit.versions]
    shown: dict[str, Any] = {
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


WHOLE = "search"
"""Stands for all stages together."""


class RetrievalRanks:
    """Keeps, of each entry that searches found, where it stood highest."""

    def __init__(self) -> None:
        self._known: dict[int, Retrieved] = {}

    def note(self, keyword: str, hits: Sequence[Hit]) -> None:
        """Take in what a search found."""
        by_stage = {
            stage: sorted((hit.explanation.get(stage, 0.0) for hit in hits), reverse=True)
            for stage in dict.fromkeys(name for hit in hits for name in hit.explanation)
        }
        for hit in hits:
            before = self._known.get(hit.entry_id)
            if before and before.ranks[0].rank <= hit.rank:
                continue
            stages = [
                StageRank(stage, by_stage[stage].index(share) + 1)
                for stage, share in hit.explanation.items()
                if share > 0
            ]
            ranks = (StageRank(WHOLE, hit.rank), *stages)
            self._known[hit.entry_id] = Retrieved(hit.entry_id, keyword, ranks)

    def of(self, entry_ids: Iterable[int]) -> tuple[Retrieved, ...]:
        """Give what is known of some entries; one that no search found is left out."""
        return tuple(self._known[number] for number in entry_ids if number in self._known)
