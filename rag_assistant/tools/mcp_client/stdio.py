"""A server that is a program of ours, spoken to over its pipes, one message a line.

Nothing it writes reaches the terminal or piles up: messages are bounded by `Traffic`, and of its
standard error the end is kept. The SDK's own transport bounds neither.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Self

import anyio
from anyio.abc import AsyncResource
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from rag_assistant.files import family
from rag_assistant.files.process_keeper import end_processes, family_of
from rag_assistant.tools.mcp_client.place import ServerAddress
from rag_assistant.tools.mcp_client.traffic import ReplyRefused, Traffic

STRAY_LINES = 1_000
"""Lines that are no messages, one after the other, until a program is taken for no MCP server."""

KEPT = sys.platform == "linux"
"""Whether a process beside the program ends all that it has started; elsewhere that is looked up
when the program ends, and what was left to somebody else by then is not found."""

GRACE_SECONDS = 0.5
"""How long a program may take to end by itself, and again after it was asked to by a signal."""


@asynccontextmanager
async def program_streams(
    place: ServerAddress, traffic: Traffic
) -> AsyncGenerator[tuple["Messages", "Writer"]]:
    """Start the program and give its messages, and what takes ours. Ends it on leaving.

    Raises OSError when it cannot be started.
    """
    loop = asyncio.get_running_loop()
    transport, pipes = await loop.subprocess_exec(
        lambda: _Pipes(traffic),
        *_command(place),
        env=dict(place.environment),
        start_new_session=True,  # Ctrl-C is for us, and the whole group can be ended
    )
    try:
        yield Messages(pipes), Writer(transport)
    finally:
        with anyio.CancelScope(shield=True):
            await _end(transport, pipes)


def _command(place: ServerAddress) -> list[str]:
    """Give what starts the program, with what ends all that it starts beside it."""
    kept = [sys.executable, "-I", "-S", family.__file__] if KEPT else []
    return [*kept, place.program, *place.settings.args]


class _Pipes(asyncio.SubprocessProtocol):
    """Takes what the program writes. `lines` ends with None or with what went wrong."""

    def __init__(self, traffic: Traffic) -> None:
        self.lines: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self.exited = asyncio.Event()
        self._transport: asyncio.SubprocessTransport | None = None
        self.traffic = traffic
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        assert isinstance(data, bytes)
        if fd == 2:
            self.traffic.keep(data)
            return
        if self.traffic.refusal:
            return
        try:
            self.traffic.take(len(data))
        except ReplyRefused as refused:
            self.lines.put_nowait(refused)
            return
        if b"\n" not in data:
            self._rest += data
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.lines.put_nowait(line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self.lines.put_nowait(None)

    def process_exited(self) -> None:
        assert self._transport is not None
        self.traffic.exit_code = self._transport.get_returncode()
        self.exited.set()
        # A program that it started may hold the pipe open for ever; what is in it is read first.
        asyncio.get_running_loop().call_later(0.2, self.lines.put_nowait, None)


class Messages(AsyncResource):
    """The program's messages, as the SDK reads them."""

    def __init__(self, pipes: _Pipes) -> None:
        self._pipes = pipes
        self._closed = False

    async def receive(self) -> SessionMessage | Exception:
        """Wait for the next message. Raises EndOfStream or Refused."""
        strays = 0
        while not self._closed:
            line = await self._pipes.lines.get()
            if line is None:
                break
            if isinstance(line, Exception):
                raise line
            try:
                return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
            except ValueError:
                strays += bool(line.strip())
            if strays > STRAY_LINES:
                raise self._pipes.traffic.refuse("writes lines that are no MCP messages")
        raise anyio.EndOfStream

    async def aclose(self) -> None:
        """Read no more."""
        self._closed = True

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class Writer(AsyncResource):
    """Takes our messages to the program. Never waits: what it does not read stays in memory."""

    def __init__(self, transport: asyncio.SubprocessTransport) -> None:
        self._pipe = transport.get_pipe_transport(0)

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message. Raises BrokenResourceError when the program does not take any."""
        pipe = self._pipe
        if not isinstance(pipe, asyncio.WriteTransport) or pipe.is_closing():
            raise anyio.BrokenResourceError
        message = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        pipe.write(message.encode() + b"\n")

    async def aclose(self) -> None:
        """Write no more; the program is told by the end of its input."""
        if self._pipe is not None:
            self._pipe.close()


async def _end(transport: asyncio.SubprocessTransport, pipes: _Pipes) -> None:
    """Let the program end by itself, then ask it to, then kill it; and all that it started. One
    that was refused is not waited for."""
    started = [] if KEPT else await asyncio.to_thread(family_of, transport.get_pid())
    stdin = transport.get_pipe_transport(0)
    if stdin is not None:
        stdin.close()
    try:
        for name in ("", "SIGTERM", family.END_NOW, "SIGKILL")[bool(pipes.traffic.refusal) :]:
            if name and not pipes.exited.is_set():
                _signal(transport, name)
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE_SECONDS):
                    await pipes.exited.wait()
                break
    finally:
        transport.close()
        end_processes(started)


def _signal(transport: asyncio.SubprocessTransport, name: str) -> None:
    """Send a signal to the group of processes of a program, or to what keeps it alone."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            transport.kill()
        elif name != family.END_NOW:
            os.killpg(transport.get_pid(), getattr(signal, name))
        elif KEPT:
            os.kill(transport.get_pid(), getattr(signal, name))
