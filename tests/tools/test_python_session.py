"""Code in a process of its own: what is kept, what is given back, and how every excess ends."""

import asyncio
import json
import os
import secrets
import socket
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.errors import ToolFailed
from rag_assistant.files.process_limits import limits_memory
from rag_assistant.tools.python_session.process import PythonLimits, holding
from rag_assistant.tools.python_session.session import PythonOutcome, PythonSession

LIMITS = PythonLimits(seconds=20, memory_bytes=512 * 1024**2, output=2_000)
QUICK = PythonLimits(seconds=1.2, memory_bytes=512 * 1024**2, output=2_000)
GONE = "The variables of earlier runs are gone: their process had ended."


def no_databases(name: str, arguments: Mapping[str, Any]) -> Any:
    raise ToolFailed(f"There is no {name}.", hint=str(sorted(arguments)))


@asynccontextmanager
async def session(
    limits: PythonLimits = LIMITS, environ: Mapping[str, str] = os.environ
) -> AsyncGenerator[PythonSession, None]:
    made = PythonSession(limits, environ)
    try:
        yield made
    finally:
        await made.aclose()


async def run(code: str, limits: PythonLimits = LIMITS) -> PythonOutcome:
    async with session(limits) as python:
        return await python.run(code, no_databases)


def running(mark: str) -> list[int]:
    """Give the processes that have a mark in their arguments, and are no zombies."""
    found: list[int] = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes()
            if mark.encode() in words and is_running(int(process.name)):
                found.append(int(process.name))
    return found


def is_running(process: int) -> bool:
    """Whether there is such a process that is more than a zombie's entry in a list."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] not in "ZX"


def ends(mark: str, seconds: float) -> bool:
    """Wait until the processes with a mark are gone."""
    until = time.monotonic() + seconds
    while running(mark) and time.monotonic() < until:
        time.sleep(0.01)
    return not running(mark)


def new_mark() -> str:
    """Give digits that no other process has in its arguments."""
    return str(secrets.randbelow(10**12) + 10**12)


linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


async def test_variables_functions_and_imports_stay() -> None:
    """Each run would have to begin by repeating all earlier ones."""
    async with session() as python:
        await python.run("import math\nx = 20\ndef twice(n):\n    return 2 * n", no_databases)
        outcome = await python.run("y = twice(x) + math.floor(2.5)\ny", no_databases)
        assert outcome == PythonOutcome(value="42")
        assert (await python.run("y -= 1", no_databases)) == PythonOutcome()
        assert (await python.run("y", no_databases)).value == "41"


async def test_classes_of_the_code_are_found_by_their_module() -> None:
    """Dataclasses with postponed annotations, and pickle, would fail on the code's own classes."""
    code = (
        "from __future__ import annotations\nimport pickle\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Point:\n    x: int\n    around: list[Point]\n"
        "pickle.loads(pickle.dumps(Point(1, [Point(2, [])])))"
    )
    assert (await run(code)).value == "Point(x=1, around=[Point(x=2, around=[])])"


async def test_output_comes_in_its_order_and_the_value_of_the_last_expression() -> None:
    """What was printed, warned and written past Python would be mixed up or lost."""
    code = (
        "import os, subprocess, sys\nprint('one')\nsys.stderr.write('two\\n')\n"
        "os.write(1, b'three\\n')\nos.write(2, b'four\\n')\n"
        "subprocess.run(['echo', 'five'])\nprint('s\\u00e4x \\ud800')\n'last'"
    )
    outcome = await run(code)
    assert outcome.printed == "one\ntwo\nthree\nfour\nfive\nsäx \\ud800\n"
    assert outcome.value == "'last'"


async def test_any_text_goes_in_and_comes_out() -> None:
    """A character of no alphabet, or what looks like a frame, would break the conversation."""
    async with session() as python:
        text = "ä\u2028\x00\U0001f600\n\r"
        outcome = await python.run(f"text = {text!r}\ntext", no_databases)
        assert outcome.value == repr(text)
        await python.run("import os; os.write(1, bytes(8) + b'{}' + b'\\xff' * 9)", no_databases)
        broken = await python.run("'\ud800'", no_databases)
        assert "surrogates not allowed" in broken.error
        assert (await python.run("# " + "long " * 500_000 + "\nlen(text)", no_databases)).value


async def test_a_traceback_names_the_line_of_the_code() -> None:
    """The model could not find its mistake."""
    async with session() as python:
        await python.run("def share(n):\n    # a comment\n    return 1 / n", no_databases)
        outcome = await python.run("print('before')\nshare(0)", no_databases)
        assert outcome.printed == "before\n"
        assert '"<run 2>", line 2, in <module>\n    share(0)\n' in outcome.error
        assert '"<run 1>", line 3, in share\n    return 1 / n\n' in outcome.error
        assert outcome.error.endswith("ZeroDivisionError: division by zero\n")
        assert "worker.py" not in outcome.error
        wrong = await python.run("x = 1\nx +", no_databases)
        assert wrong.error.startswith('  File "<run 3>", line 2\n    x +\n')


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("input()", "EOFError"),
        ("import sys\nsys.stdin.read() + str(len(sys.argv))", "'1'"),
        ("import sys\nsys.exit('enough')", "sys.exit('enough')"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("def deeper():\n    deeper()\ndeeper()", "RecursionError"),
        ("class X:\n    def __repr__(self): return 1 / 0\nX()", "ZeroDivisionError"),
        ("class X(Exception):\n    def __str__(self): return 1 / 0\nraise X", "X"),
        ("import sys\nsys.stdout.close()\nsys.stderr = None", ""),
        ("import os\nos.close(0); os.close(1); os.close(2)", ""),
        ("import os\nos.chdir('/'); del __builtins__", ""),
        ("import sys\nsys.modules.clear()", ""),
    ],
)
async def test_odd_code_has_a_result_and_the_variables_stay(code: str, said: str) -> None:
    """A slip of the model would cost all variables, or hang until the time is up."""
    async with session() as python:
        await python.run("kept = 'here'", no_databases)
        outcome = await python.run(code, no_databases)
        assert outcome.finished
        assert said in f"{outcome.value}{outcome.error}{outcome.notes}"
        after = await python.run("print(kept)\nkept", no_databases)
        assert after == PythonOutcome("here\n", "'here'")


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("import os\nprint('so far', flush=True)\nos._exit(3)", "exit code 3"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "signal 11"),
        ("import os\nos.closerange(0, 256)", "ended before the code did"),
        (
            "import os\nfor d in range(3, 9):\n"
            "    try: os.write(d, b'x' * 99)\n    except OSError: 0",
            "",
        ),
    ],
    ids=["exit", "crash", "close", "forge"],
)
async def test_a_lost_process_is_replaced_and_both_results_say_so(code: str, ended: str) -> None:
    """The model would build on variables that are no more."""
    async with session() as python:
        await python.run("x = 1", no_databases)
        outcome = await python.run(code, no_databases)
        assert not outcome.finished
        assert ended in outcome.notes[-1]
        assert outcome.notes[-1].endswith("Its variables are gone; the next run starts anew.")
        after = await python.run("'x' in globals()", no_databases)
        assert after == PythonOutcome(value="False", notes=(GONE,))
        assert (await python.run("2", no_databases)) == PythonOutcome(value="2")


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("print('so far')\nwhile True: pass", marks=pytest.mark.soak),
        "print('so far')\n9 ** 9 ** 9",  # one instruction, which nothing in the process can stop
        "print('so far')\nimport time\ntime.sleep(60)",
        "print('so far')\nimport signal\n"
        "for s in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):\n"
        "    signal.signal(s, signal.SIG_IGN)\n"
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ],
    ids=["loop", "power", "sleep", "stubborn"],
)
async def test_code_that_does_not_end_is_ended(code: str) -> None:
    """A run would hang, and its process go on for ever."""
    async with session(QUICK) as python:
        started = time.monotonic()
        outcome = await python.run(code, no_databases)
        assert time.monotonic() - started < 6
        assert not outcome.finished
        assert outcome.printed == "so far\n"
        assert outcome.notes[0].startswith("It was stopped after 1.2 seconds.")
        assert (await python.run("1", no_databases)) == PythonOutcome(value="1", notes=(GONE,))


@pytest.mark.skipif(not limits_memory(), reason="this system limits no memory")
async def test_memory_is_limited_and_the_variables_survive() -> None:
    """A list that grows would bring the person's machine to a halt."""
    async with session() as python:
        grown = await python.run(
            "kept = 1\nbomb = []\nwhile True: bomb.append(bytearray(10**7))", no_databases
        )
        assert "MemoryError" in grown.error
        assert (await python.run("del bomb\nkept", no_databases)).value == "1"
        at_once = await python.run("'x' * 10**10", no_databases)
        assert '"<run 3>", line 1' in at_once.error


async def test_floods_are_cut_and_the_cut_is_told() -> None:
    """A flood would fill our memory and the model's context; a silent cut would mislead."""
    async with session() as python:
        printed = await python.run("for i in range(30_000): print('x' * 99)", no_databases)
        assert printed.printed == ("x" * 99 + "\n") * 20
        assert printed.notes == ("The output was cut: 2,998,000 more bytes. Print less of it.",)
        value = await python.run("'y' * 1_000_000", no_databases)
        assert value.value == "'" + "y" * 1_999
        assert value.notes == ("The value was cut at its end: 998,002 more characters.",)
        error = await python.run("raise ValueError('z' * 9_000 + '!')", no_databases)
        assert error.error.endswith("z!\n")
        assert "The error was cut at its beginning" in error.notes[0]


async def test_threads_may_go_on_and_what_they_print_comes_with_the_next_run() -> None:
    """Their output would end up in the middle of a frame, or be lost."""
    async with session() as python:
        code = (
            "import threading, time\ngo = threading.Event()\n"
            "def late():\n    go.wait(); print('late'); ended.set()\n"
            "ended = threading.Event()\nthreading.Thread(target=late).start()"
        )
        assert (await python.run(code, no_databases)) == PythonOutcome()
        assert (await python.run("go.set()\nended.wait()", no_databases)).printed == "late\n"


@linux
async def test_a_fork_takes_no_part_in_the_conversation() -> None:
    """A second process would answer in the first one's place, or ask the databases."""
    async with session() as python:
        code = (
            "import os\nchild = os.fork()\n"
            "if not child:\n    try: search('x')\n    except DatabaseError as e: print(e)\n"
            "else: os.waitpid(child, 0)\n'parent' if child else 'child'"
        )
        outcome = await python.run(code, no_databases)
        assert outcome.printed.startswith("Only the process itself can ask")
        assert outcome.value == "'parent'"
        pool = (
            "import multiprocessing\nwith multiprocessing.get_context('fork').Pool(2) as pool:\n"
            "    print(pool.map(abs, [-1, -2]))"
        )
        assert (await python.run(pool, no_databases)).printed == "[1, 2]\n"


def starting(mark: str) -> str:
    """Give code that starts a program which starts another, in a session of its own."""
    return (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import subprocess, sys, time;"
        f' subprocess.Popen(["sleep", "60.{mark}"], start_new_session=True);'
        f" print(1, flush=True); time.sleep(60)', '{mark}'], stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
    )


@linux
@pytest.mark.parametrize("end", ["", "import time; time.sleep(60)", "import os; os._exit(0)"])
async def test_all_that_the_code_started_ends_with_it(end: str) -> None:
    """Programs would go on behind the person's back."""
    if not holding().processes:
        pytest.skip("this system lets nobody have namespaces")
    mark = new_mark()
    async with session(PythonLimits(3, 512 * 1024**2)) as python:
        outcome = await python.run(f"{starting(mark)}{end}", no_databases)
        assert outcome.finished is (not end)
        assert end or len(running(mark)) >= 2
    assert ends(mark, 2)


async def seconds_to_cancel(python: PythonSession) -> float:
    """Cancel a run that is busy; give how long after that its process was gone."""
    mark = new_mark()
    # What the process starts carries the mark, and is gone when the process is.
    code = f"import subprocess\nsubprocess.Popen(['sleep', '60.{mark}'])\nwhile True: pass"
    task = asyncio.create_task(python.run(code, no_databases))
    while not (started := running(f"sleep\x0060.{mark}")):
        await asyncio.sleep(0.01)
    cancelled = time.monotonic()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    while is_running(started[0]) and time.monotonic() < cancelled + 1:
        await asyncio.sleep(0.005)
    took = time.monotonic() - cancelled
    assert ends(mark, 1)
    return took


@linux
async def test_cancelling_ends_the_process_within_a_tenth_of_a_second() -> None:
    """Esc would leave code running."""
    async with session() as python:
        times = [await seconds_to_cancel(python) for _ in range(3)]
        assert min(times) < 0.1  # the others may have met a busy machine
        assert (await python.run("1", no_databases)) == PythonOutcome(value="1", notes=(GONE,))


@linux
@pytest.mark.parametrize(
    "busy",
    ["time.sleep(60)", "\n    while True: pass", "9 ** 9 ** 9"],
    ids=["wait", "loop", "deaf"],
)
async def test_it_ends_when_whoever_started_it_is_killed(busy: str) -> None:
    """A crash of the assistant would leave a process behind, and what it had started."""
    mark = new_mark()
    code = f"{starting(mark)}import os, time\nprint(os.getcwd(), flush=True)\nif True: {busy}\n"
    program = (
        "import asyncio\n"
        "from rag_assistant.tools.python_session.process import PythonLimits\n"
        "from rag_assistant.tools.python_session.session import PythonSession\n"
        f"asyncio.run(PythonSession(PythonLimits(30, 2**29)).run({code!r}, print))\n"
    )
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    while not running(f"sleep\x0060.{mark}"):
        assert parent.returncode is None
        await asyncio.sleep(0.02)
    (folder,) = {
        json.loads(words[place + 1])["folder"]
        for process in children_of(parent.pid)
        for words in [Path(f"/proc/{process}/cmdline").read_text().split("\0")]
        for place, word in enumerate(words)
        if word.endswith("guard.py")
    }
    parent.kill()
    await parent.wait()
    assert ends(mark, 3)
    until = time.monotonic() + 3
    while Path(folder).exists() and time.monotonic() < until:
        await asyncio.sleep(0.02)
    assert not Path(folder).exists()


def children_of(process: int) -> list[int]:
    """Give the processes that a process has started."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(number) for task in tasks for number in task.read_text().split()]


SECRETS = (
    "import glob\nfound = b''\nfor name in glob.glob('/proc/*/environ'):\n"
    "    try: found += open(name, 'rb').read()\n    except OSError: pass\nb'hush' in found"
)


@linux
async def test_it_is_kept_from_what_is_not_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code that a document talked a model into would read keys and letters, and send them on."""
    held = holding()
    monkeypatch.setenv("MY_TOKEN", "hush")
    (tmp_path / "letter.txt").write_text("private")
    there = f"open({str(tmp_path / 'letter.txt')!r})"
    refused = "PermissionError"
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        calls = f"import socket; socket.create_connection({address!r}, 2)"
        async with session() as python:
            if held.files:
                assert (await python.run(f"{there}.read()", no_databases)).error.count(refused)
                home = "import os; os.listdir(os.path.expanduser('~root'))"
                assert (await python.run(home, no_databases)).error.count(refused)
                assert (await python.run(SECRETS, no_databases)).value == "False"
            if held.network:
                assert "Error: " in (await python.run(calls, no_databases)).error
    if sys.platform == "linux" and not (held.files and held.network):
        pytest.skip(f"this system holds less: {held}")


async def test_runs_take_turns() -> None:
    """Two calls of one reply would run into each other, and answers go to the wrong one."""
    async with session() as python:
        codes = [f"import time; time.sleep(0.02); print({n}); {n}" for n in range(5)]
        outcomes = await asyncio.gather(*(python.run(code, no_databases) for code in codes))
        assert outcomes == [PythonOutcome(f"{n}\n", str(n)) for n in range(5)]


async def test_a_closed_session_starts_afresh_without_a_word() -> None:
    """A new conversation would hear of variables that it never had."""
    async with session() as python:
        await python.run("x = 1", no_databases)
        await python.aclose()
        assert (await python.run("'x' in globals()", no_databases)) == PythonOutcome(value="False")


async def test_the_surroundings_are_bare_and_left_clean(tmp_path: Path) -> None:
    """A key in our environment would be there for the code to read, or its files stay behind."""
    environ = {**os.environ, "OPENAI_API_KEY": "sk-secret", "MY_TOKEN": "hush", "PYTHONPATH": "/x"}
    async with session(environ=environ) as python:
        code = (
            "import os\nfrom pathlib import Path\nfound = os.listdir()\n"
            "Path('made').write_text('x')\n"
            "print(os.getcwd(), Path.home(), os.environ['TMPDIR'], found)\nsorted(os.environ)"
        )
        outcome = await python.run(code, no_databases)
        names = set(eval(outcome.value))
        assert not names & {"OPENAI_API_KEY", "MY_TOKEN", "PYTHONPATH", "USER"}
        folder, home, temporary, *found = outcome.printed.split()
        assert folder == home == temporary
        assert found == ["[]"]
        everything = "\n".join(
            ["import pathlib", "str(pathlib.Path('/proc/self/environ').read_bytes())"]
        )
        if sys.platform == "linux":
            seen = (await python.run(everything, no_databases)).value
            assert "sk-secret" not in seen
            assert "hush" not in seen
    assert not Path(folder).exists()


async def test_a_python_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason would be a bare error number."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(ToolFailed, match="Python cannot be started"):
        await run("1")
