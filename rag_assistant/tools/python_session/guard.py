"""The process that starts the one which runs a model's code, and keeps it from what it has no
business with, as far as the system lets it (`containment`).

In namespaces of its own the kernel ends all that the code has started when its first process ends;
elsewhere the code cannot leave the group of processes that is ended as one. What the system does
not offer is left out: `--holds` tries what a child cannot do then, and code that was promised more
than the system keeps to by now is not run. `process` runs this as a script by its path.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":  # isolated, so our own package is found at the end of the path at most
    sys.path.append(str(Path(__file__).resolve().parents[3]))

from rag_assistant.tools.python_session.containment import (
    close_in,
    end_with_starter,
    filter_calls,
    go_apart,
)

GRACE_SECONDS = 1.0
"""How long the worker may take to leave nothing behind once whoever started it is gone."""

NOT_KEPT = 97
"""The exit code where the system keeps the code from less than was promised."""

SIGNALLED = 128
"""Added to a signal's number in the exit code of what it ended, as shells do."""


def main() -> None:
    """Start the worker, or say what can be kept, and end as it ends."""
    if sys.argv[1] == "--holds":
        sys.stdout.write(json.dumps(_tried()))
        return
    if sys.platform != "linux":
        raise NotImplementedError("only Linux keeps the worker from something")
    import resource  # noqa: PLC0415 - there is none on Windows

    told = json.loads(sys.argv[1])
    command = worker_command(sys.argv[2], sys.argv[1])
    lifeline = os.dup(0)
    apart = go_apart(told["memory_bytes"])
    first = os.fork()
    if not first:
        end_with_starter()
        os.close(lifeline)
        if apart:
            # The first process of a namespace ignores the signals that it has no handler for, so
            # the worker is the second one.
            worker = os.fork()
            if worker:
                _leave_streams()
                os._exit(_code_of(worker))
            os.setpgid(0, 0)
        layers = _layers(told["folder"], apart)
        if any(told["layers"][number] > there for number, there in enumerate(layers)):
            os._exit(NOT_KEPT)
        os.execv(command[0], command)
    _leave_streams()
    code, orphaned = _watched(lifeline, first)
    shutil.rmtree(told["folder"], ignore_errors=True)
    if orphaned:  # nobody else ends what is left of the group
        os.killpg(0, signal.SIGKILL)
    if code > SIGNALLED:  # so that whoever waits for this process learns how the worker ended
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), code - SIGNALLED)
    os._exit(code)


def worker_command(worker: str, told: str) -> list[str]:
    """Give the command that starts the worker itself: isolated, and in UTF-8 whatever the system
    writes in."""
    return [sys.executable, "-I", "-X", "utf8", worker, told]


def _layers(folder: str, apart: bool) -> tuple[bool, bool, bool]:
    """Close this process in, and say which of the layers there are."""
    return apart, close_in(folder, apart), filter_calls(apart)


def _tried() -> dict[str, object]:
    """Try in a child what it cannot do, closed in as the worker is."""
    if sys.platform != "linux":
        return {"layers": (False, False, False), "holds": {}}
    with (
        tempfile.TemporaryDirectory() as outside,
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as program,
    ):
        file = str(Path(outside) / "socket")
        program.bind(file)
        program.listen()
        address, asking = server.getsockname(), os.getpid()
        reading, writing = os.pipe()
        starter = os.fork()
        if not starter:
            apart = go_apart(1 << 20)
            child = os.fork()
            if child:
                os.waitpid(child, 0)
                os._exit(0)
            layers = _layers(folder, apart)
            environment = Path(f"/proc/{asking}/environ")
            holds = {
                "network": _fails(lambda: _call(socket.AF_INET, address)),
                "files": _fails(lambda: list(Path(outside).iterdir())),
                "environment": _fails(environment.read_bytes),
                "programs": _fails(lambda: _call(socket.AF_UNIX, file))
                and _fails(lambda: os.kill(asking, 0)),
                "processes": os.getpid() == 1 or _fails(os.setsid),
            }
            os.write(writing, json.dumps({"layers": layers, "holds": holds}).encode())
            os._exit(0)
        os.close(writing)
        told: dict[str, object] = json.loads(os.read(reading, 1 << 12))
        os.close(reading)
        os.waitpid(starter, 0)
        return told


def _fails(action: Callable[[], object]) -> bool:
    try:
        action()
    except OSError:
        return True
    return False


def _call(family: int, address: str | tuple[str, int]) -> None:
    with socket.socket(family) as calling:
        calling.settimeout(1)
        calling.connect(address)


def _watched(lifeline: int, first: int) -> tuple[int, bool]:
    """Wait for the end of our child, and see to it when whoever started us is gone; give its exit
    code, and whether that was so. After `go_apart` there can be no thread for it."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing)
    looking = select.poll()
    looking.register(lifeline, 0)  # tells that its other end is closed, and no more
    looking.register(reading, select.POLLIN)
    orphaned = False
    while not (ended := os.waitpid(first, os.WNOHANG))[0]:
        for descriptor, _ in looking.poll():
            if descriptor == reading:
                os.read(reading, 64)
                continue
            looking.unregister(lifeline)
            orphaned = True
            time.sleep(GRACE_SECONDS)
            with contextlib.suppress(ProcessLookupError):
                os.kill(first, signal.SIGKILL)
    return _exit_code(ended[1]), orphaned


def _leave_streams() -> None:
    """Have no part in the pipes, so that their other ends see the worker's end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _code_of(child: int) -> int:
    """Wait for a child, and for what else becomes ours; give the child's exit code."""
    while True:
        try:
            ended, status = os.wait()
        except InterruptedError:
            continue
        if ended == child:
            return _exit_code(status)


def _exit_code(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else SIGNALLED - code


if __name__ == "__main__":
    main()
