"""`eval init` as a person runs it: a file beside them, never written over, and what comes next."""

import json
import shutil
from pathlib import Path

import pytest

from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_replies import Answer
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.cli.program import Program
from tests.egress.elsewhere import elsewhere

CORPORA = Path(__file__).parents[2] / "corpora"


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that has the manual indexed, to be copied."""
    home = tmp_path_factory.mktemp("manual") / "home"
    Library(home).index(CORPORA / "manual")
    return home


@pytest.fixture
def program(manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A person who stands in an empty folder and has the manual indexed."""
    shutil.copytree(manual, tmp_path / "home")
    program = Program(tmp_path / "home")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return program


@pytest.mark.soak
def test_two_commands_give_a_report(program: Program) -> None:
    """Else a person who has only a folder gets no report without writing questions first."""
    made = program.run("eval", "init", "-d", "manual", "-n", "5")
    assert made.code == 0, made.err
    path = Path("manual.questions.jsonl")
    assert len(read_questions(path).questions) == 5
    assert made.out.startswith("manual.questions.jsonl: 5 questions (")
    assert "rag-assistant eval manual.questions.jsonl -d manual" in made.err
    report = program.run("eval", "manual.questions.jsonl", "-d", "manual", "--mode", "search")
    assert report.code == 0, report.err
    assert "nDCG@10" in report.out


def test_what_a_person_edited_is_not_written_over(program: Program) -> None:
    """Else an hour of looking questions through is gone."""
    path = Path("mine.jsonl")
    path.write_text('{"id": "1", "question": "Mine?"}\n', encoding="utf-8")
    told = program.run("eval", "init", "-d", "manual", "-n", "5", "-o", "mine.jsonl")
    assert told.code == 1
    assert "mine.jsonl exists already" in told.err
    assert "--force" in told.err
    assert "Mine?" in path.read_text(encoding="utf-8")
    forced = program.run(
        "eval", "init", "-d", "manual", "-n", "5", "-o", "mine.jsonl", "--force", "--json"
    )
    assert forced.json["questions"] == 5
    assert sum(forced.json["kinds"].values()) == 5
    assert forced.json["path"] == "mine.jsonl"
    assert "Mine?" not in path.read_text(encoding="utf-8")


def test_mistakes_are_one_line_with_the_next_step(program: Program) -> None:
    """Else a wrong name ends in a traceback."""
    told = program.run("eval", "init", "-d", "manuals")
    assert (told.code, told.out) == (1, "")
    assert "Did you mean manual?" in told.err
    assert len(told.err.strip().splitlines()) == 1


def test_a_model_elsewhere_is_asked_about_first(program: Program) -> None:
    """Else the text of a folder leaves this machine because a question set was wanted."""
    reply = {"question": "What would one ask here, then?", "answer": "the"}
    with ScriptedServer(Answer(json.dumps(reply))) as server:
        (program.home / "config.toml").write_text(
            f'[models.far]\nmodel = "far"\nbase_url = "{elsewhere(server.base_url)}"\n'
            'wire = "chat"\n',
            encoding="utf-8",
        )
        told = program.run("eval", "init", "-d", "manual", "-n", "5", "-m", "far")
    assert told.code == 1
    assert "Nobody has allowed the text of manual to go to" in told.err
    assert server.requests == []
    assert not Path("manual.questions.jsonl").exists()
