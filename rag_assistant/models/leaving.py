"""The one way on which what a model is sent leaves this program: through the gate.

Every request of a model, an embedder or a reranker passes here with what it carries, right before
it is handed to the network. What is on the way to this machine itself passes as it is.
"""

import asyncio
from typing import Any

from rag_assistant.egress.cargo import Cargo
from rag_assistant.egress.gate import Destination, Gate, Passed
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.own_fields import OWN_FIELDS


def let_out(gate: Gate, endpoint: Endpoint, path: str, body: Any, cargo: Cargo | None) -> Passed:
    """Give the body of a request to a path of an endpoint as it may leave. It blocks.

    Raises EgressError.
    """
    address = endpoint.address + path
    to = Destination(endpoint.host, address, endpoint.model, endpoint.loopback)
    return gate.let_out(to, body, cargo, OWN_FIELDS)


async def let_out_beside(
    gate: Gate, endpoint: Endpoint, path: str, body: Any, cargo: Cargo | None
) -> Passed:
    """Do as `let_out` without holding up anything else."""
    if endpoint.loopback:
        return let_out(gate, endpoint, path, body, cargo)
    return await asyncio.to_thread(let_out, gate, endpoint, path, body, cargo)
