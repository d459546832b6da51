"""The pieces of one reply, as long as they come and the run has tokens for them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from rag_assistant.agents.context import estimate
from rag_assistant.agents.limits import LimitReached, RunBudget
from rag_assistant.models.protocol import Model
from rag_assistant.models.signs import waiting
from rag_assistant.values.events import Event, Note
from rag_assistant.values.messages import (
    ReplyDelta,
    ReplyPending,
    ReplyPiece,
    ReplyWait,
    Request,
)


async def reply_pieces(
    model: Model, request: Request, budget: RunBudget, *, is_free: bool = False
) -> AsyncGenerator[ReplyPiece, None]:
    """Stream one reply. Raises LimitReached for one that never ends, and ModelError."""
    limits, tokens_left = budget.limits, budget.tokens_left
    async with aclosing(model.stream(request)) as stream:
        while True:
            try:
                async with asyncio.timeout(budget.seconds_left):
                    piece = await anext(stream)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise LimitReached(f"{limits.seconds:g} seconds of silence") from error
            budget.hear()
            if isinstance(piece, ReplyDelta) and not is_free:
                tokens_left -= estimate(piece.text)
                if tokens_left < 0:
                    raise LimitReached(f"{limits.tokens} tokens")
            yield piece


def wait_told(model: Model, request: Request, wait: ReplyWait | ReplyPending) -> Event:
    """Tell the person that a model is waited for, or asked again."""
    if isinstance(wait, ReplyPending):
        return waiting(model.name, request, wait)
    return Note(f"{wait.reason}: asking again in {wait.seconds:.2g} s.", passing=True)
