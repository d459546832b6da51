"""Tool results in fences for models that call tools natively.

What documents, servers and programs say is then set off from what the conversation says, by a
boundary that none of them can know, as it is for models that call tools in text.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from secrets import token_bytes

from rag_assistant.models.protocol import Model, WrappedModel
from rag_assistant.text.fences import fence, kept_boundary
from rag_assistant.values.messages import Message, ReplyPiece, Request, ToolMessage


class FencedResultsModel(WrappedModel):
    """Wraps a model; the results of its calls reach it in fences."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._secret = token_bytes(16)

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        """Send a request; see `Model.stream`."""
        messages = tuple(map(self._fenced, request.messages))
        async with aclosing(self._model.stream(replace(request, messages=messages))) as stream:
            async for piece in stream:
                yield piece

    def _fenced(self, message: Message) -> Message:
        if not isinstance(message, ToolMessage):
            return message
        boundary = kept_boundary(self._secret, message.call_id, message.text)
        attributes = {"tool": message.name}
        text = fence("result", message.text, boundary=boundary, attributes=attributes)
        return replace(message, text=text)
