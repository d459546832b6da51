"""Whether a tool call, or words of it, come from what tools gave and not from the person.

A model that copies a call from a document would let the document choose what is run. Words are
compared as they read: whatever their case, spaces, escapes, entities, disguises and invisible
characters, and whatever the notation of the call.
"""

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rag_assistant.injection.encoded import undisguised
from rag_assistant.injection.folding import fold
from rag_assistant.values.messages import Message, ToolCall, ToolMessage, UserMessage

LEAST_COPIED = 12
"""Letters and digits of a line from which on it is no accident that a document has it, too."""

MOSTLY = 0.75
"""Of the letters and digits of a call's arguments: when as many stand in what tools gave, and the
tool's name stands there as well, the call is theirs."""

_MOST_READ = 400_000
_NEAR = 80
"""Letters and digits between the name of a tool and arguments that are too short to tell."""

_SIGNS = ("tool", "function", "invoke", "name", "call", "run", "use", "execute", "action")
_SURE_SIGNS = ("toolcall", "toolname", "functioncall", "invoke", "toolcode")
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
    def of(cls, messages: Sequence[Message], read: Sequence[str] = ()) -> "Material":
        """Take it from a conversation, and from the texts `read` on its behalf."""
        told = [m.text for m in messages if isinstance(m, ToolMessage)]
        given = [_readings(text[:_MOST_READ]) for text in (*told, *read)]
        asked = " ".join(m.text for m in messages if isinstance(m, UserMessage))
        return cls(tuple(text for texts in given for text in texts), _squeezed(asked))

    def holds_call(self, call: ToolCall, names: Sequence[str]) -> bool:
        """Whether tools gave this very call: its name, and all or most of its arguments.

        `names` are those by which the tool may be called. Where a document has its name and where
        its arguments makes no difference; arguments of a few letters must stand close to the name.
        """
        called = [name for name in map(_squeezed, names) if name]
        wanted = [one for one in map(_squeezed, _leaves(_parsed(call.arguments))) if one]
        if not called or (wanted and all(value in self.person for value in wanted)):
            return False
        if sum(map(len, wanted)) < LEAST_COPIED:
            return any(_has_call(text, name, wanted) for text in self.given for name in called)
        named = any(name in text for text in self.given for name in called)
        return named and self._share_given(call) >= MOSTLY

    def holds_words(self, written: str) -> bool:
        """Whether tools gave these very words, and the person did not."""
        return bool(squeezed := _squeezed(written)) and self._gave(squeezed)

    def copied_lines(self, call: ToolCall) -> list[str]:
        """Give the lines of the arguments that a tool gave and no person, as they are written."""
        return [
            line.strip()
            for value in _leaves(_parsed(call.arguments))
            for line in value.splitlines()
            if len(written := _squeezed(line)) >= LEAST_COPIED and self._gave(written)
        ]

    def _share_given(self, call: ToolCall) -> float:
        """Give how much of the arguments' letters tools gave and no person, from 0 to 1."""
        given = total = 0
        for value in _leaves(_parsed(call.arguments)):
            whole = _squeezed(value)
            total += len(whole)
            if self._gave(whole):
                given += len(whole)
                continue
            lines = [_squeezed(line) for line in value.splitlines()]
            given += sum(len(line) for line in lines if len(line) > 3 and self._gave(line))
        return given / total if total else 0.0

    def _gave(self, written: str) -> bool:
        return written not in self.person and any(written in text for text in self.given)


def _has_call(text: str, name: str, values: Sequence[str]) -> bool:
    """Whether a text has a name with a sign of a call before it, and short values near it."""
    room = _NEAR + sum(map(len, values)) + 30 * len(values)
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        before = text[max(0, at - room) : at]
        near = before + " " + text[end : end + room]
        signed = any(sign in before[-_NEAR // 2 :] for sign in (_SIGNS if values else _SURE_SIGNS))
        if signed and all(value in near for value in values):
            return True
        at = text.find(name, end)
    return False


@lru_cache(maxsize=64)
def _readings(text: str) -> tuple[str, ...]:
    """Give what a result says: as it stands, decoded, and with escapes within its words undone."""
    said = "\n".join(_leaves(_parsed(text)))
    readings = [_squeezed(said), *map(_squeezed, undisguised(said))]
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
