"""Events passed on as they come, and kept beside it: nothing waits for the disk but the last event.

What cannot be kept never stops an answer: it is said once, in a `Note`.
"""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Protocol

from rag_assistant.errors import RagError
from rag_assistant.history.connections import HistoryHeld
from rag_assistant.history.mending import HistoryMended
from rag_assistant.history.recording import Follows, Recording
from rag_assistant.history.spool import Unwritten, put_aside
from rag_assistant.history.store import ConversationStore
from rag_assistant.values.events import (
    Answered,
    Event,
    Note,
    RunStarted,
    Stopped,
    TextDelta,
    Waiting,
)
from rag_assistant.values.messages import Carried, Message, PastExchange

END_SECONDS = 3.0
"""How long the last event of a run waits for what is being written; the rest is written after."""

FLUSH_SECONDS = 0.5
"""How much of a streaming answer a crash may lose. Other events are written at once."""


class Going(Protocol):
    """A conversation that goes on from the exchanges that it has had."""

    @property
    def exchanges(self) -> Sequence[PastExchange]:
        """What was said so far."""
        ...

    @property
    def carried(self) -> Carried:
        """Whose words may be in the latest run."""
        ...


class Recorder:
    """Keeps the runs of one conversation, one after the other.

    `follows` is the kept conversation that they belong to, with the last exchange that is known;
    a new one where it is None. `place` is where the latest run is kept, None as long as it is not.
    """

    def __init__(self, store: ConversationStore, follows: Follows | None = None) -> None:
        self.store = store
        self.follows = follows
        self.place: Follows | None = None

    @property
    def conversation(self) -> int | None:
        """The number of the conversation, None until the first run has begun to be kept."""
        return self.follows.conversation if self.follows else None

    async def recorded(
        self, events: AsyncGenerator[Event, None], going: Going | None = None
    ) -> AsyncGenerator[Event, None]:
        """Pass on the events of a run and keep them, the last one before it is passed on.

        `going` is the conversation that the run is of; what it goes on from is kept, too. Closing
        the iterator closes the run, which is then kept as stopped.
        """
        log = _Log(self, going)
        self.place = None
        try:
            async with aclosing(events) as run:
                async for event in run:
                    over = isinstance(event, Answered | Stopped)
                    for passed_on in await log.end(event) if over else log.take(event):
                        yield passed_on
        except Exception as error:
            log.reason = str(error)
            raise
        finally:
            await log.close()


class _Log:
    """The events of one run on their way to the disk, written in order by one thread at a time."""

    def __init__(self, recorder: Recorder, going: Going | None) -> None:
        self.reason = ""
        self._recorder = recorder
        self._going = going
        self._exchanges_before = 0
        self._recording: Recording | None = None
        self._pending: deque[Event] = deque()
        self._hurry = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._one_at_a_time = threading.Lock()
        self._waiting: list[Event] = []
        self._held = False
        self._failed = False

    def take(self, event: Event) -> list[Event]:
        """Take an event, which is written soon; give it back, and what else there is to tell."""
        if not isinstance(event, Waiting):
            self._put(event)
        return [event, *self._notes()]

    async def end(self, event: Event) -> list[Event]:
        """Take the last event; give it back when all is written, after what else there is to tell.

        Where others are writing for long it does not wait for them. That this one cannot be kept is
        told, but not kept.
        """
        await self._written(END_SECONDS)
        notes = self._notes()
        self._put(event)
        await self._written(END_SECONDS)
        return [*notes, *map(Note, self._recorder.store.take_notes()), event]

    def _notes(self) -> list[Event]:
        notes = [Note(note) for note in self._recorder.store.take_notes()]
        for note in notes:
            self._put(note)
        return [*notes]

    def _put(self, event: Event) -> None:
        if isinstance(event, RunStarted) and self._going:
            self._exchanges_before = len(self._going.exchanges)
        self._pending.append(event)
        if not isinstance(event, TextDelta):
            self._hurry.set()
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_pending())

    async def _written(self, seconds: float | None = None) -> None:
        """Wait until all events are written, or cannot be; for so long at most."""
        self._hurry.set()
        if self._writer:
            # Not cancelled with us: whoever stops the run must not stop what is written of it.
            await asyncio.wait([self._writer], timeout=seconds)

    async def close(self) -> None:
        """Write what is left, and the outcome."""
        with suppress(asyncio.CancelledError):  # the writer was, as the loop is ending
            await self._written()
        messages: Sequence[Message] = ()
        if self._going and len(self._going.exchanges) > self._exchanges_before:
            messages = self._going.exchanges[-1].messages
        await asyncio.to_thread(self._end, messages)

    async def _write_pending(self) -> None:
        while self._pending:
            if all(isinstance(event, TextDelta) for event in self._pending):
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), FLUSH_SECONDS)
            self._hurry.clear()
            await asyncio.to_thread(self._write)

    def _write(self) -> None:
        with self._one_at_a_time:
            events = [self._pending.popleft() for _ in range(len(self._pending))]
            if events and not self._failed:
                self._waiting += events
                if not self._held:
                    self._attempt(self._keep)

    def _keep(self) -> None:
        """Write what waits; of a run that has not begun to be kept, its beginning first."""
        if self._recording is None and isinstance(self._waiting[0], RunStarted):
            recorder = self._recorder
            self._recording = recorder.store.begin(self._waiting[0], recorder.follows)
            recorder.follows = recorder.place = self._recording.place
        if recording := self._recording:
            self._again(lambda: recording.keep(self._waiting))
        self._waiting = []

    def _end(self, messages: Sequence[Message]) -> None:
        self._write()
        recording = self._recording
        carried = self._going.carried if self._going else Carried()
        if recording and not self._held:
            finish = partial(recording.finish, messages, self.reason, carried)
            self._attempt(lambda: self._again(finish))
        if self._held and not self._failed:
            self._attempt(lambda: self._put_aside(messages, carried))
        if recording:
            recording.close()

    def _again(self, write: Callable[[], None]) -> None:
        """Write, and once more where the file was damaged and has been mended."""
        try:
            write()
        except HistoryMended as mended:
            self._recorder.store.tell(str(mended))
            write()

    def _attempt(self, write: Callable[[], None]) -> None:
        """Write; after a failure, which is told, no more is written of this run.

        Where others hold the file for longer than anybody waits, all the rest is put aside.
        """
        if self._failed:
            return
        try:
            write()
        except HistoryHeld as error:
            self._held = True
            self._recorder.store.tell(
                f"{error.message} This answer waits beside it, and is taken in when it is free."
            )
        except (RagError, OSError) as error:
            self._fail(str(error))
        except Exception as error:  # noqa: BLE001 - an answer must not fail because it is kept
            self._fail(f"{type(error).__name__}: {error}")

    def _put_aside(self, messages: Sequence[Message], carried: Carried) -> None:
        follows = None if self._recording else self._recorder.follows
        run = Unwritten(self._waiting, self._recording, follows, messages, self.reason, carried)
        put_aside(self._recorder.store.path, run)

    def _fail(self, why: str) -> None:
        self._failed = True
        self._recorder.store.tell(f"This answer is not kept: {why}")
