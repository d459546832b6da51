"""What servers that misbehave do, in scripts, and what a fault is."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Literal, NamedTuple

from scripts.benchmarks.shared.model_replies import (
    Answer,
    Call,
    Events,
    Script,
    Status,
    Then,
    error,
)
from scripts.benchmarks.shared.model_server import Scripts, SeenRequest

KEY = "sk-secret-0123456789"
SHORT = 0.3
"""Seconds after which a server that is silent is given up, in the rows where one is."""

Place = Literal["server", "closed port", "unknown host", "https to http", "http to https"]
"""Where the request goes: to the scripted server, or where no model answers."""


class Fault(NamedTuple):
    """A misbehaviour and what is said of it.

    HOST stands for the server's host and port. Without a message the model answers in the end.
    `waits` are the reasons told before each further attempt.
    """

    scripts: tuple[Scripts, ...]
    message: str = ""
    hint: str = ""
    waits: tuple[str, ...] = ()
    place: Place = "server"

    @property
    def silence(self) -> float:
        """The time-out of the model's settings, in seconds."""
        return SHORT if "(time-out)" in self.message else 20.0


SPOKEN = "Thirty days of "
ANSWER = Answer("Thirty days.")
CHAT = {"choices": [{"index": 0, "delta": {"content": SPOKEN}}]}
DELTA = {"type": "response.output_text.delta", "delta": SPOKEN}
PAGE = "<html><title>Bad Gateway</title></html>"


def either(chat: Any, responses: Any, *, spoken: bool = True, then: Then = "end") -> Scripts:
    """A stream that says some words, if `spoken`, and then the event of its wire format."""

    def script(request: SeenRequest) -> Script:
        begun, event = (DELTA, responses) if _is_responses(request) else (CHAT, chat)
        return Events((begun, event) if spoken else (event,), then)

    return script


def calling(name: str, arguments: str) -> Scripts:
    """A call of a tool: native where the request offers tools, else written into the text."""

    def script(request: SeenRequest) -> Script:
        if "tools" in request.body:
            return Answer(calls=(Call(name, arguments),))
        return Answer(f'<tool-call tool="{name}">{arguments}</tool-call>')

    return script


def endless_call(request: SeenRequest) -> Script:
    """A call whose arguments never end."""
    more = "a" * 4_096
    if "tools" not in request.body:
        return Answer('<tool-call tool="search">{"query": "', more, then="forever")
    if _is_responses(request):
        delta = {"type": "response.function_call_arguments.delta", "delta": more}
        return Events((delta,), "forever")
    fragment = {"index": 0, "id": "c", "function": {"name": "search", "arguments": more}}
    return Events(({"choices": [{"delta": {"tool_calls": [fragment]}}]},), "forever")


def in_an_hour(_: SeenRequest) -> Script:
    """A refusal until a date."""
    date = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    return Status(429, error("Slow down"), {"retry-after": date})


def _is_responses(request: SeenRequest) -> bool:
    return request.path.endswith("/responses")
