"""Vectors made by `index`, after the text is searchable, and what `databases` says of them."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scripts.benchmarks.shared.model_replies import Hangup
from tests.cli.program import COMMAND, Outcome, Program
from tests.conftest import settle, write_files
from tests.models.embedding_server import EmbeddingServer, Odd

NOTES = 7
FAR = 'embedder = "far"\negress = "any"\n[embedders.far]\nmodel = "m"\nbase_url = "https://far.invalid/v1"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {f"n{number}.txt": f"Note {number} about topic{number}.\n" for number in range(NOTES)}
    folder = write_files(tmp_path / "notes", files)
    settle(folder)
    return folder


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "home").mkdir()
    return Program(tmp_path / "home")


@contextmanager
def embedder(program: Program, odd: Odd = lambda number, body: None) -> Iterator[EmbeddingServer]:
    """Serve embeddings, and name them in the configuration."""
    with EmbeddingServer(odd) as server:
        (program.home / "config.toml").write_text(server.config(batch=2))
        yield server


def figures(outcome: Outcome) -> tuple[int, int, str]:
    told = outcome.json
    return told["vectors"], told["vectors_missing"], told["embedder"]


def test_vectors_follow_the_text_and_are_made_once(program: Program, folder: Path) -> None:
    """A person would have to think of a second command, or pay at every run."""
    with embedder(program) as server:
        first = program.run("index", str(folder))
        assert first.code == 0
        assert first.out.startswith("notes: 7 added (")
        assert first.err.splitlines()[0] == (
            "notes: the text is searchable. Making the vectors of 7 passages by test-embedder. "
            "Ctrl-C leaves the rest for the next run."
        )
        assert "7 of 7 passages with one." in first.err.splitlines()[1]
        requests = len(server.requests)
        again = program.run("index", str(folder), "--json")
        assert (again.err, len(server.requests)) == ("", requests)
        assert figures(again) == (NOTES, 0, "test-embedder")
        assert again.json["notes"] == []


def test_json_tells_of_vectors_with_and_without_an_embedder(program: Program, folder: Path) -> None:
    """A script could not tell whether anything is left to make."""
    assert figures(program.run("index", str(folder), "--json")) == (0, NOTES, "")
    with embedder(program) as server:
        left_out = program.run("index", str(folder), "--json", "--no-embed")
        assert figures(left_out) == (0, NOTES, "")
        assert (left_out.err, server.requests) == ("", [])
        made = program.run("index", str(folder), "--json")
        assert figures(made) == (NOTES, 0, "test-embedder")
    assert figures(program.run("index", str(folder), "--json", "--no-embed")) == (NOTES, 0, "")


def test_events_tell_of_vectors_after_the_text(program: Program, folder: Path) -> None:
    """A program that starts the indexer would wait for vectors before it lets a person search."""
    with embedder(program):
        said = program.run("index", str(folder), "--events").out.splitlines()
    events = [json.loads(line) for line in said]
    names = [event["event"] for event in events if event["event"] != "progress"]
    assert names == ["indexed", *["embedding"] * 5, "embedded"]
    assert [event["done"] for event in events if event["event"] == "embedding"] == [0, 2, 4, 6, 7]
    assert (events[-1]["vectors"], events[-1]["vectors_missing"], events[-1]["note"]) == (7, 0, "")


def test_an_embedder_that_fails_is_a_note_and_the_rest_is_made_next_time(
    program: Program, folder: Path
) -> None:
    """Indexing would seem to have failed, or what was made would be paid for again."""
    with embedder(program, lambda number, body: Hangup() if number > 3 else None) as server:
        broken = program.run("index", str(folder))
        assert broken.code == 0
        assert broken.err.count("\n") == 2
        assert f"3 passages without a vector: {server.host} could not be reached" in broken.err
        told = program.run("index", str(folder), "--json")
        assert (told.code, figures(told)) == (0, (4, 3, "test-embedder"))
        assert told.json["notes"][0].startswith("3 passages without a vector: ")
    with embedder(program) as server:
        assert figures(program.run("index", str(folder), "--json")) == (NOTES, 0, "test-embedder")
        assert len(server.texts()) == 1 + 3  # the question for the dimension, and the rest


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("embeder = 1", "no vectors were made: {home}/config.toml: unknown setting 'embeder'"),
        ('embedder = "x"\n[embedders.x]\nkind = "local"\nfolder = "/none"', "holds no model.onnx"),
        (FAR, "The host far.invalid was not found"),
    ],
)
def test_a_wrong_embedder_leaves_the_text_searchable(
    program: Program, folder: Path, config: str, said: str
) -> None:
    """A slip in the configuration would keep a folder from being indexed."""
    (program.home / "config.toml").write_text(config)
    done = program.run("index", str(folder), "--json", HTTPS_PROXY="", https_proxy="")
    assert done.code == 0
    assert said.format(home=program.home) in done.json["notes"][0]
    (program.home / "config.toml").unlink()
    assert program.run("search", "topic3", "--json").json["hits"][0]["title"] == "n3"


def test_a_person_is_told_where_the_text_goes(program: Program, folder: Path) -> None:
    """Documents would leave the machine unseen."""
    (program.home / "config.toml").write_text(FAR)
    done = program.run("index", str(folder), HTTPS_PROXY="", https_proxy="")
    assert "7 passages by m: their text goes to far.invalid." in done.err.splitlines()[0]


@pytest.mark.soak
def test_a_terminal_shows_a_bar(program: Program, folder: Path) -> None:
    """A person would not know whether anything goes on."""
    with embedder(program, lambda number, body: time.sleep(0.1)):
        shown = program.run_in_terminal("index", str(folder))
    assert shown.code == 0
    assert "embedding notes" in shown.out
    assert "7/7" in shown.out


@pytest.mark.soak
def test_ctrl_c_leaves_the_rest_for_the_next_run_and_search_goes_on(
    program: Program, folder: Path
) -> None:
    """Ctrl-C would cost what was made; a search beside would fail, or wait."""
    reached, go_on = threading.Event(), threading.Event()

    def slow(number: int, body: dict[str, Any]) -> None:
        if number == 4:
            reached.set()
            go_on.wait(30)

    with embedder(program, slow) as server:
        process = subprocess.Popen(
            [*COMMAND, "index", str(folder), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=program.environment(),
        )
        assert reached.wait(30)
        # Half of the vectors are there, and another process is at work on the others.
        found = program.run("search", "topic6", "--json").json
        assert (found["hits"][0]["title"], found["notes"]) == ("n6", [])
        beside = program.run("index", str(folder), "--json")
        assert "Another process makes the vectors of 'notes'" in beside.json["notes"][0]
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
        go_on.set()
        assert process.returncode == 130
        assert "notes: 3 passages without a vector yet; the next run makes them." in err
        assert json.loads(out)["vectors"] == 4
        assert figures(program.run("index", str(folder), "--json")) == (NOTES, 0, "test-embedder")
        made = [text for text in server.texts() if text.startswith("n")]
        assert len(made) - len(set(made)) <= 2  # the batch that was under way


@pytest.mark.soak
def test_a_watch_makes_vectors_in_the_background_until_ctrl_c(
    program: Program, folder: Path
) -> None:
    """Watching would wait for a slow model, or leave what is new without vectors."""
    silent: list[bool] = []

    def odd(number: int, body: dict[str, Any]) -> None:
        time.sleep(30 if silent else 0.1)

    with (
        embedder(program, odd),
        program.running("index", str(folder), "--watch", "--events") as process,
    ):
        assert process.stdout

        def next_event(name: str) -> dict[str, Any]:
            assert process.stdout
            while True:
                event: dict[str, Any] = json.loads(process.stdout.readline())
                if event["event"] == name:
                    return event

        assert next_event("indexed")["vectors"] == 0
        next_event("embedding")
        write_files(folder, {"later.txt": "Words that came later."})
        assert next_event("indexed")["added"] == 1  # while vectors are made
        end = next_event("embedded")
        while end["vectors_missing"]:
            end = next_event("embedded")
        assert end["vectors"] == NOTES + 1
        silent.append(True)
        write_files(folder, {"last.txt": "The last words."})
        next_event("embedding")
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert (process.returncode, time.monotonic() - begin < 5) == (0, True)
        assert "notes: 1 passage without a vector yet; the next run makes them." in err
    assert program.run("search", "last words", "--json").json["hits"][0]["path"] == "last.txt"


def test_databases_say_what_vectors_there_are_and_whether_they_are_used(
    program: Program, folder: Path
) -> None:
    """A person could not tell why a search goes by words alone."""

    def line() -> str:
        lines = program.run("databases", "info", "notes").out.splitlines()
        return next(line for line in lines if line.startswith("vectors"))

    def facts() -> dict[str, Any]:
        info: dict[str, Any] = program.run("databases", "info", "notes", "--json").json
        assert program.run("databases", "--json").json["databases"][0].items() <= info.items()
        return {key: info[key] for key in info if key.startswith("vectors")}

    program.run("index", str(folder))
    assert line() == "vectors     none: no embedder is configured"
    with embedder(program):
        assert line() == "vectors     none: make them by test-embedder: rag-assistant embed notes"
        program.run("index", str(folder))
        kind = "7 of 7 passages, by test-embedder (32 numbers)"
        assert line() == f"vectors     {kind}; a search uses them"
        assert facts() == {
            "vectors": NOTES,
            "vectors_missing": 0,
            "vectors_model": "test-embedder",
            "vectors_dimension": 32,
            "vectors_used": True,
        }
    (program.home / "config.toml").write_text(FAR)
    why = "the embedder is m: rag-assistant embed notes"
    assert line() == f"vectors     {kind}; no search uses them: {why}"
    assert facts()["vectors_used"] is False
    (program.home / "config.toml").write_text("embeder = 1")
    broken = program.run("databases", "info", "notes")
    assert (broken.code, "unknown setting 'embeder'" in broken.err) == (0, True)
