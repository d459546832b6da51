"""A real MCP server, by the SDK, run as a process of its own: `mcp_peer.py stdio|http|sse [PORT]`.

Over HTTP it listens on loopback, on a free port by default, and prints which. Some of its
tools misbehave.
"""

import asyncio
import os
import socket
import sys
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

server = MCPServer("peer", log_level="CRITICAL")


class Weather(BaseModel):
    """A structured answer."""

    city: str
    degrees: float


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def weather(city: str) -> Weather:
    """Say what the weather is."""
    return Weather(city=city, degrees=21.5)


@server.tool()
def only_structured() -> CallToolResult:
    """Answer without any text."""
    return CallToolResult(content=[], structured_content={"stations": ["north", "süd"]})


@server.tool(structured_output=False)
def picture() -> list[Any]:
    """Answer with a text and an image."""
    return ["the harbour", Image(data=b"\x89PNG" + bytes(3_000), format="png")]


@server.tool()
def huge(characters: int) -> str:
    """Answer with very much text."""
    return "x" * characters


@server.tool()
def fails(why: str) -> str:
    """Report a failure."""
    raise ToolError(why)


@server.tool()
async def hang() -> str:
    """Never answer."""
    await asyncio.sleep(3_600)
    return "late"


@server.tool()
def crash() -> str:
    """End the server."""
    sys.stderr.write("Traceback: the disk is full\n")
    sys.stderr.flush()
    os._exit(3)


@server.tool()
def environment() -> dict[str, str]:
    """Give the server's environment."""
    return dict(os.environ)


@server.tool()
def header(name: str, ctx: Context[Any]) -> str:
    """Give a header of the request."""
    return (ctx.headers or {}).get(name, "")


class KeyWanted:
    """Lets nobody in who does not bring the key, where there is one."""

    def __init__(self, app: Starlette, key: str) -> None:
        self._app = app
        self._key = key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._key:
            given = Request(scope).headers.get("authorization")
            if given != f"Bearer {self._key}":
                await PlainTextResponse(f"{given} is no key", 401)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def serve(kind: str, port: int) -> None:
    """Listen, and print the port."""
    listening = socket.create_server(("127.0.0.1", port))
    app = server.streamable_http_app() if kind == "http" else server.sse_app()
    guarded = KeyWanted(app, os.environ.get("PEER_KEY", ""))
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    config = uvicorn.Config(guarded, log_level="critical", timeout_graceful_shutdown=0)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run()
    else:
        serve(sys.argv[1], int(*sys.argv[2:]))
