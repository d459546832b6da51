"""The program as a person starts it: a process of its own, with pipes or a terminal."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli import forked

COMMAND = [sys.executable, "-m", "rag_assistant"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON value that it must be."""
        return json.loads(self.out)


class Program:
    """Runs commands with a home of their own."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def environment(self, **more: str) -> dict[str, str]:
        return {**os.environ, "RAG_ASSISTANT_HOME": str(self.home), **more}

    def run(self, *arguments: str, stdin: str = "", **more: str) -> Outcome:
        environment = self.environment(**more)
        if forked.fits(environment):
            return Outcome(*forked.run(arguments, stdin, environment, seconds=60))
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            env=environment,
            timeout=60,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def run_in_terminal(
        self, *arguments: str, typed: str = "", term: str = "xterm-256color"
    ) -> Outcome:
        """Run with a terminal for all three streams; `out` is what the screen was sent."""
        pty = pytest.importorskip("pty")
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave,
            env=self.environment(TERM=term), close_fds=True,
        )  # fmt: skip
        os.close(slave)
        shown = b""
        if typed:
            os.write(master, typed.encode())
        deadline = time.monotonic() + 60
        try:
            while time.monotonic() < deadline:
                ready, _, _ = select.select([master], [], [], 0.1)
                if ready:
                    try:
                        piece = os.read(master, 65_536)
                    except OSError:  # Linux: the other side is closed
                        break
                    if not piece:
                        break
                    shown += piece
            code = process.wait(timeout=10)
        finally:
            process.kill()
            process.wait()
            os.close(master)
        return Outcome(code, shown.decode("utf-8", "replace"), "")

    def interrupt_when(self, path: Path, *arguments: str) -> Outcome:
        """Start a command and send Ctrl-C as soon as `path` exists."""
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.environment(),
        )  # fmt: skip
        deadline = time.monotonic() + 30
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        return Outcome(process.returncode, out, err)

    @contextmanager
    def running(self, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
        """Start a command that goes on; its lines are read while it runs."""
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.environment(),
        )  # fmt: skip
        try:
            yield process
        finally:
            process.kill()
            process.communicate()
