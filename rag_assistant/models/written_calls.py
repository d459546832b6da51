"""Calls that a model writes into its text, read where they come; and models with native tools that
write them there all the same.

Small models, and servers that do not know a model's own template, write a call as text though they
were offered tools. It is run like any other, unless a tool gave these very words: what a document
says is quoted, and stays text.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import cached_property
from uuid import uuid4

from rag_assistant.injection.quoted_calls import Material
from rag_assistant.models.call_forms import ReadCall
from rag_assistant.models.call_reader import CallReader
from rag_assistant.models.protocol import WrappedModel
from rag_assistant.values.messages import (
    AssistantMessage,
    JsonObject,
    Message,
    Reply,
    ReplyDelta,
    ReplyPiece,
    Request,
    ToolCall,
    ToolMessage,
)


class WrittenCallsModel(WrappedModel):
    """A model with native tools, whose calls are read from its text as well."""

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        """Send a request; see `Model.stream`. Without tools in it, the reply is only text."""
        given = _Given(request.messages)
        reader = CallReader(tools_of(request), given.holds)
        async with (
            aclosing(self._model.stream(request)) as stream,
            aclosing(with_calls_read(stream, reader)) as pieces,
        ):
            async for piece in pieces:
                yield piece


class _Given:
    """What a model was given by tools; it is only gone through where a call may be quoted."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages

    def holds(self, written: str) -> bool:
        """Whether a tool gave these very words."""
        return self._material.holds_words(written)

    @cached_property
    def _material(self) -> Material:
        return Material.of(self._messages)


def tools_of(request: Request) -> Mapping[str, JsonObject]:
    """Give the tools that a model may think of, with their parameters.

    Where none are offered any more these are the ones that were called before: what would call
    them is no answer.
    """
    if request.tools:
        return {tool.name: tool.parameters for tool in request.tools}
    return {message.name: {} for message in request.messages if isinstance(message, ToolMessage)}


async def with_calls_read(
    stream: AsyncIterator[ReplyPiece], reader: CallReader
) -> AsyncGenerator[ReplyPiece, None]:
    """Give a reply with the calls in its text taken out of it; nothing is read without tools."""
    heard = _Heard(reader)
    async for value in stream:
        if isinstance(value, Reply) and reader.tools:
            for piece in heard.finish():
                yield ReplyDelta(piece)
            yield heard.completed(value)
        elif isinstance(value, ReplyDelta) and reader.tools:
            for piece in heard.feed(value.text):
                yield ReplyDelta(piece)
        else:
            yield value


class _Heard:
    """What was read of a reply so far. Blank lines before, between and after calls are no text."""

    def __init__(self, reader: CallReader) -> None:
        self._reader = reader
        self._text = ""
        self._blank = ""
        self._calls: list[ToolCall] = []
        self._speaking = False  # whether the last that was read is text

    def feed(self, text: str) -> list[str]:
        """Take a piece of the reply; give the text in it."""
        return self._take(self._reader.feed(text))

    def finish(self) -> list[str]:
        """Give the text that was held back, for nothing follows."""
        return self._take(self._reader.finish())

    def completed(self, reply: Reply) -> Reply:
        """Give the model's reply with the calls that were read from its text.

        One that it made natively as well is made once.
        """
        made = reply.message.tool_calls
        known = {_same(call) for call in made}
        calls = (*made, *(call for call in self._calls if _same(call) not in known))
        message = AssistantMessage(self._text, calls, reply.message.opaque)
        return replace(reply, message=message, finish="tool_calls" if calls else reply.finish)

    def _take(self, pieces: Sequence[str | ReadCall]) -> list[str]:
        texts: list[str] = []
        for piece in pieces:
            if isinstance(piece, ReadCall):
                call_id = f"call_{uuid4().hex[:16]}"
                self._calls.append(ToolCall(call_id, piece.name, piece.arguments))
                self._blank, self._speaking = "", False
            elif self._speaking or piece.strip():
                texts.append(self._blank + piece)
                self._blank, self._speaking = "", True
            else:
                self._blank += piece
        self._text += "".join(texts)
        return texts


def _same(call: ToolCall) -> tuple[str, str]:
    """Give what makes two calls the same, however their arguments are spaced."""
    try:
        return call.name, json.dumps(json.loads(call.arguments), sort_keys=True)
    except ValueError:
        return call.name, call.arguments
