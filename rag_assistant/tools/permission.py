"""What a person is asked before a tool does more than read, and the answers there are."""

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
class PermissionRequest:
    """A call that waits for leave; `explanation` says in words what it would do."""

    tool: str
    arguments: Mapping[str, Any]
    explanation: str


Permit = Callable[[PermissionRequest], Awaitable[Decision]]
"""Asks the person. A front end that cannot ask gives `deny`."""


async def deny(_: PermissionRequest) -> Decision:
    """Answer no, where there is no one to ask."""
    return Decision.NO
