"""All tools of a question's databases, as a model is told them: few enough to cost few tokens."""

from collections.abc import Sequence

from rag_assistant.library.database import Database
from rag_assistant.tools.any_database import any_database_tools
from rag_assistant.tools.database_choice import DatabaseChoice
from rag_assistant.tools.database_tools import database_tools
from rag_assistant.tools.digest import DigestBudget, digest_tool
from rag_assistant.tools.grep import grep_tool
from rag_assistant.tools.list_documents import list_tool
from rag_assistant.tools.outline import outline_tool
from rag_assistant.tools.read import read_tool
from rag_assistant.tools.retrieve import ReadingBudgets, ReadingBy, Retrieve
from rag_assistant.tools.table.tool import table_tool
from rag_assistant.tools.toolkit import Tool

MOST_PAIRS = 3
"""Databases that have a pair of tools each; more have one pair for all of them."""


def searching_tools(
    databases: Sequence[Database], retrieve: Retrieve, budgets: ReadingBudgets
) -> list[Tool]:
    """Make what searches databases and reads what was found, a pair of tools for each of them."""
    return [tool for database in databases for tool in database_tools(database, retrieve, budgets)]


def passage_tools(
    databases: Sequence[Database], retrieve: Retrieve, budgets: ReadingBudgets
) -> list[Tool]:
    """Make what searches databases, each by itself and, of several, all as one."""
    together = any_database_tools(databases, retrieve, budgets) if len(databases) > 1 else []
    given = [*searching_tools(databases, retrieve, budgets), *together]
    return [tool for tool in given if tool.kind == "search"]


def whole_tools(databases: Sequence[Database]) -> list[Tool]:
    """Make what looks at all of databases, together: what lists documents, and what finds words."""
    choice = DatabaseChoice(databases)
    return [list_tool(choice), grep_tool(choice)]


def document_tools(
    databases: Sequence[Database],
    reading: ReadingBy,
    budgets: ReadingBudgets,
    digest: DigestBudget,
) -> list[Tool]:
    """Make all tools that look into databases.

    `digest` is what one may cost.
    """
    make = searching_tools if len(databases) <= MOST_PAIRS else any_database_tools
    choice = DatabaseChoice(databases)
    return [
        *make(databases, reading.retrieve, budgets),
        list_tool(choice),
        grep_tool(choice),
        outline_tool(choice),
        read_tool(choice, token_budget=budgets.entries),
        table_tool(choice),
        digest_tool(choice, reading, digest),
    ]
