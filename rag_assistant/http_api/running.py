"""Work for a request, which ends when the client goes away, time is up, or the server stops."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request

from rag_assistant.http_api.bounds import Bounds, Turns
from rag_assistant.http_api.replies import Refused

PULSE = 10.0
"""Seconds without a word after which a stream gives a sign of life."""

Work = Callable[[Callable[[str], None]], Awaitable[Any]]
"""Something that takes a while; it is given what hears how far it is."""


class Running:
    """The work that is being done. Not more is done at the same time than bounds allow."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._runs = Turns(bounds.runs, bounds)
        self._lookups = Turns(bounds.lookups, bounds)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stopping = False

    async def lookup(self, request: Request, work: Callable[[], Awaitable[Any]]) -> Any:
        """Look something up in documents. Raises Refused, ClientDisconnect, RagError."""
        task = self._begin(lambda _: work(), self._lookups)
        return await self._until_gone(request, task)

    async def run(self, request: Request, work: Work) -> Any:
        """Answer a question. Raises Refused, ClientDisconnect, RagError."""
        return await self._until_gone(request, self._begin(work, self._runs))

    async def _until_gone(self, request: Request, task: asyncio.Task[Any]) -> Any:
        gone = asyncio.create_task(_disconnected(request))
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise ClientDisconnect
            return self._outcome(task)
        finally:
            gone.cancel()
            task.cancel()

    def begin(self, work: Work) -> "Streamed":
        """Begin to answer a question whose reply is streamed. Raises Refused."""
        self._runs.check()
        told: asyncio.Queue[str | None] = asyncio.Queue()
        task = self._begin(work, self._runs, told.put_nowait)
        task.add_done_callback(lambda _: told.put_nowait(None))
        return Streamed(task, told, self._outcome)

    def _begin(
        self, work: Work, turns: Turns, tell: Callable[[str], None] = lambda _: None
    ) -> asyncio.Task[Any]:
        if self._stopping:
            raise _stopped()
        task = asyncio.create_task(self._work(work, turns, tell))
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    async def _work(self, work: Work, turns: Turns, tell: Callable[[str], None]) -> Any:
        async with turns.turn():
            try:
                async with asyncio.timeout(self._bounds.run_seconds):
                    return await work(tell)
            except TimeoutError:
                raise Refused(
                    504,
                    "took_too_long",
                    f"It was not done within {self._bounds.run_seconds:g} s, and was stopped.",
                    "Ask for less: fewer databases, or a narrower question.",
                ) from None

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # nobody may be left to be told

    def _outcome(self, task: asyncio.Task[Any]) -> Any:
        if task.cancelled():
            raise _stopped()
        return task.result()

    async def close(self) -> None:
        """End all that is being done."""
        self._stopping = True
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Streamed:
    """An answer that is worked at while its reply is streamed."""

    def __init__(
        self,
        task: asyncio.Task[Any],
        told: "asyncio.Queue[str | None]",
        outcome: Callable[[asyncio.Task[Any]], Any],
    ) -> None:
        self._task = task
        self._told = told
        self._outcome = outcome

    async def words(self) -> AsyncGenerator[str, None]:
        """Give what is told until it is done, "" as a sign of life; closing this ends the run."""
        try:
            while True:
                try:
                    async with asyncio.timeout(PULSE):
                        said = await self._told.get()
                except TimeoutError:
                    said = ""
                if said is None:
                    return
                yield said
        finally:
            self._task.cancel()

    def result(self) -> Any:
        """Give what came of it. Raises Refused, RagError."""
        return self._outcome(self._task)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _stopped() -> Refused:
    return Refused(
        503, "stopping", "The server is being stopped.", "Start it again: `rag-assistant api`."
    )
