"""A server may repeat the key that it was sent; nothing that it says reaches a person with it."""

import json
import re
from dataclasses import replace

from rag_assistant.values.messages import Reply, ToolCall

MARK = "[key]"

PART = 6
"""Characters of a key that are hidden wherever they stand together, if they look like one: with a
digit or a capital letter among them. Words that a key happens to have are of `LONG_PART`."""

LONG_PART, LEAST_KEY = 10, 12
"""Characters of any part that is hidden, and of a key whose parts are."""

_UNIT = re.compile(
    r"((?:[\s\u00ad\u200b-\u200d\u2060\ufeff]|%(?:25)*(?:20|09|0[aAdD]))+)"
    r"|%(?:25)*([0-9A-Fa-f]{2})|(.)",
    re.DOTALL,
)
"""White space and what nobody sees, also as an address has it; a character as an address has it,
however often it was put into one; or any other character."""

_SHORTENED = re.compile(r"([^\s*•…'\"]{3,128})(?:[*•…]{2,}|…|\.{3,})[^\s'\",.;:]*")
"""A word whose middle is left out."""


def without_key(text: str, key: str) -> str:
    """Give what a server said of a failure without the key that it was sent.

    Parts of it are hidden, too, also where they are percent-encoded or set with spaces, and what is
    left of it where its middle is left out. The time is in proportion to the text.
    """
    if not key:
        return text
    text = text.replace(key, MARK)
    if len(key) < LEAST_KEY:
        return text
    kept: list[str] = []
    done = 0
    for low, high in _parts(text, key):
        kept += text[done:low], MARK
        done = high
    text = "".join([*kept, text[done:]])
    return _SHORTENED.sub(lambda word: MARK if key.startswith(word[1]) else word[0], text)


def _parts(text: str, key: str) -> list[tuple[int, int]]:
    """Give where parts of a key stand in a text, as places in it, in order."""
    units = [
        (chr(int(unit[2], 16)) if unit[2] else unit[3], *unit.span())
        for unit in _UNIT.finditer(text)
        if not unit[1]
    ]
    plain = "".join(character for character, _, _ in units)
    found: list[tuple[int, int]] = []
    place = 0
    while place + PART <= len(plain):
        end = place + PART
        if plain[place:end] not in key:
            place += 1
            continue
        while end < len(plain) and plain[place : end + 1] in key:
            end += 1
        part = plain[place:end]
        if len(part) >= LONG_PART or any(c.isdigit() or c.isupper() for c in part):
            found.append((units[place][1], units[end - 1][2]))
        place = end
    return found


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
