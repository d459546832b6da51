"""A model that plays back what a test wrote down; it keeps the requests that it was sent."""

from collections.abc import AsyncGenerator, Sequence

from rag_assistant.errors import ModelError
from rag_assistant.messages import (
    AssistantMessage,
    Reply,
    ReplyDelta,
    Request,
    ToolCall,
    Usage,
)

Scripted = str | tuple[ToolCall, ...] | ModelError


class ScriptedModel:
    """Replies with text, tool calls or an error, in the order of the script."""

    name = "scripted"

    def __init__(self, script: Sequence[Scripted]) -> None:
        self._script = list(script)
        self.requests: list[Request] = []

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        self.requests.append(request)
        step = self._script.pop(0)
        if isinstance(step, ModelError):
            raise step
        if isinstance(step, tuple):
            yield Reply(AssistantMessage("", step), "tool_calls", Usage(10, 5, 1))
            return
        for character in step:
            yield ReplyDelta(character)
        yield Reply(AssistantMessage(step), "stop", Usage(10, 5, 1))

    async def aclose(self) -> None:
        """Nothing is kept open."""
