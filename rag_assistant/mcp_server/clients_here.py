"""Who asks: the client of a request, and its way to the documents, kept while the server runs."""

import asyncio
from pathlib import Path
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser

from rag_assistant.clients.access import ClientAccess, open_access
from rag_assistant.egress.clients import UNNAMED, Client, client_called

MOST_CLIENTS = 50
"""Clients whose way is kept open; of more, the one that asked first goes."""


class ClientsHere:
    """The clients of one server. `named` is the name of the only one there is, where that is known
    from the start; else it is what a token says, or what the client calls itself."""

    def __init__(self, home: Path, named: str = "") -> None:
        self._home = home
        self._named = named
        self._open: dict[Client, ClientAccess] = {}
        self._opening = asyncio.Lock()

    def client_of(self, context: ServerRequestContext[Any, Any]) -> Client:
        """Give who a request is from."""
        if self._named:
            return Client("MCP", self._named)
        user = context.request.scope.get("user") if context.request is not None else None
        if isinstance(user, AuthenticatedUser):
            return Client("MCP", user.access_token.client_id)
        told = context.session.client_params
        return client_called("MCP", told.client_info.name if told else UNNAMED)

    async def access(self, context: ServerRequestContext[Any, Any]) -> ClientAccess:
        """Give the way of the one whom a request is from. Raises ConfigError."""
        client = self.client_of(context)
        async with self._opening:
            if client not in self._open:
                if len(self._open) >= MOST_CLIENTS:
                    await self._open.pop(next(iter(self._open))).aclose()
                self._open[client] = await asyncio.to_thread(open_access, self._home, client)
            return self._open[client]

    async def aclose(self) -> None:
        """Close all of them."""
        for access in self._open.values():
            await access.aclose()
        self._open.clear()
