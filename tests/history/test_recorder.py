"""Runs kept while they are passed on: complete, in order, and never in the way of the answer."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from rag_assistant.errors import LibraryError
from rag_assistant.history.recorder import FLUSH_SECONDS, Recorder
from rag_assistant.history.store import ConversationStore
from rag_assistant.values.events import Answered, CitationResolved, Event, Note, TextDelta
from rag_assistant.values.evidence import Citation
from rag_assistant.values.messages import AssistantMessage, Carried, PastExchange, UserMessage
from tests.history.runs import ITEM, run, started, stream


async def gathered(events: AsyncGenerator[Event, None]) -> list[Event]:
    async with aclosing(events):
        return [event async for event in events]


async def test_events_are_passed_on_as_they_are_and_kept_in_their_order(
    store: ConversationStore,
) -> None:
    """What a front end shows, or what is played again, would not be what happened."""
    events = run(text="word " * 500)
    recorder = Recorder(store)
    assert await gathered(recorder.recorded(stream(events))) == events
    assert recorder.conversation == 1
    assert store.replay(1).events == tuple(events)


@dataclass
class Talk:
    """A conversation that goes on from its answered questions."""

    exchanges: tuple[PastExchange, ...] = ()
    carried: Carried = Carried()

    async def ask(self, *events: Event) -> AsyncGenerator[Event, None]:
        for event in events:
            if isinstance(event, Answered):
                said = (UserMessage(event.answer.question), AssistantMessage(event.answer.text))
                past = PastExchange(event.answer.question, said, event.answer.text)
                self.exchanges = (*self.exchanges, past)
            yield event


async def test_the_runs_of_one_recorder_are_one_conversation(store: ConversationStore) -> None:
    """Every question would be a conversation of its own, or go on from something else."""
    recorder, talk = Recorder(store), Talk()
    await gathered(recorder.recorded(talk.ask(*run("One?")), talk))
    await gathered(recorder.recorded(talk.ask(started("Left?"), TextDelta("Half")), talk))
    await gathered(recorder.recorded(talk.ask(*run("Two?")), talk))
    kept = store.show(1)
    assert [(e.ordinal, e.question) for e in kept.exchanges] == [
        (1, "One?"), (2, "Left?"), (3, "Two?"),
    ]  # fmt: skip
    past = store.resume(1)
    # What each rests on is kept with it; the talk of this test does not look it up.
    resumed = [replace(one, databases=(), entries=()) for one in past.exchanges if one.messages]
    assert tuple(resumed) == talk.exchanges
    assert all(one.databases for one in past.exchanges if one.messages)
    assert len(past.evidence) == 2


async def test_everything_is_kept_before_the_last_event_is_passed_on(
    store: ConversationStore,
) -> None:
    """A front end could not tell by which number a run was kept, or that it was not."""
    recorder = Recorder(store)
    async with aclosing(recorder.recorded(stream(run()))) as events:
        async for event in events:
            if event == run()[-1]:
                assert recorder.conversation == 1
                assert store.show(1).exchanges[0].state == "answered"


async def test_streaming_text_is_written_now_and_then(store: ConversationStore) -> None:
    """Each word of an answer would cost a write, or a crash would lose the whole of it."""
    recorder = Recorder(store)
    words = [TextDelta(f"word{number} ") for number in range(100)]
    async with aclosing(recorder.recorded(stream([started(), *words], then_wait=True))) as events:
        async for event in events:
            if event == words[-1]:
                break
        deadline = time.monotonic() + 20 * FLUSH_SECONDS
        while not store.count() or len(store.replay(1).events) < 101:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (101,)


@pytest.mark.parametrize("how", ["closed", "cancelled"])
async def test_a_run_that_the_person_stops_is_kept_as_stopped(
    store: ConversationStore, how: str
) -> None:
    """Esc would lose what there was of an answer, or leave it running for ever."""
    closed: list[bool] = []

    async def source() -> AsyncGenerator[Event, None]:
        try:
            async for event in stream([started(), TextDelta("Half an")], then_wait=True):
                yield event
        finally:
            closed.append(True)

    recorder = Recorder(store)
    seen: list[Event] = []

    async def follow() -> None:
        async with aclosing(recorder.recorded(source())) as events:
            async for event in events:
                seen.append(event)
                if how == "closed" and len(seen) == 2:
                    break

    task = asyncio.create_task(follow())
    while len(seen) < 2:
        await asyncio.sleep(0.01)
    if how == "cancelled":
        task.cancel()
    await asyncio.wait([task])
    assert closed == [True]
    (exchange,) = store.show(1).exchanges
    assert (exchange.state, exchange.answer) == ("stopped", "Half an")
    await gathered(recorder.recorded(stream(run("And now?"))))
    assert len(store.show(1).exchanges) == 2


async def test_a_run_that_fails_is_kept_with_its_reason(store: ConversationStore) -> None:
    """A failure would be forgotten, or be taken for one of the history."""

    async def failing(*events: Event) -> AsyncGenerator[Event, None]:
        for event in events:
            yield event
        raise LibraryError("The database is gone.", hint="Index it.")

    with pytest.raises(LibraryError, match="gone"):
        await gathered(Recorder(store).recorded(failing(started(), TextDelta("A"))))
    assert store.show(1).exchanges[0].reason == "The database is gone. Index it."
    # What cannot even begin is nothing to keep.
    with pytest.raises(LibraryError, match="gone"):
        await gathered(Recorder(store).recorded(failing()))
    assert store.count() == 1


@pytest.mark.parametrize("trouble", ["no folder", "damaged", "locked", "newer"])
async def test_what_cannot_be_kept_is_said_once_and_the_answer_comes(
    tmp_path: Path, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk or a read-only home would keep a person from asking."""
    path = tmp_path / "home" / "conversations.db"
    monkeypatch.setattr("rag_assistant.history.connections.WRITE_SECONDS", 0.2)
    held: sqlite3.Connection | None = None
    if trouble == "no folder":
        path.parent.touch()
    elif trouble == "damaged":
        path.parent.mkdir()
        path.write_bytes(b"garbage" * 999)
    else:
        await gathered(Recorder(ConversationStore(path)).recorded(stream(run("Before?"))))
        held = sqlite3.connect(path, isolation_level=None)
        held.execute("BEGIN IMMEDIATE" if trouble == "locked" else "PRAGMA user_version = 99")
    recorder = Recorder(ConversationStore(path))
    got = await gathered(recorder.recorded(stream(run(text="word " * 50))))
    notes = [event for event in got if isinstance(event, Note) and event not in run()]
    assert len(notes) == 1
    told = {
        "no folder": "cannot be used: File exists",
        "damaged": "were set aside as",
        "locked": "held by another process. This answer waits beside it",
        "newer": "newer version",
    }
    assert told[trouble] in notes[0].text
    got.remove(notes[0])
    assert got == run(text="word " * 50)
    assert (recorder.conversation is not None) == (trouble == "damaged")
    if held:
        held.close()
    if trouble == "locked":
        kept = ConversationStore(path)
        assert [one.title for one in kept.conversations()] == ["How many days?", "Before?"]
        assert kept.replay(2).events[:-2] == tuple(run(text="word " * 50))[:-1]
        assert kept.show(2).exchanges[0].state == "answered"
        assert not path.with_suffix(".pending").exists()


async def test_a_defect_of_the_history_does_not_end_the_answer(store: ConversationStore) -> None:
    """A value that SQLite cannot hold would take the answer with it."""
    events = [started(), CitationResolved(Citation(2**70, ITEM)), *run()[1:]]
    got = await gathered(Recorder(store).recorded(stream(events)))
    (note,) = [event for event in got if event not in events]
    assert isinstance(note, Note)
    assert "not kept: OverflowError" in note.text
    assert got.index(note) < len(got) - 1
    got.remove(note)
    assert got == events


async def test_the_stream_does_not_wait_for_the_disk(store: ConversationStore) -> None:
    """A slow disk, or another process that writes, would make every answer stutter."""
    await gathered(Recorder(store).recorded(stream(run("Before?"))))
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        recorder = Recorder(store)
        async with aclosing(recorder.recorded(stream(run()))) as events:
            begun = time.monotonic()
            for _ in range(len(run()) - 1):
                await anext(events)
            assert time.monotonic() - begun < 0.5
            other.execute("COMMIT")
            assert await anext(events) == run()[-1]
    assert store.replay(2).events == tuple(run())


@pytest.mark.soak
def test_kill_9_at_any_moment_loses_at_most_the_last_moment(tmp_path: Path) -> None:
    """A crash would lose a conversation, or leave a file that cannot be read."""
    path = tmp_path / "conversations.db"
    code = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from rag_assistant.history.recorder import Recorder\n"
        "from rag_assistant.history.store import ConversationStore\n"
        "from tests.history.runs import run, stream\n"
        "async def main():\n"
        "    store = ConversationStore(Path(sys.argv[1]))\n"
        "    for number in range(100_000):\n"
        "        async for event in Recorder(store).recorded(stream(run(f'Q{number}?'))): pass\n"
        "        print(number, flush=True)\n"
        "asyncio.run(main())\n"
    )
    told = -1
    for wait in (0.0, 0.013, 0.029, 0.041):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait)
        os.kill(process.pid, signal.SIGKILL)
        told += 1 + len(process.communicate()[0].split())
    store = ConversationStore(path)
    states = [line.state for line in store.conversations(limit=10_000)]
    assert states.count("answered") >= told + 1
    assert set(states) <= {"answered", "interrupted", "stopped"}
    assert len(states) - states.count("answered") <= 4
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for (line,) in connection.execute("SELECT event FROM events"):
            json.loads(line)
