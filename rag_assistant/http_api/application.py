"""The interface as an application (ASGI): who is let in, what is asked, and what is replied."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from rag_assistant.clients.access import ClientAccess, open_access
from rag_assistant.egress.client_tokens import client_by
from rag_assistant.egress.clients import Client
from rag_assistant.errors import RagError
from rag_assistant.http_api.asking import ask_operation
from rag_assistant.http_api.bounds import Bounds, Incoming, Rate
from rag_assistant.http_api.chat import chat_operations
from rag_assistant.http_api.description import described
from rag_assistant.http_api.documents import document_operations
from rag_assistant.http_api.operations import Operation
from rag_assistant.http_api.replies import Refused, error_reply, refusal_of
from rag_assistant.http_api.running import Running
from rag_assistant.serving.loopback import ServerNames

DESCRIPTION = "/openapi.json"
_LEFT = 499
"""The status of a reply to a client that has gone, which nobody reads."""

Failed = Callable[[Exception], None]
"""Is told of a defect, for the person at the server."""


class Api:
    """The interface to the databases of `home`, asked by `names` and by pages of `origins`."""

    def __init__(
        self,
        home: Path,
        names: ServerNames,
        failed: Failed,
        *,
        origins: Sequence[str] = (),
        bounds: Bounds | None = None,
    ) -> None:
        self._home = home
        self._names = names
        self._failed = failed
        self._origins = tuple(origins)
        self._bounds = bounds or Bounds()
        self._rate = Rate(self._bounds)
        self._running = Running(self._bounds)
        self._opening = asyncio.Lock()
        self._accesses: dict[str, ClientAccess] = {}
        self._operations = [
            *document_operations(self._running),
            ask_operation(self._running, home),
            *chat_operations(self._running, home),
        ]

    def application(self) -> ASGIApp:
        """Make the application."""
        routes = [
            Route(one.path, self._doing(one), methods=[one.method]) for one in self._operations
        ]
        routes.append(Route(DESCRIPTION, self._describe, methods=["GET"]))
        asked: ASGIApp = Starlette(
            routes=routes,
            exception_handlers={
                HTTPException: self._unknown,
                ClientDisconnect: _left,
                Exception: self._failure,  # the outermost: what it replies to is raised once more
                Refused: self._failure,
                RagError: self._failure,
            },
        )
        inner = self._known(asked)
        if self._origins:
            inner = CORSMiddleware(
                inner,
                allow_origins=self._origins,
                allow_methods=["GET", "POST"],
                allow_headers=["Authorization", "Content-Type"],
                expose_headers=["Retry-After"],
            )
        return self._guarded(inner)

    async def close(self) -> None:
        """End all runs, and let go of the models."""
        await self._running.close()
        accesses, self._accesses = self._accesses, {}
        await asyncio.gather(*(one.aclose() for one in accesses.values()))

    def _guarded(self, inner: ASGIApp) -> ASGIApp:
        """Let in who asks by our name; whatever goes wrong further in is replied to from here."""

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":  # nothing is to be begun before the first request
                return
            incoming = Incoming(receive)
            request = Request(scope, incoming.receive)
            request.state.incoming = incoming
            begun = False

            async def sending(message: Any) -> None:
                nonlocal begun
                begun = begun or message["type"] == "http.response.start"
                await send(message)

            try:
                self._check_names(request)
                await inner(scope, incoming.receive, sending)
            except ClientDisconnect:
                pass
            except Exception as error:  # noqa: BLE001 - no traceback leaves, the person is told
                if not isinstance(error, Refused | RagError):
                    self._failed(error)
                if not begun:
                    await (await self._failure(request, error))(scope, receive, send)

        return guarded

    async def _failure(self, request: Request, error: Exception) -> Response:
        """Reply to a request that is not done."""
        await request.state.incoming.pass_over(self._bounds)
        reply = error_reply(refusal_of(error, str(self._home)))
        if request.method not in ("GET", "HEAD"):  # of its body more may come
            reply.headers["Connection"] = "close"
        return reply

    async def _unknown(self, request: Request, error: Exception) -> Response:
        """Reply to what no operation is for."""
        assert isinstance(error, HTTPException)
        hint = f"What can be asked stands in {DESCRIPTION}."
        path = request.url.path[:100]
        why = Refused(404, "not_found", f"There is nothing at {path}.", hint)
        if error.status_code == 405:
            said = f"{path} cannot be asked by {request.method[:20]}."
            why = Refused(405, "wrong_method", said, hint, headers=error.headers)
        return await self._failure(request, why)

    def _check_names(self, request: Request) -> None:
        headers = request.headers
        why = self._names.refusal(headers, must_be_ours=False, origins=self._origins)
        if why:
            hint = "To let a page use it: `rag-assistant api --origin URL`."
            raise Refused(403, "not_from_there", why, hint)
        if "transfer-encoding" in headers and "content-length" in headers:
            raise Refused(
                400, "two_lengths", "The body has two lengths.", "Leave one of the headers out."
            )

    def _known(self, inner: ASGIApp) -> ASGIApp:
        """Let in who has a token, as often as a client may ask."""

        async def known(scope: Scope, receive: Receive, send: Send) -> None:
            request = Request(scope, receive)
            client = client_by(self._home, "HTTP", _token(request))
            self._rate.take(client.name if client else "")
            if client is None:
                raise Refused(
                    401,
                    "no_token",
                    "The token is missing, or is none of this server.",
                    "Send the header Authorization: Bearer TOKEN; `rag-assistant api token` "
                    "prints it.",
                    headers={"WWW-Authenticate": "Bearer"},
                )
            request.state.access = await self._access(client)
            await inner(scope, receive, send)

        return known

    async def _access(self, client: Client) -> ClientAccess:
        async with self._opening:
            if client.name not in self._accesses:
                opened = await asyncio.to_thread(open_access, self._home, client)
                self._accesses[client.name] = opened
            return self._accesses[client.name]

    def _doing(self, operation: Operation) -> Callable[[Request], Awaitable[Response]]:
        async def do(request: Request) -> Response:
            given = await operation.given(request, self._bounds)
            return await operation.handler(request, given)

        return do

    async def _describe(self, _: Request) -> Response:
        return JSONResponse(described(self._operations, self._names.origin))


def _token(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


async def _left(_: Request, __: Exception) -> Response:
    """Reply to nobody."""
    return Response(status_code=_LEFT)
