"""Messages of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/), read without
their schema: the fields of a message by their numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.errors import LoadError

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 70  # bits


@dataclass(frozen=True, slots=True)
class Message:
    """The fields of a message: numbers by field, and bytes by field, each in their order."""

    numbers: dict[int, list[int]]
    data: dict[int, list[bytes]]

    def number(self, field: int, default: int = 0) -> int:
        """Give the last number of a field, as the encoding has it."""
        found = self.numbers.get(field)
        return found[-1] if found else default

    def bytes_of(self, field: int) -> bytes:
        """Give the last bytes of a field, b"" if there are none."""
        found = self.data.get(field)
        return found[-1] if found else b""

    def text(self, field: int) -> str:
        """Give the text of a field; several of them joined."""
        return "".join(part.decode("utf-8", "replace") for part in self.data.get(field, ()))

    def inner(self, field: int) -> Iterator["Message"]:
        """Give the messages of a field."""
        return (message(part) for part in self.data.get(field, ()))

    def packed(self, field: int) -> list[int]:
        """Give the numbers of a repeated field, packed or not."""
        found = list(self.numbers.get(field, ()))
        for part in self.data.get(field, ()):
            at = 0
            while at < len(part):
                value, at = varint(part, at)
                found.append(value)
        return found


def message(data: bytes) -> Message:
    """Read a message. Raises LoadError when it breaks the encoding."""
    numbers: dict[int, list[int]] = {}
    held: dict[int, list[bytes]] = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        field, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, at = varint(data, at)
            numbers.setdefault(field, []).append(value)
            continue
        if wire == _BYTES:
            size, at = varint(data, at)
        elif wire in (_FIXED64, _FIXED32):
            size = 8 if wire == _FIXED64 else 4
        else:
            raise _broken()
        if at + size > len(data):
            raise _broken()
        held.setdefault(field, []).append(data[at : at + size])
        at += size
    return Message(numbers, held)


def varint(data: bytes, at: int) -> tuple[int, int]:
    """Read a number at a place; give it, and where it ends. Raises LoadError at the data's end."""
    value = shift = 0
    while at < len(data) and shift < _LONGEST_VARINT:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise _broken()


def _broken() -> LoadError:
    hint = "Open it in its program and save it anew."
    return LoadError("broken file: a message in it cannot be read", hint=hint)
