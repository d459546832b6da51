"""A server may repeat the key that it was sent; nothing that it says reaches a person with it."""

import json
from dataclasses import replace

from rag_assistant.values.messages import Reply, ToolCall

MARK = "[key]"


class KeyFilter:
    """Takes a key out of text that comes in pieces, and out of the reply that ends it.

    The end of a piece waits for the next one as long as it could be the beginning of the key.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._held = ""

    def feed(self, piece: str) -> str:
        """Give what may be shown after a further piece."""
        if not self._key:
            return piece
        text = (self._held + piece).replace(self._key, MARK)
        most = min(len(self._key) - 1, len(text))
        held = next((n for n in range(most, 0, -1) if self._key.startswith(text[-n:])), 0)
        self._held = text[len(text) - held :]
        return text[: len(text) - held]

    def rest(self) -> str:
        """Give what waited, at the end."""
        held, self._held = self._held, ""
        return held

    def reply(self, reply: Reply) -> Reply:
        """Give a reply without the key, wherever it is in it."""
        key, message = self._key, reply.message
        written = [message.text, *(call.arguments + call.name + call.id for call in _calls(reply))]
        opaque = json.dumps(message.opaque, default=str) if message.opaque else ""
        if not key or not any(key in text for text in (*written, opaque)):
            return reply
        calls = tuple(
            ToolCall(*map(self._plain, (c.id, c.name, c.arguments))) for c in _calls(reply)
        )
        # What is opaque goes back to the provider alone; with the key in it, it is not kept.
        kept = () if key in opaque else message.opaque
        text = self._plain(message.text)
        return replace(reply, message=replace(message, text=text, tool_calls=calls, opaque=kept))

    def _plain(self, text: str) -> str:
        return text.replace(self._key, MARK)


def _calls(reply: Reply) -> tuple[ToolCall, ...]:
    return reply.message.tool_calls
