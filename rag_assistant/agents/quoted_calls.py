"""Whether a tool call, or words of it, come from what tools gave and not from the person.

A model that copies a call from a document would let the document choose what is run. Words are
compared as they read: whatever their case, spaces, escapes, entities and invisible characters.
"""

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rag_assistant.messages import Message, ToolCall, ToolMessage, UserMessage
from rag_assistant.suspicion.folding import fold

LEAST_COPIED = 12
"""Letters and digits of a line from which on it is no accident that a document has it, too."""

_MOST_READ = 400_000
_BEFORE, _BETWEEN = 40, 80
"""Letters and digits: how far before a tool's name a sign of a call may stand, and how much may
stand between its name and its arguments."""

_SIGNS = ("tool", "function", "invoke", "name", "call", "run", "use", "execute")
_SURE_SIGNS = ("toolcall", "toolname", "functioncall", "invoke")
"""Of a call without arguments, whose name alone is also said in passing."""

_ESCAPES = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_MOST_ESCAPED = 3  # JSON within JSON within JSON
_NOT_WRITTEN = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Material:
    """What a model has been given: by tools, and by the person."""

    given: tuple[str, ...]
    person: str

    @classmethod
    def of(cls, messages: Sequence[Message]) -> "Material":
        """Take it from a conversation."""
        given = [_readings(m.text[:_MOST_READ]) for m in messages if isinstance(m, ToolMessage)]
        asked = " ".join(m.text for m in messages if isinstance(m, UserMessage))
        return cls(tuple(text for texts in given for text in texts), _squeezed(asked))

    def holds_call(self, call: ToolCall) -> bool:
        """Whether a tool gave this very call: its name, and all its arguments close behind it."""
        name = _squeezed(call.name)
        values = [_squeezed(value) for value in _leaves(_parsed(call.arguments))]
        wanted = [value for value in values if value]
        if not name or (wanted and all(value in self.person for value in wanted)):
            return False
        room = _BETWEEN + sum(map(len, wanted)) + 30 * len(wanted)
        return any(_has_call(text, name, wanted, room) for text in self.given)

    def copied_words(self, call: ToolCall) -> str:
        """Give the first line of the arguments that a tool gave and no person; empty for none."""
        for value in _leaves(_parsed(call.arguments)):
            for line in value.splitlines():
                written = _squeezed(line)
                if len(written) < LEAST_COPIED or written in self.person:
                    continue
                if any(written in text for text in self.given):
                    return line.strip()
        return ""


def _has_call(text: str, name: str, values: Sequence[str], room: int) -> bool:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        near = text[end : end + room]
        before, signs = text[max(0, at - _BEFORE) : at], _SIGNS if values else _SURE_SIGNS
        signed = any(sign in before for sign in signs)
        if signed and all(value in near for value in values):
            return True
        at = text.find(name, end)
    return False


@lru_cache(maxsize=64)
def _readings(text: str) -> tuple[str, ...]:
    """Give what a result says: as it stands, and with escapes within its words undone."""
    said = "\n".join(_leaves(_parsed(text)))
    readings = [_squeezed(said)]
    for _ in range(_MOST_ESCAPED):
        if "\\" not in said:
            break
        said = _ESCAPES.sub(_unescaped, said)
        readings.append(_squeezed(said))
    return tuple(readings)


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1]:
        return chr(int(escape[1], 16))
    return "\\" if escape[0] == "\\\\" else " "


def _squeezed(text: str) -> str:
    """Give the letters and digits of a text as they read."""
    return _NOT_WRITTEN.sub("", fold(html.unescape(text)).text)


def _parsed(written: str) -> Any:
    try:
        return json.loads(written, strict=False)
    except (ValueError, RecursionError):
        return written


def _leaves(value: Any) -> Iterator[str]:
    """Give all texts and numbers in a JSON value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(reversed(one.values()))
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, str):
            yield one
        elif one is not None and not isinstance(one, bool):
            yield str(one)
