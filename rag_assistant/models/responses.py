"""The Responses wire format, OpenAI's own.

`to_payload` writes a request that nothing is stored of; an `Assembler` is fed the stream's decoded
events, gives pieces of text and, at the end, the reply. The model's encrypted reasoning, and its
refusals, travel in `AssistantMessage.opaque` as the items they came in; a stream without its
terminal event is an error, never a short answer.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from rag_assistant.config import ModelSettings
from rag_assistant.models import faults
from rag_assistant.models.data_url import data_url
from rag_assistant.models.endpoint import Endpoint
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

PATH = "/responses"
_LEAST_OUTPUT_TOKENS = 16
"""The endpoint refuses a lower limit."""


def to_payload(request: Request, settings: ModelSettings) -> dict[str, Any]:
    """Give the JSON body of a streaming request."""
    system = [m.text for m in request.messages if isinstance(m, SystemMessage)]
    limit = request.max_output_tokens or settings.max_output_tokens
    payload: dict[str, Any] = {
        "model": settings.model,
        "input": [item for message in request.messages for item in _items(message)],
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "max_output_tokens": max(limit, _LEAST_OUTPUT_TOKENS),
    }
    if system:
        payload["instructions"] = "\n\n".join(system)
    if request.tools:
        payload["tools"] = [_tool(tool) for tool in request.tools]
    if request.reply_schema is not None:
        schema = {"name": "reply", "schema": dict(request.reply_schema), "strict": False}
        payload["text"] = {"format": {"type": "json_schema", **schema}}
    return payload


def _items(message: Message) -> Iterator[Mapping[str, Any]]:
    match message:
        case SystemMessage():
            return  # goes into the instructions
        case UserMessage(text, ()):
            yield {"role": "user", "content": text}
        case UserMessage(text, images):
            seen = [
                {"type": "input_image", "image_url": data_url(image), "detail": "auto"}
                for image in images
            ]
            yield {"role": "user", "content": [{"type": "input_text", "text": text}, *seen]}
        case ToolMessage(call_id, _, text):
            yield {"type": "function_call_output", "call_id": call_id, "output": text}
        case AssistantMessage():
            yield from _assistant_items(message)


def _assistant_items(message: AssistantMessage) -> Iterator[Mapping[str, Any]]:
    """Give a past reply: the items as they came, and only what is missing among them anew.

    A reasoning item must stand right before the item it led to, so the order is kept.
    """
    calls = {call.id: call for call in message.tool_calls}
    spoken = False
    for item in message.opaque:
        if "type" not in item:
            continue  # another wire format's
        if item.get("type") == "function_call" and calls.pop(item.get("call_id", ""), None) is None:
            continue  # a call without a result would be refused
        spoken = spoken or item.get("type") == "message"
        yield item
    if message.text and not spoken:
        yield {"role": "assistant", "content": message.text}
    for call in calls.values():
        yield {
            "type": "function_call",
            "call_id": call.id,
            "name": call.name,
            "arguments": call.arguments,
        }


def _tool(tool: ToolSpec) -> dict[str, Any]:
    # `strict` is on when left out, and admits only a part of JSON Schema.
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
        "strict": False,
    }


class Assembler:
    """Puts one reply together from its events, in the order they came."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._text = ""
        self._thoughts = ThoughtFilter()
        self._streamed = False  # whether the open message came in deltas
        self._part = ""  # the kind of part that spoke last in the open message
        self._items: list[Mapping[str, Any]] = []
        self._calls: dict[str, ToolCall] = {}
        self._refused = False
        self._end: Mapping[str, Any] | None = None

    def feed(self, event: JsonObject) -> str:
        """Take an event; give the text in it, often empty. ModelError when it reports a failure."""
        if self._end is not None:
            return ""
        match event.get("type"):
            case "response.output_text.delta":
                self._streamed = True
                return self._say("output_text", self._thoughts.feed(event.get("delta") or ""))
            case "response.refusal.delta":
                self._streamed = self._refused = True
                return self._say("refusal", event.get("delta") or "")
            case "response.output_item.done":
                return self._take(event.get("item") or {})
            case "response.completed" | "response.incomplete":
                return self._finish(event.get("response") or {})
            case "response.failed":
                raise faults.reported(self._endpoint, (event.get("response") or {}).get("error"))
            case "error":
                raise faults.reported(self._endpoint, event)
            case None if event.get("error"):
                raise faults.reported(self._endpoint, event["error"])
        return ""

    def reply(self) -> Reply:
        """Give the whole reply; ModelError when the stream broke off or held nothing."""
        if self._end is None:
            raise faults.broke_off(self._endpoint, self._text)
        reason = (self._end.get("incomplete_details") or {}).get("reason")
        withheld = self._refused or reason == "content_filter"
        cut = not withheld and self._end.get("status") == "incomplete"
        if not (self._text.strip() or self._calls or withheld):
            raise faults.empty(self._endpoint, cut=cut)
        keep = self._refused or any(item.get("type") == "reasoning" for item in self._items)
        message = AssistantMessage(
            self._text, tuple(self._calls.values()), tuple(self._items) if keep else ()
        )
        usage = self._end.get("usage") or {}
        tokens = Usage(int(usage.get("input_tokens") or 0), int(usage.get("output_tokens") or 0), 1)
        if withheld or cut:
            return Reply(message, "refusal" if withheld else "length", tokens)
        return Reply(message, "tool_calls" if self._calls else "stop", tokens)

    def _say(self, part: str, piece: str) -> str:
        # A model may speak twice, before and after thinking, or refuse after it spoke: paragraphs.
        if piece and self._text and part != self._part:
            piece = f"\n\n{piece}"
        self._part = part if piece else self._part
        self._text += piece
        return piece

    def _take(self, item: Mapping[str, Any]) -> str:
        """Take a whole item; give its text if no deltas brought it."""
        self._items.append(item)
        if item.get("type") == "function_call":
            # Made up, an id is not in the item: then the call goes back as our own item.
            call_id = item.get("call_id") or f"call_{uuid4().hex[:16]}"
            arguments = item.get("arguments") or "{}"
            self._calls[call_id] = ToolCall(call_id, item.get("name") or "", arguments)
        if item.get("type") != "message":
            return ""
        piece = ""
        for part in item.get("content") or ():
            refusal = part.get("refusal") or ""
            self._refused = self._refused or part.get("type") == "refusal"
            if not self._streamed:
                piece += self._say("output_text", self._thoughts.feed(part.get("text") or ""))
                piece += self._say("refusal", refusal)
        return piece + self._end_message()

    def _end_message(self) -> str:
        """Give what was held back of the open message; what follows begins a new one."""
        piece = self._say("output_text", self._thoughts.finish())
        self._thoughts, self._streamed, self._part = ThoughtFilter(), False, ""
        return piece

    def _finish(self, response: Mapping[str, Any]) -> str:
        self._end = response
        if self._items or self._streamed:
            return self._end_message()
        # A server may send no items but in the terminal event.
        return "".join([self._take(item) for item in response.get("output") or ()])
