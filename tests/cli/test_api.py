"""`api` on the command line: tokens, what a client may have, and an end at once."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from rag_assistant.config.installation import how_to_add
from rag_assistant.egress.policies import set_policy
from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_replies import Silence
from scripts.benchmarks.shared.model_server import MODEL, ScriptedServer
from tests.cli.program import Program
from tests.conftest import HANDBOOK, write_files

pytest.importorskip("uvicorn", reason="the extra `api` is not installed")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


@contextmanager
def serving(program: Program, *more: str) -> "Iterator[tuple[subprocess.Popen[str], str, str]]":
    """Serve; give the process, its address and the token it shows."""
    with program.running("api", "--port", "0", *more) as process:
        assert process.stdout and process.stderr
        address = process.stdout.readline().strip()
        token = process.stderr.readline().strip().removeprefix("Token: ")
        yield process, address, token


def test_a_token_is_made_once_for_each_client_and_kept_from_others(program: Program) -> None:
    """A program would be let in with the token of another, or no more tomorrow."""
    first = program.run("api", "token", "open-webui")
    assert first.out.startswith("open-webui.")
    assert first == program.run("api", "token", "open-webui")
    assert first.out != program.run("api", "token").out
    assert (program.home / "clients.secret").stat().st_mode & 0o077 == 0
    new = program.run("api", "token", "open-webui", "--new")
    assert new.out.startswith("open-webui.")
    assert new.out != first.out
    wrong = program.run("api", "token", "Open WebUI")
    assert (wrong.code, wrong.err.count("\n")) == (1, 1)


def test_a_local_database_is_allowed_and_taken_back(program: Program, tmp_path: Path) -> None:
    """What is to stay on this machine could be given to no program, or never be taken back."""
    Library(program.home).index(write_files(tmp_path / "handbook", HANDBOOK))
    set_policy(program.home, "handbook", "local")
    assert "may have handbook" in program.run("api", "allow", "open-webui").err
    listed = program.run("api", "clients", "--json").json["clients"]
    assert [(one["name"], one["allowed"]) for one in listed] == [("open-webui", ["handbook"])]
    assert program.run("mcp", "clients", "--json").json["clients"] == []
    assert "may not have handbook" in program.run("api", "forbid", "open-webui").err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--host", "0.0.0.0"), "0.0.0.0 is not of this machine alone"),
        (("--origin", "localhost:3000"), "is no origin of a page"),
        (("--origin", "http://localhost:3000/page"), "is no origin of a page"),
        (("--port", "99999"), "Port 99999 of 127.0.0.1 cannot be used"),
    ],
)
def test_what_cannot_be_served_is_told_in_one_line(
    program: Program, given: tuple[str, ...], words: str
) -> None:
    """The documents would be offered to the network, or a traceback shown."""
    said = program.run("api", *given)
    assert (said.code, said.out, said.err.count("\n")) == (1, "", 1)
    assert words in said.err


def test_without_the_extra_one_line_names_it(program: Program) -> None:
    """A person who has not installed it would be shown an internal error."""
    code = (
        "import sys\nsys.modules['uvicorn'] = None\n"
        "from rag_assistant.cli.main import main\nsys.exit(main(['api']))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env=program.environment(), timeout=60,
    )  # fmt: skip
    assert said.returncode == 1
    assert how_to_add("api") in said.stderr
    assert said.stderr.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once_with_what_is_being_answered(
    program: Program, tmp_path: Path, number: signal.Signals
) -> None:
    """It would wait for a model that says nothing, or leave its connection behind."""
    Library(program.home).index(write_files(tmp_path / "handbook", HANDBOOK))
    with ScriptedServer(Silence()) as model:
        (program.home / "config.toml").write_text(
            f'model = "slow"\nfallback = false\n\n[models.slow]\nmodel = "{MODEL}"\n'
            f'base_url = "{model.base_url}"\nlocal = true\ntimeout_seconds = 300\n'
        )
        with serving(program) as (process, address, token):
            known = {"Authorization": f"Bearer {token}"}
            with httpx2.Client(headers=known, trust_env=False, timeout=60) as link:
                asked = {"question": "How long is parental leave?", "stream": True}
                with link.stream("POST", f"{address}/ask", json=asked) as response:
                    assert response.status_code == 200
                    while not model.requests:
                        pass
                    process.send_signal(number)
                    assert '"stopping"' in response.read().decode()
            _, err = process.communicate(timeout=30)
        assert process.returncode == 0
        assert err.endswith("Stopped.\n")
        assert token not in err
        assert "Traceback" not in err
        assert model.requests[0].hung_up.wait(30)
