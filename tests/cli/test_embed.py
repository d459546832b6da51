"""`rag-assistant embed`, run as a person runs it."""

import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_replies import Hangup, Status, error
from tests.cli.program import COMMAND, Program
from tests.conftest import write_files
from tests.models.embedding_server import EmbeddingServer

NOTES = 7


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program whose home holds a database of seven notes."""
    files = {f"n{number}.txt": f"Note {number} about topic{number}.\n" for number in range(NOTES)}
    program = Program(tmp_path / "home")
    Library(program.home).index(write_files(tmp_path / "notes", files))
    return program


def configure(program: Program, server: EmbeddingServer, **changed: Any) -> None:
    (program.home / "config.toml").write_text(server.config(**{"batch": 2, **changed}))


def vectors(program: Program) -> int:
    with closing(sqlite3.connect(program.home / "notes.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])


def test_embedding_a_database_and_again(program: Program) -> None:
    """A person would have no vectors, or pay for them each time."""
    with EmbeddingServer() as server:
        configure(program, server)
        first = program.run("embed", "notes", "--json")
        assert first.code == 0, first.err
        assert first.json == {
            "embedder": "test-embedder",
            "databases": [
                {
                    "database": "notes",
                    "model": "test-embedder",
                    "dimension": 32,
                    "embedded": NOTES,
                    "vectors": NOTES,
                    "passages": NOTES,
                    "replaced": "",
                    "error": "",
                    "interrupted": False,
                    "seconds": first.json["databases"][0]["seconds"],
                }
            ],
        }
        assert first.err == ""
        sent = len(server.texts())
        again = program.run("embed", "notes")
        assert again.out.startswith(
            "notes: 0 embedded, 7 of 7 passages have vectors of test-embedder (32 numbers)"
        )
        assert len(server.texts()) == sent + 1  # the question for the dimension
    assert program.run("search", "topic3", "--json").json["hits"][0]["title"] == "n3"


@pytest.mark.soak
def test_a_terminal_shows_a_bar(program: Program) -> None:
    """A person would not know whether anything goes on."""
    with EmbeddingServer() as server:
        configure(program, server)
        shown = program.run_in_terminal("embed", "notes")
    assert shown.code == 0
    assert "embedding notes" in shown.out
    assert "7/7" in shown.out


def test_an_endpoint_that_dies_half_way_is_one_line_and_what_is_done_stays(
    program: Program,
) -> None:
    """A person would read a traceback, or pay again for what was made."""
    with EmbeddingServer(lambda number, body: Hangup() if number > 3 else None) as server:
        configure(program, server)
        broken = program.run("embed", "notes")
        assert broken.code == 1
        assert broken.out.startswith("notes: 4 embedded, 4 of 7 passages")
        assert broken.err.count("\n") == 1
        assert f"{server.host} could not be reached" in broken.err
    with EmbeddingServer() as server:
        configure(program, server)
        assert program.run("embed", "notes", "--json").json["databases"][0]["embedded"] == 3


def test_a_refusal_is_one_line(program: Program) -> None:
    """As above, for an endpoint that cannot be used at all."""
    with EmbeddingServer(lambda number, body: Status(401, error("no key"))) as server:
        configure(program, server)
        refused = program.run("embed", "notes", "--json")
    assert refused.code == 1
    assert refused.out == ""
    assert refused.err.startswith(f"rag-assistant: {server.host} wants a key (401): no key.")


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGKILL, -9, marks=pytest.mark.soak)],
)
def test_a_run_that_is_stopped_goes_on_where_it_was(
    program: Program, tmp_path: Path, number: int, code: int
) -> None:
    """Ctrl-C, a crash or a power cut would cost the whole run, or leave a lock behind."""
    reached = tmp_path / "reached"

    def slow(request: int, body: dict[str, Any]) -> None:
        if request == 4 and not reached.exists():
            reached.touch()
            time.sleep(1)

    with EmbeddingServer(slow) as server:
        configure(program, server)
        process = subprocess.Popen(
            [*COMMAND, "embed", "notes"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=program.environment(),
        )
        deadline = time.monotonic() + 30
        while not reached.exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        os.kill(process.pid, number)
        out, err = process.communicate(timeout=30)
        assert process.returncode == code
        if code == 130:
            assert out.startswith("notes: 4 embedded, 4 of 7 passages")
            assert "Run the same command again to go on." in err
        assert vectors(program) == 4
        again = program.run("embed", "notes", "--json")
        assert again.json["databases"][0]["embedded"] == 3
    assert program.run("databases", "check", "notes").out == "notes: whole\n"


def test_a_person_is_told_where_the_text_goes(program: Program) -> None:
    """Documents would leave the machine unseen."""
    config = '[embedders.far]\nmodel = "m"\nbase_url = "https://example.invalid/v1"\n'
    (program.home / "config.toml").write_text('embedder = "far"\n' + config)
    run = program.run("embed", "notes", HTTPS_PROXY="", https_proxy="")
    assert run.code == 1
    assert "example.invalid" in run.err


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ("", "No embedder is set."),
        ('embedder = "x"', "there is no embedder 'x'"),
        ('[embedders.x]\nmodle = "y"', "Did you mean 'model'?"),
        ('[embedders.x]\nkind = "cloud"', "embedders.x.kind is 'cloud'"),
        ('[embedders.x]\nkind = "local"', "has a folder, and no model"),
        ('[embedders.x]\nkind = "local"\nmodel = "BAAI/x"', "fetched by `rag-assistant model get"),
        ('[embedders.x]\nkind = "local"\nfolder = "a"\nmodel = "b"', "has a folder, and no model"),
        ("[embedders.x]\nbatch = 3", "an endpoint needs a model"),
        ('[embedders.x]\nmodel = "m"\nbatch = 0', "count something"),
        ('[embedders.x]\nmodel = "m"\nbatch = "3"', "embedders.x.batch is '3'"),
    ],
)
def test_a_wrong_setting_is_named(program: Program, config: str, named: str) -> None:
    """A setting without effect would be believed to have one."""
    (program.home / "config.toml").write_text(config)
    run = program.run("embed", "notes")
    assert run.code == 1
    assert named in run.err


def test_an_unknown_database_or_embedder_is_one_line(program: Program) -> None:
    """A slip would end in a traceback."""
    with EmbeddingServer() as server:
        configure(program, server)
        assert "Did you mean notes?" in program.run("embed", "note").err
        assert (
            "There is no embedder 'far'" in program.run("embed", "notes", "--embedder", "far").err
        )
        assert server.requests == []
