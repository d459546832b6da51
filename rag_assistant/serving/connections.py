"""A connection that may not take its time, nor the place of others.

uvicorn bounds the size of a request's head, and not how long it may take to come.
"""

import asyncio
import json
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""What the head of a request may take to come, from the first byte of it or of the connection."""

MOST_CONNECTIONS = 256
"""Connections that are open at the same time; for one more, the one that has waited longest for
its request is closed."""

LARGEST_HEAD = 16 * 1024
"""Bytes of the head of a request."""

NO_REQUEST = (
    "This is no request of HTTP/1.1, or its head is longer than 16 KB. Send one that is shorter."
)


class BoundedConnection(H11Protocol):
    """uvicorn's connection with bounds; `_since` is when it began to wait for a request."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._timer: asyncio.TimerHandle | None = None
        self._since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait, and let go of another where there are too many."""
        super().connection_made(transport)
        self._wait()
        others = [each for each in self.connections if isinstance(each, BoundedConnection)]
        if len(self.connections) > MOST_CONNECTIONS:
            waiting = [each for each in others if each._timer is not None]
            min(waiting, key=lambda each: each._since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; wait on where it is the beginning of a head alone."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._wait_no_more()
        elif self._timer is None:
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, by a reply of our own if none has begun, and close."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json.dumps({"error": {"message": NO_REQUEST, "type": "invalid_request_error"}})
            self.transport.write(
                b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
                b"connection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body.encode())
            )
        self.transport.close()

    def _wait(self) -> None:
        self._since = self.loop.time()
        self._timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _wait_no_more(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        self.transport.abort()
