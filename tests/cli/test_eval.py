"""`eval` as a process of its own: killed, interrupted, piped, with a gate for scripts."""

import json
import signal
import time
from pathlib import Path

import pytest

from rag_assistant.cli.eval_options import with_action
from scripts.benchmarks.shared.model_replies import Answer, Silence
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.cli.program import Outcome, Program

COUNT = 5


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program with a folder of ten lines indexed, and five questions beside it."""
    folder = tmp_path / "staff"
    folder.mkdir()
    (folder / "leave.md").write_text("# Leave\n\nEverybody has 27 days of leave a year.\n")
    program = Program(tmp_path / "home")
    assert program.run("index", str(folder)).code == 0
    lines = [
        {"question": f"Question number {n}: how many days of leave?", "answers": ["27"]}
        for n in range(COUNT)
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return program


def configure(program: Program, server: ScriptedServer) -> None:
    """Let a model on loopback answer."""
    (program.home / "config.toml").write_text(
        f'model = "mine"\n[models.mine]\nmodel = "scripted"\nbase_url = "{server.base_url}"\n'
        'wire = "chat"\n'
    )


def run(program: Program, tmp_path: Path, *more: str) -> Outcome:
    """Run the questions."""
    return program.run("eval", str(tmp_path / "mine.jsonl"), "-d", "staff", *more)


@pytest.mark.soak
def test_a_killed_run_goes_on_and_asks_nothing_twice(program: Program, tmp_path: Path) -> None:
    """After a power cut everything would be asked, and paid for, again."""
    stuck = True

    def reply(request: SeenRequest) -> Answer | Silence:
        return Silence() if stuck and "Question number 3" in request.text() else Answer("27.")

    with ScriptedServer(reply) as server:
        configure(program, server)
        command = ["eval", str(tmp_path / "mine.jsonl"), "-d", "staff"]
        command += ["--mode", "answer", "--at-once", "1"]
        with program.running(*command) as process:
            until = time.monotonic() + 30
            while not any("Question number 3" in each.text() for each in server.requests):
                assert time.monotonic() < until
                assert process.poll() is None
                time.sleep(0.01)
            process.kill()
            process.wait()
        stuck = False
        before = len(server.requests)
        again = program.run(*command, "--json")
        later = [request.text() for request in server.requests[before:]]
    assert again.code == 0, again.err
    assert "Run 1 was broken off at 3 of 5, and goes on" in again.err
    assert not any(f"Question number {n}" in text for text in later for n in range(3))
    assert all(any(f"Question number {n}" in text for text in later) for n in (3, 4))
    assert [one["outcome"] for one in again.json["per_question"]] == ["refused"] * COUNT
    assert again.json["run"]["ended"]


@pytest.mark.soak
def test_ctrl_c_says_what_is_kept_and_how_to_go_on(program: Program, tmp_path: Path) -> None:
    """A person would think that all was lost, and begin anew."""
    with ScriptedServer(Silence()) as server:
        configure(program, server)
        command = ["eval", str(tmp_path / "mine.jsonl"), "-d", "staff", "--mode", "answer"]
        with program.running(*command) as process:
            until = time.monotonic() + 30
            while not server.requests and time.monotonic() < until:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert "What is done is kept as run 1. Go on: rag-assistant eval resume 1" in err


def test_gates_decide_the_exit_code(program: Program, tmp_path: Path) -> None:
    """A script could not tell a change for the worse from a good run."""
    asked = {"question": "How many days of leave does everybody have?", "answers": ["27 days"]}
    lines = [json.dumps({"id": number, **asked}) for number in range(COUNT)]
    (tmp_path / "mine.jsonl").write_text("\n".join(lines))
    good = run(program, tmp_path, "--min", "answer_contains=0.9", "--json")
    assert good.code == 0, good.err
    assert good.json["metrics"]["answer_contains"] == 1
    assert "Holds: answer_contains is 1" in good.err
    (tmp_path / "staff" / "leave.md").write_text("# Parking\n\nThe permit costs forty euro.\n")
    assert program.run("index", str(tmp_path / "staff")).code == 0
    bad = run(program, tmp_path, "--min", "answer_contains=0.9", "--json")
    assert bad.code == 1
    assert "FAILS: answer_contains is 0" in bad.err
    few = run(program, tmp_path, "--baseline", "1", "--json")
    assert "answer_contains: 1.000 in run 1, now 0.000" in few.err
    slip = run(program, tmp_path, "--min", "answer_contain=0.9")
    assert slip.code == 1
    assert slip.err.count("\n") == 1
    assert "answer_contains" in slip.err
    assert slip.out == ""
    listed = program.run("eval", "runs", "--json").json["runs"]
    assert [each["number"] for each in listed] == [3, 2, 1]


def test_two_commands_from_a_folder_and_ten_questions_to_a_report(tmp_path: Path) -> None:
    """The promise of the evaluation: index, eval, and there is something to look at."""
    folder = tmp_path / "my notes"
    folder.mkdir()
    for number in range(10):
        text = f"# Device {number}\n\nThe pump of device {number} weighs {number + 40} kilograms.\n"
        (folder / f"device-{number}.md").write_text(text)
    asked = [f"What does the pump of device {number} weigh?" for number in range(10)]
    (tmp_path / "ten.csv").write_text("question\n" + "\n".join(asked) + "\n")
    program, page = Program(tmp_path / "home"), tmp_path / "report.html"
    first = program.run("index", str(folder))
    second = program.run("eval", str(tmp_path / "ten.csv"), "--report", str(page))
    assert (first.code, second.code) == (0, 0), second.err
    assert "10 questions" in second.out
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert program.run("eval", "report", "--json").json["metrics"]["citation_verified"] == 1


def test_runs_are_listed_shown_and_removed(program: Program, tmp_path: Path) -> None:
    """What is kept could not be found again, or never be got rid of."""
    assert "No run is kept yet" in program.run("eval", "runs").err
    shown = run(program, tmp_path, "--mode", "search").out
    listed = program.run("eval", "runs").out
    assert "mine.jsonl" in listed
    assert "5 questions" in listed
    assert program.run("eval", "report").out == shown
    markdown = tmp_path / "r.md"
    assert program.run("eval", "report", "1", str(markdown)).code == 0
    assert "mine.jsonl" in markdown.read_text()
    assert program.run("eval", "runs", "--remove", "1").err == "Run 1 is removed.\n"
    gone = program.run("eval", "report", "1")
    assert (gone.code, gone.err.count("\n")) == (1, 1)
    assert "There is no run 1" in gone.err


@pytest.mark.soak
def test_progress_is_for_terminals_alone(program: Program, tmp_path: Path) -> None:
    """Bars would fill the logs of scripts, or nobody would see how long it takes."""
    assert run(program, tmp_path).err == ""
    command = ["eval", str(tmp_path / "mine.jsonl"), "-d", "staff", "--anew"]
    shown = program.run_in_terminal(*command).out
    assert "searching" in shown
    assert "asking" in shown


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("eval a.jsonl", "eval run a.jsonl"),
        ("--home h eval a.jsonl", "--home h eval run a.jsonl"),
        ("--debug eval -d x a.jsonl", "--debug eval run -d x a.jsonl"),
        ("eval ./init", "eval run ./init"),
        ("eval init -d x", "eval init -d x"),
        ("eval --help", "eval --help"),
        ("eval", "eval"),
        ("ask eval what", "ask eval what"),
        ("search eval", "search eval"),
        ("", ""),
    ],
)
def test_a_file_behind_eval_is_run(written: str, meant: str) -> None:
    """Other commands would be misread, or `eval FILE` need one more word."""
    assert with_action(written.split()) == meant.split()


def test_a_run_that_cannot_be_read_is_named_with_the_way_to_be_rid_of_it(
    program: Program, tmp_path: Path
) -> None:
    """A damaged run would be counted by nobody knows which number, and stay for ever."""
    run(program, tmp_path, "--mode", "search")
    (program.home / "evaluations" / "1" / "run.json").write_text("{")
    told = program.run("eval", "runs").err
    assert "Run 1 cannot be read. Remove it: rag-assistant eval runs --remove 1" in told
    assert program.run("eval", "runs", "--remove", "1").code == 0
    assert "No run is kept yet" in program.run("eval", "runs").err
