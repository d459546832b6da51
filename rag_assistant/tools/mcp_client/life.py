"""One start of a server, in a task of its own: what is entered there is left there.

Whoever asks never enters the connection itself, so that giving up on an answer cannot tear it.
"""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from rag_assistant.tools.mcp_client import faults
from rag_assistant.tools.mcp_client.failures import ServerFailed
from rag_assistant.tools.mcp_client.link import ServerConnection, open_link
from rag_assistant.tools.mcp_client.place import ServerAddress
from rag_assistant.tools.mcp_client.traffic import Traffic

CLOSE_SECONDS = 5.0
"""How long a connection may take to close before it is dropped."""


class Life:
    """A connection from its start to its end. Starts at once."""

    def __init__(self, place: ServerAddress) -> None:
        self.place = place
        self.traffic = Traffic()
        self.hung = False
        """Whether it was given up because it did not start in time."""
        self.failure: ServerFailed | None = None
        """Why it ended, when nobody asked it to."""
        self._link: asyncio.Future[ServerConnection] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(self._run(), name=f"mcp {place.name}")

    @property
    def is_open(self) -> bool:
        """Whether requests can be sent."""
        return self._link.done() and not self.is_over

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or is ending."""
        return self.task.done() or self.traffic.ended.is_set()

    async def link(self) -> ServerConnection:
        """Wait until it is open. Raises ServerFailed when it does not come to that."""
        either: set[asyncio.Future[Any]] = {self.task, self._link}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self._link.done():
            return self._link.result()
        raise self.failure or faults.not_started(self.place, self.traffic, None)

    async def end(self) -> None:
        """End it, and see that it is gone."""
        if self._link.done():
            self.traffic.ended.set()
        else:
            self.task.cancel()
        await asyncio.wait({self.task}, timeout=CLOSE_SECONDS)
        if not self.task.done():
            self.task.cancel()
            await asyncio.wait({self.task}, timeout=1)

    async def gone(self) -> ServerFailed:
        """Wait until it is gone; say why."""
        await asyncio.wait({self.task}, timeout=CLOSE_SECONDS)
        return self.failure or faults.ended(self.place, self.traffic, None)

    async def _run(self) -> None:
        error: BaseException | None = None
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(self.place.settings.timeout_seconds):
                    link = await stack.enter_async_context(open_link(self.place, self.traffic))
                self._link.set_result(link)
                await self.traffic.ended.wait()
        except Exception as caught:  # noqa: BLE001 - anything that a server can cause
            error = faults.first_cause(caught)
        explain = faults.ended if self._link.done() else faults.not_started
        self.hung = isinstance(error, TimeoutError) and not self._link.done()
        self.failure = explain(self.place, self.traffic, error)
