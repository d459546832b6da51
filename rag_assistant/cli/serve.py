"""`serve`: the interface in a browser on this machine, behind an address with a secret."""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import config_of, home_of, say
from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import RagError
from rag_assistant.serving.loopback import loopback


def run_serve(options: Namespace) -> int:
    """Serve until Ctrl-C."""
    host = loopback(options.host)
    if os.name == "nt":
        raise RagError(
            "The server for browsers needs Linux, macOS or the Windows Subsystem for Linux.",
            hint="In this terminal: `rag-assistant`.",
        )
    if any(find_spec(each) is None for each in ("textual_serve", "uvicorn", "websockets")):
        raise RagError(
            "Serving the interface to a browser needs the extra 'serve'.",
            hint=f"Run `{how_to_add('serve')}`.",
        )
    config_of(options)  # what is wrong with it is said here and not in every page
    from rag_assistant.web.server import serve

    command = [sys.executable, "-P", "-m", "rag_assistant", "--home", str(home_of(options))]
    with _opener() if options.open else nullcontext() as opener:
        asyncio.run(serve(host, options.port, command, _teller(opener)))
    say("Stopped.")
    return Exit.DONE


@contextmanager
def _opener() -> Iterator[Path]:
    """Give the place of a file for the browser, which is gone afterwards."""
    with TemporaryDirectory(prefix="rag-assistant-") as folder:
        yield Path(folder) / "open.html"


def _teller(opener: Path | None) -> Callable[[str], Awaitable[None]]:
    async def tell(address: str) -> None:
        print(address, flush=True)
        say("Open this address in a browser on this machine; keep it to yourself. Ctrl-C ends.")
        if opener:
            await asyncio.to_thread(_open, address, opener)

    return tell


def _open(address: str, opener: Path) -> None:
    """Open the browser by a file: what a command is given, every user of this machine can read."""
    import webbrowser

    refresh = f'<!DOCTYPE html><meta http-equiv="refresh" content="0;url={address}">'
    opener.write_text(refresh, encoding="utf-8")
    if not webbrowser.open(opener.as_uri()):
        say("No browser could be opened: open the address yourself.")
