"""Serving an application (ASGI) on a socket of this machine, until it is stopped."""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp

from rag_assistant.serving.connections import LARGEST_HEAD, BoundedConnection

KEPT_SECONDS = 15
"""How long a connection is kept on which nothing more is asked."""

HEARTBEAT = 15.0
"""Seconds between two looks whether the other end of a WebSocket is still there."""

LARGEST_MESSAGE = 4 * 1024 * 1024
"""Bytes of one message on a WebSocket."""

PARTING = 1
"""Seconds that requests have to end by themselves when the server stops."""

ROUND_OBJECTS = 1_000
"""Objects made between two short rounds of collecting garbage, about what one request leaves."""


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave signals to `serve`: uvicorn would raise them once more when it has ended."""
        yield


@asynccontextmanager
async def served(application: ASGIApp, listening: socket.socket) -> AsyncGenerator[None, None]:
    """Serve while the block runs."""
    # What uvicorn logs is what clients do wrong, and what an application did not catch itself.
    log = logging.getLogger("uvicorn")
    log.addHandler(logging.NullHandler())
    log.propagate = False
    config = uvicorn.Config(
        application,
        http=BoundedConnection,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=HEARTBEAT,
        ws_ping_timeout=HEARTBEAT,
        lifespan="auto",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEPT_SECONDS,
        timeout_graceful_shutdown=PARTING,
        h11_max_incomplete_event_size=LARGEST_HEAD,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve([listening]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


async def serve(
    application: ASGIApp,
    listening: socket.socket,
    tell: Callable[[], Awaitable[None]],
    close: Callable[[], Awaitable[None]],
) -> None:
    """Serve until Ctrl-C, or until the terminal is closed.

    `tell` is called when it can be asked, and `close` before connections are closed: it ends what
    the application has begun.
    """
    stopping = asyncio.Event()
    with contextlib.closing(listening):
        async with served(application, listening):
            _on_signals(stopping.set)
            _collect_often()
            try:
                await tell()
                await stopping.wait()
            finally:
                await close()


def _collect_often() -> None:
    """Collect garbage as often as suits a server; a start, which makes none, does it far less.

    What ended connections leave is cycles: by the measure of a start, the memory of hundreds of
    them was held. What the program itself is made of is passed over for good.
    """
    gc.freeze()
    gc.set_threshold(ROUND_OBJECTS, *gc.get_threshold()[1:])


def _on_signals(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
