"""How far a call is, told to the client that wants to know, in the order in which it came."""

import asyncio
from contextlib import suppress
from typing import Any, Self

from mcp.server import ServerRequestContext


class Progress:
    """Tells a client of a call's steps, while it is used in `async with`. Whoever did not ask for
    progress is told nothing."""

    def __init__(self, context: ServerRequestContext[Any, Any]) -> None:
        self._context = context
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._telling: asyncio.Task[None] | None = None

    def tell(self, words: str) -> None:
        """Tell a line."""
        self._lines.put_nowait(words)

    async def __aenter__(self) -> Self:
        self._telling = asyncio.create_task(self._tell_all())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._telling:
            self._telling.cancel()
            with suppress(asyncio.CancelledError):
                await self._telling

    async def _tell_all(self) -> None:
        step = 0
        while True:
            words = await self._lines.get()
            step += 1
            await self._context.session.report_progress(step, message=words)
