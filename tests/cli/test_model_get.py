"""`rag-assistant model get`, as a person runs it, against a copy of the hub on loopback."""

import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.cli.main import main
from rag_assistant.models.discovery import PORTS_ENV
from rag_assistant.models.fetched import catalogue
from tests.cli.program import Program
from tests.conftest import HANDBOOK, settle
from tests.conftest import write_files as write_texts
from tests.egress.elsewhere import elsewhere
from tests.models.hub_server import HubReply, HubRequest, HubServer
from tests.models.test_fetched import EMBEDDER, REPOSITORIES, RERANKER, WORDS, in_repository
from tests.models.tiny_models import write_files

needs_fastembed = pytest.mark.skipif(
    find_spec("fastembed") is None, reason="the extra `semantic` is not installed"
)

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def server() -> Iterator[HubServer]:
    with HubServer(REPOSITORIES) as running:
        yield running


@pytest.fixture
def run(
    home: Path,
    server: HubServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run a command in this process, with tiny models in the catalogue, at the copy of the hub."""
    words = replace(EMBEDDER, name="small", settings=(("query_prefix", "crane: "),))
    tiny = (words, replace(RERANKER, name="small", settings=(("passages", 10),)))
    monkeypatch.setattr(catalogue, "CATALOGUE", tiny)
    monkeypatch.setenv("HF_ENDPOINT", server.address)
    monkeypatch.setenv(PORTS_ENV, "")

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["--home", str(home), *arguments])
        return code, *capsys.readouterr()

    return command


def config(home: Path) -> dict[str, Any]:
    path = home / "config.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


@needs_fastembed
def test_one_command_gets_the_models_and_they_are_used(
    run: Run, home: Path, tmp_path: Path
) -> None:
    """A person would have to find, fetch and configure a model by themselves."""
    docs = write_texts(tmp_path / "handbook", HANDBOOK)
    settle(docs)
    assert run("index", str(docs))[0] == 0
    code, out, err = run("model", "get", "small", "--yes")
    assert code == 0
    said = "To fetch from 127.0.0.1, about 0.0 MB; nothing of your documents is sent:"
    assert err.index(said) < err.index("- tiny-words (embedder, about 0.0 MB, MIT): finds words")
    assert f"tiny-words at revision {EMBEDDER.revision}:" in err
    assert "- onnx/model_int8.onnx, " in err and " bytes, sha256 " in err
    assert "rag-assistant model use small --reranker" in err
    assert "or now: rag-assistant embed handbook" in err
    assert "tiny-words: embedder, 0.0 MB, tried and ready" in out
    assert config(home) == {
        "embedder": "small",
        "embedders": {
            "small": {
                "kind": "local",
                "folder": "models/tiny-words",
                "query_prefix": "crane: ",
            }
        },
        "rerankers": {"small": {"kind": "local", "folder": "models/tiny-pairs", "passages": 10}},
    }
    assert run("embed", "handbook")[0] == 0
    found = json.loads(run("search", "crane", "--explain", "--json")[1])
    assert any("meaning" in key for hit in found["hits"] for key in hit["explanation"])
    assert run("model", "use", "small", "--reranker")[0] == 0
    assert json.loads(run("search", "crane", "--json")[1])["reranked_by"] == "tiny-pairs"
    shown = run("model", "list")[1]
    assert "small: embedder tiny-words (0.0 MB, MIT), in use" in shown
    assert "small: reranker tiny-pairs (0.0 MB, MIT), in use" in shown


@needs_fastembed
def test_the_record_of_what_left_names_the_hub(
    run: Run, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person could not see which host learnt what they fetched."""
    monkeypatch.setenv("HF_ENDPOINT", elsewhere(server.address))
    code, _, err = run("model", "get", "small", "--yes")
    assert code == 0 and "is not encrypted: what comes may be changed on the way" in err
    out = run("egress")[1]
    assert "  0.0.0.0  " in out
    assert "download of makers/tiny-pairs, makers/tiny-words; of no database" in out


@needs_fastembed
def test_doctor_says_what_is_missing_and_what_does_not_run(run: Run, home: Path) -> None:
    """Nothing would tell a person that there is a search by meaning, or that theirs is broken."""
    step = "next: to search by meaning as well: rag-assistant model get small"
    assert step in run("doctor")[1]
    assert run("model", "get", "small", "--yes")[0] == 0
    assert "ok    embedder: small: tiny-words-" in run("doctor")[1]
    (home / "models/tiny-words/model.onnx").write_bytes(b"damaged")
    code, out, _ = run("doctor")
    assert code == 1 and "MEND  embedder: The model " in out
    assert "small: embedder tiny-words" in run("model")[1]
    assert "model.onnx is not what was fetched" in run("model")[1]


@needs_fastembed
def test_it_is_asked_for_once(run: Run, server: HubServer) -> None:
    """Each run would fetch all anew."""
    assert run("model", "get", "small", "--yes")[0] == 0
    server.requests.clear()
    code, out, err = run("model", "get", "small", "--json")
    assert code == 0 and not server.requests
    assert "tiny-words is here already, whole" in err
    assert [model["purpose"] for model in json.loads(out)["models"]] == ["embedder", "reranker"]
    listed = json.loads(run("model", "list", "--json")[1])["fetched"]
    assert [(one["used"], one["problem"]) for one in listed] == [(True, ""), (False, "")]


@needs_fastembed
def test_nothing_is_fetched_unasked(run: Run, home: Path, server: HubServer) -> None:
    """A script would fetch megabytes that nobody agreed to."""
    code, _, err = run("model", "get", "small")
    assert code == 1
    assert "Nothing was fetched. Say y at a terminal, or add --yes." in err
    assert not server.requests and not config(home)


@needs_fastembed
def test_a_person_is_asked_at_the_terminal(tmp_path: Path, server: HubServer) -> None:
    """The question would not be shown, or n would be taken for y."""
    program = Program(tmp_path / "home")
    outcome = program.run_in_terminal("model", "get", "small", typed="n\n")
    assert outcome.code == 1
    assert "all-MiniLM-L6-v2 (embedder, about 23.5 MB, Apache-2.0): finds" in outcome.out
    assert "Fetch it? [y/N]" in outcome.out
    assert "Nothing was fetched." in outcome.out


@needs_fastembed
def test_ctrl_c_keeps_what_came(
    server: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person who stops a fetch would begin anew, or think that something broke."""
    model = catalogue.models_named("small")[0]
    rows = [
        {
            "type": "file",
            "path": file.path,
            "size": 100,
            "oid": "0" * 40,
            **({"lfs": {"oid": file.sha256, "size": 100}} if file.sha256 else {}),
        }
        for file in model.files
    ]

    def slow(request: HubRequest, reply: HubReply) -> HubReply:
        if "/api/" in request.path:
            return HubReply(200, json.dumps(rows).encode())
        return HubReply(200, b"x" * 100, pause=0.2)

    server.odd = slow
    monkeypatch.setenv("HF_ENDPOINT", server.address)
    program = Program(tmp_path / "home")
    part = program.home / f"models/{model.title}.part/config.json.part"
    outcome = program.interrupt_when(part, "model", "get", "small", "--yes")
    assert outcome.code == 130
    assert "Interrupted; what came is kept. Run the same command again to go on." in outcome.err
    assert part.exists() and not config(program.home)
    removed = program.run("model", "remove", "small")
    assert removed.code == 0 and f"What was begun of {model.title} is deleted." in removed.err
    assert not part.parent.exists()


@needs_fastembed
def test_what_a_person_has_set_stays(run: Run, home: Path) -> None:
    """An embedder that a person chose would be replaced, and all its vectors be made anew."""
    home.mkdir()
    mine = (
        '# Mine\nembedder = "far"\n\n[embedders.far]\nmodel = "m"  # paid\n\n'
        '[rerankers.small]\nmodel = "p"\nbase_url = "http://127.0.0.1:9/v1"\n'
    )
    (home / "config.toml").write_text(mine)
    code, _, err = run("model", "get", "small", "--yes")
    assert code == 0
    written = (home / "config.toml").read_text()
    assert written.startswith(mine.strip())
    assert config(home)["embedders"]["small"]["folder"] == "models/tiny-words"
    assert "The embedder stays 'far'" in err
    assert "[rerankers.small] of config.toml is another's, and stays." in err
    assert "in use" in run("model", "list")[1]
    assert run("model", "use", "small", "--embedder")[0] == 0
    assert config(home)["embedder"] == "small"
    code, _, err = run("model", "use", "absent", "--embedder")
    assert code == 1 and "there is no embedder 'absent'" in err
    assert config(home)["embedder"] == "small"


@needs_fastembed
def test_models_are_removed_with_their_settings(run: Run, home: Path) -> None:
    """Each search would complain of a model that is gone."""
    assert run("model", "get", "small", "--yes")[0] == 0
    assert run("model", "use", "small", "--reranker")[0] == 0
    code, out, err = run("model", "remove", "small")
    assert code == 0
    assert "tiny-words is deleted" in out and "searches go by words" in err
    assert not list((home / "models").glob("tiny*"))
    left = config(home)
    assert (left.pop("embedder"), left.pop("reranker")) == ("", "")
    assert not any(left.values())
    assert "small: not here yet; to fetch it: rag-assistant model get small" in run("model")[1]
    code, _, err = run("model", "remove", "small")
    assert code == 1 and "No model 'small' was fetched." in err


@needs_fastembed
def test_a_folder_is_enough_without_a_network(
    run: Run, home: Path, server: HubServer, tmp_path: Path
) -> None:
    """A machine without a network could have no model."""
    folder = write_files(tmp_path / "words", WORDS)
    code, out, err = run("model", "get", "small", "--from", str(folder))
    assert code == 0 and not server.requests
    assert "tiny-words: embedder" in out
    assert f"{folder} holds no reranker, which is left out." in err
    assert config(home)["embedder"] == "small"
    code, _, err = run("model", "get", "small", "--from", str(tmp_path / "home"))
    assert code == 1 and "holds no ONNX model for tiny-words (embedder)" in err


@needs_fastembed
def test_a_broken_hub_leaves_the_settings_as_they_were(
    run: Run, home: Path, server: HubServer
) -> None:
    """Searches would be told to use a model that is not there."""

    def wrong(request: HubRequest, reply: HubReply) -> HubReply:
        return replace(reply, body=b"x" * len(reply.body)) if "/cdn/" in request.path else reply

    server.odd = wrong
    code, _, err = run("model", "get", "small", "--yes")
    assert code == 1 and "is not what it should be" in err
    assert err.count("rag-assistant: ") == 1 and "Traceback" not in err
    assert not config(home)
    server.odd = lambda request, reply: reply
    server.repositories = {EMBEDDER.repository: in_repository(WORDS)}
    code, _, err = run("model", "get", "small", "--yes")
    assert code == 1 and "has no makers/tiny-pairs at 01234567 (404)" in err
    assert config(home)["embedder"] == "small", "the one that came is of use without the other"


def test_a_name_that_is_not_known_is_one_line(run: Run) -> None:
    """A slip would end in an address that is not there."""
    code, _, err = run("model", "get", "smal", "--yes")
    assert code == 1 and "There is no model 'smal' to fetch." in err


def test_without_the_extra_nothing_is_fetched(run: Run, server: HubServer) -> None:
    """A person would fetch what cannot be run."""
    if find_spec("fastembed"):
        pytest.skip("fastembed is installed here")
    code, _, err = run("model", "get", "small", "--yes")
    assert code == 1 and "[semantic]" in err and not server.requests
