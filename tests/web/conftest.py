"""A server in the test's own process, whose pages are processes of any command."""

import sys
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from typing import Protocol

import pytest

pytest.importorskip("textual_serve", reason="the extra `serve` is not installed")

from rag_assistant.serving.loopback import ServerNames, bound
from rag_assistant.serving.server import served
from rag_assistant.web.server import PageServer

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

    def __init__(self, server: PageServer, port: int) -> None:
        self.server = server
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.link = f"ws://127.0.0.1:{port}"
        self.address = server.address
        self.secret = self.address.partition("#")[2]


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
            pages = PageServer(ServerNames("127.0.0.1", port), [sys.executable, "-c", source], {})
            async with served(pages.application(), listening):
                try:
                    yield Served(pages, port)
                finally:
                    await pages.close()

    return serve
