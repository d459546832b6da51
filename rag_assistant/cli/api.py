"""`rag-assistant api`: serve other programs over HTTP on this machine, and say what they may."""

import asyncio
import traceback
from argparse import Namespace
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from urllib.parse import urlsplit

from rag_assistant.cli import clients
from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import config_of, home_of, print_text, say
from rag_assistant.config.installation import how_to_add
from rag_assistant.egress.client_tokens import new_secret, token_of
from rag_assistant.egress.clients import Client, client_named
from rag_assistant.errors import RagError
from rag_assistant.serving.loopback import loopback

DEFAULT = "default"
"""What a client is called that was given no name."""


def run_api(options: Namespace) -> int:
    """Serve, or do what the action says."""
    actions: dict[str | None, Callable[[Namespace], int]] = {
        None: _serve,
        "clients": lambda given: clients.tell_clients(given, "HTTP"),
        "allow": lambda given: clients.allow(given, "HTTP"),
        "forbid": lambda given: clients.forbid(given, "HTTP"),
        "token": _print_token,
    }
    return actions[options.action](options)


def _serve(options: Namespace) -> int:
    host = loopback(options.host)
    origins = [_origin(written) for written in options.origins]
    if find_spec("uvicorn") is None or find_spec("starlette") is None:
        raise RagError(
            "Serving other programs over HTTP needs the extra 'api'.",
            hint=f"Run `{how_to_add('api')}`.",
        )
    config_of(options)  # what is wrong with it is said here and not in every reply
    from rag_assistant.http_api.server import serve_api
    from rag_assistant.serving.ending import end_at_once

    async def serve() -> None:
        tell, failed = _teller(options), _failed(options)
        await serve_api(home_of(options), host, options.port, tell, failed, origins)
        say("Stopped.")
        end_at_once()

    asyncio.run(serve())
    return Exit.DONE


def _origin(written: str) -> str:
    """Give the origin of a page as browsers name it. Raises RagError."""
    parts = urlsplit(written)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise RagError(
            f"{written[:80]!r} is no origin of a page.",
            hint="Give scheme, host and port: --origin http://localhost:3000.",
        )
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _teller(options: Namespace) -> Callable[[str], Awaitable[None]]:
    token = token_of(home_of(options), Client("HTTP", DEFAULT))

    async def tell(origin: str) -> None:
        print(f"{origin}/v1", flush=True)
        say(f"Token: {token}")
        say("A chat program takes the address as that of OpenAI, and the token as its key.")
        say(
            "Keep the token to yourself; `rag-assistant api token NAME` gives each program its own."
        )
        say("Ctrl-C ends.")

    return tell


def _failed(options: Namespace) -> Callable[[Exception], None]:
    def tell(error: Exception) -> None:
        say(f"Internal error: {type(error).__name__} in a request. Run with --debug and report.")
        if options.debug:
            traceback.print_exception(error)

    return tell


def _print_token(options: Namespace) -> int:
    home, client = home_of(options), client_named("HTTP", options.name)
    if options.new:
        new_secret(home)
        say("All tokens of before are worthless now.")
    print_text(token_of(home, client))
    return Exit.DONE
