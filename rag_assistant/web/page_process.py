"""The process behind one page: the interface, which draws into a pipe instead of a terminal.

What passes is what Textual's WebDriver speaks: a letter, a length of four bytes, that many bytes.
`D` is what a terminal would be sent or would send, `M` a JSON object beside it.
"""

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from rag_assistant.text.safe_text import clean_line
from rag_assistant.web import PAGE_DRIVER

_READY = b"__GANGLION__\n"
_LAST_WORDS_KEPT = 8192
_LINES_BEFORE_READY = 100


class PageProcess:
    """Runs from `start` to `stop`; a group of its own, so that nothing of it is left behind."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._errors = b""
        self._listening = asyncio.create_task(self._listen_to_errors())

    @classmethod
    async def start(
        cls, command: Sequence[str], environ: Mapping[str, str], size: tuple[int, int]
    ) -> "PageProcess":
        """Start the interface with so many columns and rows."""
        columns, rows = size
        told = {
            "TEXTUAL_DRIVER": PAGE_DRIVER,
            "TEXTUAL_COLOR_SYSTEM": "truecolor",
            "TERM": "xterm-256color",
            "TERM_PROGRAM": "textual",
            "COLUMNS": str(columns),
            "ROWS": str(rows),
        }
        return cls(
            await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**environ, **told},
                start_new_session=True,  # Ctrl-C is for the server, which ends the pages in order
            )
        )

    @property
    def pid(self) -> int:
        """The process's id, which is its group's too."""
        return self._process.pid

    async def drawn(self) -> AsyncGenerator[bytes, None]:
        """Give what a terminal would be sent, until the interface ends.

        What the interface asks of the browser beside that (to open an address, to fetch a file) is
        passed over: no document gets a browser to open anything.
        """
        out = self._process.stdout
        assert out is not None
        for _ in range(_LINES_BEFORE_READY):
            line = await out.readline()
            if not line:
                return
            if line == _READY:
                break
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                kind = await out.readexactly(1)
                content = await out.readexactly(int.from_bytes(await out.readexactly(4), "big"))
                if kind == b"D":
                    yield content

    async def type(self, text: str) -> None:
        """Pass on what was typed or clicked."""
        await self._send(b"D", text.encode("utf-8", "replace"))

    async def tell(self, kind: str, **more: Any) -> None:
        """Tell of something that is not typed: resize, focus, blur, quit."""
        await self._send(b"M", json.dumps({"type": kind, **more}).encode())

    async def _send(self, kind: bytes, content: bytes) -> None:
        into = self._process.stdin
        assert into is not None
        with contextlib.suppress(ConnectionError):  # it has ended: `drawn` says so
            into.write(kind + len(content).to_bytes(4, "big") + content)
            await into.drain()

    async def stop(self, patience: float) -> int:
        """Ask it to quit, and end it where it has not after so many seconds; give its exit code."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self.tell("quit")
                # What it draws on its way out must go somewhere, or it would wait for a reader.
                await asyncio.gather(self._process.wait(), self._pour_away())
        self.kill()
        code = await self._process.wait()
        into = self._process.stdin
        assert into is not None
        into.close()
        await asyncio.wait([self._listening], timeout=0.2)
        self._listening.cancel()
        return code

    def kill(self) -> None:
        """End all of its group that is still there."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    async def _pour_away(self) -> None:
        out = self._process.stdout
        assert out is not None
        while await out.read(65_536):
            pass

    @property
    def last_words(self) -> str:
        """The last line of what it said of its trouble."""
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return clean_line(lines[-1].strip()) if lines else ""

    async def _listen_to_errors(self) -> None:
        errors = self._process.stderr
        assert errors is not None
        while piece := await errors.read(4096):
            self._errors = (self._errors + piece)[-_LAST_WORDS_KEPT:]
