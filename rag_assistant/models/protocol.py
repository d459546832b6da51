"""The one seam between the agents and any model."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Protocol

from rag_assistant.errors import ModelError
from rag_assistant.models.signs import tell
from rag_assistant.values.messages import Reply, ReplyPiece, Request


class Model(Protocol):
    """Takes messages and tools; streams the reply's text and ends with the whole reply."""

    @property
    def name(self) -> str:
        """The name a person knows the model by."""
        ...

    def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        """Send a request. The last value is the `Reply`; before it come pieces of its text, signs
        that it is waited for, and, before these, the waits between attempts where the endpoint
        failed at first.

        Raises ModelError, with the next step for the person, when the model cannot be reached,
        refuses, or breaks off. Closing the iterator ends the request at once.
        """
        ...

    async def aclose(self) -> None:
        """Close what is kept open between requests; a later request opens it again."""
        ...


class WrappedModel:
    """What models share that put something before another one, or behind it: all but `stream`."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The name of the other model."""
        return self._model.name

    async def aclose(self) -> None:
        """Close what the other model keeps open."""
        await self._model.aclose()


async def whole_reply(model: Model, request: Request) -> Reply:
    """Ask, and wait for the whole reply. Raises ModelError."""
    async with aclosing(model.stream(request)) as stream:
        async for piece in stream:
            tell(model.name, request, piece)
            if isinstance(piece, Reply):
                return piece
    raise ModelError(f"{model.name} ended without a reply.", hint="Try again.")
