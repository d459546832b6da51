"""One page: what is typed in the browser goes to a process, what the process draws goes back."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from rag_assistant.web.page_process import PageProcess

LARGEST_SIDE = 1000
"""Columns and rows that are believed."""

PATIENCE = 5.0
"""Seconds that the interface has to quit by itself when its page is gone."""

CLOSED = "rag-assistant was closed. Your conversations are kept: Ctrl+R goes on with one."
FAILED = "rag-assistant ended by itself. Your conversations are kept. "


class OpenPage:
    """A page that is open, and its process."""

    def __init__(self, socket: WebSocket, process: PageProcess) -> None:
        self._socket = socket
        self._process = process
        self._why = ""
        self._patience = PATIENCE
        self._closing = asyncio.Event()

    async def live(self) -> None:
        """Go on until the page is gone or the process has ended; then end the other of them."""
        ways = [
            asyncio.create_task(way) for way in (self._draw(), self._listen(), self._closing.wait())
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            self._note(await asyncio.gather(*ways, return_exceptions=True))
            code = await self._process.stop(self._patience)
            await part(self._socket, self._why or self._ending(code))

    def _note(self, ends: Sequence[object]) -> None:
        """Keep what went wrong here; that the other side has hung up is no fault."""
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, WebSocketDisconnect):
                self._why = self._why or f"{FAILED}{type(end).__name__}: {end}"

    def _ending(self, code: int) -> str:
        if not code:
            return CLOSED
        said = self._process.last_words or f"It gave no reason (exit code {code})."
        return FAILED + said

    def end(self, why: str, patience: float) -> None:
        """Let the page be closed, saying why."""
        self._why, self._patience = why, patience
        self._closing.set()

    def kill(self) -> None:
        """End its process at once."""
        self._process.kill()

    async def _draw(self) -> None:
        async for piece in self._process.drawn():
            await self._socket.send_bytes(piece)

    async def _listen(self) -> None:
        async for written in words_from(self._socket):
            await self._take(written)

    async def _take(self, written: str) -> None:
        try:
            sent = json.loads(written)
        except ValueError:
            return
        match sent:
            case ["stdin", str(typed)]:
                await self._process.type(typed)
            case ["resize", {"width": width, "height": height}]:
                columns, rows = side(width, 80), side(height, 24)
                await self._process.tell("resize", width=columns, height=rows)
            case ["focus" | "blur" as kind]:
                await self._process.tell(kind)


def side(written: Any, otherwise: int) -> int:
    """Read a number of columns or rows."""
    try:
        return min(max(int(written), 1), LARGEST_SIDE)
    except (TypeError, ValueError, OverflowError):
        return otherwise


async def words_from(socket: WebSocket) -> AsyncGenerator[str, None]:
    """Give what the page sends as text, until it is gone; what is no text is passed over."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if message.get("text") is not None:
            yield message["text"]


async def part(socket: WebSocket, why: str) -> None:
    """Tell the page why it ends, and close it. A page that is gone needs no telling."""
    if socket.client_state is WebSocketState.DISCONNECTED:
        return
    with contextlib.suppress(WebSocketDisconnect):
        await socket.send_json(["ended", why])
        await socket.close()
