"""Every place of words or of an expression, and nothing that hangs."""

import time

from rag_assistant.library.pattern_search import find_pattern
from tests.tools.documents import DocumentTools, paths, quotes


async def test_words_are_found_in_every_document_and_counted(documents: DocumentTools) -> None:
    """A count would be of the best hits only."""
    found = await documents.call("grep", pattern="THE  ROOF")
    assert (found["places"], found["documents"], found["of"]) == (4, 4, 8)
    assert found["all_looked_at"]
    assert "The roof is to be mended." in quotes(found)
    assert set(paths(found)) == {
        "mail/a.eml",
        "mail/b.eml",
        "mail/c.eml",
        "minutes/2025-03-11.md",
    }


async def test_an_expression_is_one_only_where_it_is_said_to_be(documents: DocumentTools) -> None:
    """A dot in a file's name would match anything, or an expression never."""
    found = await documents.call("grep", pattern=r"£\d,\d{3}", regex=True, query="path:minutes/")
    assert (found["places"], found["documents"], found["of"]) == (3, 2, 3)
    found = await documents.call("grep", pattern=r"£\d,\d{3}")
    assert found["places"] == 0


async def test_a_wrong_expression_says_what_is_wrong(documents: DocumentTools) -> None:
    """A model would take it for nothing found."""
    output = await documents.run("grep", pattern="(", regex=True)
    assert not output.ok and "makes no sense" in output.text
    output = await documents.run("grep", pattern="  ")
    assert not output.ok and "no words" in output.text


def test_a_hostile_expression_ends(documents: DocumentTools) -> None:
    """One expression in a call would stop the program for good."""
    started = time.monotonic()
    found = find_pattern(
        documents.databases[0], r"((\w|\s)+)+§", "path:minutes/", is_expression=True, seconds=1.0
    )
    assert time.monotonic() - started < 20
    assert found.looked_at < found.documents == 3


async def test_hidden_text_is_not_looked_at(documents: DocumentTools) -> None:
    """What is hidden from models would reach one by its own words."""
    found = await documents.call("grep", pattern="crane fee")
    assert quotes(found) == ["The crane fee is forty euros."]
    assert "1 place" in found["hidden"]
    assert (await documents.call("grep", pattern="previous instructions"))["places"] == 0


async def test_places_go_on_over_pages(documents: DocumentTools) -> None:
    """A model would take the first places for all of them."""
    seen: list[str] = []
    offset = 0
    while True:
        found = await documents.call(
            "grep", pattern="P", query="path:stock", limit=10, offset=offset
        )
        seen += quotes(found)
        if "next_offset" not in found:
            break
        offset = found["next_offset"]
    assert len(set(seen)) == 31  # the heads and 30 rows


async def test_where_not_all_was_looked_at_the_tally_says_so(documents: DocumentTools) -> None:
    """An answer would state a number as if it were of everything."""
    output = await documents.run("grep", pattern="roof")
    assert all(tally.complete for tally in output.tallies)
    assert output.tallies[0].words.endswith("5 of 8, all looked at")
