"""What a search shows of a document that there are several versions of."""

from pathlib import Path

import pytest

from rag_assistant.errors import EntryNotFound
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases, search_passages
from rag_assistant.tools.database_tools import database_tools
from rag_assistant.tools.retrieve import ReadingBudgets
from rag_assistant.values.scope import Scope
from tests.conftest import settle, write_files

PLAN = "".join(
    f"Berth {n} of the harbour is dredged by crew {n} each spring.\n\n" for n in range(9)
)
FILES = {
    "minutes/2025-06-10-draft.md": f"# Minutes\n\n{PLAN}The waiting list stands at 64 names.\n",
    "minutes/2025-06-10.md": f"# Minutes\n\n{PLAN}The waiting list stands at 46 names.\n",
    "minutes/2025-07-08.md": "# Minutes\n\nThe waiting list was read out to those present.\n",
    "list.jsonl": '{"_id": "x-v1", "text": "waiting list one"}\n'
    '{"_id": "x-v2", "text": "waiting list two"}\n',
}


@pytest.fixture
def database(library: Library, tmp_path: Path) -> Database:
    """Minutes with a draft, other minutes, and records whose ids look like versions."""
    settle(write_files(tmp_path / "f", FILES))
    library.index(tmp_path / "f")
    return library.database("f")


def test_the_newest_stands_for_all_and_names_the_others(database: Database) -> None:
    """A draft would be quoted, or its existence be hidden."""
    hits = search_databases([database], "waiting list stands", 10).hits
    assert [hit.path for hit in hits].count("minutes/2025-06-10.md") == 1
    assert "minutes/2025-06-10-draft.md" not in [hit.path for hit in hits]
    newest = next(hit for hit in hits if hit.path == "minutes/2025-06-10.md")
    (older,) = newest.versions
    assert (older.relation, older.path) == ("older", "minutes/2025-06-10-draft.md")
    assert (older.dated, older.told_by) == ("2025-06-10", "the state in its name")
    assert database.entry(older.entry_id).path == older.path
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert sum(hit.path == "list.jsonl" for hit in hits) == 2


@pytest.mark.parametrize(
    "query",
    [
        "waiting list 64 names",
        '"stands at 64 names"',
        "waiting list path:draft",
        "title:minutes waiting path:2025-06-10-draft",
    ],
)
def test_what_only_the_older_one_has_finds_it(database: Database, query: str) -> None:
    """Who looks for the draft would be shown the final minutes, and nothing else."""
    hits = search_databases([database], query, 10).hits
    older = next(hit for hit in hits if hit.path == "minutes/2025-06-10-draft.md")
    (newer,) = older.versions
    assert (newer.relation, newer.path) == ("newer", "minutes/2025-06-10.md")


def test_the_place_is_that_of_the_best_version(database: Database) -> None:
    """A document would sink because its newest version says it in fewer words."""
    hits = search_databases([database], "waiting list stands names", 10).hits
    assert hits[0].path == "minutes/2025-06-10.md"


def test_versions_out_of_scope_are_not_named(library: Library, database: Database) -> None:
    """A part of a database would let what is outside of it through."""
    scoped = library.database(Scope("f", ("minutes/2025-06-10-draft.md",)))
    (hit,) = search_databases([scoped], "waiting list", 10).hits
    assert hit.path == "minutes/2025-06-10-draft.md"
    assert hit.versions == ()
    with pytest.raises(EntryNotFound):
        scoped.entry(next(e.id for e in database.entries() if e.path == "minutes/2025-06-10.md"))


def test_several_databases_collapse_each_their_own(library: Library, tmp_path: Path) -> None:
    """A version would be named by an id of another database."""
    for name in ("a", "b"):
        settle(write_files(tmp_path / name, FILES))
        library.index(tmp_path / name)
    hits = search_databases(library.databases(), "waiting list stands", 10).hits
    newest = [hit for hit in hits if hit.path == "minutes/2025-06-10.md"]
    assert {hit.database for hit in newest} == {"a", "b"}
    for hit in newest:
        (older,) = hit.versions
        assert library.database(hit.database).entry(older.entry_id).path == older.path


async def test_a_model_is_told_of_other_versions(database: Database) -> None:
    """A model would cite a draft without knowing that it is one."""

    async def nothing(*_: object) -> None:
        raise AssertionError("only a search was asked for")

    search, _ = database_tools(database, nothing, ReadingBudgets(1_000, 1_000))  # type: ignore[arg-type]
    found = await search.function({"keyword": "waiting list 64 names"})
    told = [version for about in found.of_entries.values() for version in about.get("versions", ())]
    assert any(version.startswith("newer version minutes/2025-06-10.md (id ") for version in told)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_of_copies_the_same_one_is_shown_however_they_were_indexed(
    library: Library, tmp_path: Path, order: tuple[int, ...]
) -> None:
    """After an indexing that was killed, answers would cite another copy than before."""
    files = {f"{place}/berths.md": FILES["minutes/2025-06-10.md"] for place in "abc"}
    names = list(files)
    for place in order:
        write_files(tmp_path / "f", {names[place]: files[names[place]], "other.md": "# Other\n"})
        settle(tmp_path / "f")
        library.index(tmp_path / "f")
    database = library.database("f")
    (hit,) = search_databases([database], "waiting list stands", 10).hits
    assert hit.path == "a/berths.md"
    (passage, *_) = search_passages([database], "waiting list stands", 10).hits
    assert passage.path == "a/berths.md"
