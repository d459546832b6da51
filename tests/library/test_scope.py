"""A part of a database: nothing else is found, read, counted or listed, by words or by an id."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from rag_assistant.agents.citations import References
from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ToolSettings
from rag_assistant.errors import EntryNotFound, LibraryError, ToolFailed
from rag_assistant.library.library import Library
from rag_assistant.library.searching import open_databases, search_databases
from rag_assistant.tools.bounding_boxes.files import ImageFiles
from rag_assistant.tools.database_tools import database_tools
from rag_assistant.tools.python_session.database_calls import DatabaseCalls
from rag_assistant.tools.retrieve import ReadingBudgets
from rag_assistant.tools.toolkit import Toolkit
from rag_assistant.values.documents import EntryText
from rag_assistant.values.events import Answered, RunStarted, ToolFinished
from rag_assistant.values.evidence import Evidence
from rag_assistant.values.messages import ToolCall
from rag_assistant.values.scope import Scope

LEAVE = Scope("handbook", ("leave/",))
ANNUAL = Scope("handbook", ("leave/annual.md",))


@pytest.fixture
def ids(indexed: Library) -> dict[str, int]:
    return {entry.path: entry.id for entry in indexed.database("handbook").entries()}


@pytest.mark.parametrize("profile", ["question", "typing"])
def test_a_search_finds_only_what_is_in_scope(indexed: Library, profile: str) -> None:
    """If it fails, a question limited to three documents is answered from a fourth."""
    whole = search_databases(indexed.databases(), "days leave dinner crane", 9, profile=profile)  # type: ignore[arg-type]
    assert {hit.path for hit in whole.hits} > {"leave/annual.md", "leave/parental.md"}
    for scope, paths in ((LEAVE, {"leave/annual.md", "leave/parental.md"}),
                         (ANNUAL, {"leave/annual.md"})):  # fmt: skip
        databases, missing = open_databases(indexed, [scope])
        found = search_databases(databases, "days leave dinner crane", 9, profile=profile)  # type: ignore[arg-type]
        assert {hit.path for hit in found.hits} == paths
        assert not missing
        assert not search_databases(databases, "crane", 9, profile=profile).hits  # type: ignore[arg-type]


def test_filters_hold_within_a_scope(indexed: Library) -> None:
    """If it fails, `path:` in a limited search widens it, or is left out."""
    (database,) = indexed.databases([LEAVE])
    assert [hit.path for hit in search_databases([database], "path:parental", 9).hits] == [
        "leave/parental.md"
    ]
    assert not search_databases([database], "path:notes", 9).hits
    assert len(search_databases([database], "-parental leave", 9).hits) == 1


def test_words_of_no_use_do_not_list_the_scope(indexed: Library) -> None:
    """If it fails, "???" in a scope finds all of it, which it does nowhere else."""
    (database,) = indexed.databases([LEAVE])
    assert not search_databases([database], "???", 9).hits


def test_what_is_out_of_scope_cannot_be_read_by_its_id(
    indexed: Library, ids: dict[str, int]
) -> None:
    """If it fails, a model that guesses an id reads what the person left out."""
    (database,) = indexed.databases([ANNUAL])
    outside = ids["notes.txt"]
    assert [entry.id for entry in database.entries()] == [ids["leave/annual.md"]]
    assert "27 days" in database.text(ids["leave/annual.md"])
    for read in (
        lambda: database.entry(outside),
        lambda: database.text(outside),
        lambda: database.passages(outside),
        lambda: database.read_around(outside, 0, 2),
        lambda: database.read_for(outside, "crane", 500),
    ):
        with pytest.raises(EntryNotFound):
            read()
    assert database.passages_at([(outside, 0)]) == [None]
    assert database.previous_text(outside) is None
    assert database.figures().entries == 1
    calls = DatabaseCalls([database])
    with pytest.raises(EntryNotFound):
        calls.answer("read", {"id": outside})
    listed = calls.answer("entries", {"start": 0, "texts": True})["entries"]
    assert [entry["path"] for entry in listed] == ["leave/annual.md"]
    assert not calls.answer("search", {"query": "crane", "limit": 5})["hits"]
    with pytest.raises(ToolFailed):
        ImageFiles([database], ()).find("notes.txt")


async def test_the_tools_of_a_run_stay_in_scope(indexed: Library, ids: dict[str, int]) -> None:
    """If it fails, the scope is a wish that the model may pass over."""
    read: list[Sequence[EntryText]] = []

    async def retrieve(database: str, entries: Sequence[EntryText], query: str) -> Evidence:
        read.append(entries)
        return Evidence(database, query, (), 3)

    (database,) = indexed.databases([ANNUAL])
    toolkit = Toolkit(database_tools(database, retrieve, ReadingBudgets(600, 600)))

    async def call(name: str, **arguments: object) -> str:
        output = await toolkit.run(ToolCall("c", name, json.dumps(arguments)))
        if output.evidence:
            return References().add(output.evidence, output)
        return output.text or output.summary

    assert "limited it" in toolkit.specs[0].description
    found = json.loads(await call("search_handbook_database", keyword="leave"))["sources"]
    assert [hit["path"] for hit in found] == ["leave/annual.md"]
    for at in ({}, {"at": 0}):
        said = await call("query_handbook_database", query="x", ids=ids["notes.txt"], **at)
        assert "has the id" in said
    assert not read


def test_single_records_of_a_file_can_be_in_scope(library: Library, tmp_path: Path) -> None:
    """If it fails, one row of a table cannot be asked about without the others."""
    folder = tmp_path / "club"
    folder.mkdir()
    rows = "\n".join(f'{{"id": "{n}", "text": "member {n} rows"}}' for n in range(5))
    (folder / "members.jsonl").write_text(rows, encoding="utf-8")
    library.index(folder)
    every = library.database("club").entries()
    assert len(every) == 5
    chosen = (every[1].id, every[3].id)
    (part,) = library.databases([Scope("club", entries=chosen)])
    assert tuple(entry.id for entry in part.entries()) == chosen
    assert sorted(
        hit.entry_id for hit in search_databases([part], "member rows", 9).hits
    ) == sorted(chosen)


def test_a_scope_follows_its_folder(indexed: Library, ids: dict[str, int]) -> None:
    """If it fails, a new file of a chosen folder is left out, or one beside it is taken along."""
    folder = Path(indexed.database("handbook").folder())
    (folder / "leave" / "sick.md").write_text("# Sick leave\n\nRing in by nine.\n", "utf-8")
    (folder / "leave-old.md").write_text("# Old leave\n\nNo longer valid.\n", "utf-8")
    indexed.index(folder)
    paths = {entry.path for entry in indexed.database(LEAVE).entries()}
    assert paths == {"leave/annual.md", "leave/parental.md", "leave/sick.md"}


async def test_a_question_is_answered_within_its_scope(indexed: Library) -> None:
    """If it fails, coverage, searches or the record of a run tell of more than was asked."""
    assistant = Assistant(indexed, Config(tools=ToolSettings()), {})
    asked = assistant.ask("How many days of leave do staff get?", databases=[ANNUAL])
    events = [event async for event in asked]
    started, last = events[0], events[-1]
    assert isinstance(started, RunStarted)
    assert started.scope == (ANNUAL,)
    assert isinstance(last, Answered)
    assert last.answer.coverage.entries_indexed == 1
    assert {item.path for found in last.answer.evidence for item in found.items} == {
        "leave/annual.md"
    }
    outside = [event async for event in assistant.ask("When does the harbour office open?",
                                                      databases=[ANNUAL])]  # fmt: skip
    end = outside[-1]
    assert isinstance(end, Answered)
    assert not end.answer.citations
    assert all("notes" not in e.summary for e in outside if isinstance(e, ToolFinished))


async def test_an_empty_scope_says_so(indexed: Library) -> None:
    """If it fails, a scope whose documents are gone is answered with "the documents say no"."""
    assistant = Assistant(indexed, Config(), {})
    with pytest.raises(LibraryError, match="None of the chosen documents of handbook"):
        [_ async for _ in assistant.ask("What?", databases=[Scope("handbook", ("gone.md",))])]
    with pytest.raises(LibraryError, match="None of the chosen documents"):
        [_ async for _ in assistant.ask("What?", databases=[Scope("handbook")])]
