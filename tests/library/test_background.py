"""Vectors made beside the rest: search goes on, nothing is made twice, and a stop is a stop."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.library.background import BackgroundEmbedding, VectorNews
from rag_assistant.library.database import Database
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.models.embedders import EndpointEmbedder
from scripts.benchmarks.shared.model_replies import Hangup, Status, error
from tests.conftest import settle, write_files
from tests.models.embedding_server import EmbeddingServer

NOTES = 9
PATIENCE = 20.0  # seconds: only a failing test waits so long


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {f"n{number}.txt": f"Note {number} tells of topic{number}\n" for number in range(NOTES)}
    folder = write_files(tmp_path / "notes", files)
    settle(folder)
    return folder


@pytest.fixture
def notes(library: Library, folder: Path) -> Database:
    library.index(folder)
    return library.database("notes")


class Log:
    """What was told, with a look at the database each time."""

    def __init__(self, look: Callable[[], object] = lambda: None) -> None:
        self.news: list[VectorNews] = []
        self._look = look

    def __call__(self, news: VectorNews) -> None:
        self._look()
        self.news.append(news)

    def states(self) -> list[str]:
        return [news.state for news in self.news]

    def wait_for(self, state: str, times: int = 1) -> VectorNews:
        end = time.monotonic() + PATIENCE
        while self.states().count(state) < times:
            assert time.monotonic() < end, f"never {state}: {self.news}"
            time.sleep(0.01)
        return [news for news in self.news if news.state == state][times - 1]


@contextmanager
def background(server: EmbeddingServer, log: Log, **more: Any) -> Iterator[BackgroundEmbedding]:
    embedder = EndpointEmbedder(server.settings(batch=2), {})
    made = BackgroundEmbedding(embedder, log, **more)
    try:
        yield made
    finally:
        made.stop(PATIENCE)
        embedder.close()


def sent(server: EmbeddingServer) -> list[str]:
    """Give the passages that the server was sent, without the question for the dimension."""
    return [text for text in server.texts() if text != "dimension"]


def test_a_search_works_at_every_moment_while_vectors_are_made(
    library: Library, notes: Database
) -> None:
    """Asking would fail, or find half, until the last vector is there."""
    found: list[bool] = []
    with EmbeddingServer() as server:
        embedder = EndpointEmbedder(server.settings(batch=2), {})
        searched = Library(library.home, embedder).database("notes")

        def look() -> None:
            result = search_databases([searched], "topic7", 3)
            assert result.hits[0].title == "n7"
            assert result.notes == ()
            found.append(result.by_meaning)

        log = Log(look)
        with background(server, log) as made:
            made.want(notes)
            last = log.wait_for("made")
        embedder.close()
    assert (last.done, last.total, last.made) == (NOTES, NOTES, NOTES)
    assert [news.done for news in log.news] == [0, 2, 4, 6, 8, 9, 9]
    assert found == [False, True, True, True, True, True, True]


def test_a_database_that_lacks_nothing_asks_no_model(notes: Database) -> None:
    """Every look at a folder would cost a request, or tell of an endpoint that is off."""
    with EmbeddingServer() as server:
        embed_database(notes, EndpointEmbedder(server.settings(), {}))
        requests = len(server.requests)
        log = Log()
        with background(server, log) as made:
            made.want(notes)
            assert log.wait_for("made").made == 0
        assert len(server.requests) == requests


def test_an_endpoint_that_dies_and_comes_back_is_asked_for_the_rest_only(notes: Database) -> None:
    """Vectors would stay missing until somebody thinks of them, or be paid for twice."""
    dead = threading.Event()

    def odd(number: int, body: dict[str, Any]) -> Hangup | None:
        if number == 4:
            dead.set()
        return Hangup() if dead.is_set() else None

    with EmbeddingServer(odd) as server:
        log = Log()
        with background(server, log, first_retry=0.2) as made:
            made.want(notes)
            failed = log.wait_for("failed")
            assert (failed.done, failed.total, failed.made) == (4, NOTES, 4)
            assert "127.0.0.1" in failed.reason
            before = len(server.requests)
            dead.clear()
            assert log.wait_for("made").done == NOTES
        first, rest = server.requests[:before], server.requests[before:]
    kept = {text for body in first[:3] for text in body["input"]} - {"dimension"}
    again = {text for body in rest for text in body["input"]} - {"dimension"}
    assert len(kept) == 4
    assert len(again) == NOTES - 4
    assert not kept & again


def test_what_is_indexed_meanwhile_gets_its_vectors_too(
    library: Library, notes: Database, folder: Path
) -> None:
    """A file saved while vectors are made would wait for the next one to be saved."""
    with EmbeddingServer(lambda number, body: time.sleep(0.1)) as server:
        log = Log()
        with background(server, log) as made:
            made.want(notes)
            log.wait_for("making")
            write_files(folder, {"new.txt": "A lighthouse on the cliff\n"})
            library.index(folder)
            made.want(notes)
            log.wait_for("made", 2)
        assert notes.coverage().lacking("test-embedder") == 0
        assert len(sent(server)) == len(set(sent(server))) == NOTES + 1


def test_two_who_make_vectors_do_not_make_the_same(notes: Database) -> None:
    """A window left open and a nightly run would pay for each text twice."""
    with EmbeddingServer(lambda number, body: time.sleep(0.05)) as server:
        logs = [Log(), Log()]
        with background(server, logs[0]) as one, background(server, logs[1]) as other:
            one.want(notes)
            other.want(notes)
            made = [log.wait_for("made").made for log in logs]
        assert sorted(made) == [0, NOTES]
        assert "waiting" in logs[made.index(0)].states()
        assert len(sent(server)) == len(set(sent(server))) == NOTES


def test_a_stop_does_not_wait_for_a_model_that_says_nothing(notes: Database) -> None:
    """The program would hang when it is closed, for as long as a request may take."""
    asked, leave = threading.Event(), threading.Event()

    def silent(number: int, body: dict[str, Any]) -> None:
        if number == 3:
            asked.set()
            leave.wait(PATIENCE)

    with EmbeddingServer(silent) as server:
        log = Log()
        with background(server, log) as made:
            made.want(notes)
            assert asked.wait(PATIENCE)
            begin = time.monotonic()
            made.stop(0.2)
            assert time.monotonic() - begin < 1
            told = len(log.news)
            leave.set()
        assert len(log.news) == told
    assert notes.coverage().vectors in (2, 4)  # the batch at hand may still be kept


def test_a_refusal_is_told_with_the_next_step_and_other_databases_go_on(
    library: Library, notes: Database, tmp_path: Path
) -> None:
    """One database that is gone, or a key that is missing, would end the work on all."""
    library.index(write_files(tmp_path / "other", {"a.txt": "Something else\n"}))
    other = library.database("other")
    refused = threading.Event()

    def odd(number: int, body: dict[str, Any]) -> Status | None:
        return None if refused.is_set() else Status(401, error("no key"))

    with EmbeddingServer(odd) as server:
        log = Log()
        with background(server, log, first_retry=0.1) as made:
            made.want(notes)
            assert "wants a key (401): no key." in log.wait_for("failed").reason
            refused.set()
            log.wait_for("made")
            library.remove("notes")
            made.want(notes)
            made.want(other)
            assert log.wait_for("made", 2).database == "other"
        assert "notes" in log.wait_for("failed", log.states().count("failed")).database
    assert library.names() == ["other"]


def test_a_search_works_while_another_models_vectors_take_the_place(
    library: Library, notes: Database
) -> None:
    """Changing the embedder would break every search until all vectors are made anew."""
    with EmbeddingServer() as server, EmbeddingServer(dimension=48) as other:
        old = EndpointEmbedder(server.settings(), {})
        new = EndpointEmbedder(replace(other.settings(batch=2), model="other"), {})
        shorter = EndpointEmbedder(replace(other.settings(), model="test-embedder"), {})
        embed_database(notes, old)
        told: list[list[str]] = []

        def look() -> None:
            notes_of_all = []
            for embedder in (old, new, shorter):
                database = Library(library.home, embedder).database("notes")
                result = search_databases([database], "topic7", 3)
                assert result.hits[0].title == "n7"
                assert result.by_meaning == (not result.notes)
                notes_of_all.append(" ".join(result.notes))
            told.append(notes_of_all)

        log = Log(look)
        made = BackgroundEmbedding(new, log)
        made.want(notes)
        assert log.wait_for("made").done == NOTES
        made.stop(PATIENCE)
        for embedder in (old, new, shorter):
            embedder.close()
    before, after = told[0], told[1]
    assert before[0] == ""
    assert "has vectors of test-embedder (32 numbers), not of other" in before[1]
    assert "(32 numbers), not of test-embedder (48 numbers)" in before[2]
    assert "has vectors of other (48 numbers), not of test-embedder" in after[0]
    assert after[1] == ""
