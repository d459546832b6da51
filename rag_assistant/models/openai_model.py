"""A model behind any endpoint that speaks OpenAI's Responses or Chat Completions.

Asking it yields text as it comes and then the reply, or raises one ModelError that names host,
cause and next step. Neither importing this file nor making a model loads the SDK or reads the key:
both wait for the first request.
"""

import asyncio
import os
import threading
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from rag_assistant.config import ModelSettings, Wire
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.provenance import carried
from rag_assistant.models import completions, faults, responses
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.key_filter import KeyFilter
from rag_assistant.models.outgoing import release_in_thread
from rag_assistant.models.patience import Patience
from rag_assistant.models.reply_size import most_characters, written
from rag_assistant.models.silence import TOLD_SECONDS
from rag_assistant.values.messages import (
    JsonObject,
    Reply,
    ReplyDelta,
    ReplyPending,
    ReplyPiece,
    ReplyWait,
    Request,
)

if TYPE_CHECKING:
    from rag_assistant.models.openai_link import EndpointClient

_CLIENT = "rag_assistant.models.openai_link"
"""Imported where it is used: it takes longer to load than all else."""


class _Assembler(Protocol):
    def feed(self, event: JsonObject) -> str: ...

    def reply(self) -> Reply: ...


@dataclass(frozen=True, slots=True)
class _Format:
    """A wire format as a row of data."""

    path: str
    to_payload: Callable[[Request, ModelSettings], dict[str, Any]]
    assembler: Callable[[Endpoint], _Assembler]


_FORMATS: Mapping[Wire, _Format] = {
    "responses": _Format(responses.PATH, responses.to_payload, responses.Assembler),
    "chat": _Format(completions.PATH, completions.to_payload, completions.Assembler),
}


def load_client() -> None:
    """Load what the first request loads otherwise, which takes about a second."""
    import_module(_CLIENT)


class OpenAIModel:
    """One model of an OpenAI-compatible endpoint.

    The key is read from `environ`, the process's own when not given. Connections are kept for the
    next request until `aclose`. `patience` is how a request that failed is sent again. What goes to
    another machine passes `gate`.
    """

    def __init__(
        self,
        name: str,
        settings: ModelSettings,
        environ: Mapping[str, str] | None = None,
        patience: Patience | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._name = name
        self._settings = settings
        self._environ = os.environ if environ is None else environ
        self._patience = patience or Patience()
        self._gate = gate or Gate()
        self._link: EndpointClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opening = threading.Lock()

    @property
    def name(self) -> str:
        """The name a person knows the model by."""
        return self._name

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        """Send a request; see `Model.stream`. Closing or cancelling closes the connection."""
        endpoint = Endpoint.of(self._settings, self._environ)
        wire = _FORMATS[self._settings.wire]
        payload = wire.to_payload(request, self._settings)
        passed = await release_in_thread(self._gate, endpoint, wire.path, payload, carried())
        assembler, safe = wire.assembler(endpoint), KeyFilter(endpoint.key)
        link = await asyncio.to_thread(self._open, endpoint, asyncio.get_running_loop())
        most = most_characters(request.max_output_tokens or self._settings.max_output_tokens)
        characters, said, told = 0, time.monotonic(), 0.0
        async with aclosing(link.events(wire.path, passed.body)) as events:
            async for event in events:
                if isinstance(event, ReplyWait | ReplyPending):
                    yield event
                    continue
                characters += written(event)
                if characters > most:
                    raise faults.endless(endpoint, f"{most:,} characters")
                try:
                    piece = assembler.feed(event)
                except (AttributeError, LookupError, TypeError, ValueError):
                    # JSON, but a list or a number where the format has an object.
                    raise faults.malformed(endpoint) from None
                if shown := safe.feed(piece):
                    said, told = time.monotonic(), 0.0
                    yield ReplyDelta(shown)
                elif (quiet := time.monotonic() - said) >= told + TOLD_SECONDS:
                    told = quiet
                    yield ReplyPending(quiet, is_working=True)
        if rest := safe.rest():
            yield ReplyDelta(rest)
        reply = safe.reply(assembler.reply())
        if passed.number:
            tokens = reply.usage.input_tokens
            await asyncio.to_thread(self._gate.count_tokens, passed, tokens)
        yield reply

    async def aclose(self) -> None:
        """Close the connections kept open."""
        if self._link is not None:
            await self._link.close()
            self._link = None

    def _open(self, endpoint: Endpoint, loop: asyncio.AbstractEventLoop) -> "EndpointClient":
        """Give the link, made on first use and once for each event loop, whose it is."""
        with self._opening:
            if self._link is None or self._loop is not loop:
                link = import_module(_CLIENT)
                self._link = link.EndpointClient(endpoint, self._settings, self._patience)
                self._loop = loop
            return self._link
