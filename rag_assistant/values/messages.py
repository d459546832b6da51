"""What is said between the agents and a model: messages, tool calls, requests and replies.

These values know no wire format and no provider; `models/` translates them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to run a tool. `arguments` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """Standing instructions."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that goes along with a question: its media type and its bytes in base 64."""

    media_type: str
    data: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the person, or an agent in the person's place, asks."""

    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """A reply of the model. `opaque` items of a wire format go back to the provider unchanged."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    opaque: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The result of a tool call, for the model to read."""

    call_id: str
    name: str
    text: str


Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, slots=True)
class Carried:
    """The databases whose words may be in something, and the entries, by database and id, whose
    words are."""

    databases: tuple[str, ...] = ()
    entries: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PastExchange:
    """An earlier question of a conversation: what was said for it, and the answer's text.

    `databases` are those whose words may be in it, `entries` (by database and id) those that are.
    """

    question: str
    messages: tuple[Message, ...]
    answer_text: str
    databases: tuple[str, ...] = ()
    entries: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told of a tool; `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: JsonObject


@dataclass(frozen=True, slots=True)
class Request:
    """One request to a model. `reply_schema` asks for a reply that is JSON of that schema.

    `entries` are those whose words it holds, by database and id.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    reply_schema: JsonObject | None = None
    max_output_tokens: int | None = None
    entries: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them."""

    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.requests + other.requests,
        )

    @property
    def total_tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class ReplyDelta:
    """A piece of the reply's text, as it streams."""

    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply, the last thing a model's stream yields.

    `finish` says why it ended: the model was done, it wants tools run, it met its output limit, or
    the provider's filter withheld the answer. `signals` is what a model that can tell says of how
    well it answers, by name, each from 0 to 1.
    """

    message: AssistantMessage
    finish: Literal["stop", "tool_calls", "length", "refusal"]
    usage: Usage = Usage()
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReplyWait:
    """The endpoint failed for `reason`, as may pass; it is asked again in `seconds`."""

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class ReplyPending:
    """No word came for so many seconds, and the reply is still waited for.

    `is_working` where something comes that is no text, such as thoughts or the arguments of a call.
    """

    seconds: float
    is_working: bool = False


ReplyPiece = ReplyDelta | ReplyWait | ReplyPending | Reply
"""What a model's stream yields: text, waits and signs of life, and the reply last."""
