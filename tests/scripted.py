"""A model that plays back what a test wrote down, and keeps the requests that it was sent."""

from collections.abc import AsyncGenerator, Mapping, Sequence

from rag_assistant.assistant import Assistant
from rag_assistant.errors import ModelError
from rag_assistant.models.pool import ModelPool
from rag_assistant.models.protocol import Model
from rag_assistant.values.messages import (
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


class GivenModels(ModelPool):
    """The models of an assistant, with those that a test gives by name; or one for all names."""

    def __init__(self, assistant: Assistant, given: Mapping[str, Model] | Model) -> None:
        super().__init__(assistant.config, {}, assistant.gate)
        self.given = given

    def model(self, name: str) -> Model:
        if isinstance(self.given, Mapping):
            return self.given.get(name) or super().model(name)
        return self.given
