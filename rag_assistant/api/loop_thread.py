"""An event loop in a thread of its own: for callers that have none, and for those, such as
notebooks, whose own is running already."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import aclosing, suppress
from queue import SimpleQueue
from typing import Any, TypeVar

Given = TypeVar("Given")


class LoopThread:
    """Runs what is asynchronous for a caller that waits. It may be used from several threads."""

    def __init__(self) -> None:
        self._begun = threading.Event()
        self._loop: asyncio.AbstractEventLoop
        self._stop: asyncio.Event
        self._thread = threading.Thread(target=self._live, name="rag-assistant", daemon=True)
        self._thread.start()
        self._begun.wait()

    def _live(self) -> None:
        asyncio.run(self._until_closed())

    async def _until_closed(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._begun.set()
        await self._stop.wait()

    def run(self, work: Coroutine[Any, Any, Given]) -> Given:
        """Give what comes of `work`. Where the caller is interrupted, the work is cancelled."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, events: AsyncGenerator[Given, None]) -> Iterator[Given]:
        """Give what a generator yields, which goes on meanwhile. Closing the iterator ends it."""
        passed: SimpleQueue[tuple[Given] | None] = SimpleQueue()

        async def pass_on() -> None:
            try:
                async with aclosing(events):
                    async for event in events:
                        passed.put((event,))
            finally:
                passed.put(None)

        async def begin() -> asyncio.Task[None]:
            return asyncio.create_task(pass_on())

        async def end(task: asyncio.Task[None]) -> None:
            task.cancel()
            await asyncio.wait([task])

        task = self.run(begin())
        ended = False
        try:
            while (one := passed.get()) is not None:
                yield one[0]
            ended = True
        finally:
            if not ended:
                self.run(end(task))
        self.run(_outcome(task))

    def close(self) -> None:
        """End the thread; what still runs in it is cancelled."""
        with suppress(RuntimeError, CancelledError):  # it has ended already
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()


async def _outcome(task: asyncio.Task[None]) -> None:
    await task
