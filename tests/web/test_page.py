"""What passes between a page and its process, and that no process outlives its page."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from rag_assistant.web.server import MOST_PAGES, STOPPED, TOO_MANY
from tests.web.conftest import DRAWS, Served, Server
from tests.web.processes import is_running, until


class Client:
    """What a page does, without a browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.drawn = ""

    async def send(self, *message: Any) -> None:
        await self._socket.send(json.dumps(list(message)))

    async def send_text(self, text: str) -> None:
        await self._socket.send(text)

    async def send_bytes(self, sent: bytes) -> None:
        await self._socket.send(sent)

    async def receive(self) -> str | bytes:
        """Wait for a message."""
        async with asyncio.timeout(20):
            return await self._socket.recv()

    async def sees(self, words: str) -> None:
        """Wait until the process has drawn some words."""
        while words not in self.drawn:
            message = await self.receive()
            assert isinstance(message, bytes), (message, self.drawn)
            self.drawn += message.decode()

    async def pid(self) -> int:
        """Give the process behind it."""
        await self.sees("pid ")
        await self.sees(" ")
        found = re.search(r"pid (\d+) ", self.drawn)
        assert found
        return int(found[1])

    async def ending(self) -> str:
        """Wait for the end, and give what is said of it."""
        said = ""
        while True:
            try:
                message = await self.receive()
            except ConnectionClosed:
                return said
            if isinstance(message, bytes):
                self.drawn += message.decode()
            else:
                kind, said = json.loads(message)
                assert kind == "ended"


@asynccontextmanager
async def page(
    served: Served, secret: str | None = None, **more: Any
) -> AsyncGenerator[Client, None]:
    """Open a page, which shows the secret first."""
    link = f"{served.link}/ws"
    headers = {"Origin": served.origin, **more}
    async with connect(link, additional_headers=headers, proxy=None) as socket:
        await socket.send(served.secret if secret is None else secret)
        yield Client(socket)


async def test_what_is_typed_arrives_and_nonsense_does_no_harm(server: Server) -> None:
    """Keys would get lost, or a broken message would end the page."""
    async with server() as served, page(served) as client:
        await client.send_bytes(b"\x00\xff")
        for broken in ("", "{", "[]", "[1]", '["stdin", 5]', '["resize", {"width": 5}]', "null"):
            await client.send_text(broken)
        await client.send(
            "stdin", "Grüße \ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")
        )
        await client.sees("D Grüße 😀")
        await client.send("resize", {"width": 100, "height": 10**9})
        await client.sees('"width": 100, "height": 1000')
        await client.send("resize", {"width": "x", "height": None})
        await client.sees('"width": 80, "height": 24')
        await client.send("focus")
        await client.sees('"type": "focus"')
        assert client.drawn.count("D ") == 1


async def test_a_process_ends_with_its_page(server: Server) -> None:
    """Each page that is closed would leave a process with its databases and models behind."""
    async with server() as served:
        async with page(served) as client:
            pid = await client.pid()
            assert is_running(pid)
        await until(lambda: not is_running(pid), "the end of the process")


async def test_a_process_that_will_not_quit_is_ended_with_all_it_has_started(
    server: Server,
) -> None:
    """A hung interface, or a helper process of its, would go on after the server was stopped."""
    stubborn = DRAWS + (
        "import signal, subprocess, time\n"
        "for each in (signal.SIGTERM, signal.SIGINT): signal.signal(each, signal.SIG_IGN)\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        "draw(f'child {child.pid} ready')\n"
        "time.sleep(600)\n"
    )
    async with server(stubborn) as served, page(served) as client:
        await client.sees("ready")
        child = int(client.drawn.split("child ")[1].split()[0])
        pid = await client.pid()
        await served.server.close()
        assert not is_running(pid)
        await until(lambda: not is_running(child), "the end of its child")
        assert await client.ending() == STOPPED


async def test_stopping_does_not_wait_for_a_page_that_was_gone_already(server: Server) -> None:
    """Ctrl-C would take as long as the most stubborn of the pages that were closed before."""
    deaf = DRAWS + "import time\ntime.sleep(600)\n"
    async with server(deaf) as served:
        async with page(served) as client:
            pid = await client.pid()
        await served.server.close()
        assert not is_running(pid)


async def test_pages_beyond_the_bound_are_refused_until_one_is_closed(server: Server) -> None:
    """A loop in a page could fill the machine with processes."""
    async with server() as served, page(served) as first, page(served) as second:
        async with page(served) as third, page(served) as fourth:
            pids = {await each.pid() for each in (first, second, third, fourth)}
            assert len(pids) == MOST_PAGES
            async with page(served) as fifth:
                assert await fifth.ending() == TOO_MANY
        async with page(served) as again:
            assert await again.pid() not in pids


async def test_the_page_says_how_the_program_ended(server: Server) -> None:
    """A page would go blank without a word, or say that all is well after a crash."""
    async with server(DRAWS) as served, page(served) as client:
        assert "was closed" in await client.ending()
    fails = "import sys; sys.exit('traceback\\nno \\x1b[31mdisk\\u202e left')"
    async with server(fails) as served, page(served) as client:
        said = await client.ending()
        assert "ended by itself" in said
        assert "disk" in said
        assert "\x1b" not in said
        assert "\u202e" not in said
    async with server("import os; os.kill(os.getpid(), 9)") as served, page(served) as client:
        assert "gave no reason (exit code -9)" in await client.ending()


async def test_no_program_gets_the_browser_to_open_anything(server: Server) -> None:
    """A document could lead the browser to a foreign page, or have it fetch a file."""
    asks = DRAWS + (
        "for more in ({'type': 'open_url', 'url': 'http://evil.example', 'new_tab': True},\n"
        "    {'type': 'deliver_file_start', 'key': 'k', 'path': '/etc/passwd',\n"
        "     'open_method': 'browser', 'mime_type': '', 'encoding': ''}):\n"
        "    data = json.dumps(more).encode()\n"
        "    os.write(1, b'M' + len(data).to_bytes(4, 'big') + data)\n"
        "draw('after it')\n"
    )
    async with server(asks) as served, page(served) as client:
        said = await client.ending()
        assert "after it" in client.drawn
        assert "was closed" in said
        assert "evil" not in client.drawn
