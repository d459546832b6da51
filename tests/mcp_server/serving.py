"""The server as a process, and clients of it: the SDK's own, and one that writes lines itself."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from rag_assistant.egress.client_tokens import token_of
from rag_assistant.egress.clients import Client as KnownClient

PATIENCE = 60.0
"""Seconds that a loaded machine is waited for before something counts as hanging."""


def command(home: Path, *arguments: str) -> list[str]:
    """How a client starts the server."""
    return [sys.executable, "-m", "rag_assistant", "--home", str(home), "mcp", *arguments]


def over_pipes(home: Path, *arguments: str) -> StdioServerParameters:
    """What the SDK's client starts."""
    program, *rest = command(home, *arguments)
    return StdioServerParameters(command=program, args=rest, env=dict(os.environ))


@asynccontextmanager
async def connected(home: Path, mode: str = "auto", name: str = "editor") -> AsyncIterator[Client]:
    """A client over pipes."""
    told = Implementation(name=name, version="1")
    async with Client(over_pipes(home), mode=mode, client_info=told) as client:
        yield client


@contextmanager
def http_server(home: Path) -> Iterator[str]:
    """The server over HTTP; gives its address."""
    process = subprocess.Popen(
        command(home, "--http", "--port", "0"),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert process.stdout
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@asynccontextmanager
async def over_http(
    address: str, home: Path, name: str, mode: str = "auto"
) -> AsyncIterator[Client]:
    """A client over HTTP with the token of a name."""
    token = token_of(home, KnownClient("MCP", name))
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as link:
        transport = streamable_http_client(address, http_client=link)
        async with Client(transport, mode=mode) as client:
            yield client


class Lines:
    """A client that writes what it likes, and keeps every line of the server's output."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            command(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.read: list[bytes] = []

    def send(self, message: Mapping[str, Any] | bytes) -> None:
        """Write a message, or any bytes, as a line."""
        assert self.process.stdin
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def request(self, number: int, method: str, params: Mapping[str, Any]) -> Any:
        """Ask, and wait for the answer."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self.answer(number)

    def answer(self, number: int) -> Any:
        """Wait for the answer to a request."""
        assert self.process.stdout
        while line := self.process.stdout.readline():
            self.read.append(line)
            message = json.loads(line)
            if message.get("id") == number and "method" not in message:
                return message
        raise AssertionError("the server ended")

    def begin(self, version: str = "2025-11-25") -> Any:
        """Shake hands."""
        params = {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "lines", "version": "1"},
        }
        answer = self.request(0, "initialize", params)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def call(self, number: int, tool: str, **arguments: Any) -> Any:
        """Call a tool, and wait for what it gives."""
        return self.request(number, "tools/call", {"name": tool, "arguments": arguments})

    def end(self) -> int:
        """Close the pipe; give the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.ended()

    def ended(self) -> int:
        """Wait for the end of the process, and give its exit code."""
        code = self.process.wait(timeout=PATIENCE)
        assert self.process.stdout and self.process.stderr
        self.read += self.process.stdout.readlines()
        self.process.stdout.close()
        self.process.stderr.close()
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        return code


def children_of(process: int) -> set[int]:
    """Give the processes that one has started and that are still there (Linux)."""
    found: set[int] = set()
    for task in Path(f"/proc/{process}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
            found.update(map(int, (task / "children").read_text().split()))
    return found
