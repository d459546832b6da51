"""The tools of databases as clients call them: the same by name and arguments, however many
databases there are. Each takes an argument `database`, for which there may be no need."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rag_assistant.assistant.agent_specs import ReadingAlone
from rag_assistant.errors import ToolFailed
from rag_assistant.library.database import Database
from rag_assistant.tools.database_choice import DatabaseChoice
from rag_assistant.tools.digest import DigestBudget, digest_tool
from rag_assistant.tools.found_passages import search_for_model
from rag_assistant.tools.grep import grep_tool
from rag_assistant.tools.list_documents import list_tool
from rag_assistant.tools.outline import outline_tool
from rag_assistant.tools.read import read_tool
from rag_assistant.tools.retrieve import ReadingBudgets, ReadingBy
from rag_assistant.tools.table.tool import table_tool
from rag_assistant.tools.toolkit import Tool, ToolOutput, parse_arguments
from rag_assistant.values.documents import EntryText
from rag_assistant.values.evidence import Evidence
from rag_assistant.values.messages import JsonObject, ToolSpec

SEARCH = "search"

LONGEST_TEXT = 10_000
"""Characters of an argument at most."""

LARGEST_NUMBER = 2**53 - 1
"""The largest number that every JSON reader takes for what it is."""

_DATABASE = {"type": "string", "maxLength": 40, "description": "its name; see `databases`"}
_SEARCH = (
    "Search the person's documents by words and meaning. Gives the best passages whole, each with "
    "its address (`uri`) to cite; `more` names documents whose passages had no room."
)
_SEARCHED: dict[str, Any] = {
    "type": "object",
    "properties": {"query": {"type": "string", "minLength": 1}},
    "required": ["query"],
    "additionalProperties": False,
}


def client_tools(databases: Sequence[Database], reading: ReadingAlone) -> dict[str, Tool]:
    """Make the tools that look into databases, by name."""
    choice = DatabaseChoice(databases)
    tools = [
        _search_tool(databases, reading.budgets),
        read_tool(choice, token_budget=reading.budgets.entries),
        outline_tool(choice),
        list_tool(choice),
        grep_tool(choice),
        table_tool(choice),
        digest_tool(choice, reading.by, reading.digest),
    ]
    return {tool.spec.name: tool for tool in tools}


@cache
def tools_told() -> tuple[ToolSpec, ...]:
    """Give what is told of these tools, whatever databases there are."""
    nobody = ReadingAlone(ReadingBy(_unasked, ""), ReadingBudgets(0, 0), DigestBudget(0, 0))
    return tuple(tool.spec for tool in client_tools((), nobody).values())


async def _unasked(_: str, __: Sequence[EntryText], query: str) -> Evidence:
    raise ToolFailed(f"Nobody is there to read for {query!r}.")


def _search_tool(databases: Sequence[Database], budgets: ReadingBudgets) -> Tool:
    async def run(arguments: JsonObject) -> ToolOutput:
        query = str(arguments["query"])
        return await asyncio.to_thread(search_for_model, databases, query, budgets.search)

    return Tool(ToolSpec(SEARCH, _SEARCH, _SEARCHED), run, "search")


def client_schema(spec: ToolSpec) -> dict[str, Any]:
    """Give the schema of a tool's arguments with the database beside them, and with bounds."""
    own = {name: _bounded(one) for name, one in spec.parameters["properties"].items()}
    required = [name for name in spec.parameters["required"] if name != "database"]
    properties = {**own, "database": _DATABASE}
    return {**spec.parameters, "properties": properties, "required": required}


def _bounded(schema: Mapping[str, Any]) -> dict[str, Any]:
    match schema.get("type"):
        case "string":
            return {**schema, "maxLength": LONGEST_TEXT}
        case "integer":
            return {**schema, "minimum": 0, "maximum": LARGEST_NUMBER}
        case "array":
            return {**schema, "maxItems": 20, "items": _bounded(schema["items"])}
    return dict(schema)


async def run_tool(tool: Tool, arguments: JsonObject, databases: Sequence[Database]) -> ToolOutput:
    """Run a tool for a client. Raises RagError with what is wrong, in one line."""
    spec = ToolSpec(tool.spec.name, tool.spec.description, client_schema(tool.spec))
    checked = parse_arguments(json.dumps(dict(arguments)), spec)
    if len(databases) > 1 and "database" in tool.spec.parameters["required"]:
        names = ", ".join(database.name for database in databases)
        raise ToolFailed("Which database?", hint=f"Give `database`, one of {names}.")
    own = {name: value for name, value in checked.items() if name != "database"}
    output = await tool.function(own)
    if not output.ok:
        raise ToolFailed(output.summary)
    return output
