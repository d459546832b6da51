"""The one way on which what a model is sent leaves this program: through the gate.

Every request of a model, an embedder or a reranker passes here with what it carries, right before
it is handed to the network. What is on the way to this machine itself passes as it is.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from rag_assistant.egress.gate import Destination, Gate, Passed
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.own_fields import OWN_FIELDS
from rag_assistant.models.protocol import Model, WrappedModel
from rag_assistant.values.messages import ReplyPiece, Request


def release(
    gate: Gate, endpoint: Endpoint, path: str, body: Any, provenance: Provenance | None
) -> Passed:
    """Give the body of a request to a path of an endpoint as it may leave. It blocks.

    Raises EgressError.
    """
    address = endpoint.address + path
    sent_to = endpoint.sent_to
    to = Destination(sent_to or endpoint.host, address, endpoint.model, stays=not sent_to)
    return gate.release(to, body, provenance, OWN_FIELDS)


async def release_in_thread(
    gate: Gate, endpoint: Endpoint, path: str, body: Any, provenance: Provenance | None
) -> Passed:
    """Do as `release` without holding up anything else."""
    return await asyncio.to_thread(release, gate, endpoint, path, body, provenance)


class CarriedModel(WrappedModel):
    """Another model, asked within one run; `provenance` is what all its requests may carry.

    Each request carries the entries in it as well.
    """

    def __init__(self, model: Model, provenance: Provenance) -> None:
        super().__init__(model)
        self._provenance = provenance

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        """Send a request; see `Model.stream`."""
        carries = self._provenance.of(self._provenance.purpose, request.entries)
        async with aclosing(self._model.stream(request)) as pieces:
            while True:
                with carrying(carries):  # ends before each piece is given: see there
                    piece = await anext(pieces, None)
                if piece is None:
                    return
                yield piece
