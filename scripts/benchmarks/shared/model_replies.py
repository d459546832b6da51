"""What a scripted server can be told to answer, and how an answer looks in each wire format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Then = Literal["end", "cut", "stall", "forever"]
"""After the events: end well, close the connection in the middle, send nothing more and keep the
connection, or repeat the last event until the asker hangs up."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; `arguments` is JSON text. Without an id it gets one from its place."""

    name: str
    arguments: str = "{}"
    id: str = ""


@dataclass(frozen=True, slots=True, init=False)
class Answer:
    """A reply: text in pieces, tool calls in deltas, usage. Written for both wire formats."""

    pieces: tuple[str, ...]
    calls: tuple[Call, ...]
    usage: tuple[int, int]
    refusal: str
    cut_short: bool
    then: Then

    def __init__(
        self,
        *pieces: str,
        calls: tuple[Call, ...] = (),
        usage: tuple[int, int] = (12, 7),
        refusal: str = "",
        cut_short: bool = False,
        then: Then = "end",
    ) -> None:
        named = tuple(
            Call(call.name, call.arguments, call.id or f"call_{place}")
            for place, call in enumerate(calls, 1)
        )
        values = (pieces, named, usage, refusal, cut_short, then)
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class Status:
    """A whole HTTP answer: JSON when `body` is not a string, else a page."""

    code: int
    body: Any = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class Events:
    """A stream written out: JSON values, strings for an event's data, bytes sent as they are.

    `pause` is how many seconds pass before each of them.
    """

    events: tuple[Any, ...]
    then: Then = "end"
    content_type: str = "text/event-stream"
    code: int = 200
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Silence:
    """The request is taken and never answered."""


@dataclass(frozen=True, slots=True)
class Hangup:
    """The request is taken and the connection closed."""


Script = Answer | Status | Events | Silence | Hangup
Rendered = tuple[list[dict[str, Any]], list[dict[str, Any]]]


def error(message: str, code: str = "") -> dict[str, Any]:
    """An error body as OpenAI writes it."""
    return {"error": {"message": message, "type": "invalid_request_error", "code": code or None}}


def rendered(answer: Answer, path: str) -> Rendered:
    """The events of an answer and, apart, those that end it."""
    return _chat(answer) if path.endswith("/chat/completions") else _responses(answer)


def _halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def _chat(answer: Answer) -> Rendered:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice]}

    events = [chunk({"role": "assistant", "content": ""})]
    events += [chunk({"content": piece}) for piece in answer.pieces]
    if answer.refusal:
        events.append(chunk({"refusal": answer.refusal}))
    for index, call in enumerate(answer.calls):
        first = {"name": call.name, "arguments": ""}
        opening = {"index": index, "id": call.id, "type": "function", "function": first}
        events.append(chunk({"tool_calls": [opening]}))
        for part in _halves(call.arguments):
            fragment = {"index": index, "function": {"arguments": part}}
            events.append(chunk({"tool_calls": [fragment]}))
    reason = "length" if answer.cut_short else "tool_calls" if answer.calls else "stop"
    prompt, completion = answer.usage
    usage = {"prompt_tokens": prompt, "completion_tokens": completion}
    return events, [chunk({}, reason), {"choices": [], "usage": usage}]


def _responses(answer: Answer) -> Rendered:
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"error": None}}]
    output: list[dict[str, Any]] = []
    content: list[dict[str, Any]] = []
    for kind, pieces in (("output_text", answer.pieces), ("refusal", (answer.refusal,))):
        spoken = [piece for piece in pieces if piece]
        events += [{"type": f"response.{kind}.delta", "delta": piece} for piece in spoken]
        if spoken:
            key = "text" if kind == "output_text" else "refusal"
            content.append({"type": kind, key: "".join(spoken)})
    if content:
        output.append({"type": "message", "id": "m", "role": "assistant", "content": content})
    for call in answer.calls:
        item = {"type": "function_call", "id": f"fc_{call.id}", "call_id": call.id}
        events.append({"type": "response.output_item.added", "item": {**item, "arguments": ""}})
        for part in _halves(call.arguments):
            events.append({"type": "response.function_call_arguments.delta", "delta": part})
        output.append({**item, "name": call.name, "arguments": call.arguments})
    events += [{"type": "response.output_item.done", "item": item} for item in output]
    status = "incomplete" if answer.cut_short else "completed"
    response = {
        "status": status,
        "output": output,
        "incomplete_details": {"reason": "max_output_tokens"} if answer.cut_short else None,
        "usage": {"input_tokens": answer.usage[0], "output_tokens": answer.usage[1]},
    }
    return events, [{"type": f"response.{status}", "response": response}]
