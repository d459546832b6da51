"""Serving clients on loopback over streamable HTTP, each known by its token."""

from collections.abc import Callable
from pathlib import Path

from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
from mcp.server.auth.provider import AccessToken, TokenVerifier
from starlette.applications import Starlette
from starlette.middleware.authentication import AuthenticationMiddleware

from rag_assistant.egress.client_tokens import client_by
from rag_assistant.mcp_server.clients_here import ClientsHere
from rag_assistant.mcp_server.server import make_server
from rag_assistant.serving.ending import end_at_once
from rag_assistant.serving.loopback import bound
from rag_assistant.serving.server import serve

HOST = "127.0.0.1"
PATH = "/mcp"

LARGEST_REQUEST = 256 * 1024
"""Bytes of a request at most."""

MOST_SESSIONS = 100
"""Sessions that may be open at the same time."""


class _Tokens(TokenVerifier):
    """Knows the clients of a home by their tokens."""

    def __init__(self, home: Path) -> None:
        self._home = home

    async def verify_token(self, token: str) -> AccessToken | None:
        client = client_by(self._home, "MCP", token)
        return AccessToken(token=token, client_id=client.name, scopes=[]) if client else None


def application(home: Path) -> Starlette:
    """Make the application: every request needs the token of a client."""
    tokens = _Tokens(home)
    made = make_server(ClientsHere(home)).streamable_http_app(
        streamable_http_path=PATH,
        token_verifier=tokens,
        host=HOST,
        max_request_body_size=LARGEST_REQUEST,
        max_sessions=MOST_SESSIONS,
    )
    made.add_middleware(AuthContextMiddleware)
    made.add_middleware(AuthenticationMiddleware, backend=BearerAuthBackend(tokens))
    return made


async def serve_http(home: Path, port: int, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C or SIGTERM; `tell` is given the address. Then the process ends, at once.

    Raises RagError where the port is taken.
    """
    listening = bound(HOST, port)

    async def told() -> None:
        tell(f"http://{HOST}:{listening.getsockname()[1]}{PATH}")

    async def ended() -> None:
        """Leave what is being done to the end of the process."""

    await serve(application(home), listening, told, ended)
    end_at_once()
