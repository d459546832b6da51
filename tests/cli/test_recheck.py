"""`history recheck` and `why-not` from the shell."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from tests.cli.program import Program
from tests.conftest import settle

LEAVE = "How many days of annual leave do full-time staff get?"


@pytest.fixture
def asked(indexed: Library) -> Program:
    program = Program(indexed.home)
    assert program.run("ask", LEAVE).code == 0
    assert program.run("ask", "Up to how much is dinner refunded?").code == 0
    return program


def change(program: Program, folder: Path, path: str, old: str, new: str) -> None:
    text = (folder / path).read_text(encoding="utf-8")
    (folder / path).write_text(text.replace(old, new), encoding="utf-8")
    settle(folder)
    assert program.run("index", str(folder)).code == 0


def test_answers_whose_sources_stand_are_not_listed(asked: Program) -> None:
    """A person would read through everything, and a script take silence for a fault."""
    checked = asked.run("history", "recheck")
    assert (checked.code, checked.out) == (0, "")
    assert "2 answers checked: all stand." in checked.err
    assert asked.run("history", "recheck", "--json").json == {"checked": 2, "changed": []}
    assert asked.run("history", "recheck", "1", "--all").code == 2


def test_an_answer_is_listed_with_what_its_source_says_now(asked: Program, handbook: Path) -> None:
    """An old number would go on being believed."""
    change(asked, handbook, "leave/annual.md", "27 days", "30 days")
    checked = asked.run("history", "recheck")
    assert checked.code == 1
    assert f"1:1  {checked.out.split()[1]}  {LEAVE}" in checked.out
    assert "leave/annual.md): the words have changed" in checked.out
    assert "get [-27-] {+30+} days" in checked.out
    assert "dinner" not in checked.out
    assert "2 answers checked: 1 rest" in checked.err
    assert "history recheck 1:1 --ask-again" in checked.err
    assert asked.run("history", "recheck", "2").code == 0
    (told,) = asked.run("history", "recheck", "1:1", "--json").json["changed"]
    changed = [one for one in told["citations"] if not one["stands"]]
    assert "30 days" in changed[0]["now"]
    assert changed[0]["state"] == "reworded"


def test_asked_again_it_is_kept_beside_the_old_answer(asked: Program, handbook: Path) -> None:
    """The new answer would be lost, or the old one overwritten."""
    change(asked, handbook, "leave/annual.md", "27 days", "30 days")
    refused = asked.run("history", "recheck", "1", "--ask-again")
    assert refused.code == 1
    assert "--yes" in refused.err
    again = asked.run("history", "recheck", "1", "--ask-again", "-y")
    assert again.code == 0, again.err
    assert "1:1 asked again, kept as conversation 3:" in again.out
    assert "[-27-] {+30+} days" in again.out
    assert "- [1] Annual leave" in again.out
    assert "+ [1] Annual leave" in again.out
    old, new = (asked.run("history", "show", number, "--json").json for number in ("1", "3"))
    assert "27 days" in old["exchanges"][0]["answer"]
    assert "30 days" in new["exchanges"][0]["answer"]
    assert (new["parent"], len(new["exchanges"])) == (1, 1)
    assert asked.run("history", "recheck", "3").code == 0


def test_a_later_question_is_asked_again_after_those_before_it(
    asked: Program, handbook: Path
) -> None:
    """It would lose what was said before, or be answered from its own old answer."""
    assert asked.run("ask", "--continue", "2", LEAVE).code == 0
    change(asked, handbook, "leave/annual.md", "27 days", "30 days")
    outcome = asked.run("history", "recheck", "2", "--ask-again", "-y", "--json").json
    (told,) = outcome["changed"]
    assert (told["conversation"], told["exchange"]) == (2, 2)
    assert [one["kind"] for one in told["again"]["changes"] if one["kind"] != "same"]
    assert len(told["again"]["citations_new"]) == 1
    branch = asked.run("history", "show", str(told["again"]["conversation"]), "--json").json
    questions = [exchange["question"] for exchange in branch["exchanges"]]
    assert questions == ["Up to how much is dinner refunded?", LEAVE]


def test_an_answer_says_what_it_saw_there_and_later(asked: Program, handbook: Path) -> None:
    """A person would take what could not be read for not there."""
    (handbook / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    asked.run("index", str(handbook))
    said = asked.run("ask", LEAVE)
    assert "Searched handbook (4 documents, 1 file could not be read): 1 search," in said.err
    assert "rag-assistant databases info handbook" in said.err
    assert "1 file could not be read" in asked.run("history", "show", "last").out
    seen = asked.run("ask", LEAVE, "--json").json["coverage"]
    assert seen["searches_made"][0]["database"] == "handbook"
    assert seen["searches_made"][0]["words"]
    assert "Annual leave" in [read["title"] for read in seen["read"]]
    assert seen["by_database"][0]["failed"] == 1
    assert seen["statement"].startswith("Searched handbook (4 documents")


def test_why_not_is_told_for_a_person_and_for_a_script(asked: Program) -> None:
    """A document that did not come up would stay a riddle."""
    plain = asked.run("why-not", "leave/annual.md")
    assert plain.out == "handbook: leave/annual.md is indexed.\n"
    told = asked.run("why-not", "notes.txt", "annual leave", "-n", "1").out
    assert "is not found: it has no word of the question." in told
    told = asked.run("why-not", "leave/parental.md", "annual leave", "-n", "1").out
    assert "is outranked: rank 2 of 2" in told
    assert "1. Annual leave [handbook" in told
    found = asked.run("why-not", "leave/parental.md", "annual leave", "-n", "1", "--json").json
    (one,) = found["databases"]
    assert one["account"]["fate"] == "outranked"
    assert one["account"]["above"][0]["path"] == "leave/annual.md"
    assert one["account"]["above"][0]["explanation"]
    kept_out = asked.run("why-not", "notes.txt", "crane", "--path", "leave").out
    assert "limited to other documents" in kept_out
    assert "no database indexes a folder" in asked.run("why-not", "/elsewhere.md", "x").err
