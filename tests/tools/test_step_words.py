"""A step is told in words: what was searched for and where, what was read; never a tool's name."""

import re

from rag_assistant.tools.step_words import LONGEST_WORDS, step_words
from tests.tools.documents import DocumentTools


def test_a_search_and_a_reading_are_told_in_words() -> None:
    """Else a person reads names of functions and numbers of rows where an answer comes from."""
    found = step_words("search_town_council_database", {"keyword": "roof"}, ["town-council"])
    assert found.done == "Searched town-council for “roof”"
    assert found.going == "searching town-council for “roof”"
    read = step_words("query_staff_database", {"query": "leave", "ids": "4, 7,9"}, ["staff"])
    assert read.done == "Read 3 documents of staff"
    one = step_words("query_database", {"database": "staff", "query": "leave", "ids": 4})
    assert one.done == "Read 1 document of staff"
    everywhere = step_words("search_databases", {"keyword": "leave"})
    assert everywhere.done == "Searched all databases for “leave”"


def test_long_words_are_cut_and_lines_joined() -> None:
    """Else a model that searches for a page of text fills the screen with it."""
    said = step_words("search_a_database", {"keyword": "leave\nand " * 40}, ["a"]).done
    assert "\n" not in said
    assert len(said) < LONGEST_WORDS + 30
    assert said.endswith("…”")


def test_a_tool_of_a_server_is_named_with_its_arguments() -> None:
    """Else nobody sees what was sent to a program of somebody else's."""
    words = step_words("weather_forecast", {"city": "Leith", "days": 3})
    assert words.done == "Used weather_forecast"
    assert words.others == (("city", "Leith"), ("days", "3"))


def test_every_tool_of_databases_has_words(documents: DocumentTools) -> None:
    """Else a tool that is added shows its name where people read."""
    for name in [spec.name for spec in documents.toolkit.specs]:
        words = step_words(name, {"keyword": "a", "pattern": "a", "question": "a"}, ["docs"])
        assert not re.search(r"_|Used", words.done), name
