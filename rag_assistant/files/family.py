"""Starts a program and stays beside it, so that all that it starts ends with it, what was left to
itself in a session of its own too (Linux: PR_SET_CHILD_SUBREAPER).

It is run as a script by its path, `family.py PROGRAM ARGUMENTS…`, imports the standard library
alone, and ends with the program's exit code. The program has our input, output and environment.
When whoever holds the other end of the input is gone, the program has `GRACE_SECONDS` to end by
itself; `END_NOW` ends all at once.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time
from pathlib import Path

GRACE_SECONDS = 5.0

END_NOW = "SIGUSR1"
"""The name of the signal, which Windows lacks, that ends the program and all that it started."""

_PR_SET_CHILD_SUBREAPER = 36
_SIGNALLED = 128
_CANNOT_START = 127


def main() -> None:
    """Start the program, wait for its end, and end what it leaves."""
    if sys.platform != "linux":
        raise NotImplementedError("only Linux gives children that are left to somebody else")
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    lifeline = os.dup(0)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    for name in (signal.SIGCHLD, signal.SIGUSR1, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, lambda *_: None)
    signal.set_wakeup_fd(writing)
    program = os.fork()
    if not program:
        _become(sys.argv[1:])
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # the ends of the pipes are the program's
        os.dup2(nothing, descriptor)
    code = _end_of(program, lifeline, reading)
    _end_all()
    os._exit(code if code >= 0 else _SIGNALLED - code)


def _become(command: list[str]) -> None:
    for name in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and what it becomes would
        signal.signal(name, signal.SIG_DFL)
    try:
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"It cannot be started: {error.strerror}.\n".encode())
        os._exit(_CANNOT_START)


def _end_of(program: int, lifeline: int, signals: int) -> int:
    """Wait until the program ends, or is to be ended; give its exit code."""
    looking = select.poll()
    looking.register(lifeline, 0)  # tells that its other end is closed, and no more
    looking.register(signals, select.POLLIN)
    until: float | None = None
    while True:
        while (ended := _reaped()) is not None:
            if ended[0] == program:
                return ended[1]
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            return -signal.SIGKILL
        for descriptor, _ in looking.poll(None if left is None else left * 1_000):
            if descriptor == lifeline:
                looking.unregister(lifeline)
                until = time.monotonic() + GRACE_SECONDS
            elif signal.SIGUSR1 in os.read(signals, 64):
                return -signal.SIGKILL


def _reaped() -> tuple[int, int] | None:
    """Take leave of a child that has ended, if there is one; give its number and exit code."""
    try:
        child, status = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
    return (child, os.waitstatus_to_exitcode(status)) if child else None


def _end_all() -> None:
    """Kill all children, and theirs as they become ours, until there are none."""
    until = time.monotonic() + GRACE_SECONDS  # one of another user's rights cannot be killed
    while (children := _children()) and time.monotonic() < until:
        for child in children:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        if _reaped() is None:
            time.sleep(0.005)


def _children() -> list[int]:
    told = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(child) for child in told.read_text("ascii").split()]


if __name__ == "__main__":
    main()
