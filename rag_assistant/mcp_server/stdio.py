"""Serving one client over the pipes of the process that it started."""

from pathlib import Path

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError

from rag_assistant.mcp_server.clients_here import ClientsHere
from rag_assistant.mcp_server.server import make_server
from rag_assistant.serving.ending import end_at_once, end_on_signals

NO_MESSAGE = "This line is no message of the protocol: it must be one JSON-RPC object in UTF-8."

Line = SessionMessage | Exception


async def serve_pipes(home: Path, client: str = "") -> None:
    """Serve until the client closes the pipe; then the process ends here, at once."""
    end_on_signals()
    server = make_server(ClientsHere(home, client))
    passing, passed = anyio.create_memory_object_stream[Line]()

    async def pass_on(to: MemoryObjectSendStream[Line]) -> None:
        """Answer what is no message, which the SDK passes over in silence."""
        async with to:
            async for line in reading:
                if isinstance(line, Exception):
                    await writing.send(SessionMessage(_no_message()))
                else:
                    await to.send(line)

    async with stdio_server() as (reading, writing), anyio.create_task_group() as tasks:
        tasks.start_soon(pass_on, passing)
        await server.run(passed, writing, server.create_initialization_options())
        end_at_once()


def _no_message() -> JSONRPCError:
    error = ErrorData(code=PARSE_ERROR, message=NO_MESSAGE)
    return JSONRPCError(jsonrpc="2.0", id=None, error=error)
