"""The interface in a real browser: a question asked, a citation opened, nothing from elsewhere."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect

from tests.cli.program import Program
from tests.web.browser import CHROMIUM, NO_CHROMIUM, Tab, new_tab
from tests.web.opened import serving, start, until_shown
from tests.web.processes import below, is_running, until

QUOTE = "Technicians may carry over eight days of leave into the next leave year."

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


def origin(address: str) -> str:
    """Give the part of an address that says whose page it is."""
    return address.partition("/#")[0]


async def until_marked(tab: Tab, words: str) -> None:
    """Wait until some words, and no others, stand on a ground of their own."""

    async def grounds() -> str:
        return "".join(f"[{shown}]" for shown in await tab.by_ground())

    await tab.sees(f"[{words}]", grounds)


@pytest.mark.soak
async def test_a_question_is_asked_and_its_citation_opened(program: Program, chromium: int) -> None:
    """The interface in a browser could not be used, or would tell other hosts of it."""
    with serving(program) as (process, address):
        async with new_tab(chromium) as tab:
            await start(tab, address)
            assert await tab.value("location.href + document.cookie") == f"{origin(address)}/"
            assert await tab.value("document.title") == "rag-assistant"
            await tab.type("How many days of leave may technicians carry over?")
            await tab.press("Enter", 13, text="\r")
            await tab.sees("✓ 1 quote found")
            await tab.press("g", 71, control=True)
            await tab.sees("Esc Back")
            await until_marked(tab, QUOTE)
            await tab.press("Enter", 13, text="\r")
            await tab.sees("Outline")
            await until_marked(tab, QUOTE)
            assert "Sources" not in await tab.text()
            await tab.press("Escape", 27)
            await tab.sees("Sources")
            await tab.press("Escape", 27)
            await tab.sees("Enter Send")
            await tab.press("F8", 119)
            await tab.sees("An editor needs a terminal.")
            assert {urlsplit(url).netloc for url in tab.requested} == {urlsplit(address).netloc}
            assert f"{origin(address)}/mono.ttf" in tab.requested
            pages = below(process.pid)
            assert pages
            await tab.press("q", 81, control=True)
            await tab.sees("was closed. Your conversations are kept", tab.notice)
            await until(lambda: not any(map(is_running, pages)), "the end of the process")
            await tab.value("document.getElementById('again').click()")
            await until_shown(tab)
            pages = below(process.pid)
            process.send_signal(signal.SIGINT)
            await tab.sees("The server was stopped. Run `rag-assistant serve` again", tab.notice)
            assert process.wait(20) == 0
            assert not any(map(is_running, pages))


@pytest.mark.soak
async def test_a_lost_connection_is_told_and_leaves_no_process(
    program: Program, chromium: int
) -> None:
    """The page would stand still without a word, and the interface would run on unseen."""
    with serving(program) as (process, address):
        async with new_tab(chromium) as tab:
            await start(tab, address)
            pages = below(process.pid)
            assert any(map(is_running, pages))
            process.kill()
            await tab.sees("The connection to rag-assistant is lost.", tab.notice)
            await until(lambda: not any(map(is_running, pages)), "the end of the process")


class _OtherServer(BaseHTTPRequestHandler):
    """A server of another user of this machine, which keeps every word that it is sent.

    Its page tries to use the WebSocket at the port that its address names.
    """

    received: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.received.append(f"{self.requestline}\n{self.headers}")
        tried = f"ws://127.0.0.1:{urlsplit(self.path).query}/ws"
        page = f"""<!DOCTYPE html><title>trying</title><script>
            const found = JSON.stringify([{{...localStorage}}, {{...sessionStorage}}]);
            const socket = new WebSocket("{tried}");
            socket.onmessage = () => document.title = "it was let in";
            socket.onclose = () => document.title = `trying: refused, ${{found + document.cookie}}`;
        </script>""".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def other_server() -> Iterator[int]:
    """Let another user serve; gives the port."""
    _OtherServer.received.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), _OtherServer) as other:
        serving_it = threading.Thread(target=other.serve_forever, args=(0.02,))
        serving_it.start()
        try:
            yield other.server_port
        finally:
            other.shutdown()
            serving_it.join()


async def said_to(address: str, first: str) -> str:
    """Give what a program is told that forges what a page of the interface sends."""
    headers = {"Origin": origin(address)}
    link = f"ws://{urlsplit(address).netloc}/ws"
    async with connect(link, additional_headers=headers, proxy=None) as socket:
        await socket.send(first)
        return str(await socket.recv())


@pytest.mark.soak
async def test_another_users_server_in_the_same_browser_gets_nothing_to_enter_by(
    program: Program, chromium: int
) -> None:
    """Cookies go to every port of 127.0.0.1: who serves at one of them could take over the
    interface, once the person follows a link to it."""
    with serving(program) as (process, address), other_server() as port:
        async with new_tab(chromium) as tab:
            await start(tab, address)
            pages = below(process.pid)
            await tab.open(f"http://127.0.0.1:{port}/?{urlsplit(address).port}")

            async def title() -> str:
                return str(await tab.value("document.title"))

            assert await tab.sees("refused", title) == "trying: refused, [{},{}]"
            await until(lambda: not any(map(is_running, pages)), "the end of the page before")
            # What that page had started last may outlive it by a moment.
            await until(lambda: not below(process.pid), "the end of all that it started")
            given = "\n".join(_OtherServer.received)
            assert "GET /?" in given
            assert "cookie" not in given.lower()
            assert address.partition("#")[2] not in given
            for tried in ("", urlsplit(address).netloc, "null"):
                said = await said_to(address, tried)
                assert "Open the whole address" in said
            assert not below(process.pid)
            await tab.value("history.back()")
            await until_shown(tab)  # the person goes back, and is still let in


@pytest.mark.soak
async def test_a_page_without_the_whole_address_says_so(program: Program, chromium: int) -> None:
    """A person who copied half of the address would look at an empty page."""
    with serving(program) as (process, address):
        async with new_tab(chromium) as tab:
            await tab.open(origin(address))
            await tab.sees("Open the whole address", tab.notice)
            assert not below(process.pid)
            await tab.open(address)  # only what follows the # is new: the browser loads nothing
            await until_shown(tab)
            assert await tab.value("location.href") == f"{origin(address)}/"
