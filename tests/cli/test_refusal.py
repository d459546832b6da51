"""Where no answer is given, on the command line: what is data, what is talk, what scripts get."""

import pytest

from rag_assistant.library.library import Library
from tests.cli.program import Program

WEDDING = "How many days off are there for a wedding?"


@pytest.fixture
def ready(indexed: Library) -> Program:
    return Program(indexed.home)


def test_the_draft_is_talk_and_the_refusal_is_data(ready: Program) -> None:
    """What the documents do not bear out would go into a pipe as the answer."""
    said = ready.run("ask", WEDDING)
    assert said.out.startswith("The documents do not hold the answer to this")
    assert "No document has the word “wedding”" in said.out
    assert "days of annual leave" not in said.out
    assert "The passages that come nearest; they may not answer:" in said.err
    assert "days of annual leave" in said.err


def test_scripts_get_the_parts_of_a_refusal(ready: Program) -> None:
    """They would have to take the words of it apart."""
    answer = ready.run("ask", WEDDING, "--json").json
    assert answer["answered"] is False
    assert answer["citations"] == []
    assert answer["draft"]
    assert answer["confidence"] in (1, 2)
    refusal = answer["refusal"]
    assert refusal["searched"] == [f"handbook for “{WEDDING}”"]
    assert refusal["nearest"][0]["title"] == "Annual leave"
    assert any("wedding" in step for step in refusal["widen"])
    assert refusal["citations"][0]["marker"] == 1
    assert {signal["name"] for signal in answer["signals"]} == {"words", "together"}


def test_history_keeps_the_refusal_as_the_answer(ready: Program) -> None:
    """A kept conversation would show what was withheld."""
    ready.run("ask", WEDDING)
    assert "do not hold the answer to this" in ready.run("history", "show", "1").out
