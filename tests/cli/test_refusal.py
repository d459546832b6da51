"""Where nothing is claimed to answer, on the command line: what is data, what scripts get."""

import pytest

from rag_assistant.library.library import Library
from tests.cli.program import Program

WEDDING = "How many days off are there for a wedding?"


@pytest.fixture
def ready(indexed: Library) -> Program:
    return Program(indexed.home)


def test_the_nearest_passages_are_called_so(ready: Program) -> None:
    """What nothing bears out would go into a pipe as the answer."""
    said = ready.run("ask", WEDDING)
    assert said.out.startswith("The nearest passages; they may not answer:\n\n“")
    assert "[1] — Annual leave" in said.out
    assert "**" not in said.out, "no value stands out of what may not answer"
    assert "Nothing is claimed of these: " in said.err
    assert "- No document has the word “wedding”" in said.err


def test_where_nothing_shares_a_word_nothing_is_shown_as_near(ready: Program) -> None:
    """A person would read passages that have nothing to do with the question."""
    said = ready.run("ask", "zzxq qqw?")
    assert said.out.startswith("The documents do not hold the answer to this")
    assert "What the model wrote" not in said.err


def test_no_quote_is_printed_twice(ready: Program) -> None:
    """An answer of four quotes would be eight to read."""
    said = ready.run("ask", "How many weeks of leave at full pay does every parent get?")
    assert said.out.startswith(("Answer (", "Probably ("))
    assert said.out.count("Every parent gets sixteen weeks") == 1
    first, _, sources = said.out.partition("\nSources\n")
    assert "[1] " in sources
    for line in sources.splitlines():
        assert not line.strip().startswith("“") or line.strip(" “”") not in first


def test_scripts_get_the_parts_of_a_refusal(ready: Program) -> None:
    """They would have to take the words of it apart."""
    answer = ready.run("ask", WEDDING, "--json").json
    assert answer["answered"] is False
    assert answer["voice"] == "nearest"
    assert 0 < answer["chance"] < 0.5
    assert answer["citations"][0]["marker"] == 1
    assert answer["nearest"][0]["title"] == "Annual leave"
    refusal = answer["refusal"]
    assert refusal["searched"] == [f"handbook for “{WEDDING}”"]
    assert refusal["nearest"] == answer["nearest"]
    assert any("wedding" in step for step in refusal["widen"])
    assert {signal["name"] for signal in answer["signals"]} >= {"words", "together", "chosen"}


def test_scripts_get_the_voice_and_the_chance(ready: Program) -> None:
    """They could not tell what is likely from what is not."""
    asked = "How many weeks of leave at full pay does every parent get?"
    answer = ready.run("ask", asked, "--json").json
    assert answer["answered"] is True
    assert answer["voice"] in ("answer", "probably")
    assert answer["chance"] > 0.5
    assert answer["nearest"] == []


def test_history_keeps_the_voice(ready: Program) -> None:
    """A kept conversation would show as the answer what was not."""
    ready.run("ask", WEDDING)
    assert "The nearest passages; they may not answer:" in ready.run("history", "show", "1").out
