"""An open connection to a server, by the SDK: list its tools, call one.

With `faults.py` and `stdio.py`, this is all that knows the SDK.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Self

import httpx2
from anyio.abc import AsyncResource
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    JSONRPCResponse,
    PaginatedRequestParams,
)

from rag_assistant import __version__
from rag_assistant.egress.hosts import check_peer, host_of, is_loopback
from rag_assistant.errors import EgressError
from rag_assistant.tools.mcp_client.offers import OfferedTool
from rag_assistant.tools.mcp_client.place import ServerAddress
from rag_assistant.tools.mcp_client.stdio import program_streams
from rag_assistant.tools.mcp_client.traffic import Traffic
from rag_assistant.values.messages import JsonObject

PAGES = 20
"""Pages of a list of tools that are asked for; a server may go on without end."""

CONNECT_SECONDS = 10.0
_FOREVER = 7 * 24 * 3600.0


class ServerConnection:
    """A connection that is open. Every request renews what the server may send."""

    def __init__(self, client: Client, traffic: Traffic) -> None:
        self._client = client
        self._traffic = traffic

    async def offers(self) -> list[OfferedTool]:
        """Ask what the server offers."""
        offers: list[OfferedTool] = []
        self._traffic.broken.clear()
        cursor: str | None = None
        for _ in range(PAGES):
            self._traffic.renew()
            params = PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await self._client.session.list_tools(params=params)
            offers += [OfferedTool(t.name, t.description or "", t.input_schema) for t in page.tools]
            cursor = page.next_cursor
            if not cursor:
                break
        return [*offers, *(OfferedTool(name, "", {}) for name in self._traffic.broken)]

    async def call(self, tool: str, arguments: JsonObject) -> CallToolResult:
        """Call a tool. The result's shape is checked, but not against the schema that the server
        gives for it: nothing here relies on it, and checking it could be made to take for ever."""
        self._traffic.renew()
        params = CallToolRequestParams(name=tool, arguments=dict(arguments))
        return await self._client.session.send_request(
            CallToolRequest(params=params), CallToolResult
        )


@asynccontextmanager
async def open_link(place: ServerAddress, traffic: Traffic) -> AsyncGenerator[ServerConnection]:
    """Start the program, or connect, and agree on a version of the protocol."""
    logging.getLogger("mcp").addHandler(_SILENT)  # its tracebacks would land in the terminal
    logging.getLogger("httpcore2").setLevel(logging.WARNING)  # it logs headers, with their secrets
    ours = Implementation(name="rag-assistant", version=__version__)
    transport = _watched(_streams(place, traffic), traffic)
    async with Client(transport, client_info=ours, cache=None) as client:
        yield ServerConnection(client, traffic)


_SILENT = logging.NullHandler()


def _streams(
    place: ServerAddress, traffic: Traffic
) -> AbstractAsyncContextManager[tuple[Any, Any]]:
    if place.program:
        return program_streams(place, traffic)
    if place.settings.transport == "sse":
        return sse_client(
            place.settings.url,
            sse_read_timeout=_FOREVER,
            httpx_client_factory=lambda headers=None, timeout=None, auth=None: _web(place, traffic),
        )
    return _streamable(place, traffic)


@asynccontextmanager
async def _streamable(place: ServerAddress, traffic: Traffic) -> AsyncGenerator[tuple[Any, Any]]:
    async with (
        _web(place, traffic) as web,
        # What comes in is bounded by `_Bounded`, for all ways of answering alike.
        streamable_http_client(
            place.settings.url, http_client=web, max_sse_event_size=None
        ) as streams,
    ):
        yield streams


def _web(place: ServerAddress, traffic: Traffic) -> httpx2.AsyncClient:
    """Make the client of one server. Silence is bounded by whoever waits, not here."""

    async def look(response: httpx2.Response) -> None:
        # A server need not have anything to say unasked: only answers to messages count.
        asked = response.request.method == "POST" or place.settings.transport == "sse"
        if asked and response.status_code >= 400:
            traffic.status = response.status_code
        if response.headers.get("content-encoding", "identity") != "identity":
            # Nobody knows how much would come out of it.
            raise traffic.refuse("compressed its answer unasked")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Bounded(response.stream, traffic)

    async def watch(request: httpx2.Request) -> None:
        request.extensions["trace"] = _peer_check(request.url.host, traffic)

    return httpx2.AsyncClient(
        headers={**place.headers, "accept-encoding": "identity"},
        timeout=httpx2.Timeout(CONNECT_SECONDS, read=_FOREVER),
        event_hooks={"request": [watch], "response": [look]},
        # A proxy must not get what stays on this machine.
        trust_env=not is_loopback(host_of(place.settings.url)),
    )


def _peer_check(host: str, traffic: Traffic) -> Callable[[str, JsonObject], Awaitable[None]]:
    """Make what hears of a request's steps (httpcore's `trace` extension), and closes a connection
    that was meant for this machine and leads to another before anything is sent."""

    async def connected(name: str, info: JsonObject) -> None:
        if name != "connection.connect_tcp.complete":
            return
        connection = info["return_value"]
        try:
            check_peer(host, connection.get_extra_info("server_addr"))
        except EgressError as error:
            await connection.aclose()
            raise traffic.refuse(f"was sent nothing: {error.message.removesuffix('.')}") from error

    return connected


class _Bounded(httpx2.AsyncByteStream):
    """A response's body that counts what comes in."""

    def __init__(self, inner: httpx2.AsyncByteStream, traffic: Traffic) -> None:
        self._inner = inner
        self._traffic = traffic

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        async for chunk in self._inner:
            self._traffic.take(len(chunk))
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


@asynccontextmanager
async def _watched(
    streams: AbstractAsyncContextManager[tuple[Any, Any]], traffic: Traffic
) -> AsyncGenerator[tuple[Any, Any]]:
    async with streams as (read, write):
        yield _Watched(read, traffic), write


class _Watched(AsyncResource):
    """The server's messages on their way to the SDK: tells when they end, and keeps of listed tools
    only what is of use, because the SDK refuses a whole list for one tool that is none."""

    def __init__(self, inner: Any, traffic: Traffic) -> None:
        self._inner = inner
        self._traffic = traffic

    async def receive(self) -> SessionMessage | Exception:
        item: SessionMessage | Exception = await self._inner.receive()
        return self._sorted(item)

    async def aclose(self) -> None:
        self._traffic.ended.set()
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return self._sorted(await anext(self._inner))

    def _sorted(self, item: SessionMessage | Exception) -> SessionMessage | Exception:
        if isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCResponse):
            listed = item.message.result.get("tools")
            if isinstance(listed, list):
                tools = [_essence(tool) for tool in listed]
                sound = [tool for tool in tools if tool["inputSchema"].get("type") == "object"]
                self._traffic.broken += [tool["name"] for tool in tools if tool not in sound]
                item.message.result["tools"] = sound
        return item


def _essence(tool: object) -> dict[str, Any]:
    """Give name, description and schema of a listed tool, with something harmless for what is not
    of the right kind."""
    told: Mapping[str, Any] = tool if isinstance(tool, Mapping) else {}
    name, description, schema = (told.get(key) for key in ("name", "description", "inputSchema"))
    return {
        "name": name if isinstance(name, str) else "without a name",
        "description": description if isinstance(description, str) else "",
        "inputSchema": schema if isinstance(schema, Mapping) else {},
    }
