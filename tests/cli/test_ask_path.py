"""Asking some documents only, from the shell."""

import pytest

from rag_assistant.library.library import Library
from tests.cli.program import Program

QUESTION = "How many days of leave are there?"


@pytest.fixture
def ready(indexed: Library) -> Program:
    return Program(indexed.home)


@pytest.mark.soak
def test_ask_keeps_to_the_paths_and_goes_on_with_them(ready: Program) -> None:
    """A person could ask some documents in the interface, and only all of them in a script."""
    asked = ready.run("ask", "--json", "--path", "leave/ann*", QUESTION).json
    assert asked["coverage"]["entries_indexed"] == 1
    assert {source["path"] for found in asked["evidence"] for source in found["source"]} == {
        "leave/annual.md"
    }
    again = ready.run("ask", "--json", "--continue", "1", "And how many weeks?").json
    assert again["coverage"]["entries_indexed"] == 1
    other = ready.run(
        "ask", "--json", "--continue", "1", "--path", "leave", "--path", "travel", "Dinner?"
    ).json
    assert other["coverage"]["entries_indexed"] == 3


def test_a_path_that_is_nowhere_is_told(ready: Program) -> None:
    """A mistyped path would be answered with "the documents do not say"."""
    outcome = ready.run("ask", "--path", "leaf", QUESTION)
    assert outcome.code != 0
    assert "No document has a path like leaf." in outcome.err
    assert "notes/*.md" in outcome.err
