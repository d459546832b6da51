"""Killed, quit in the middle of everything: nothing is lost, and nothing is left behind."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from threading import Thread

import pytest

from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_replies import Answer, Call
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.terminal.conftest import START, Opener, children, program_of, quit_program, use_model
from tests.terminal.terminal import PROMPT, Terminal

FILES = 1_200


def _many(folder: Path) -> Path:
    folder.mkdir()
    for number in range(FILES):
        text = f"# Minute {number}\n\n" + f"The meeting number {number} decided nothing. " * 200
        (folder / f"minute-{number:04}.md").write_text(text, encoding="utf-8")
    return folder


def _below(process: int) -> set[int]:
    """Give the processes that descend from one."""
    direct = children(process)
    return direct.union(*map(_below, direct))


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _begin_indexing(terminal: Terminal, folder: Path) -> None:
    terminal.press("F4")
    terminal.sees("Library")
    terminal.press("a")
    terminal.sees("never changed", "Enter Choose")
    terminal.enter(str(folder))
    terminal.sees("readable", "Index it")
    terminal.press("Enter")


@pytest.mark.soak
def test_indexing_that_was_killed_goes_on_at_the_next_start(
    home: Path, tmp_path: Path, opened: Opener
) -> None:
    """If it fails, a database stays half full, or holds documents twice."""
    folder = _many(tmp_path / "minutes")
    terminal = opened()
    library = Library(home)
    program = program_of(terminal)

    def entries() -> int:
        return library.database("minutes").figures().entries if "minutes" in library.names() else 0

    def kill_half_way() -> None:
        while _runs(program) and not entries():
            time.sleep(0.001)
        os.kill(program, signal.SIGKILL)

    killer = Thread(target=kill_half_way)  # what is on the screen may come after the end
    killer.start()
    _begin_indexing(terminal, folder)
    killer.join()
    terminal.until(lambda: not _runs(program), "the end")
    assert 0 < entries() < FILES
    again = opened()
    again.sees(f"{FILES + 3:,} documents")
    again.misses("indexing")
    figures = library.database("minutes").figures()
    assert figures.entries == FILES
    assert not figures.unfinished
    paths = [entry.path for entry in library.database("minutes").entries()]
    assert len(paths) == len(set(paths)) == FILES
    again.press("F4")
    again.sees(f"{FILES:,} documents")
    quit_program(again)
    told = subprocess.run(
        [*START.split(), "databases", "list", "--json"],
        env={**os.environ, "RAG_ASSISTANT_HOME": str(home)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    listed = {row["name"]: row["entries"] for row in json.loads(told.stdout)["databases"]}
    assert listed == {"staff": 3, "minutes": FILES}


@pytest.mark.soak
def test_quitting_ends_a_thread_a_process_and_a_stream(
    home: Path, tmp_path: Path, opened: Opener
) -> None:
    """If it fails, the shell comes late, the terminal stays odd, or a process runs on."""
    folder = _many(tmp_path / "minutes")
    code = "import time\nkept = 1\nprint('it runs')"
    run = Call("run_python", json.dumps({"code": code}))
    script = (Answer(calls=(run,)), Answer("Python has run."), Answer("Words.", then="stall"))
    with ScriptedServer(*script) as server:
        use_model(home, server)
        config = home / "config.toml"
        config.write_text(config.read_text() + "\n[tools]\nrun_python = true\n", encoding="utf-8")
        terminal = opened()
        terminal.enter("Run it?")
        terminal.sees("Run Python?", "y once")  # the card: before it is open, letters are typed
        terminal.press_until("y", lambda: "Python has run." in terminal.text(), "the run")
        terminal.press("C-c")
        terminal.enter("Stream now?")
        terminal.sees("Words.", "Esc stops")
        _begin_indexing(terminal, folder)
        terminal.sees("indexing")
        left = _below(terminal.shell)
        assert len(left) >= 2, "the program and the Python of its session"
        terminal.press("C-q")
        terminal.until(lambda: terminal.text().rstrip().endswith(PROMPT), "the shell")
        terminal.until(lambda: not any(map(_runs, left)), "the end of all processes")
        terminal.until(server.requests[-1].hung_up.is_set, "the end of the connection")
        assert "Traceback" not in terminal.text()
        terminal.enter("echo it is $((40 + 2))")
        terminal.sees("it is 42")
        fresh = Terminal({})
        with fresh:
            assert terminal.modes == fresh.modes
