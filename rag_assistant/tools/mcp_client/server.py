"""One server over all its lives: started when it is needed, started again after it died.

A call that is given up, by the person or by the clock, returns at once; whether the server still
answers is found out before the next one.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from mcp import MCPError
from mcp_types import CONNECTION_CLOSED

from rag_assistant.config import McpSettings
from rag_assistant.text.safe_text import clean_line
from rag_assistant.tools.mcp_client import faults
from rag_assistant.tools.mcp_client.failures import ServerFailed
from rag_assistant.tools.mcp_client.life import Life
from rag_assistant.tools.mcp_client.offers import OfferedTool
from rag_assistant.tools.mcp_client.place import locate
from rag_assistant.values.messages import JsonObject

if TYPE_CHECKING:
    from mcp_types import CallToolResult

LOOK_SECONDS = 2.0
"""How long a server that runs already may take to say what it offers."""

Answer = TypeVar("Answer")


class McpServer:
    """A server of the configuration."""

    def __init__(self, name: str, settings: McpSettings, environ: Mapping[str, str]) -> None:
        self.name = name
        self.settings = settings
        self._environ = environ
        self._life: Life | None = None
        self._lock = asyncio.Lock()
        self._calls = 0
        self._in_doubt = False
        """Whether a request was given up, so that the server may be stuck."""
        self._slow = False
        """Whether it did not start in time, and has not started since."""
        self._given_up: ServerFailed | None = None
        """Why it could not be started again; it is not tried anew before the next question."""
        self._dropped: set[asyncio.Task[Any]] = set()

    async def offers(self) -> list[OfferedTool]:
        """List what it offers, at the start of a question; starts it where it does not run.

        A server that did not start in time once is started again without waiting for it, so that
        it holds up one question only. Raises ServerFailed.
        """
        self._given_up = None
        if self._is_slow():
            raise ServerFailed(
                f"The MCP server {clean_line(self.name)} is still starting.",
                hint="Its tools come with a later question.",
            )
        async with self._lock:
            life = self._life
            if life and life.is_open:
                try:
                    return await self._ask(life, (await life.link()).offers(), LOOK_SECONDS)
                except ServerFailed:
                    await life.end()  # what does not answer now would not answer a call either
            life = await self._living()
            return await self._ask(
                life, (await life.link()).offers(), self.settings.timeout_seconds
            )

    async def call(self, tool: str, arguments: JsonObject) -> "CallToolResult":
        """Call a tool. Raises ServerFailed; cancelling it ends the call at once."""
        async with self._lock:
            if self._given_up:
                raise self._given_up
            await self._settle_doubt()
            try:
                life = await self._living()
            except ServerFailed as failure:
                self._given_up = failure
                raise
        self._calls += 1
        try:
            link = await life.link()
            return await self._ask(life, link.call(tool, arguments), self.settings.timeout_seconds)
        finally:
            self._calls -= 1

    async def aclose(self) -> None:
        """End it."""
        for request in self._dropped:
            request.cancel()
        if self._life:
            await self._life.end()
        if self._dropped:
            await asyncio.wait(self._dropped, timeout=1)

    def _is_slow(self) -> bool:
        """Whether it once did not start in time and does not run yet; sees that it starts."""
        life = self._life
        self._slow |= life is not None and life.hung
        if life is None or not self._slow:
            return False
        if life.hung:
            self._life = Life(life.place)
        elif life.is_open or life.is_over:
            self._slow = False
        return self._slow

    async def _living(self) -> Life:
        """Give a life that is open, starting one where there is none."""
        if self._life is None or self._life.is_over:
            if self._life:
                await self._life.end()
            self._in_doubt = False
            self._life = Life(locate(self.name, self.settings, self._environ))
        await self._life.link()
        return self._life

    async def _settle_doubt(self) -> None:
        """End a server that does not answer any more, unless it works on another call."""
        life = self._life
        if not (self._in_doubt and life and life.is_open) or self._calls:
            return
        try:
            await self._ask(life, (await life.link()).offers(), LOOK_SECONDS)
        except ServerFailed:
            await life.end()
        self._in_doubt = False

    async def _ask(
        self, life: Life, request: Coroutine[Any, Any, Answer], seconds: float
    ) -> Answer:
        """Wait for an answer, for the end of the server, or for the time to run out."""
        task = asyncio.create_task(request)
        try:
            await asyncio.wait(
                {task, life.task}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            if not task.done():
                self._drop(task)
        if task.done() and not task.cancelled():
            error = task.exception()
            if error is None:
                return task.result()
            raise await self._explained(life, faults.first_cause(error))
        if life.is_over:
            raise await life.gone()
        raise life.place.failed(f"did not answer within {seconds:g} s", hint=faults.GO_ON)

    async def _explained(self, life: Life, error: BaseException) -> ServerFailed:
        closed = isinstance(error, MCPError) and error.code == CONNECTION_CLOSED
        # 404 is how a server says that it was started anew and knows nothing of us.
        if closed or life.is_over or life.traffic.refusal or life.traffic.status == 404:
            life.traffic.ended.set()
            return await life.gone()
        return faults.answered_with(life.place, life.traffic, error)

    def _drop(self, task: "asyncio.Task[Any]") -> None:
        """Give a request up without waiting for its end, which a stuck server could put off."""
        self._in_doubt = True
        task.cancel()
        self._dropped.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: "asyncio.Task[Any]") -> None:
        self._dropped.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, or asyncio would print it
