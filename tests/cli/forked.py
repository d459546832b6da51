"""Commands of the program in processes of their own, forked from one that has imported it.

Most of what a short command costs is importing. The processes are real, with pipes, an environment
and an exit code of their own. That the program starts from nothing is seen where it gets a terminal
or goes on: `Program.run_in_terminal`, `running`, `interrupt_when`, and tests/terminal.
"""

import atexit
import gc
import json
import os
import pkgutil
import platform
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

READ_AT_THE_START = ("PYTHON", "LC_", "LANG")
"""Variables of the interpreter itself: where they are others, it has to be started."""

LAZY = (
    "filelock", "jsonschema", "numpy", "openai", "rapidfuzz.fuzz", "rapidfuzz.process",
    "rich.progress", "sqlite_utils", "tomlkit",
)  # fmt: skip
"""Packages that commands import where they use them."""

FRONT_ENDS = ("rag_assistant.tui", "rag_assistant.web", "rag_assistant.__main__")
"""What no command runs that only prints."""


def fits(environment: Mapping[str, str]) -> bool:
    """Tell whether a forked command is what one started with this environment would be.

    Only Linux is known to have the sockets and the forking that this needs.
    """
    if platform.system() != "Linux":
        return False
    before = _origin()[1]
    names = {name for name in {*environment, *before} if name.startswith(READ_AT_THE_START)}
    return all(environment.get(name) == before.get(name) for name in names)


def run(
    arguments: Sequence[str], stdin: str, environment: Mapping[str, str], seconds: float
) -> tuple[int, str, str]:
    """Run a command; give its exit code as `subprocess` has it, and what it printed.

    Raises TimeoutError when it goes on for more than `seconds`.
    """
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line,
        ThreadPoolExecutor(2) as readers,
    ):
        line.settimeout(seconds)
        line.connect(_origin()[0])
        pipes = [os.pipe() for _ in range(3)]
        (its_in, to_it), (from_out, its_out), (from_err, its_err) = pipes
        wish = json.dumps([list(arguments), dict(environment), os.getcwd()])  # noqa: PTH109
        socket.send_fds(line, [wish.encode()], [its_in, its_out, its_err])
        for descriptor in (its_in, its_out, its_err):
            os.close(descriptor)
        process = int(line.recv(100))
        out, err = readers.submit(_all_of, from_out), readers.submit(_all_of, from_err)
        with suppress(BrokenPipeError), os.fdopen(to_it, "w", encoding="utf-8") as stream:
            stream.write(stdin)
        try:
            code = int(line.recv(100))
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            raise
        return code, out.result(), err.result()


def _all_of(descriptor: int) -> str:
    with os.fdopen(descriptor, encoding="utf-8") as stream:
        return stream.read()


@cache
def _origin() -> tuple[str, dict[str, str]]:
    """Start the process that commands are forked from; give its socket and its environment."""
    environment = dict(os.environ)
    origin = subprocess.Popen(
        [sys.executable, "-m", __name__], text=True, env=environment, cwd=ROOT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    atexit.register(origin.communicate)  # it ends with its standard input
    assert origin.stdout is not None
    address = origin.stdout.readline().rstrip()
    assert address, origin.communicate()[1]
    return address, environment


# In the process that commands are forked from


def _import_all() -> None:
    import rag_assistant  # not where tests import this module

    names = [
        module.name for module in pkgutil.walk_packages(rag_assistant.__path__, "rag_assistant.")
    ]
    for name in (*LAZY, *names):
        if not name.startswith(FRONT_ENDS):
            with suppress(ImportError):  # an extra that is not installed
                import_module(name)


def _next_command() -> socket.socket | None:
    """Serve until standard input ends; in each forked process, give the line of its command."""
    folder = tempfile.mkdtemp(prefix="rag-")  # the path of a socket may be 107 characters long
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.bind(f"{folder}/s")
        server.listen()
        print(f"{folder}/s", flush=True)  # noqa: T201
        while server.fileno() in select.select([0, server.fileno()], [], [])[0]:
            line, _ = server.accept()
            if os.fork() == 0:
                return line
            line.close()
            with suppress(ChildProcessError):  # there is none
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    shutil.rmtree(folder)
    return None


def _become(line: socket.socket) -> None:
    """Become the command; another process stays behind to tell how it ended."""
    wish, descriptors, _, _ = socket.recv_fds(line, 1_000_000, 3)
    process = os.fork()
    if process:
        for descriptor in descriptors:
            os.close(descriptor)
        with suppress(BrokenPipeError):
            line.send(str(process).encode())
            line.send(str(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])).encode())
        os._exit(0)
    line.close()
    for standard, descriptor in enumerate(descriptors):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    arguments, environment, folder = json.loads(wish)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv[1:] = arguments


def _run() -> None:
    """Run the command, and end as Python ends, but without taking all modules apart.

    That would copy every page of memory that is shared with the process forked from.
    """
    from rag_assistant.__main__ import run as run_program

    try:
        run_program()
    except SystemExit as ended:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended.code if isinstance(ended.code, int) else 1)


def main() -> None:
    """Serve commands; in the process of a command, run it."""
    _import_all()
    gc.freeze()
    if line := _next_command():
        _become(line)
        _run()


if __name__ == "__main__":
    main()
