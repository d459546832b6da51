"""What a person is asked before a tool does more than read, and the answers there are."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Decision(Enum):
    """A person's answer: this call, this tool for the rest of the conversation, or not."""

    ONCE = "once"
    ALWAYS = "always"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a call could go, in a few words each: over the network, to files, for how long.

    What is empty is not known; `heading` asks the question of the call.
    """

    heading: str = ""
    network: str = ""
    files: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """A call that waits for leave; `explanation` says in words what it would do.

    With a `heading`, which asks a whole question, it is no call of a tool: ALWAYS holds from then
    on, ONCE until the program ends. One with words `from_document` is asked even where the tool was
    allowed before.
    """

    tool: str
    arguments: Mapping[str, Any]
    explanation: str
    heading: str = ""
    from_document: bool = False
    extent: Extent = Extent()

    @property
    def title(self) -> str:
        """The question in a few words."""
        return self.heading or self.extent.heading or f"Run {self.tool}?"


def extent_lines(request: PermissionRequest) -> tuple[tuple[str, str], ...]:
    """Say how far a call could go, and whose words it runs; nothing for what is no call."""
    if request.heading:
        return ()
    whose = "the model's; some come from a document or a tool" if request.from_document else ""
    unknown = "not known: whoever made the tool decides"
    return (
        ("network", request.extent.network or unknown),
        ("files", request.extent.files or unknown),
        ("time", request.extent.time or "until it is done, or you stop the answer"),
        ("words", whose or "the model's, not yours"),
    )


def told_in_full(request: PermissionRequest) -> str:
    """Say what will run: the explanation, and each argument that is not part of it, uncut."""
    parts = [request.explanation]
    for name, value in request.arguments.items():
        if not _is_told(request.explanation, name, value):
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            parts.append(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}")
    return "\n".join(parts)


def _is_told(explanation: str, name: str, value: Any) -> bool:
    """Whether the explanation has an argument already; one of several lines as they are."""
    if isinstance(value, str) and "\n" in value:
        return value in explanation
    return json.dumps({name: value}, ensure_ascii=False)[1:-1] in explanation


Permit = Callable[[PermissionRequest], Awaitable[Decision]]
"""Asks the person. A front end that cannot ask gives `deny`."""


async def deny(_: PermissionRequest) -> Decision:
    """Answer no, where there is no one to ask."""
    return Decision.NO
