"""What a run has said so far, as the built-in model reads it from the messages."""

import json
from collections.abc import Sequence
from typing import Any

from rag_assistant.values.messages import Message, ToolMessage, UserMessage


def since_question(messages: Sequence[Message]) -> tuple[str, Sequence[Message]]:
    """Give the last question, empty where there is none, and what was said after it."""
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if isinstance(message, UserMessage):
            return message.text, messages[place + 1 :]
    return "", messages


def json_of(message: ToolMessage) -> dict[str, Any] | None:
    """Read the result of a tool; None for an error's, which is words."""
    try:
        found = json.loads(message.text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
