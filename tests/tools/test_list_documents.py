"""Lists and counts of documents: all that pass a filter, and no other."""

from datetime import date

import pytest

from rag_assistant.library.library import Library
from rag_assistant.tools.database_choice import DatabaseChoice
from rag_assistant.tools.list_documents import list_tool
from rag_assistant.tools.toolkit import Toolkit
from rag_assistant.values.messages import ToolCall
from rag_assistant.values.scope import Scope
from tests.tools.documents import ORDER, DocumentTools, paths, quotes


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("roof path:minutes/", ["minutes/2025-03-11.md", "minutes/2025-04-08.md"]),
        ('"to be mended"', ["minutes/2025-03-11.md"]),
        ("type:eml author:berg", ["mail/a.eml", "mail/b.eml"]),
        ("type:eml after:2026 -author:bo", ["mail/b.eml"]),
        ("path:minutes/ after:2025-04 before:2026", ["minutes/2025-04-08.md"]),
        ("path:minutes/ -bees", ["minutes/2025-04-08.md"]),
        ("hive*", ["minutes/2026-01-13.md"]),
        ("roof hives", []),
    ],
)
async def test_a_query_lets_through_just_what_it_says(
    documents: DocumentTools, query: str, found: list[str]
) -> None:
    """An answer would leave documents out, or name some that do not belong."""
    listed = await documents.call("list_documents", query=query)
    assert (listed["documents"], listed["of"]) == (len(found), 8)
    assert paths({"sources": [], **listed}) == found


async def test_each_document_is_quoted_where_it_has_the_words(documents: DocumentTools) -> None:
    """A model could not cite why a document is in the list."""
    listed = await documents.call("list_documents", query="roof path:minutes/", sort="newest")
    assert quotes(listed) == ["Roofing goes on.", "The roof is to be mended."]
    first = listed["sources"][0]["quotes"][0]
    assert (first["date"], first["kind"], first["cite"]) == ("2025-04-08", "text", 1)


async def test_documents_are_counted_in_groups(documents: DocumentTools) -> None:
    """A model would count rows itself, and miscount."""
    for by, counted in {
        "author": {"Ann Berg": 2, "Bo Lund": 1},
        "year": {"2026": 2, "2025": 1},
        "folder": {"mail": 3},
        "kind": {"e-mail": 3},
    }.items():
        listed = await documents.call("list_documents", query="type:eml", count_by=by, limit=0)
        assert listed["count_by"] == counted


async def test_pages_follow_one_another(documents: DocumentTools) -> None:
    """A long list would be cut without a word."""
    first = await documents.call("list_documents", limit=5)
    second = await documents.call("list_documents", limit=5, offset=first["next_offset"])
    assert "next_offset" not in second
    assert sorted(paths(first) + paths(second)) == sorted(documents.ids)


async def test_what_was_counted_is_a_tally(documents: DocumentTools) -> None:
    """An answer could not state the count, or state it of another thing."""
    output = await documents.run("list_documents", query="type:eml author:berg")
    assert (
        output.tallies[0].words
        == "archive, documents for “type:eml author:berg”: 2 of 8, all looked at"
    )


async def test_dates_that_no_path_says_and_what_is_not_shown_are_tallies(
    documents: DocumentTools,
) -> None:
    """A list with its dates, and "and 7 more", would be marked as standing nowhere."""
    output = await documents.run("list_documents", query="crane", limit=1)
    told = {tally.what: tally.value for tally in output.tallies}
    assert date.fromisoformat(told["date of crane.md"]) <= date.today()
    output = await documents.run("list_documents", query="path:minutes/", limit=1)
    told = {tally.what: tally.value for tally in output.tallies}
    assert told["documents for “path:minutes/” after those shown"] == "2"
    assert not any(what.startswith("date of") for what in told)


async def test_words_that_give_orders_are_not_quoted(documents: DocumentTools) -> None:
    """A model would obey what a list shows it."""
    output = await documents.run("list_documents", query="previous instructions")
    assert output.evidence is not None
    assert ORDER not in str(output.evidence)


async def test_a_list_stays_in_scope(archive: Library) -> None:
    """What a person left out of a question would be listed all the same."""
    scoped = archive.database(Scope("archive", ("mail/",)))
    tool = list_tool(DatabaseChoice([scoped]))
    output = await Toolkit([tool]).run(ToolCall("c", "list_documents", "{}"))
    assert (output.result["documents"], output.result["of"]) == (3, 3)
