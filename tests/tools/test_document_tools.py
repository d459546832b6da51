"""All tools of a question's databases: what they cost, and one pair for many."""

from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rag_assistant.agents.citations import References, numbered_words
from rag_assistant.agents.context import tool_tokens
from rag_assistant.library.library import Library
from rag_assistant.tools.digest import DigestBudget
from rag_assistant.tools.document_tools import document_tools
from rag_assistant.tools.retrieve import ReadingBudgets, ReadingBy
from rag_assistant.tools.toolkit import Toolkit
from tests.conftest import write_files
from tests.tools.documents import DocumentTools, nothing

MOST_TOKENS = 1_300


def tools_of(library: Library, count: int) -> Toolkit:
    """Give the tools of so many databases, which are one under many names."""
    one = library.database("archive")
    databases = [replace(one, name=f"collection{number}") for number in range(count)]
    reading = ReadingBy(nothing, "nobody")
    return Toolkit(
        document_tools(databases, reading, ReadingBudgets(100, 100), DigestBudget(1_000, 1.0))
    )


def test_tools_cost_few_tokens_whatever_there_is_to_search(archive: Library) -> None:
    """Every request would carry thousands of tokens of tools, more with each database."""
    costs = {count: tool_tokens(tools_of(archive, count).specs) for count in (1, 2, 3, 4, 10)}
    assert max(costs.values()) <= MOST_TOKENS
    assert costs[10] <= costs[4]


def test_up_to_three_databases_have_tools_of_their_own(archive: Library) -> None:
    """A person's instructions that name such a tool would not hold any more."""
    named = [spec.name for spec in tools_of(archive, 3).specs]
    assert "search_collection2_database" in named and "query_collection2_database" in named
    assert [spec.name for spec in tools_of(archive, 4).specs][:2] == [
        "search_databases",
        "query_database",
    ]
    for count in (1, 4):
        for spec in tools_of(archive, count).specs:
            Draft202012Validator.check_schema(dict(spec.parameters))


@pytest.fixture
def many(archive: Library, tmp_path: Path) -> DocumentTools:
    """The tools of four databases, each with a document about a crane."""
    for name in ("north", "east", "south"):
        page = f"# Crane {name}\n\nThe crane of the {name} quay lifts four tonnes.\n"
        archive.index(write_files(tmp_path / name, {f"{name}.md": page}))
    return DocumentTools(archive, "archive", "north", "east", "south")


async def test_one_search_ranks_what_all_databases_hold(many: DocumentTools) -> None:
    """Ten databases would take ten searches; or a hit would not say where it is from."""
    output = await many.run("search_databases", keyword="crane quay east")
    assert output.evidence
    first = output.evidence.items[0]
    assert (first.database, first.path) == ("east", "east.md")
    assert {made.database for made in output.searches} == {"archive", "north", "east", "south"}
    alone = await many.run("search_databases", keyword="crane", database="south")
    assert alone.evidence
    assert {item.database for item in alone.evidence.items} == {"south"}


async def test_a_call_names_its_database_where_there_are_several(many: DocumentTools) -> None:
    """An id would be looked up in another database than it is from."""
    output = await many.run("read", id=1, database="north")
    assert output.evidence is not None
    assert output.evidence.items[0].path == "north.md"
    output = await many.run("read", id=1, database="west")
    assert not output.ok and "archive, north, east, south" in output.text
    assert not (await many.run("read", id=1)).ok


async def test_what_is_listed_of_several_databases_keeps_its_number(many: DocumentTools) -> None:
    """A resumed conversation would take a number for words of another database."""
    output = await many.run("list_documents", query="crane")
    assert output.evidence is not None
    text = References().add(output.evidence, output)
    known = {(i.database, i.entry_id, i.quote) for i in output.evidence.items}
    assert set(numbered_words(text).values()) == known
    assert len({database for database, _, _ in known}) == 4
