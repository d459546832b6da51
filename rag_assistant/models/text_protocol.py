"""Tool calls for models that have none of their own: written into the prompt, read from the text.

`TextProtocolModel` wraps any model. The tools' schemas go into the system prompt, past calls and
their results into the conversation as text, and calls are read from what the model itself streams:
never from results, which stand in fences with a boundary that no document can know.
"""

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from itertools import groupby
from secrets import token_bytes

from rag_assistant.config import CallForm
from rag_assistant.models.call_forms import write_call
from rag_assistant.models.call_reader import CallReader
from rag_assistant.models.protocol import Model, WrappedModel
from rag_assistant.models.written_calls import tools_of, with_calls_read
from rag_assistant.prompts import load_prompt
from rag_assistant.text.fences import fence, kept_boundary
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    ReplyPiece,
    Request,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)


class TextProtocolModel(WrappedModel):
    """A model that calls tools by writing the calls. It is taught one form and read in all."""

    def __init__(self, model: Model, form: CallForm = "tag") -> None:
        super().__init__(model)
        self._form = form
        self._secret = token_bytes(16)

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        """Send a request; see `Model.stream`. Without tools in it, the reply is only text."""
        reader = CallReader(tools_of(request))
        async with (
            aclosing(self._model.stream(self._as_text(request))) as stream,
            aclosing(with_calls_read(stream, reader)) as pieces,
        ):
            async for piece in pieces:
                yield piece

    def _as_text(self, request: Request) -> Request:
        """Write tools, past calls and results as text."""
        messages: list[Message] = []
        for are_results, run in groupby(request.messages, lambda m: isinstance(m, ToolMessage)):
            if are_results:
                messages.append(self._results([m for m in run if isinstance(m, ToolMessage)]))
            else:
                messages += [self._plain(message) for message in run]
        if request.tools:
            taught = _teach(request.tools, self._form)
            if messages and isinstance(messages[0], SystemMessage):
                messages[0] = SystemMessage(f"{messages[0].text}\n\n{taught}")
            else:
                messages.insert(0, SystemMessage(taught))
        return replace(request, messages=tuple(messages), tools=())

    def _plain(self, message: Message) -> Message:
        """Write the calls of a past reply below its text, in the form that the model is taught."""
        if not (isinstance(message, AssistantMessage) and message.tool_calls):
            return message
        written = [write_call(call, self._form) for call in message.tool_calls]
        text = "\n".join(filter(None, [message.text.strip(), *written]))
        return AssistantMessage(text, opaque=message.opaque)

    def _results(self, results: Sequence[ToolMessage]) -> UserMessage:
        """Write the results of one reply's calls as one message: many models take only turns."""
        said = (part for result in results for part in (result.call_id, result.text))
        boundary = kept_boundary(self._secret, *said)
        fenced = [
            fence(
                "result",
                result.text,
                boundary=boundary,
                attributes={"call": str(place), "tool": result.name},
            )
            for place, result in enumerate(results, 1)
        ]
        return UserMessage(load_prompt("text_protocol_results", results="\n\n".join(fenced)))


def _teach(tools: Sequence[ToolSpec], form: CallForm) -> str:
    written = load_prompt(f"text_protocol_{form}")
    return load_prompt("text_protocol", tools="\n\n".join(_described(tools)), form=written)


def _described(tools: Sequence[ToolSpec]) -> Iterator[str]:
    for tool in tools:
        schema = json.dumps(dict(tool.parameters), ensure_ascii=False)
        yield f"- {tool.name}: {tool.description}\n  Parameters: {schema}"
