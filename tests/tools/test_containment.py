"""Attacks of code on what is not its own, with all that the system offers, and with less."""

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from rag_assistant.tools.python_session.process import holding
from rag_assistant.tools.python_session.session import PythonSession
from tests.tools.test_python_session import ends, linux, new_mark, no_databases, session

pytestmark = linux


@contextmanager
def other_program(file: Path) -> Iterator[list[bytes]]:
    """Serve at a socket that is a file, as Docker and the session's bus do; give what it heard."""
    heard: list[bytes] = []
    with closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(str(file))
        server.listen()

        def answer() -> None:
            while True:
                try:
                    calling = server.accept()[0]
                except OSError:
                    return
                with calling:
                    heard.append(calling.recv(100))

        answering = threading.Thread(target=answer)
        answering.start()
        yield heard
        server.shutdown(socket.SHUT_RDWR)
        answering.join()


async def refused(python: PythonSession, code: str) -> bool:
    """Whether code ends in an error of the system."""
    outcome = await python.run(code, no_databases)
    return "Error: " in outcome.error


async def test_it_reaches_no_other_program(tmp_path: Path) -> None:
    """If it fails, code asks Docker or the desktop to run a program for it, outside of all
    limits."""
    if not holding().programs:
        pytest.skip(f"this system holds less: {holding()}")
    file = tmp_path / "socket"
    path = repr(str(file))
    ways = (
        f"import socket; socket.socket(socket.AF_UNIX).connect({path})",
        "import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        f"a.sendto(b'x', {path})",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        f"import os; os.kill({os.getpid()}, 0)",
        # io_uring makes sockets past a filter of calls
        "import ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\n"
        "if c.syscall(425, 8, ctypes.create_string_buffer(200)) < 0:"
        " raise OSError(ctypes.get_errno(), 'io_uring')",
    )
    with other_program(file) as heard:
        async with session() as python:
            for way in ways:
                assert await refused(python, way), way
    assert not heard


async def test_what_processes_share_is_its_own_and_bounded() -> None:
    """If it fails, code reads what other programs share, leaves its own there, or fills all
    memory past its limit."""
    if not holding().processes:
        pytest.skip(f"this system holds less: {holding()}")
    name = f"rag-assistant-{new_mark()}"
    there = Path("/dev/shm") / name
    there.write_text("of another program")
    try:
        async with session() as python:
            assert await refused(python, f"open('/dev/shm/{name}')")
            fill = (
                "with open('/dev/shm/full', 'wb') as f:\n"
                "    for n in range(600): f.write(b'x' * 2**20)"
            )
            assert "No space left" in (await python.run(fill, no_databases)).error
        assert not Path("/dev/shm/full").exists()
    finally:
        there.unlink()


async def test_what_programs_usually_do_goes_on() -> None:
    """If it fails, being kept costs what code is run for: processes, loops, files, databases."""
    ways = {
        "import multiprocessing\n"
        "with multiprocessing.get_context('fork').Pool(2) as p: r = p.map(abs, [2])\nr": "[2]",
        "from concurrent.futures import ProcessPoolExecutor as P\n"
        "with P(2) as p: r = sum(p.map(abs, [-1, 2]))\nr": "3",
        "import asyncio; asyncio.run(asyncio.sleep(0, 5))": "5",
        "import subprocess; subprocess.run(['echo', 'x'], capture_output=True).stdout": r"b'x\n'",
        "import sqlite3; sqlite3.connect('x.db').execute('select 7').fetchone()": "(7,)",
        "import tempfile\nwith tempfile.TemporaryFile() as f: n = f.write(b'abc')\nn": "3",
    }
    async with session() as python:
        for code, value in ways.items():
            outcome = await python.run(code, no_databases)
            assert outcome.value == value, outcome.error


UNDER_LESS = """
import asyncio, sys
from rag_assistant.tools.python_session.process import PythonLimits, holding
from rag_assistant.tools.python_session.session import PythonSession

async def main():
    held = holding()
    print(held.network, held.programs, held.processes, flush=True)
    python = PythonSession(PythonLimits(10, 2**29))
    mark = sys.argv[1]
    for code in (
        f"import subprocess; subprocess.Popen(['sleep', '60.{mark}'], start_new_session=True)",
        "import os; os.setpgid(0, 0)",
        "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
        f"import subprocess; subprocess.Popen(['sleep', '60.{mark}']).poll()",
        "import os; os._exit(0)",
    ):
        outcome = await python.run(code, lambda name, arguments: None)
        print((outcome.error.strip().splitlines() or ["no error"])[-1], flush=True)
    await python.aclose()

asyncio.run(main())
"""


def test_without_namespaces_a_filter_keeps_network_and_processes() -> None:
    """If it fails, code is free on systems that let nobody have namespaces, as Ubuntu since 24.04,
    or programs that it starts outlive it there."""
    mark = new_mark()
    none = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    if not shutil.which("unshare"):
        pytest.skip("there is no unshare")
    command = ["unshare", "-Ur", "sh", "-c", none, "sh", sys.executable, "-c", UNDER_LESS, mark]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if not done.stdout:
        pytest.skip(f"namespaces cannot be taken away here: {done.stderr[-200:]}")
    held, *errors = done.stdout.splitlines()
    if held.split()[0] == "False":
        pytest.skip("this system has no filters of calls, either")
    assert held.split()[2] == "True"
    assert [error.partition(":")[0] for error in errors] == [
        *["PermissionError"] * 3,
        *["no error"] * 2,
    ]
    assert ends(mark, 2)


LATER = """
import asyncio, os
from pathlib import Path
from rag_assistant.tools.python_session.process import PythonLimits, holding
from rag_assistant.tools.python_session.session import PythonSession

assert holding().processes
Path("/proc/sys/user/max_user_namespaces").write_text("0")
python = PythonSession(PythonLimits(10, 2**29))
for _ in range(2):
    outcome = asyncio.run(python.run("1", lambda name, arguments: None))
    print(outcome.value, outcome.notes, flush=True)
print(holding())
"""


def test_code_is_not_run_where_less_is_kept_than_was_said() -> None:
    """If it fails, a person allows code by a promise that does not hold when it runs."""
    command = ["unshare", "-Ur", sys.executable, "-c", LATER]
    if not (shutil.which("unshare") and holding().processes):
        pytest.skip("nothing can be taken away here")
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    first, second, held = done.stdout.splitlines()
    assert "the system keeps it from less than before" in first
    assert second.startswith("1 ")
    assert "network=True" in held
