"""The process that code runs in: how it is started, spoken to, and ended with all it has started.

It gets a bare environment, an empty temporary folder to stand in, and a process group of its own;
what it prints is read at once, whatever it does, and kept up to a number of bytes.
"""

import json
import os
import queue
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import IO, Any

from rag_assistant.files.process_keeper import ProcessKeeper, end_family
from rag_assistant.files.process_limits import limits_memory
from rag_assistant.tools.permission import Extent
from rag_assistant.tools.python_session import guard, worker
from rag_assistant.tools.python_session.worker import read_frame, write_frame

FRAME_BYTES = 64 * 1024**2
"""The longest frame taken from the process: its results are cut, only its questions can be long."""

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT")
"""Environment variables that programs need to start and that hold no secrets."""

GUARDED = sys.platform == "linux"
"""Whether the worker is started by `guard`, which keeps it from the network and from files."""

_TRIED_SECONDS = 10.0

_SETTLING_SECONDS = 2.0
"""How long what was printed may take to arrive once its end is known."""


@dataclass(frozen=True, slots=True)
class PythonLimits:
    """What one run may cost: seconds, bytes of memory, and characters or bytes of each output."""

    seconds: float
    memory_bytes: int
    output: int = 20_000


@dataclass(frozen=True, slots=True)
class Printed:
    """What a run printed; `left_out` counts the bytes beyond the limit."""

    text: str
    left_out: int


@dataclass(frozen=True, slots=True)
class Holding:
    """What the system keeps the code from: addresses, files that are not its own, the environment
    of other processes, their sockets and ends (`programs`), and leaving `processes` behind."""

    network: bool = False
    files: bool = False
    environment: bool = False
    programs: bool = False
    processes: bool = False

    def extent(self, limits: PythonLimits) -> Extent:
        """Say it for the person who is asked."""
        after = "" if self.processes else f"; programs it starts may go on{_OPEN}"
        reached = "" if self.programs else f"; other programs of yours can be reached{_OPEN}"
        read = "" if self.environment else f"; your environment, keys too{_OPEN}"
        files = "those indexed here, through search alone" if self.files else f"all of yours{_OPEN}"
        return Extent(
            "Run Python?",
            ("none" if self.network else f"any{_OPEN}") + reached,
            files + read,
            f"at most {limits.seconds:g} seconds{after}",
        )


_OPEN = " (this system does not prevent it)"


def holding() -> Holding:
    """Give what the system keeps. It blocks for the start of a process, once."""
    return _tried()[0]


@cache
def _tried() -> tuple[Holding, tuple[bool, ...]]:
    """Try what the system keeps; give it with the layers that are to be there for that."""
    command = [sys.executable, "-I", guard.__file__, "--holds"]
    nothing = bare_environment(os.environ, tempfile.gettempdir())
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=_TRIED_SECONDS, check=True, env=nothing
        )
        told = json.loads(done.stdout)
        return Holding(**told["holds"]), tuple(told["layers"])
    except (OSError, subprocess.SubprocessError, ValueError, TypeError, LookupError):
        return Holding(), (False, False, False)


class PythonProcess:
    """A running process. `send` and `receive` block; `kill` does not, and is safe anywhere."""

    def __init__(self, limits: PythonLimits, environ: Mapping[str, str]) -> None:
        self._folder = tempfile.mkdtemp(prefix="rag-assistant-python-")
        mark = secrets.token_hex(16)
        told = {
            "mark": mark,
            "folder": self._folder,
            "memory_bytes": limits.memory_bytes if limits_memory() else 0,
            "seconds": limits.seconds,
            "characters": limits.output,
            "layers": _tried()[1],
        }
        # -I: no variable, no user's packages and no folder of ours decide what is imported.
        command = [sys.executable, "-I", guard.__file__, json.dumps(told), worker.__file__]
        if not GUARDED:
            command = guard.worker_command(worker.__file__, json.dumps(told))
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=bare_environment(environ, self._folder),
                start_new_session=True,
            )
        except OSError:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._keeper = ProcessKeeper(self._process.pid, limits.memory_bytes)
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._requests = self._process.stdin
        self._replies = self._process.stdout
        self._sending, self._receiving = threading.Lock(), threading.Lock()
        self._printed = _PrintedReader(self._process.stderr, mark.encode(), limits.output)
        self._ending = threading.Lock()
        self._said_all = False
        self._burial: threading.Thread | None = None

    def send(self, values: dict[str, Any]) -> None:
        """Send a frame; into a process that is gone it goes unheard."""
        with self._sending, suppress(OSError):
            if not self._requests.closed:
                write_frame(self._requests, values)

    def receive(self) -> dict[str, Any] | None:
        """Wait for a frame; None when the process is gone or talks nonsense."""
        with self._receiving:
            if self._replies.closed:
                return None
            try:
                frame = read_frame(self._replies, FRAME_BYTES)
            except ValueError:
                return None
            self._said_all = frame is None
            return frame

    def printed(self) -> Printed:
        """Give what was printed up to the end of the run, or of the process."""
        return self._printed.take()

    def kill(self) -> None:
        """End the process and all that it has started, at once; the rest is done behind it."""
        with self._ending:
            if self._burial:
                return
            if not self._said_all:
                self._end()
            self._burial = threading.Thread(target=self._bury)
            self._burial.start()

    def _end(self) -> None:
        # It is not waited for before, so the group's number cannot be another's by now.
        if sys.platform == "win32":
            end_family(self._process.pid)
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _bury(self) -> None:
        if self._said_all:
            self._see_the_end(_SETTLING_SECONDS)  # one that ends by itself is left to say how
        self._end()  # what it left in its group, too
        self._process.wait()
        self._keeper.close()
        with self._sending:
            self._requests.close()
        with self._receiving:
            self._replies.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _see_the_end(self, seconds: float) -> None:
        """Wait for the end of the process, which keeps its number, where the system can do that."""
        if sys.platform != "linux":
            return
        until = time.monotonic() + seconds
        flags = os.WEXITED | os.WNOWAIT | os.WNOHANG
        while os.waitid(os.P_PID, self._process.pid, flags) is None and time.monotonic() < until:
            time.sleep(0.01)

    def ended(self) -> str:
        """Kill it if it still runs, wait for its end, and say how it ended."""
        self.kill()
        assert self._burial
        self._burial.join()
        code = self._process.returncode
        if self._keeper.exceeded:
            return "it took more memory than it may"
        if code == guard.NOT_KEPT:
            _tried.cache_clear()
            return "the system keeps it from less than before"
        return f"signal {-code}" if code < 0 else f"exit code {code}"


def bare_environment(environ: Mapping[str, str], folder: str) -> dict[str, str]:
    """Give the environment of the process: what programs need, `folder` for all they write."""
    kept = {name: environ[name] for name in _PASSED_ON if name in environ}
    own = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), folder)
    # Teams of threads would take the memory that is allowed for their stacks alone.
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return kept | own | single


class _PrintedReader:
    """Reads what a process prints, from a thread of its own; `mark` stands at the end of each run.

    What comes behind a mark, of threads left running, belongs to the next run.
    """

    def __init__(self, stream: IO[bytes], mark: bytes, most: int) -> None:
        self._stream = stream
        self._mark = mark
        self._most = most
        self._kept = bytearray()
        self._left_out = 0
        self._lock = threading.Lock()
        self._runs: queue.SimpleQueue[Printed] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def take(self) -> Printed:
        """Give what the run printed that has ended, or what there is when its end does not come."""
        try:
            return self._runs.get(timeout=_SETTLING_SECONDS)
        except queue.Empty:
            return self._cut()

    def _read(self) -> None:
        with self._stream as stream:
            held = b""
            while data := os.read(stream.fileno(), 1 << 16):
                *runs, held = (held + data).split(self._mark)
                for run in runs:
                    self._keep(run)
                    self._runs.put(self._cut())
                # The end of it may be the beginning of a mark.
                safe = max(0, len(held) - len(self._mark) + 1)
                self._keep(held[:safe])
                held = held[safe:]
            self._keep(held)
        self._runs.put(self._cut())

    def _keep(self, data: bytes) -> None:
        with self._lock:
            room = self._most - len(self._kept)
            self._kept += data[:room]
            self._left_out += max(0, len(data) - room)

    def _cut(self) -> Printed:
        with self._lock:
            text = self._kept.decode("utf-8", "replace")
            left_out, self._left_out = self._left_out, 0
            self._kept.clear()
        return Printed(text, left_out)
