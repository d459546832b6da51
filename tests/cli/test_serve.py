"""`serve` on the command line: where it listens, what it refuses, how it opens the browser."""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rag_assistant.config.installation import how_to_add
from tests.cli.program import Program

pytest.importorskip("textual_serve", reason="the extra `serve` is not installed")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def test_a_host_that_others_reach_is_refused_in_one_line(program: Program) -> None:
    """The documents of the person would be offered to the network."""
    said = program.run("serve", "--host", "0.0.0.0")
    assert said.code == 1
    assert said.out == ""
    assert "0.0.0.0 is not of this machine alone" in said.err
    assert said.err.count("\n") == 1


def test_without_the_extra_one_line_names_it(program: Program) -> None:
    """A person who has not installed it would be shown an internal error."""
    code = (
        "import sys\nsys.modules['textual_serve'] = None\n"
        "from rag_assistant.cli.main import main\nsys.exit(main(['serve']))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env=program.environment(), timeout=60,
    )  # fmt: skip
    assert said.returncode == 1
    assert how_to_add("serve") in said.stderr
    assert said.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_told_with_the_next_step(program: Program) -> None:
    """A second server would end in a traceback."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = program.run("serve", "--port", port)
    assert said.code == 1
    assert f"Port {port} of 127.0.0.1 cannot be used" in said.err
    assert "--port 0" in said.err


def test_the_browser_is_opened_by_a_file_that_is_gone_afterwards(
    program: Program, tmp_path: Path
) -> None:
    """Other users of the machine would read the secret in the list of processes, or in the file."""
    seen, script = tmp_path / "seen", tmp_path / "browser"
    script.write_text(
        f'#!/bin/sh\necho "$1" > {seen}.part; cat "${{1#file://}}" >> {seen}.part\n'
        f"mv {seen}.part {seen}\n"
    )
    script.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "rag_assistant", "serve", "--port", "0", "--open"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=program.environment(BROWSER=f"{script} %s"),
    )  # fmt: skip
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        deadline = time.monotonic() + 30
        while not seen.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        given, _, content = seen.read_text().partition("\n")
        opener = Path(given.removeprefix("file://"))
        assert given.startswith("file://")
        assert f'content="0;url={address}"' in content
        assert opener.parent.stat().st_mode & 0o077 == 0
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert process.returncode == 0
        assert err.endswith("Stopped.\n")
        assert not opener.exists()
    finally:
        process.kill()
        process.communicate()


def test_a_server_that_was_killed_leaves_no_files_behind(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each one would leave a folder in a place that nobody looks through."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with program.running("serve", "--port", "0") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("http://")
        process.kill()
        process.wait()
    assert list(temporary.iterdir()) == []


def test_the_command_line_loads_no_server_for_other_commands() -> None:
    """Every start would be slower by what only `serve` needs."""
    code = (
        "import sys\nimport rag_assistant.web, rag_assistant.cli.interface\n"
        "from rag_assistant.cli.parser import build_parser\nbuild_parser()\n"
        "print('uvicorn' in sys.modules or 'starlette' in sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout == "False\n"
