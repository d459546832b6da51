"""The tool `table`: rows of tables by conditions, of one document or of all that a query lets
through, with what is computed of them.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

from rag_assistant.errors import ToolFailed
from rag_assistant.library.database import Database
from rag_assistant.library.document_filter import filtered_documents
from rag_assistant.tools.database_choice import MOST_ROWS, PAGED, DatabaseChoice, page_of
from rag_assistant.tools.exact_words import exact_evidence, in_part
from rag_assistant.tools.table.computing import FUNCTIONS, Computed, compute
from rag_assistant.tools.table.conditions import Condition, read_condition
from rag_assistant.tools.table.rows import FoundRow, FoundTable, chosen, tables_in
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import Tally
from rag_assistant.values.messages import JsonObject, ToolSpec

NAME = "table"

ROWS = 20
"""Rows that are shown, unless a call asks for another number of them."""

MOST_GROUPS = 40

MOST_NAMED = 5
"""Files that are named of which only a part is indexed."""

LONGEST_NAME = 80
"""Characters of a table's name that are repeated."""

DOCUMENT = "document"
"""Stands for the document as a column to group by."""

_DESCRIPTION = (
    "Rows of tables, sheets, CSV of document `id`, or of all that `query` lets through, by "
    'conditions: ["Owner = Ann", "Net > 1,000", "Item ~ roof"]. Computes exactly: `compute` of the '
    "column `of`, for each value of the column `by`. `table`: name or number."
)
_PROPERTIES: dict[str, Any] = {
    "id": {"type": "integer"},
    "query": {"type": "string"},
    "table": {"type": "string"},
    "where": {"type": "array", "items": {"type": "string"}},
    "compute": {"enum": list(FUNCTIONS)},
    "of": {"type": "string"},
    "by": {"type": "string"},
    **PAGED,
}


def table_tool(choice: DatabaseChoice) -> Tool:
    """Make `table`."""

    async def run(arguments: JsonObject) -> ToolOutput:
        return await asyncio.to_thread(_looked_up, choice.one(arguments), arguments)

    schema = choice.schema(_PROPERTIES, one=True)
    return Tool(ToolSpec(NAME, _DESCRIPTION, schema), run, "read")


def _looked_up(database: Database, arguments: JsonObject) -> ToolOutput:
    where = [read_condition(str(one)) for one in arguments.get("where", ())]
    of, by = str(arguments.get("of", "")), str(arguments.get("by", ""))
    columns = [*(one.column for one in where), *filter(None, (of, by if by != DOCUMENT else ""))]
    tables = chosen(_tables(database, arguments), str(arguments.get("table", "")), columns)
    if not columns and len(tables) > 1 and not arguments.get("compute"):
        return _named(tables)
    rows = [row for table in tables for row in table.rows()]
    matching = [row for row in rows if all(_holds(one, row) for one in where)]
    what = _what(tables, where)
    cut = in_part(database, (table.entry for table in tables))
    counted = str(len(matching)), str(len(rows))
    tallies = [Tally(database.name, f"rows of {what}", *counted, complete=not cut)]
    result: dict[str, Any] = {"rows": len(matching), "of": len(rows), "tables": len(tables)}
    if cut:
        result["indexed_in_part"] = cut[:MOST_NAMED]
    function = str(arguments.get("compute", ""))
    first: list[FoundRow] = []
    if function:
        if function != "count" and not of:
            raise ToolFailed(f"{function} of what?", hint="Name a column as `of`.")
        computed = dict(_computed(function, of, by, matching)) if matching else {}
        result[function] = {name: one.value for name, one in computed.items()}
        if "" in computed:
            result[function] = computed[""].value
        if notes := list(dict.fromkeys(n for one in computed.values() for n in one.notes)):
            result["notes"] = notes
        label = f"{function} of {of or 'rows'} of {what}"
        tallies += (
            Tally(database.name, f"{label} {name}".strip(), one.value, complete=not cut)
            for name, one in computed.items()
        )
        first = [one.holder for one in computed.values() if one.holder]
    shown = [*first, *(row for row in matching if row not in first)]
    return _output(database, (what, result), shown, tallies, arguments)


def _output(
    database: Database,
    said: tuple[str, dict[str, Any]],
    rows: Sequence[FoundRow],
    tallies: Sequence[Tally],
    arguments: JsonObject,
) -> ToolOutput:
    what, result = said
    grouped = bool(arguments.get("by"))
    limit, offset = page_of(arguments, 0 if grouped else ROWS)
    page = rows[offset : offset + limit]
    if page and offset + limit < len(rows):
        result["next_offset"] = offset + limit
    summary = f"{result['rows']} of {result['of']} rows"
    if not page:
        text = json.dumps({"database": database.name, **result}, ensure_ascii=False)
        return ToolOutput(text, summary, tallies=tuple(tallies))
    result["heads"] = list(dict.fromkeys(" | ".join(row.table.heads) for row in page))
    evidence = exact_evidence([database.name], what, [row.item for row in page])
    return ToolOutput("", summary, evidence=evidence, result=result, tallies=tuple(tallies))


def _tables(database: Database, arguments: JsonObject) -> list[FoundTable]:
    with database.at_once(), database.reading() as reader:
        if "id" in arguments:
            return tables_in(database, database.entry(int(arguments["id"])))
        found = filtered_documents(reader, str(arguments.get("query", ""))).documents
        return [table for one in found for table in tables_in(database, one.entry)]


def _named(tables: Sequence[FoundTable]) -> ToolOutput:
    """Give the names of tables, where a call does not say which one it wants."""
    listed = [
        {
            "table": str(number),
            "id": one.entry.id,
            "name": one.name[:80],
            "heads": " | ".join(one.heads)[:160],
            "rows": sum(1 for _ in one.rows()),
        }
        for number, one in enumerate(tables[:MOST_ROWS], 1)
    ]
    database = tables[0].database.name
    text = {"database": database, "tables": len(tables), "choose": listed}
    entries = tuple(dict.fromkeys((database, one.entry.id) for one in tables[:MOST_ROWS]))
    written = json.dumps(text, ensure_ascii=False)
    return ToolOutput(written, f"{len(tables)} tables", entries=entries)


def _holds(condition: Condition, row: FoundRow) -> bool:
    return condition.holds(row.cell(row.table.column(condition.column)))


def _computed(
    function: str, of: str, by: str, rows: Sequence[FoundRow]
) -> Iterator[tuple[str, Computed]]:
    """Compute for all rows, under "", or for each value of a column; the largest groups first."""
    groups: dict[str, list[FoundRow]] = {}
    for row in rows:
        groups.setdefault(_group(row, by), []).append(row)
    told = [(name, rows) for name, rows in groups.items() if any(not row.is_total for row in rows)]
    for name, members in sorted(told or groups.items(), key=_largest)[:MOST_GROUPS]:
        yield name, compute(function, members, of)


def _largest(group: tuple[str, Sequence[FoundRow]]) -> int:
    return -len(group[1])


def _group(row: FoundRow, by: str) -> str:
    if not by:
        return ""
    return row.table.entry.path if by == DOCUMENT else row.cell(row.table.column(by)) or "(empty)"


def _what(tables: Sequence[FoundTable], where: Sequence[Condition]) -> str:
    names = list(dict.fromkeys(one.name for one in tables))
    paths = list(dict.fromkeys(one.entry.path for one in tables))
    named = names[0][:LONGEST_NAME] if len(names) == 1 else f"{len(tables)} tables"
    place = paths[0] if len(paths) == 1 else f"{len(paths)} documents"
    conditions = f" where {' and '.join(one.words for one in where)}" if where else ""
    return f"“{named}” in {place}{conditions}"
