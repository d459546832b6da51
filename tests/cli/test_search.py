"""`rag-assistant search` over several databases and with a reranker, run as a person runs it."""

import json
import socket
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_replies import Script, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.cli.program import Program
from tests.conftest import write_files


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program whose home holds two databases about cranes."""
    program = Program(tmp_path / "home")
    for name in ("harbour", "works"):
        files = {
            f"{n}.md": f"# {name} {n}\n\nThe crane{' crane' * (4 - n)} has a hook"
            f"{' that is greased' * n}.\n"
            for n in range(4)
        }
        Library(program.home).index(write_files(tmp_path / name, files))
    return program


def by_grease(request: SeenRequest) -> Script:
    scores = [text.count("greased") for text in request.body["documents"]]
    results = [{"index": n, "relevance_score": score} for n, score in enumerate(scores)]
    return Status(200, {"results": results})


def configure(program: Program, base_url: str, more: str = "") -> None:
    (program.home / "config.toml").write_text(
        'reranker = "pairs"\n[rerankers.pairs]\nmodel = "pairs-1"\n'
        f"base_url = {json.dumps(base_url)}\n{more}"
    )


def test_a_damaged_database_does_not_keep_the_others_from_being_searched(program: Program) -> None:
    """One bad file would cost a person all the others."""
    (program.home / "works.db").write_bytes(b"no database" * 500)
    for arguments in ([], ["-d", "works", "-d", "harbour", "-d", "gone"]):
        run = program.run("search", "crane", *arguments)
        assert run.code == 0
        assert "[harbour " in run.out
        assert "Note: left out works: The database 'works' is damaged" in run.err
    assert "Note: left out gone: There is no database 'gone'." in run.err
    found = program.run("search", "crane", "--json").json
    assert found["databases"] == ["harbour"]
    assert found["notes"][0].startswith("left out works: ")
    alone = program.run("search", "crane", "-d", "works")
    assert (alone.code, alone.out) == (1, "")
    assert "is damaged" in alone.err


def test_a_search_that_finds_nothing_says_what_it_could_not_search(
    program: Program, tmp_path: Path
) -> None:
    """Who finds nothing would take it that nothing is there, where a file could not be read."""
    folder = tmp_path / "scans"
    write_files(folder, {"readable.md": "# Kettles\n\nA kettle is blue.\n", "broken.pdf": "%PDF-"})
    assert program.run("index", str(folder)).code == 0
    found = program.run("search", "turbine", "-d", "scans")
    assert found.code == 0
    assert "Of scans, 1 file was not searched, or only in part" in found.err
    assert "databases info scans" in found.err
    assert "was not searched" not in program.run("search", "kettle", "-d", "scans").err


def test_an_endpoint_orders_the_best_hits(program: Program) -> None:
    """A configured reranker would not be asked, or not be shown in the explanation."""
    with ScriptedServer(by_grease) as server:
        configure(program, server.base_url)
        run = program.run("search", "crane", "-n", "4", "--explain")
        assert [line.split()[2] for line in run.out.splitlines() if "[" in line] == list("3322")
        assert "rerank +" in run.out
        assert run.err == ""
        found = program.run("search", "crane", "--json").json
        assert (found["reranked_by"], found["sent_to"]) == ("pairs-1", "")
        asked = len(server.requests)
        plain = program.run("search", "crane", "--no-rerank", "--json").json
        assert len(server.requests) == asked == 2
    assert plain["reranked_by"] == ""
    assert "rerank" not in plain["hits"][0]["explanation"]
    assert plain["hits"][0]["path"] == "0.md"


def test_a_reranker_that_fails_leaves_the_hits_and_says_so(program: Program) -> None:
    """A search would fail because a server is off."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        configure(program, f"http://127.0.0.1:{free.getsockname()[1]}")
        run = program.run("search", "crane")
        assert run.code == 0
        assert "1. harbour 0" in run.out or "1. works 0" in run.out
        assert "Note: not reranked: Nothing answers at 127.0.0.1:" in run.err
        assert "Start the model server there" in run.err


def test_doctor_says_whether_the_reranker_answers(program: Program) -> None:
    """A person would learn of a wrong setting from a note under the next search."""
    assert "reranker" not in program.run("doctor").out
    with ScriptedServer(by_grease) as server:
        configure(program, server.base_url)
        assert "pairs: pairs-1 at this machine scores passages" in program.run("doctor").out
    with ScriptedServer(Status(401, error("no"))) as server:
        configure(program, server.base_url)
        doctor = program.run("doctor")
    assert doctor.code == 1
    assert f"MEND  reranker: {server.host} wants a key (401): no." in doctor.out
    assert "reranker = 'pairs'" in program.run("config").out


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ('reranker = "x"', "there is no reranker 'x'"),
        ('[rerankers.x]\nmodel = "m"', "an endpoint needs a base_url and a model"),
        ('[rerankers.x]\nbase_url = "http://127.0.0.1"', "needs a base_url and a model"),
        ('[rerankers.x]\nkind = "model"\nmodel = "y"', "there is no model 'y'"),
        ('[rerankers.x]\nkind = "magic"', "rerankers.x.kind is 'magic'"),
        ('[rerankers.x]\nwire = "soap"', "rerankers.x.wire is 'soap'"),
        ("[rerankers.x]\npasages = 3", "Did you mean 'passages'?"),
        (
            '[rerankers.x]\nmodel = "m"\nbase_url = "http://127.0.0.1"\npassages = 1',
            "2 passages or more",
        ),
    ],
)
def test_a_wrong_setting_is_named(program: Program, config: str, named: str) -> None:
    """A setting without effect would be believed to have one."""
    (program.home / "config.toml").write_text(config)
    run = program.run("search", "crane")
    assert run.code == 1
    assert named in run.err
