"""Searching and reading any of many databases: one pair of tools for all of them."""

import asyncio
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from rag_assistant.library.database import Database
from rag_assistant.tools.database_choice import DatabaseChoice
from rag_assistant.tools.database_tools import (
    QUERY,
    QUERY_SCHEMA,
    SEARCH,
    SEARCH_SCHEMA,
    WITHIN,
    DatabaseReader,
)
from rag_assistant.tools.found_passages import search_for_model
from rag_assistant.tools.retrieve import ReadingBudgets, Retrieve
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.messages import JsonObject, ToolSpec

SEARCH_ANY, QUERY_ANY = "search_databases", "query_database"


def any_database_tools(
    databases: Sequence[Database], retrieve: Retrieve, budgets: ReadingBudgets
) -> list[Tool]:
    """Make `search_databases`, which ranks what all of them hold as one, and `query_database`."""
    choice = DatabaseChoice(databases)
    readers = {one.name: DatabaseReader(one, retrieve, budgets, SEARCH_ANY) for one in databases}

    async def search(arguments: JsonObject) -> ToolOutput:
        if arguments.get("database"):
            return await readers[choice.one(arguments).name].search(arguments)
        keyword = str(arguments["keyword"])
        output = await asyncio.to_thread(search_for_model, databases, keyword, budgets.search)
        for name, reader in readers.items():
            if output.found:
                own = [hit for hit in output.found.result.hits if hit.database == name]
                reader.ranks.note(keyword, own)
        return output

    async def query(arguments: JsonObject) -> ToolOutput:
        return await readers[choice.one(arguments).name].query(arguments)

    within = WITHIN if any(one.scope for one in databases) else ""
    searching = SEARCH.format("one database, or all together,") + within
    querying = QUERY.format("a database", SEARCH_ANY)
    return [
        Tool(ToolSpec(SEARCH_ANY, searching, _named(SEARCH_SCHEMA)), search, "search"),
        Tool(ToolSpec(QUERY_ANY, querying, _named(QUERY_SCHEMA, "database")), query, "read"),
    ]


def _named(schema: JsonObject, *required: str) -> JsonObject:
    """Give a schema with an argument that names the database."""
    named: dict[str, Any] = deepcopy(dict(schema))
    named["properties"] = {"database": {"type": "string"}, **named["properties"]}
    named["required"] = [*required, *named["required"]]
    return named
