"""The server on loopback: the page and what it is made of, and a process for each page.

Everything the page loads comes from here, and its Content-Security-Policy forbids other hosts. What
it is made of tells nothing and is given to whoever asks on this machine. A process is started for
those alone whose first word on the WebSocket is the secret. It came to the page's script in the
part of the address that no browser sends, and is kept by origin, which is of this port alone; a
cookie would go to every server at 127.0.0.1, those of other users of the machine too.
"""

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from rag_assistant.serving.loopback import ServerNames, bound, is_same
from rag_assistant.serving.server import serve as serve_application
from rag_assistant.web.page import OpenPage, part, side, words_from
from rag_assistant.web.page_files import page_files
from rag_assistant.web.page_process import PageProcess

MOST_PAGES = 4
"""Pages that may be open at the same time; each has a process of its own."""

STOPPING_PATIENCE = 0.6
"""Seconds that the pages' processes have to quit when the server is stopped."""

PLACE_PATIENCE = 3.0
"""Seconds that a page waits for the process of one that was just closed or loaded anew to end."""

SECRET_SECONDS = 5.0
"""What a page may take to show the secret."""

TOO_MANY = f"{MOST_PAGES} pages are open already. Close one of them, then open this again."
STOPPED = "The server was stopped. Run `rag-assistant serve` again and open the address it prints."
NOT_WITHOUT_SECRET = (
    "Open the whole address that `rag-assistant serve` printed, with all that follows the #."
)


class PageServer:
    """Opens pages over processes of `command`, for those who know the secret."""

    def __init__(
        self, names: ServerNames, command: Sequence[str], environ: Mapping[str, str]
    ) -> None:
        self._names = names
        self._secret = secrets.token_urlsafe(32)
        self.address = f"{names.origin}/#{self._secret}"
        self._command = command
        self._environ = environ
        self._pages: set[OpenPage] = set()
        self._places = asyncio.Semaphore(MOST_PAGES)
        self._taken = 0
        self._left = asyncio.Event()
        self._stopping = False
        self._files = page_files()

    def application(self) -> ASGIApp:
        """Make the application."""
        files = [Route(place, self._give_file, methods=["GET"]) for place in self._files]
        routes = Starlette(routes=[*files, WebSocketRoute("/ws", self._open_page)])

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            guard = self._guard if scope["type"] != "lifespan" else _pass_on
            await guard(routes, scope, receive, send)

        return guarded

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

    async def _guard(self, routes: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        linked = scope["type"] == "websocket"
        asked = WebSocket(scope, receive, send) if linked else Request(scope)
        refusal = self._names.refusal(asked.headers, must_be_ours=linked)
        if not refusal:
            await routes(scope, receive, _with_rules(send, asked.headers["host"]))
        elif isinstance(asked, WebSocket):
            await asked.receive()
            await asked.send_denial_response(PlainTextResponse(f"{refusal}\n", 403))
        else:
            response = PlainTextResponse(f"{refusal}\n", 403)
            await response(scope, receive, _with_rules(send, "127.0.0.1"))

    async def _give_file(self, request: Request) -> Response:
        return FileResponse(self._files[request.url.path])

    async def _open_page(self, link: WebSocket) -> None:
        await link.accept()
        if not await self._knows_secret(link):
            await part(link, NOT_WITHOUT_SECRET)
            return
        try:
            async with asyncio.timeout(PLACE_PATIENCE):
                await self._places.acquire()
        except TimeoutError:
            await part(link, TOO_MANY)
            return
        self._taken += 1
        try:
            if self._stopping:
                await part(link, STOPPED)
            else:
                await self._lead(link)
        except OSError as error:
            await part(link, f"rag-assistant cannot be started here ({error.strerror}).")
        finally:
            self._taken -= 1
            self._left.set()
            self._places.release()

    async def _knows_secret(self, link: WebSocket) -> bool:
        try:
            async with asyncio.timeout(SECRET_SECONDS):
                async for written in words_from(link):
                    return is_same(written, self._secret)
        except TimeoutError:
            pass
        return False

    async def _lead(self, link: WebSocket) -> None:
        asked = link.query_params
        size = side(asked.get("width"), 80), side(asked.get("height"), 24)
        page = OpenPage(link, await PageProcess.start(self._command, self._environ, size))
        self._pages.add(page)
        if self._stopping:  # it was being started meanwhile
            page.end(STOPPED, STOPPING_PATIENCE)
        try:
            await page.live()
        finally:
            self._pages.discard(page)


async def _pass_on(routes: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await routes(scope, receive, send)


def _with_rules(send: Send, host: str) -> Send:
    """Let every response say what the page may do."""
    rules = [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # xterm.js writes its sizes into style elements
        "font-src 'self'",
        "img-src 'self' data:",
        f"connect-src 'self' ws://{host}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "sandbox allow-scripts allow-same-origin",  # no windows, no dialogs, no downloads
    ]
    more = {
        "Content-Security-Policy": "; ".join(rules),
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "clipboard-read=(), clipboard-write=(self)",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    written = [(name.lower().encode(), value.encode()) for name, value in more.items()]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *written]}
        await send(message)

    return sending


async def serve(
    host: str, port: int, command: Sequence[str], tell: Callable[[str], Awaitable[None]]
) -> None:
    """Serve until Ctrl-C, or until the terminal is closed; `tell` is given the address."""
    listening = bound(host, port)
    pages = PageServer(ServerNames(host, listening.getsockname()[1]), command, os.environ)
    await serve_application(
        pages.application(), listening, lambda: tell(pages.address), pages.close
    )
