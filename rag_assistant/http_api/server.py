"""Serving the interface until it is stopped."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from rag_assistant.http_api.application import Api, Failed
from rag_assistant.serving.loopback import ServerNames, bound
from rag_assistant.serving.server import serve


async def serve_api(
    home: Path,
    host: str,
    port: int,
    tell: Callable[[str], Awaitable[None]],
    failed: Failed,
    origins: Sequence[str] = (),
) -> None:
    """Serve until Ctrl-C, or until the terminal is closed; `tell` is given the address."""
    listening = bound(host, port)
    names = ServerNames(host, listening.getsockname()[1])
    api = Api(home, names, failed, origins=origins)
    await serve(api.application(), listening, lambda: tell(names.origin), api.close)
