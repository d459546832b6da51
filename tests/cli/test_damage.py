"""Damaged files from the shell: a line that names the file and the command, and that command."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from rag_assistant.egress.ledger import Departure, EgressLedger
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.library.library import Library
from tests.cli.program import Program
from tests.conftest import settle, write_files
from tests.evaluation.test_store import HEADER, QUESTIONS

AT_ONCE = 18
QUESTION = "How many weeks of parental leave at full pay are there?"


@pytest.fixture
def ready(indexed: Library, tmp_path: Path) -> Program:
    settle(write_files(tmp_path / "other", {"a.md": "# A\n\nThe crane of other.\n"}))
    indexed.index(tmp_path / "other")
    return Program(indexed.home)


def bad_text(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def test_one_bad_byte_costs_that_database_alone(ready: Program) -> None:
    """ "Internal error: AttributeError" for every search, and the check calls the file whole."""
    path = ready.home / "handbook.db"
    bad_text(path, "UPDATE passages SET text = CAST(X'637261ff6e65206372616e65' AS TEXT)")
    bad_text(path, "UPDATE files SET path = CAST(X'ff' || path AS TEXT)")
    said = ready.run("search", "crane", "--json")
    assert (said.code, "Internal" in said.err) == (0, False)
    assert {hit["database"] for hit in said.json["hits"]} == {"other"}
    (note,) = (note for note in said.json["notes"] if "left out" in note)
    assert f"'handbook' is damaged: {path}" in note
    assert note.endswith("`rag-assistant databases repair handbook`")
    assert ready.run("ask", QUESTION, "--no-history").code == 0
    checked = ready.run("databases", "check", "handbook")
    assert checked.code == 1
    assert "no UTF-8" in checked.out
    assert "rag-assistant databases repair handbook" in checked.err
    assert ready.run("doctor").code == 1
    mended = ready.run("databases", "repair", "handbook")
    assert mended.code == 0, mended.err
    assert "set aside as" in mended.out
    assert ready.run("databases", "check", "handbook").out.startswith("handbook: whole")
    assert ready.run("search", "parental", "-d", "handbook", "--json").json["hits"]


def test_every_kind_of_file_is_checked_at_once(ready: Program) -> None:
    """A person would have to know what there is before anything could be found wrong with it."""
    ready.run("ask", QUESTION)
    ledger = EgressLedger(ready.home)
    ledger.write(Departure("a.example.com", "m", "answer", ("handbook",), (), 1, 2, 0))
    ledger.allow(["handbook"], "a.example.com")
    run = RunStore(ready.home).begin(HEADER, QUESTIONS)
    run.close()
    assert ready.run("databases", "check").code == 0
    bad_text(ready.home / "conversations.db", "UPDATE exchanges SET model = CAST(X'ff' AS TEXT)")
    bad_text(ledger.path, "UPDATE sent SET model = CAST(X'ff' AS TEXT)")
    (run.folder / "run.json").write_text("{")
    said = ready.run("databases", "check", "--json")
    assert said.code == 1
    wrong = {file["name"]: file["next"] for file in said.json["files"] if file["problems"]}
    assert wrong == {
        "conversations.db": "rag-assistant databases repair conversations.db",
        "egress.sqlite": "rag-assistant databases repair egress.sqlite",
        "run 1": "rag-assistant eval runs --remove 1",
    }
    doctor = ready.run("doctor", "--json").json
    assert {check["what"] for check in doctor["checks"] if not check["ok"]} == wrong.keys()
    for command in wrong.values():
        assert ready.run(*command.split()[1:]).code == 0
    assert ready.run("databases", "check").code == 0
    assert len(ready.run("history", "--json").json["conversations"]) == 1
    assert ready.run("egress", "--json").json["total"]["requests"] == 1
    assert ledger.allowed() == set()  # asked for again: a host may have become another one


def test_the_policy_of_a_database_survives_its_repair(ready: Program) -> None:
    """What was to stay on this machine would be asked away after a bad byte."""
    assert ready.run("databases", "egress", "handbook", "local").code == 0
    bad_text(ready.home / "handbook.db", "UPDATE entries SET title = CAST(X'ff' AS TEXT)")
    assert ready.run("databases", "repair", "handbook").code == 0
    assert ready.run("databases", "egress", "handbook", "--json").json["egress"] == "local"


def test_what_is_withheld_is_said_with_what_to_do(ready: Program, tmp_path: Path) -> None:
    """Files would be missing from every answer without a word."""
    folder = tmp_path / "other"
    (tmp_path / "linked").mkdir()
    write_files(tmp_path / "linked", {"b.md": "# B\n\nThe crane of the link.\n"})
    (folder / "disk").symlink_to(tmp_path / "linked")
    assert ready.run("index", str(folder), "--follow-links", "anywhere").code == 0
    (tmp_path / "linked").rename(tmp_path / "away")
    said = ready.run("index", str(folder), "--json")
    assert (said.code, said.json["deleted"]) == (0, 0)
    assert [line["path"] for line in said.json["unseen"]] == ["disk/b.md"]
    assert "Mount the disk" in said.err
    told = ready.run("databases", "info", "other", "--json").json
    assert (told["withheld"], told["withheld_files"][0]["path"]) == (1, "disk/b.md")
    assert "1 withheld" in ready.run("databases").out
    assert "withhold disk/b.md" in ready.run("index", str(folder), "--dry-run").out


@pytest.mark.soak
def test_many_questions_at_once_are_all_kept(ready: Program) -> None:
    """Answers would be lost on a machine that is busy: "held by another process"."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = [
            pool.submit(ready.run, "ask", f"{QUESTION} {number}", "--json")
            for number in range(AT_ONCE)
        ]
        said = [one.result() for one in asked]
    assert [one.code for one in said] == [0] * AT_ONCE
    assert not [one.err for one in said if "held" in one.err or "not kept" in one.err]
    kept = ready.run("history", "--json").json
    assert kept["total"] == AT_ONCE
    assert {json.dumps(one["title"]) for one in kept["conversations"]} == {
        json.dumps(f"{QUESTION} {number}") for number in range(AT_ONCE)
    }
