"""A server in the test's own process, whose pages are processes of any command."""

import sys
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from typing import Protocol

import pytest

pytest.importorskip("textual_serve", reason="the extra `serve` is not installed")

from aiohttp import web

from rag_assistant.web.doorkeeper import Doorkeeper
from rag_assistant.web.server import PageServer, bound

DRAWS = """
import sys, os, json
def draw(text):
    data = text.encode()
    os.write(1, b"D" + len(data).to_bytes(4, "big") + data)
def heard():
    while kind := sys.stdin.buffer.read(1):
        size = int.from_bytes(sys.stdin.buffer.read(4), "big")
        yield kind.decode(), sys.stdin.buffer.read(size).decode()
os.write(1, b"__GANGLION__\\n")
draw(f"pid {os.getpid()} ")
"""
"""The beginning of a program that draws into a pipe as the interface does."""

ECHO = (
    DRAWS
    + """
for kind, content in heard():
    draw(f"{kind} {content} ")
    if kind == "M" and json.loads(content)["type"] == "quit":
        break
"""
)


class Served:
    """A server that is running."""

    def __init__(self, doorkeeper: Doorkeeper, server: PageServer, port: int) -> None:
        self.server = server
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.address = doorkeeper.address
        self.token = self.address.partition("token=")[2]
        self.cookies = {doorkeeper.cookie: doorkeeper.cookie_value}


class Server(Protocol):
    """Serves pages over the program of a source text."""

    def __call__(self, source: str = ECHO) -> AbstractAsyncContextManager[Served]: ...


@pytest.fixture
def server() -> Server:
    """A server for each program that a test writes."""

    @asynccontextmanager
    async def serve(source: str = ECHO) -> AsyncGenerator[Served, None]:
        with closing(bound("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
            doorkeeper = Doorkeeper("127.0.0.1", port)
            pages = PageServer(doorkeeper, [sys.executable, "-c", source], {})
            runner = web.AppRunner(pages.application(), access_log=None, shutdown_timeout=0.2)
            await runner.setup()
            await web.SockSite(runner, listening).start()
            try:
                yield Served(doorkeeper, pages, port)
            finally:
                await pages.close()
                await runner.cleanup()

    return serve
