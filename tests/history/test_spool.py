"""Runs that cannot be kept for the time being: they wait beside the file, and none is dropped."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from rag_assistant.history.recorder import Recorder
from rag_assistant.history.store import ConversationStore
from tests.history.runs import run, stream
from tests.history.test_recorder import gathered

HISTORY = "rag_assistant.history"


@contextmanager
def held(path: Path) -> Iterator[sqlite3.Connection]:
    """Let another program write, for as long as this goes on."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        other.execute("ROLLBACK")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a writer wait for its turn for a moment only."""
    monkeypatch.setattr(f"{HISTORY}.connections.WRITE_SECONDS", 0.1)


def waiting(store: ConversationStore) -> list[Path]:
    return sorted(store.path.with_suffix(".pending").glob("*.json"))


@pytest.mark.usefixtures("impatient")
async def test_a_run_that_had_begun_goes_on_where_it_was(store: ConversationStore) -> None:
    """Half an answer would be kept, or its beginning twice."""
    recorder = Recorder(store)
    events = run(text="word " * 20)
    recorded = recorder.recorded(stream(events))
    got = [await anext(recorded)]
    while not store.path.exists() or recorder.place is None:
        got.append(await anext(recorded))
    with held(store.path):
        got += [event async for event in recorded]
        (file,) = waiting(store)
        assert file.stat().st_mode & 0o077 == 0  # what a person asks is nobody else's
    assert [event for event in got if event in events] == events
    assert store.replay(1).events == tuple(events)
    (exchange,) = store.show(1).exchanges
    assert (exchange.state, exchange.answer) == ("answered", "word " * 20)
    assert waiting(store) == []
    assert store.search("word")


@pytest.mark.usefixtures("impatient")
async def test_the_next_question_takes_in_what_waits(store: ConversationStore) -> None:
    """An answer would wait until somebody happens to look at the history."""
    await gathered(Recorder(store).recorded(stream(run("First?"))))
    with held(store.path):
        await gathered(Recorder(store).recorded(stream(run("Second?"))))
    await gathered(Recorder(store).recorded(stream(run("Third?"))))
    with closing(sqlite3.connect(store.path)) as connection:
        titles = connection.execute("SELECT title FROM conversations ORDER BY id").fetchall()
    assert titles == [("First?",), ("Second?",), ("Third?",)]


@pytest.mark.usefixtures("impatient")
async def test_what_waits_is_taken_in_once(store: ConversationStore) -> None:
    """Two windows that open at the same moment would keep an answer twice."""
    await gathered(Recorder(store).recorded(stream(run("First?"))))
    with held(store.path):
        for number in range(5):
            await gathered(Recorder(store).recorded(stream(run(f"Question {number}?"))))
        assert len(waiting(store)) == 5
    stores = [ConversationStore(store.path) for _ in range(4)]
    threads = [threading.Thread(target=one.conversations) for one in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.count() == 6


async def test_what_waits_and_cannot_be_read_is_said_and_stays(store: ConversationStore) -> None:
    """A damaged file would close the history, or be thrown away."""
    await gathered(Recorder(store).recorded(stream(run("First?"))))
    folder = store.path.with_suffix(".pending")
    folder.mkdir()
    for name, text in (("a.json", "{"), ("b.json", '{"events": [], "begun": null}')):
        (folder / name).write_text(text)
    assert len(store.conversations()) == 1
    assert len(store.take_notes()) == 2
    assert len(waiting(store)) == 2
