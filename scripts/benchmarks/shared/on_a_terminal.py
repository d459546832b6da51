"""A program on a terminal of its own, 80 by 24, whose screen is read as the bytes that come."""

import os
import pty
import resource
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from scripts.benchmarks.shared.places import ROOT

PATIENCE = 60.0
"""Seconds that words may take to come, or the program to end."""


class OnATerminal:
    """Runs a command from `__enter__` to `__exit__`, which kills what still runs.

    `worked` is, once it has ended, what the processor has worked for it, in seconds.
    """

    def __init__(self, command: Sequence[str], home: Path, **environment: str) -> None:
        self._command = command
        self._environment: Mapping[str, str] = {
            **os.environ,
            "TERM": "xterm-256color",
            "COLUMNS": "80",
            "LINES": "24",
            "RAG_ASSISTANT_HOME": str(home),
            "RAG_ASSISTANT_LOCAL_PORTS": "",
            **environment,
        }
        self._shown = b""
        self._ended = False
        self.worked = 0.0

    def __enter__(self) -> "OnATerminal":
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            self._command, stdin=slave, stdout=slave, stderr=slave, env=self._environment, cwd=ROOT
        )
        os.close(slave)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._ended:
            self._process.kill()
            self._take(os.wait4(self._process.pid, 0))
        os.close(self._master)

    def shows(self, words: bytes) -> None:
        """Wait until it has written words since the last that were waited for."""
        until = time.perf_counter() + PATIENCE
        while words not in self._shown:
            self._read()
            if time.perf_counter() > until:
                raise TimeoutError(f"never shown: {words!r}: {self._shown[-500:]!r}")
        self._shown = self._shown.partition(words)[2]

    def type(self, keys: bytes) -> None:
        """Type keys, as a terminal sends them."""
        os.write(self._master, keys)

    def ends(self) -> None:
        """Wait until it has ended by itself."""
        until = time.perf_counter() + PATIENCE
        while not (ended := os.wait4(self._process.pid, os.WNOHANG))[0]:
            self._read(0.002)
            if time.perf_counter() > until:
                raise TimeoutError(f"it did not end: {self._shown[-500:]!r}")
        self._take(ended)

    def _take(self, ended: tuple[int, int, resource.struct_rusage]) -> None:
        _, status, used = ended
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self.worked = used.ru_utime + used.ru_stime
        self._ended = True

    def _read(self, seconds: float = 0.05) -> None:
        if select.select([self._master], [], [], seconds)[0]:
            try:
                self._shown += os.read(self._master, 65_536)
            except OSError:  # Linux says so where nothing has the terminal open any more
                time.sleep(seconds)
