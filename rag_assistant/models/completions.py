"""The Chat Completions wire format, which nearly every model server speaks.

`to_payload` writes a request; an `Assembler` is fed the stream's decoded chunks, gives pieces of
text and, at the end, the reply. Deviations of local servers that can be read one way only are
read that way; a stream that does not say why it ended is an error, never a short answer. What a
server streams apart as reasoning is no text; with tool calls it goes back in `opaque`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from rag_assistant.config import ModelSettings
from rag_assistant.models import faults
from rag_assistant.models.data_url import data_url
from rag_assistant.models.endpoint import OPENAI_HOST, Endpoint, host_of
from rag_assistant.models.thoughts import ThoughtFilter
from rag_assistant.values.messages import (
    AssistantMessage,
    JsonObject,
    Message,
    Reply,
    Request,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    Usage,
    UserMessage,
)

PATH = "/chat/completions"
_REASONING = ("reasoning_content", "reasoning")
"""The fields of a delta in which servers send reasoning; the format itself has none."""


def to_payload(request: Request, settings: ModelSettings) -> dict[str, Any]:
    """Give the JSON body of a streaming request."""
    limit = request.max_output_tokens or settings.max_output_tokens
    # OpenAI's reasoning models refuse the old name; many local servers know only that one.
    hosted = host_of(settings.base_url) == OPENAI_HOST
    payload: dict[str, Any] = {
        "model": settings.model,
        "messages": [
            _message(message)
            for message in (request.messages if hosted else _one_system(request.messages))
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_completion_tokens" if hosted else "max_tokens": limit,
    }
    if request.tools:
        payload["tools"] = [_tool(tool) for tool in request.tools]
    if request.reply_schema is not None:
        # Not `strict`: that admits only a part of JSON Schema and fails the request otherwise.
        schema = {"name": "reply", "schema": dict(request.reply_schema), "strict": False}
        payload["response_format"] = {"type": "json_schema", "json_schema": schema}
    return payload


def _one_system(messages: Sequence[Message]) -> list[Message]:
    """Put all system messages into one, first: many chat templates refuse a later one."""
    system = [message.text for message in messages if isinstance(message, SystemMessage)]
    others: list[Message] = [m for m in messages if not isinstance(m, SystemMessage)]
    return [SystemMessage("\n\n".join(system)), *others] if system else others


def _message(message: Message) -> dict[str, Any]:
    match message:
        case SystemMessage(text):
            return {"role": "system", "content": text}
        case UserMessage(text, ()):
            return {"role": "user", "content": text}
        case UserMessage(text, images):
            seen = [{"type": "image_url", "image_url": {"url": data_url(i)}} for i in images]
            return {"role": "user", "content": [{"type": "text", "text": text}, *seen]}
        case ToolMessage(call_id, _, text):
            return {"role": "tool", "tool_call_id": call_id, "content": text}
        case AssistantMessage(text, ()):
            return {"role": "assistant", "content": text}
        case AssistantMessage(text, calls):
            return {
                "role": "assistant",
                "content": text or None,
                "tool_calls": [_call(call) for call in calls],
                **_reasoning(message),
            }


def _reasoning(message: AssistantMessage) -> dict[str, Any]:
    """Give the reasoning that led to a message's calls, in the fields it came in.

    Some servers refuse the results of calls whose reasoning does not come back.
    """
    return {field: item[field] for item in message.opaque for field in _REASONING if field in item}


def _call(call: ToolCall) -> dict[str, Any]:
    # Servers that fill a chat template parse the arguments of past calls and fail the whole
    # request on broken ones. What was wrong with them is told by the call's result.
    arguments = call.arguments if _is_object(call.arguments) else "{}"
    function = {"name": call.name, "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function}


def _tool(tool: ToolSpec) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
    }
    return {"type": "function", "function": function}


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


@dataclass(slots=True)
class _OpenCall:
    """A tool call whose fragments are still arriving."""

    id: str = ""
    name: str = ""
    arguments: str = ""

    def is_continued_by(self, call_id: str, name: str) -> bool:
        """Whether a fragment at this call's place belongs to it or begins another call.

        Some servers give every call the index 0, or none: then a different id, or a name after
        complete arguments, tells that a new call begins.
        """
        if call_id and self.id:
            return call_id == self.id
        return not (name and self.name and _is_object(self.arguments))


class Assembler:
    """Puts one reply together from its chunks, in the order they came."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._text = ""
        self._thoughts = ThoughtFilter()
        self._reasoning: dict[str, str] = {}
        self._calls: list[_OpenCall] = []
        self._by_index: dict[object, _OpenCall] = {}
        self._finish = ""
        self._refused = False
        self._usage = Usage(requests=1)

    def feed(self, chunk: JsonObject) -> str:
        """Take a chunk; give the text in it, often empty. ModelError when it carries an error."""
        if chunk.get("error"):
            raise faults.reported(self._endpoint, chunk["error"])
        if isinstance(usage := chunk.get("usage"), Mapping):
            self._usage = Usage(
                int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0), 1
            )
        choices = chunk.get("choices") or ()  # empty in the chunk that carries the usage
        if not choices:
            return ""
        choice = choices[0]
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta") or {}
        for fragment in delta.get("tool_calls") or ():
            self._take(fragment)
        for field in _REASONING:
            if isinstance(thought := delta.get(field), str) and thought:
                self._reasoning[field] = self._reasoning.get(field, "") + thought
        piece = self._thoughts.feed(_text(delta.get("content")))
        if choice.get("finish_reason"):
            piece += self._thoughts.finish()
        if refusal := delta.get("refusal"):
            self._refused = True
            piece += refusal
        self._text += piece
        return piece

    def reply(self) -> Reply:
        """Give the whole reply; ModelError when the stream broke off or held nothing."""
        if not self._finish:
            raise faults.broke_off(self._endpoint, self._text)
        withheld = self._refused or self._finish == "content_filter"
        if not (self._text.strip() or self._calls or withheld):
            raise faults.empty(self._endpoint, cut=self._finish == "length")
        opaque = (self._reasoning,) if self._reasoning and self._calls else ()
        message = AssistantMessage(self._text, self._finished_calls(), opaque)
        if withheld:
            return Reply(message, "refusal", self._usage)
        if self._finish == "length":
            return Reply(message, "length", self._usage)
        return Reply(message, "tool_calls" if self._calls else "stop", self._usage)

    def _take(self, fragment: Mapping[str, Any]) -> None:
        function = fragment.get("function") or {}
        call_id, name = fragment.get("id") or "", function.get("name") or ""
        index = fragment.get("index")
        last = self._calls[-1] if self._calls else None
        call = last if index is None else self._by_index.get(index)
        if call is None or not call.is_continued_by(call_id, name):
            call = _OpenCall()
            self._calls.append(call)
        if index is not None:
            self._by_index[index] = call
        call.id = call.id or call_id
        call.name = call.name or name
        arguments = function.get("arguments") or ""
        call.arguments += arguments if isinstance(arguments, str) else json.dumps(arguments)

    def _finished_calls(self) -> tuple[ToolCall, ...]:
        """Give the calls, each with an id of its own, for results are matched to calls by id."""
        calls: dict[str, ToolCall] = {}
        for call in self._calls:
            call_id = call.id if call.id and call.id not in calls else f"call_{uuid4().hex[:16]}"
            calls[call_id] = ToolCall(call_id, call.name, call.arguments or "{}")
        return tuple(calls.values())


def _text(content: object) -> str:
    """Give the text of a delta: a string, or a list of parts of which some are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(p.get("text") or "" for p in content if p.get("type") == "text")
    return ""
