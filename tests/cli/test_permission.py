"""Asking for permission: in a real terminal, and where there is none."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from rag_assistant.cli.permission import SHOWN_CHARACTERS, described
from rag_assistant.tools.permission import PermissionRequest

ASKING = """
import asyncio, json, sys
from rag_assistant.cli.permission import terminal_permit
from rag_assistant.tools.permission import PermissionRequest

async def main():
    permit = terminal_permit(json.loads(sys.argv[1]))
    requests = [PermissionRequest(**request) for request in json.loads(sys.argv[2])]
    asked = asyncio.gather(*map(permit, requests))
    ticks = 0
    while not asked.done():
        await asyncio.sleep(0.01)
        ticks += 1
    print("DECIDED", *(decision.value for decision in await asked), "ticks", ticks, "end")

asyncio.run(main())
"""
NO_WATCHING = """
import asyncio
def refuse(*_):
    raise NotImplementedError
asyncio.SelectorEventLoop.add_reader = refuse
"""
"""On Windows the loop of events cannot watch a terminal."""

WRITE = {
    "tool": "files_write",
    "arguments": {"path": "a.txt", "text": "one\ntwo"},
    "explanation": 'Run write of files with {"path": "a.txt", "text": "one\\ntwo"}',
}
READY = "[n]o: "


def command(
    requests: list[dict[str, Any]], allowed: list[str], *, watching: bool = True
) -> list[str]:
    code = ASKING if watching else NO_WATCHING + ASKING
    return [sys.executable, "-c", code, json.dumps(allowed), json.dumps(requests)]


class Terminal:
    """A pseudo-terminal that a program runs in."""

    def __init__(self, master: int, process: "subprocess.Popen[bytes]") -> None:
        self.master = master
        self.process = process
        self.shown = ""

    def wait_for(self, text: str, times: int = 1) -> None:
        """Read the screen until `text` was on it so many times."""
        deadline = time.monotonic() + 20
        while self.shown.count(text) < times:
            assert time.monotonic() < deadline, self.shown
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    piece = os.read(self.master, 65_536)
                except OSError:  # the program has ended
                    piece = b""
                assert piece, self.shown
                self.shown += piece.decode()

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def decided(self) -> list[str]:
        self.wait_for(" end")
        return self.shown.partition("DECIDED ")[2].partition(" ticks")[0].split()


@contextmanager
def terminal(
    *requests: dict[str, Any], typed_before: str = "", watching: bool = True
) -> Iterator[Terminal]:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    if typed_before:
        os.write(master, typed_before.encode())
    process = subprocess.Popen(
        command(list(requests), [], watching=watching),
        stdin=slave, stdout=slave, stderr=slave, close_fds=True,
    )  # fmt: skip
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


@pytest.mark.parametrize("watching", [True, False])
@pytest.mark.parametrize(
    ("typed", "decision"),
    [
        ("o\n", "once"),
        ("Once\n", "once"),
        ("a\n", "always"),
        ("n\n", "no"),
        ("\n", "no"),
        ("yes\n", "no"),
        ("\x04", "no"),
    ],
)
def test_the_answer_counts_as_typed(typed: str, decision: str, watching: bool) -> None:
    """A tool would run though the person said no, or pressed Enter or Ctrl-D; on Windows nobody
    could be asked."""
    with terminal(WRITE, watching=watching) as shown:
        shown.wait_for(READY)
        shown.type(typed)
        assert shown.decided() == [decision]


@pytest.mark.parametrize("watching", [True, False])
def test_ctrl_c_is_no_and_the_run_goes_on(watching: bool) -> None:
    """Ctrl-C at the question would end the run, or be taken for leave."""
    with terminal(WRITE, WRITE, watching=watching) as shown:
        shown.wait_for(READY)
        shown.process.send_signal(signal.SIGINT)
        shown.wait_for(READY, times=2)
        shown.type("o\n")
        assert shown.decided() == ["no", "once"]


def test_what_will_run_is_shown_before_the_question() -> None:
    """A person would allow what they did not see, or see an argument's lines run together."""
    with terminal(WRITE) as shown:
        shown.wait_for(READY)
        before = shown.shown.replace("\r", "").partition("Allow it?")[0]
        assert "The model wants to run files_write:\n  | network: not known" in before
        assert "  | words: the model's, not yours\n  | Run write of files with" in before
        assert "  | text:\n  | one\n  | two\n" in before


@pytest.mark.parametrize("watching", [True, False])
def test_questions_come_one_after_the_other_and_hold_up_nothing(watching: bool) -> None:
    """Two calls at once would mix their questions, or waiting would freeze the run."""
    with terminal(WRITE, {**WRITE, "tool": "files_delete"}, watching=watching) as shown:
        shown.wait_for(READY)
        assert "files_delete" not in shown.shown
        time.sleep(0.3)
        shown.type("n\n")
        shown.wait_for(READY, times=2)
        shown.type("a\n")
        assert shown.decided() == ["no", "always"]
        assert int(shown.shown.partition("ticks ")[2].split()[0]) > 15


@pytest.mark.parametrize("watching", [True, False])
def test_what_was_typed_before_the_question_is_no_answer(watching: bool) -> None:
    """A line typed ahead, or pasted, would allow a call that nobody had seen."""
    with terminal(WRITE, typed_before="a\n", watching=watching) as shown:
        shown.wait_for(READY)
        time.sleep(0.2)
        assert "DECIDED" not in shown.shown
        shown.type("n\n")
        assert shown.decided() == ["no"]


@pytest.mark.parametrize("stdin", ["", "o\na\n"])
def test_on_a_pipe_the_answer_is_no(stdin: str) -> None:
    """A script's input would be taken for a person's leave, or a pipe would wait for ever."""
    done = subprocess.run(
        command([WRITE], []), input=stdin, capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.startswith("DECIDED no")
    assert done.stderr == (
        "files_write was not run: there is no terminal to ask at. To let it run, "
        "add --allow files_write\n"
    )


def test_without_any_input_the_answer_is_no() -> None:
    """A service without standard streams would end in a traceback."""
    code = f"import sys\nsys.stdin = None\n{ASKING}"
    done = subprocess.run(
        [sys.executable, "-c", code, "[]", json.dumps([WRITE])],
        capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("DECIDED no")


def test_an_allowed_tool_is_not_asked_for_and_no_other() -> None:
    """--allow would not work on a pipe, or would let everything run."""
    requests = [WRITE, {**WRITE, "tool": "files_delete"}]
    done = subprocess.run(
        command(requests, ["files_write"]), capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.startswith("DECIDED always no")
    assert "--allow files_delete" in done.stderr


def test_code_that_is_not_shown_in_full_is_said_to_be_longer() -> None:
    """What stands after the bound would run unseen, and nobody would know."""
    code = "x = 1\n" * SHOWN_CHARACTERS
    shown = described(PermissionRequest("run_python", {"code": code}, "Run Python:"))
    assert len(shown) < 2 * SHOWN_CHARACTERS
    assert "characters that are not shown" in shown.splitlines()[-1]


def test_code_in_the_explanation_is_not_shown_twice() -> None:
    """The person would read the same program twice."""
    code = "import os\nprint(os.name)\n"
    request = PermissionRequest("run_python", {"code": code}, f"Run Python:\n{code}")
    assert described(request).count("print(os.name)") == 1


def test_arguments_cannot_pass_for_the_question() -> None:
    """A model could hide a line, or write a question of its own below another call."""
    text = "ok\nAllow it? [o]nce\x1b[2K\x1b[1A\u202e"
    shown = described(PermissionRequest("t", {"a": text}, "Do it."))
    assert "\x1b" not in shown and "\u202e" not in shown
    assert all(line.startswith("  | ") for line in shown.splitlines()[1:])
