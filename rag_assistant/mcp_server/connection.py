"""A call whose client has gone is ended: nobody is there to read what comes of it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from mcp.server import ServerRequestContext

from rag_assistant.errors import ToolFailed

Given = TypeVar("Given")

LOOK_SECONDS = 0.5
"""How often it is looked whether the connection of a request over HTTP is still there. Over pipes
the server ends with its client."""


async def while_connected(
    context: ServerRequestContext[Any, Any], work: Coroutine[Any, Any, Given]
) -> Given:
    """Give what comes of `work`; end it when the connection that asked for it is closed."""
    task = asyncio.create_task(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=LOOK_SECONDS)
            if not task.done() and await _has_gone(context):
                raise ToolFailed("The connection was closed.", hint="Ask again.")
        return await task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait([task])


async def _has_gone(context: ServerRequestContext[Any, Any]) -> bool:
    return context.request is not None and await context.request.is_disconnected()
