"""A server in the test's own process, whose pages are processes of any command; a browser."""

import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Protocol

import pytest

pytest.importorskip("textual_serve", reason="the extra `serve` is not installed")

from rag_assistant.library.library import Library
from rag_assistant.serving.loopback import ServerNames, bound
from rag_assistant.serving.server import served
from rag_assistant.web.server import PageServer
from tests.cli.program import Program
from tests.tui.conftest import FILLER, LEAVE, PARKING
from tests.web.browser import browser

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


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program, with the database `staff`."""
    folder = tmp_path / "staff"
    folder.mkdir()
    (folder / "leave.md").write_text(LEAVE, encoding="utf-8")
    (folder / "parking.md").write_text(PARKING, encoding="utf-8")
    (folder / "long.md").write_text(f"# Long\n\n{FILLER}", encoding="utf-8")
    Library(tmp_path / "home").index(folder)
    return Program(tmp_path / "home")


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """One browser for all, in which each test has a page of its own."""
    with browser(tmp_path_factory.mktemp("chromium") / "browser") as port:
        yield port
