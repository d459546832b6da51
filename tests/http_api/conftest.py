"""The interface over HTTP in the test's own process, with real connections on loopback."""

import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Any, Protocol

import httpx2
import pytest

pytest.importorskip("uvicorn", reason="the extra `api` is not installed")

from rag_assistant.egress.client_tokens import token_of
from rag_assistant.egress.clients import Client
from rag_assistant.http_api.application import Api
from rag_assistant.http_api.bounds import Bounds
from rag_assistant.serving.loopback import ServerNames, bound
from rag_assistant.serving.server import served
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.clients.conftest import home
from tests.models.silent_model import silent_model

__all__ = ["home"]

PATIENCE = 60.0
"""Seconds that a loaded machine is waited for before something counts as hanging."""

QUESTION = "How long is parental leave?"


class Running:
    """An interface that is served, and a client of it that has a token."""

    def __init__(self, api: Api, home: Path, port: int, failures: list[Exception]) -> None:
        self.api = api
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.token = token_of(home, Client("HTTP", "reader"))
        self.failures = failures
        self.link = httpx2.AsyncClient(
            base_url=self.origin, headers=self.known, timeout=PATIENCE, trust_env=False
        )

    @property
    def known(self) -> dict[str, str]:
        """What a request needs to be let in."""
        return {"Authorization": f"Bearer {self.token}"}

    async def get(self, place: str, **named: Any) -> httpx2.Response:
        return await self.link.get(place, **named)

    async def post(self, place: str, body: Any, **named: Any) -> httpx2.Response:
        return await self.link.post(place, json=body, **named)


class MakeApi(Protocol):
    """Serves the interface with bounds and origins of the test's choice."""

    def __call__(
        self, bounds: Bounds = ..., origins: tuple[str, ...] = ()
    ) -> AbstractAsyncContextManager[Running]: ...


@pytest.fixture
def serving(home: Path) -> MakeApi:
    """An interface to `handbook`, and to `diary` for those who are allowed."""

    @asynccontextmanager
    async def serve(
        bounds: Bounds | None = None, origins: tuple[str, ...] = ()
    ) -> AsyncGenerator[Running, None]:
        failures: list[Exception] = []
        with closing(bound("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
            names = ServerNames("127.0.0.1", port)
            api = Api(home, names, failures.append, origins=origins, bounds=bounds)
            async with served(api.application(), listening):
                running = Running(api, home, port, failures)
                try:
                    async with running.link:
                        yield running
                finally:
                    await api.close()
        assert not failures

    return serve


@pytest.fixture
async def api(serving: MakeApi) -> AsyncGenerator[Running, None]:
    """An interface with the bounds that there are."""
    async with serving() as running:
        yield running


@pytest.fixture
def silent(home: Path) -> Iterator[ScriptedServer]:
    """A model that never says a word, and is the configured one."""
    with silent_model(home) as server:
        yield server


def error_of(response: httpx2.Response) -> dict[str, Any]:
    """Give the error of a reply, which must have its one shape: a line that says what to do."""
    told = response.json()
    assert set(told) == {"error"}
    error: dict[str, Any] = told["error"]
    assert set(error) == {"message", "type", "code", "param"}
    assert error["message"].count("\n") == 0
    assert "Traceback" not in response.text
    assert len(response.text) < 2_000
    return error


def events_in(text: str) -> list[tuple[str, Any]]:
    """Read server-sent events: their names, and the JSON of each."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(
            line.split(": ", 1) for line in block.split("\n") if not line.startswith(":") and line
        )
        if "data" in lines:
            data = lines["data"]
            found.append((lines.get("event", ""), data if data == "[DONE]" else json.loads(data)))
    return found
