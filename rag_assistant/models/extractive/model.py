"""The extractive model behind the one seam of all models."""

import asyncio
import re
from collections.abc import AsyncGenerator

from rag_assistant.config import EXTRACTIVE
from rag_assistant.models.extractive.dialogue import Turn, next_turn
from rag_assistant.models.extractive.evidence import pick_evidence
from rag_assistant.models.extractive.likeness import Likeness, no_likeness
from rag_assistant.values.messages import (
    AssistantMessage,
    Reply,
    ReplyDelta,
    Request,
    Usage,
    UserMessage,
)


class ExtractiveModel:
    """A model that copies sentences instead of writing them. It counts no tokens.

    Where `likeness` tells, how near they are in meaning to the question counts beside the words.
    """

    name = EXTRACTIVE

    def __init__(self, likeness: Likeness = no_likeness) -> None:
        self._likeness = likeness

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        """Answer a request; asked for JSON it acts as a helper, otherwise as the main model."""
        message, signals = await asyncio.to_thread(_reply_to, request, self._likeness)
        for piece in re.findall(r"\S*\s+|\S+", message.text):
            yield ReplyDelta(piece)
        yield Reply(
            message, "tool_calls" if message.tool_calls else "stop", Usage(requests=1), signals
        )

    async def aclose(self) -> None:
        """Nothing is kept open."""


def _reply_to(request: Request, likeness: Likeness) -> Turn:
    if request.reply_schema is None:
        return next_turn(request, likeness)
    asked = next(m for m in request.messages if isinstance(m, UserMessage))
    return Turn(AssistantMessage(pick_evidence(asked.text)))
