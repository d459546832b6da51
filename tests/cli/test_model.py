"""`rag-assistant model` and what `doctor` says of local models, run as a person runs them."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.models.discovery import PORTS_ENV
from scripts.benchmarks.shared.model_replies import Status, error
from scripts.benchmarks.shared.model_server import MODEL, ScriptedServer
from tests.cli.program import Outcome, Program
from tests.models.fit_model import FitModel

MINE = """# My settings
history = false  # not here

[models.old]
model = "old-1"   # slow
price_input = 2.5

# How far it may go
[limits]
steps = 4
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    program = Program(tmp_path / "home")
    program.home.mkdir()
    return program


def run(program: Program, server: ScriptedServer | None, *arguments: str) -> Outcome:
    ports = server.host.rpartition(":")[2] if server else ""
    return program.run(*arguments, **{PORTS_ENV: ports})


def config(program: Program) -> dict[str, Any]:
    return tomllib.loads((program.home / "config.toml").read_text())


def test_a_found_model_is_chosen_in_one_command(program: Program) -> None:
    """A person with a local server would have to find out its address and write the file."""
    path = program.home / "config.toml"
    path.write_text(MINE)
    path.chmod(0o600)
    with ScriptedServer() as server:
        doctor = run(program, server, "doctor").out
        assert f"local models: a model server at {server.host}: {MODEL}\n" in doctor
        assert f"next: rag-assistant model use {MODEL}\n" in doctor
        assert run(program, server, "model", "use", MODEL).code == 0
        assert run(program, server, "model", "use", "old", "--helper").code == 0
        assert config(program) == {
            "model": MODEL,
            "helper": "old",
            "history": False,
            "models": {
                "old": {"model": "old-1", "price_input": 2.5},
                MODEL: {"model": MODEL, "base_url": server.base_url},
            },
            "limits": {"steps": 4},
        }
        written = path.read_text()
        assert MINE.strip() in written
        assert path.stat().st_mode & 0o777 == 0o600
        assert [each.name for each in program.home.iterdir()] == ["config.toml"]
        again = run(program, server, "doctor").out
        assert "next: rag-assistant model use" not in again


def test_models_are_listed_with_what_they_are(program: Program) -> None:
    """A person could not see which model answers, or which are there."""
    (program.home / "config.toml").write_text('model = "old"\nhelper = "extractive"\n' + MINE)
    with ScriptedServer() as server:
        shown = run(program, server, "model", "list")
        listed = run(program, server, "model", "--json").json
    assert (
        "old [main]: old-1 at api.openai.com · chat · native tools · no images · "
        "2.5 in, 0 out for a million tokens" in shown.out
    )
    assert "extractive [helper]: built in; no key, no network" in shown.out
    assert f"a model server at {server.host}: {MODEL}" in shown.out
    assert f"rag-assistant model use {MODEL}" in shown.err
    assert [(each["name"], each["roles"]) for each in listed["models"]] == [
        ("old", ["main"]), ("extractive", ["helper"]),
    ]  # fmt: skip
    assert listed["local"][0]["models"] == [MODEL]


def test_without_local_servers_doctor_says_so_in_one_line(program: Program) -> None:
    """A person could not tell that it looked."""
    done = run(program, None, "doctor")
    assert done.code == 0
    assert "ok    local models: no model server at the usual ports of this machine\n" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("use", "nothing"), "There is no model 'nothing'"),
        (("use", "nothing", "--port", "9"), "No server at 127.0.0.1:9 has a model 'nothing'"),
        (("test", "extractive"), "built in"),
    ],
)
def test_a_model_that_is_not_there_is_one_line(
    program: Program, arguments: tuple[str, ...], said: str
) -> None:
    """A misspelt name would be written down, and the next question fail."""
    done = run(program, None, "model", *arguments)
    assert (done.code, said in done.err) == (1, True), done.err
    assert not (program.home / "config.toml").exists()


def test_a_broken_configuration_is_not_touched(program: Program) -> None:
    """The rest of what a person wrote would be lost."""
    path = program.home / "config.toml"
    for broken in ("model = ", "modle = 'x'\n"):
        path.write_text(broken)
        done = run(program, None, "model", "use", "extractive")
        assert done.code == 1
        assert str(path) in done.err
        assert path.read_text() == broken


def test_a_name_that_two_servers_have_needs_the_port(program: Program) -> None:
    """A question would go to the server that happened to come first."""
    with ScriptedServer() as one, ScriptedServer() as other:
        ports = [server.host.rpartition(":")[2] for server in (one, other)]
        environment = {PORTS_ENV: ",".join(ports)}
        done = program.run("model", "use", MODEL, **environment)
        assert f"Add --port {ports[0]} or --port {ports[1]}." in done.err
        done = program.run("model", "use", MODEL, "--port", ports[1], **environment)
        assert done.code == 0
        assert config(program)["models"][MODEL]["base_url"] == other.base_url


def test_the_fit_test_shows_and_writes_the_profile(program: Program) -> None:
    """A person would have to find out by trial what to write."""
    with ScriptedServer(FitModel("line", colours="I see nothing.")) as server:
        shown = run(program, server, "model", "test", MODEL)
        assert shown.code == 0
        lines = shown.out.splitlines()
        assert [line[:4] for line in lines[:10]] == [
            "pass", "FAIL", "FAIL", "pass", "pass", "pass", "pass", "pass", "pass", "FAIL",
        ]  # fmt: skip
        assert 'native_tools = false\ncall_form = "line"\n' in shown.out
        assert "add --write to write it" in shown.err
        assert "The test took 13 requests" in shown.err
        assert not (program.home / "config.toml").exists()
        assert run(program, server, "model", "test", MODEL, "--no-write").code == 0
        assert not (program.home / "config.toml").exists()
        done = run(program, server, "model", "test", MODEL, "--write", "--json")
        assert done.json["written"] is True
        assert config(program)["models"][MODEL] == {
            "model": MODEL,
            "base_url": server.base_url,
            "native_tools": False,
            "call_form": "line",
            "evidence_tokens": 6_000,
        }
        again = run(program, server, "model", "test", MODEL)
        assert "config.toml says all of this already" in again.err


@pytest.mark.soak
def test_the_fit_test_asks_at_a_terminal_and_tells_the_cost(program: Program) -> None:
    """What a person did not agree to would be in the file; the bill would be a surprise."""
    with ScriptedServer(FitModel()) as server:
        path = program.home / "config.toml"
        path.write_text(
            f'[models.local]\nmodel = "{MODEL}"\nbase_url = "{server.base_url}"\n'
            "price_input = 1.0\nprice_output = 10.0\n"
        )
        before = path.read_text()
        assert program.run_in_terminal("model", "test", "local", typed="\x04").code == 0
        assert path.read_text() == before
        done = program.run_in_terminal("model", "test", "local", typed="n\n")
        assert "images = true" in done.out
        assert "Write it? [y/N]" in done.out
        assert ": cost 0.00" in done.out
        assert path.read_text() == before
        done = program.run_in_terminal("model", "test", "local", typed="y\n")
        profile = "evidence_tokens = 6000\nimages = true\n"
        assert path.read_text() == before + profile


def test_a_model_that_does_not_answer_writes_nothing(program: Program) -> None:
    """A server that is down would leave a wrong profile behind."""
    with ScriptedServer(Status(401, error("no"))) as server:
        done = run(program, server, "model", "test", MODEL, "--write")
    assert done.code == 1
    assert "FAIL  answers: " in done.out
    assert "wants a key (401)" in done.out
    assert not (program.home / "config.toml").exists()
