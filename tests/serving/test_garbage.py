"""What ended requests leave is collected while a server runs."""

import asyncio
import gc
import signal
import weakref
from collections.abc import Iterator

import pytest
from starlette.types import Receive, Scope, Send

from rag_assistant.__main__ import OBJECTS
from rag_assistant.serving.loopback import bound
from rag_assistant.serving.server import serve

REQUESTS = 100
LEFT_OF_EACH = 200
"""Objects in the cycles that a request leaves: too few for a round of collecting at each."""


class Left:
    """What refers to itself, as connections and their tasks do."""

    def __init__(self) -> None:
        self.itself = self
        self.more = [[self] for _ in range(LEFT_OF_EACH)]


@pytest.fixture
def as_started() -> Iterator[None]:
    """Collect as seldom as the program does that has just started."""
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS, *before[1:])
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("as_started")
async def test_what_ended_requests_leave_is_not_held() -> None:
    """If it fails, a server that runs for days grows with each page that was open."""
    left: weakref.WeakSet[Left] = weakref.WeakSet()
    most = 0

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return
        left.add(Left())
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    listening = bound("127.0.0.1", 0)
    port = listening.getsockname()[1]

    async def ask() -> None:
        nonlocal most
        for _ in range(REQUESTS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.1 204")
            writer.close()
            most = max(most, len(left))
        signal.raise_signal(signal.SIGTERM)

    async def close() -> None:
        return

    await serve(application, listening, ask, close)
    assert most < REQUESTS / 3
