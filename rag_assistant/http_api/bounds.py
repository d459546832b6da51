"""What a client may ask at most: bytes of a request, requests in a time, work at the same time."""

import asyncio
import contextlib
import json
import math
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.types import Message, Receive

from rag_assistant.http_api.replies import Refused

PASSING_SECONDS = 2.0
"""How long the rest of a body is taken that nobody reads."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """`body` in bytes; a client may ask `burst` requests at once, and then `rate` in a second.

    `runs` questions are answered at the same time and `lookups` documents read; as many as
    `waiting` wait for their turn, for `waiting_seconds` at most. A run may take `run_seconds`.
    """

    body: int = 1024 * 1024
    body_seconds: float = 10.0
    burst: int = 60
    rate: float = 5.0
    runs: int = 2
    lookups: int = 4
    waiting: int = 8
    waiting_seconds: float = 60.0
    run_seconds: float = 900.0


class Rate:
    """How many requests each client may still make: a bucket of `burst` that fills by `rate`."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, client: str) -> None:
        """Count a request. Raises Refused where there was one too many."""
        now, bounds = time.monotonic(), self._bounds
        left, then = self._left.get(client, (float(bounds.burst), now))
        left = min(bounds.burst, left + (now - then) * bounds.rate)
        if left < 1:
            seconds = math.ceil((1 - left) / bounds.rate)
            raise Refused(
                429,
                "too_many_requests",
                f"More than {bounds.burst} requests came at once, or {bounds.rate:g} in a second.",
                f"Wait {seconds} s, then ask again.",
                headers={"Retry-After": str(seconds)},
            )
        self._left[client] = left - 1, now


class Turns:
    """Room for so much work at the same time, with a queue that has an end."""

    def __init__(self, most: int, bounds: Bounds) -> None:
        self._free = asyncio.Semaphore(most)
        self._bounds = bounds
        self._waiting = 0

    def check(self) -> None:
        """Raise Refused where the queue is full."""
        if self._free.locked() and self._waiting >= self._bounds.waiting:
            raise self._busy()

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None, None]:
        """Wait for a place and hold it. Raises Refused where none comes free in time."""
        self.check()
        self._waiting += 1
        try:
            async with asyncio.timeout(self._bounds.waiting_seconds):
                await self._free.acquire()
        except TimeoutError:
            raise self._busy() from None
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._free.release()

    @staticmethod
    def _busy() -> Refused:
        return Refused(
            503,
            "busy",
            "Other requests are being worked at, and as many wait as may.",
            "Ask again in a moment.",
            headers={"Retry-After": "5"},
        )


class Incoming:
    """What a client sends of one request."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._is_whole = False

    async def receive(self) -> Message:
        """Give what comes next (ASGI)."""
        message = await self._receive()
        self._is_whole = not message.get("more_body", False)
        return message

    async def pass_over(self, bounds: Bounds) -> None:
        """Take what still comes, within bounds: who is replied to while sending loses the reply."""
        size = 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PASSING_SECONDS):
                while not self._is_whole and size <= bounds.body:
                    size += len((await self.receive()).get("body", b""))


async def json_body(request: Request, bounds: Bounds) -> Any:
    """Read the JSON that a request carries. Raises Refused, ClientDisconnect."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(
            415,
            "not_json",
            "The body is not said to be JSON.",
            "Send it with the header Content-Type: application/json.",
        )
    try:
        async with asyncio.timeout(bounds.body_seconds):
            content = await _content(request, bounds.body)
    except TimeoutError:
        raise Refused(
            408,
            "too_slow",
            f"The body did not come within {bounds.body_seconds:g} s.",
            "Send it again at once.",
            headers={"Connection": "close"},
        ) from None
    return parsed(content)


async def _content(request: Request, most: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size <= most:
            pieces.append(piece)
        elif size > 16 * most:  # who sends a little too much is let finish, and reads the reply
            break
    if size > most:
        raise Refused(
            413,
            "too_large",
            f"The body has more than {most:,} bytes.",
            "Send less: fewer earlier messages, or a shorter question.",
            headers={"Connection": "close"},
        )
    return b"".join(pieces)


def parsed(content: bytes) -> Any:
    """Read JSON (RFC 8259, UTF-8) whose text can be written as UTF-8 again. Raises Refused."""
    try:
        value = json.loads(content.decode("utf-8"), parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise Refused(
            400, "not_json", "The body is no JSON that can be read.", "Send one JSON object, UTF-8."
        ) from None
    return value


def _no_number(word: str) -> None:
    raise ValueError(word)
