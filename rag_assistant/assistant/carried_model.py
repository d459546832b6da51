"""A model whose every request says what it carries, for the gate that it passes on its way out."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from rag_assistant.egress.cargo import Cargo
from rag_assistant.messages import ReplyPiece, Request
from rag_assistant.models.protocol import Model


class CarriedModel:
    """Another model, asked within one run; `cargo` is what all requests of the run may carry."""

    def __init__(self, model: Model, cargo: Cargo) -> None:
        self._model = model
        self._cargo = cargo

    @property
    def name(self) -> str:
        """The name of the other model."""
        return self._model.name

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        """Send a request; see `Model.stream`."""
        cargo = self._cargo.of(self._cargo.purpose, request.entries)
        async with aclosing(self._model.stream(replace(request, cargo=cargo))) as pieces:
            async for piece in pieces:
                yield piece

    async def aclose(self) -> None:
        """Close what the other model keeps open."""
        await self._model.aclose()
