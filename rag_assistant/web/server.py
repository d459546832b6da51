"""The server on loopback: the page and what it is made of, and a process for each page.

Everything the page loads comes from here, and its Content-Security-Policy forbids other hosts.
"""

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from aiohttp import web

from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import RagError
from rag_assistant.web.doorkeeper import TOKEN, Doorkeeper
from rag_assistant.web.page import OpenPage, part, side
from rag_assistant.web.page_process import PageProcess

MOST_PAGES = 4
"""Pages that may be open at the same time; each has a process of its own."""

STOPPING_PATIENCE = 0.6
"""Seconds that the pages' processes have to quit when the server is stopped."""

PLACE_PATIENCE = 3.0
"""Seconds that a page waits for the process of one that was just closed or loaded anew to end."""

TOO_MANY = f"{MOST_PAGES} pages are open already. Close one of them, then open this again."
STOPPED = "The server was stopped. Run `rag-assistant serve` again and open the address it prints."
HEARTBEAT = 15.0

_OURS = Path(__file__).parent / "page"
_HOP = """<!DOCTYPE html><meta http-equiv="refresh" content="0;url=/">
<title>rag-assistant</title><link rel="icon" href="data:,">"""


def page_files() -> Mapping[str, Path]:
    """Give what is served, by its place. Raises RagError where a part of it is not installed."""
    found = find_spec("textual_serve")
    theirs = Path(found.origin).parent / "static" if found and found.origin else Path()
    files = {
        "/": _OURS / "page.html",
        "/page.css": _OURS / "page.css",
        "/page.js": _OURS / "page.js",
        "/textual.js": theirs / "js" / "textual.js",
        "/xterm.css": theirs / "css" / "xterm.css",
        "/mono.ttf": theirs / "fonts" / "RobotoMono-VariableFont_wght.ttf",
        "/mono-italic.ttf": theirs / "fonts" / "RobotoMono-Italic-VariableFont_wght.ttf",
    }
    missing = [path.name for path in files.values() if not path.is_file()]
    if missing:
        raise RagError(
            f"The page's parts are not all installed: {', '.join(missing)}.",
            hint=f"Uninstall textual-serve, which brings them. Then run `{how_to_add('serve')}`.",
        )
    return files


def bound(host: str, port: int) -> socket.socket:
    """Take a port. Raises RagError where it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise RagError(
            f"Port {port} of {host} cannot be used ({error.strerror}).",
            hint="Choose another with --port, or any free one with --port 0.",
        ) from error


class PageServer:
    """Opens pages over processes of `command` for those whom `doorkeeper` lets in."""

    def __init__(
        self, doorkeeper: Doorkeeper, command: Sequence[str], environ: Mapping[str, str]
    ) -> None:
        self._doorkeeper = doorkeeper
        self._command = command
        self._environ = environ
        self._pages: set[OpenPage] = set()
        self._places = asyncio.Semaphore(MOST_PAGES)
        self._taken = 0
        self._left = asyncio.Event()
        self._stopping = False
        self._files = page_files()

    def application(self) -> web.Application:
        """Make the application."""
        made = web.Application(middlewares=[self._guard])
        for place in self._files:
            made.router.add_get(place, self._give_file)
        made.router.add_get("/ws", self._open_page)
        return made

    async def close(self) -> None:
        """Close all pages; nothing of them runs afterwards."""
        self._stopping = True
        for page in self._pages:
            page.end(STOPPED, STOPPING_PATIENCE)
        try:
            async with asyncio.timeout(STOPPING_PATIENCE + 0.2):
                await self._all_places()
        except TimeoutError:  # pages that were gone already had more patience with theirs
            for page in self._pages:
                page.kill()
            await self._all_places()

    async def _all_places(self) -> None:
        """Wait until no page is left."""
        while self._taken:
            await self._left.wait()
            self._left.clear()

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        linked = request.path == "/ws"
        token = request.query.get(TOKEN, "") if request.path == "/" else ""
        refusal = self._doorkeeper.refusal(request.headers, request.cookies, token, linked=linked)
        if refusal:
            return self._with_rules(request, web.Response(status=403, text=f"{refusal}\n"))
        if linked:
            return await handler(request)
        try:
            response = self._hop() if token else await handler(request)
        except web.HTTPException as error:
            response = web.Response(status=error.status, text=f"{error.reason}\n")
        return self._with_rules(request, response)

    def _hop(self) -> web.Response:
        """Give the pass and go on without the token, so that no history and no picture shows it.

        The page does this and not a redirect: a browser sends a strict cookie along with a step
        that our own page takes, wherever the link to it was clicked.
        """
        hop = web.Response(text=_HOP, content_type="text/html")
        keeper = self._doorkeeper
        hop.set_cookie(
            keeper.cookie, keeper.cookie_value, path="/", httponly=True, samesite="Strict"
        )
        return hop

    def _with_rules(self, request: web.Request, response: web.StreamResponse) -> web.StreamResponse:
        rules = [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self' 'unsafe-inline'",  # xterm.js writes its sizes into style elements
            "font-src 'self'",
            "img-src 'self' data:",
            f"connect-src 'self' ws://{request.host}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "sandbox allow-scripts allow-same-origin",  # no windows, no dialogs, no downloads
        ]
        response.headers.update(
            {
                "Content-Security-Policy": "; ".join(rules),
                "Cache-Control": "no-store",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Permissions-Policy": "clipboard-read=(), clipboard-write=(self)",
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
            }
        )
        return response

    async def _give_file(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(self._files[request.path])

    async def _open_page(self, request: web.Request) -> web.StreamResponse:
        link = web.WebSocketResponse(heartbeat=HEARTBEAT, timeout=0.2)
        await link.prepare(request)
        try:
            async with asyncio.timeout(PLACE_PATIENCE):
                await self._places.acquire()
        except TimeoutError:
            await part(link, TOO_MANY)
            return link
        self._taken += 1
        try:
            if self._stopping:
                await part(link, STOPPED)
            else:
                await self._lead(link, request)
        except OSError as error:
            await part(link, f"rag-assistant cannot be started here ({error.strerror}).")
        finally:
            self._taken -= 1
            self._left.set()
            self._places.release()
        return link

    async def _lead(self, link: web.WebSocketResponse, request: web.Request) -> None:
        size = side(request.query.get("width"), 80), side(request.query.get("height"), 24)
        page = OpenPage(link, await PageProcess.start(self._command, self._environ, size))
        self._pages.add(page)
        if self._stopping:  # it was being started meanwhile
            page.end(STOPPED, STOPPING_PATIENCE)
        try:
            await page.live()
        finally:
            self._pages.discard(page)


async def serve(
    host: str, port: int, command: Sequence[str], tell: Callable[[str], Awaitable[None]]
) -> None:
    """Serve until Ctrl-C, or until the terminal is closed; `tell` is given the address."""
    listening = bound(host, port)
    doorkeeper = Doorkeeper(host, listening.getsockname()[1])
    server = PageServer(doorkeeper, command, os.environ)
    stopping = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(name, stopping.set)
    runner = web.AppRunner(
        server.application(), access_log=None, handle_signals=False, shutdown_timeout=0.2
    )
    with contextlib.closing(listening):
        await runner.setup()
        await web.SockSite(runner, listening).start()
        try:
            await tell(doorkeeper.address)
            await stopping.wait()
        finally:
            await server.close()
            await runner.cleanup()
