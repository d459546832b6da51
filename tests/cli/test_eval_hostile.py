"""`eval` where things go wrong: limits that are none, disks that are full, a person who says no."""

import os
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from rag_assistant.cli.eval_options import with_action
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.runs.header import Header, Settings
from rag_assistant.evaluation.runs.store import HEADER, LOCK, QUESTIONS, RunStore
from scripts.benchmarks.shared.model_replies import Answer
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.cli.program import COMMAND, Program
from tests.egress.elsewhere import elsewhere

RUN = Header(0, "/a/mine.txt", "mine.txt", "abc", 1, 1e9, Settings("search", ("search",)))


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program with a folder of one file indexed, and three questions beside it."""
    folder = tmp_path / "staff"
    folder.mkdir()
    (folder / "leave.md").write_text("# Leave\n\nEverybody has 27 days of leave a year.\n")
    (tmp_path / "mine.txt").write_text("How many days of leave?\nWho won?\nWhat is paid?\n")
    program = Program(tmp_path / "home")
    assert program.run("index", str(folder)).code == 0
    return program


def configure(program: Program, address: str) -> None:
    """Let a model with prices answer."""
    (program.home / "config.toml").write_text(
        f'model = "mine"\n[models.mine]\nmodel = "scripted"\nbase_url = "{address}"\n'
        "price_input = 1000.0\n"
    )


@pytest.mark.parametrize(
    "limit", ["--max-cost=nan", "--max-cost=-1", "--max-minutes=inf", "--tolerance=x"]
)
def test_a_limit_that_is_no_number_is_not_taken(
    program: Program, tmp_path: Path, limit: str
) -> None:
    """A slip of the pen would be a budget that nothing ever meets."""
    done = program.run("eval", str(tmp_path / "mine.txt"), "-d", "staff", limit)
    assert done.code == 2
    assert "is not a number from 0 on" in done.err


def test_a_run_that_met_its_budget_says_so_to_scripts(program: Program, tmp_path: Path) -> None:
    """A script would see exit code 1 and no word of why."""
    with ScriptedServer(Answer("I do not know.", usage=(1000, 0))) as server:
        configure(program, server.base_url)
        command = ["eval", str(tmp_path / "mine.txt"), "-d", "staff", "--mode", "answer"]
        done = program.run(*command, "--at-once", "1", "--max-cost", "0.5", "--json")
        assert len(server.requests) == 1
    assert done.code == 1
    assert done.err == "Run 1 has not ended, and counts as failed: rag-assistant eval resume 1\n"
    assert any("--max-cost; 1 spent" in note for note in done.json["notes"])


def test_a_ranking_that_a_mode_does_not_make_is_told_before_anything_is_asked(
    program: Program, tmp_path: Path
) -> None:
    """An hour of answers would be paid for before a person learns that nothing can be written."""
    command = ["eval", str(tmp_path / "mine.txt"), "-d", "staff", "--mode", "answer"]
    for option in ("--run", "--report"):
        done = program.run(*command, option, str(tmp_path / "out.trec"))
        assert (done.code, done.out) == (1, "")
        assert "the run has no ranking" in done.err
    assert RunStore(program.home).numbers() == []


def test_a_report_that_cannot_be_written_is_shown_all_the_same(
    program: Program, tmp_path: Path
) -> None:
    """What took an hour would be nowhere to be seen."""
    full = tmp_path / "full.md"
    full.symlink_to("/dev/full")
    command = ["eval", str(tmp_path / "mine.txt"), "-d", "staff", "--mode", "search"]
    done = program.run(*command, "--report", str(full))
    assert done.code == 1
    assert "3 questions" in done.out
    assert "cannot be written: No space left on device" in done.err


def test_runs_say_whether_they_go_on(program: Program) -> None:
    """A person would resume, or remove, what another process is at work on."""
    run = RunStore(program.home).begin(RUN, [Question("1", "Leave?")])
    assert "going on" in program.run("eval", "runs").out
    assert program.run("eval", "runs", "--remove", "1").code == 1
    run.close()
    assert "broken off" in program.run("eval", "runs").out


def test_nothing_is_left_of_a_run_that_could_not_begin(tmp_path: Path) -> None:
    """Folders that no command shows would pile up on a full disk."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    many = [Question(str(number), "Leave? " * 100) for number in range(1000)]
    was = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(QuestionSetError, match="cannot be kept"):
            RunStore(tmp_path).begin(RUN, many)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, was)
    assert list((tmp_path / "evaluations").iterdir()) == []


def test_a_disk_that_is_full_at_the_end_is_one_line(tmp_path: Path) -> None:
    """The last of a thousand questions would end in an internal error."""
    run = RunStore(tmp_path).begin(RUN, [Question("1", "Leave?")])
    (run.folder / f"{HEADER}.part").mkdir()
    with pytest.raises(QuestionSetError, match="cannot be kept"):
        run.finish(2.0)
    run.close()


def test_a_run_that_may_not_be_changed_is_one_line(tmp_path: Path) -> None:
    """On a disk that is read only, removing or resuming would end in an internal error."""
    store = RunStore(tmp_path)
    store.begin(RUN, [Question("1", "Leave?")]).close()
    (store.folder / "1" / LOCK).mkdir()
    for change in (store.remove, store.resume):
        with pytest.raises(QuestionSetError, match="cannot be changed"):
            change(1)
    assert not store.going_on(1)


def test_questions_that_are_lost_are_told(tmp_path: Path) -> None:
    """The figures of a damaged run would pass for those of all its questions."""
    store = RunStore(tmp_path)
    store.begin(RUN, [Question("1", "Leave?")]).close()
    (store.folder / "1" / QUESTIONS).write_text('{"id": "1", ')
    told = "Only 0 of the 1 questions of run 1 can be read, and are counted"
    assert store.read(1).notes == (told,)


def test_a_person_sees_the_whole_question_and_its_answer_is_taken(
    program: Program, tmp_path: Path
) -> None:
    """The bar would be drawn over the question, or its keys be lost as markup."""
    with ScriptedServer() as server:
        configure(program, elsewhere(server.base_url))
        with (program.home / "config.toml").open("a") as file:
            file.write('[databases.staff]\negress = "ask"\n')
        command = ["eval", str(tmp_path / "mine.txt"), "-d", "staff", "--mode", "answer"]
        shown = _typed(program, command, b"Allow it? [y]es, from now on, [n]o: ", b"n\n")
        assert server.requests == []
    question = shown.partition("Allow it?")[2]
    assert "Nobody has allowed the text of staff" in question
    assert question.count("asking") == 0
    assert RunStore(program.home).numbers() == []


def _typed(program: Program, command: list[str], awaited: bytes, typed: bytes) -> str:
    """Run in a terminal, and type once something is shown; give all that was."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *command], stdin=slave, stdout=slave, stderr=slave,
        env=program.environment(TERM="xterm-256color"), close_fds=True,
    )  # fmt: skip
    os.close(slave)
    shown, told = b"", False
    until = time.monotonic() + 60
    try:
        while time.monotonic() < until:
            if not select.select([master], [], [], 0.1)[0]:
                continue
            try:
                shown += os.read(master, 65_536)
            except OSError:  # Linux: the other side is closed
                break
            if awaited in shown and not told:
                os.write(master, typed)
                told = True
        assert process.wait(timeout=10) == 1
    finally:
        process.kill()
        process.wait()
        os.close(master)
    assert told, shown.decode("utf-8", "replace")
    return shown.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("eval --debug runs", "eval --debug runs"),
        ("eval --home h runs", "eval --home h runs"),
        ("eval --home=h --debug a.jsonl", "eval --home=h --debug run a.jsonl"),
        ("eval --home", "eval --home"),
    ],
)
def test_options_of_all_commands_may_stand_behind_eval(written: str, meant: str) -> None:
    """What the help of `eval` offers would be read as a question set."""
    assert with_action(written.split()) == meant.split()


def test_options_of_all_commands_may_stand_at_the_end(program: Program, tmp_path: Path) -> None:
    """`eval FILE` would be the only command that does not take them there."""
    other = tmp_path / "other"
    done = program.run("eval", "runs", "--home", str(other))
    assert (done.code, done.err) == (0, "No run is kept yet. Begin one: rag-assistant eval FILE\n")
    assert "Traceback" in program.run("eval", "nothing.txt", "--debug").err


def test_an_empty_set_is_told_what_its_form_wants(program: Program, tmp_path: Path) -> None:
    """Who writes a table would be told to write JSON."""
    for name, wanted in (("a.csv", "first row"), ("a.txt", "on each line"), ("a.jsonl", "JSON")):
        (tmp_path / name).write_text("\n")
        done = program.run("eval", str(tmp_path / name), "-d", "staff")
        assert (done.code, done.out, wanted in done.err) == (1, "", True)
