"""The styles of a Word 97 document's paragraphs: which are headings, and what they change (MS-DOC,
2.9.271, 2.9.260).
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from rag_assistant.ingest.parsing.office.doc_properties import Properties, properties

_HEADINGS = range(1, 10)  # built-in styles; the numbers of them in a file are the same
_TITLE = 62
_PARAGRAPH = 1
_NO_BASE = 0xFFF
_BASE_SIZE = 10  # bytes of a style that all versions write, up to its name


@dataclass(frozen=True, slots=True)
class DocStyle:
    """What a style makes of a paragraph: the level of a heading, 0 for none, and its properties."""

    level: int = 0
    values: Properties = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Written:
    built_in: int
    base: int
    values: Properties


class DocStyles:
    """The styles of a document, each with those that it is based on."""

    def __init__(self, stream: bytes, table: bytes) -> None:
        start, length = struct.unpack_from("<II", stream, 0xA2)
        self._written = dict(_styles(table[start : start + length]))
        self._known: dict[int, DocStyle] = {}

    def of(self, number: int) -> DocStyle:
        """Give a style by its number; one that is not written down is a heading or plain."""
        chain: list[int] = []
        while number not in self._known and number in self._written and number not in chain:
            chain.append(number)
            number = self._written[number].base
        found = self._known.get(number) or DocStyle(number if number in _HEADINGS else 0)
        for link in reversed(chain):
            style = self._written[link]
            found = DocStyle(_level(style.built_in) or found.level, found.values | style.values)
            self._known[link] = found
        return found


def _level(built_in: int) -> int:
    return 1 if built_in == _TITLE else built_in if built_in in _HEADINGS else 0


def _styles(data: bytes) -> Iterator[tuple[int, _Written]]:
    """Give the styles of paragraphs; of a table that is cut short, those before its end."""
    if len(data) < 6:
        return
    head, count, base_size = struct.unpack_from("<HHH", data)
    position = 2 + head
    for number in range(count):
        if position + 2 > len(data):
            return
        size = struct.unpack_from("<H", data, position)[0]
        position += 2
        if size > base_size >= _BASE_SIZE and (
            style := _style(data[position : position + size], base_size)
        ):
            yield number, style
        position += size + size % 2


def _style(data: bytes, base_size: int) -> _Written | None:
    """Read a style of paragraphs (2.9.258): its name, then the changes to properties."""
    if len(data) < base_size + 2:
        return None
    built_in, kind = struct.unpack_from("<HH", data)
    if kind & 0xF != _PARAGRAPH:
        return None
    place = base_size + 2 * (struct.unpack_from("<H", data, base_size)[0] + 2)
    size = int.from_bytes(data[place : place + 2], "little")
    changes = data[place + 4 : place + 2 + size]  # behind the number of the style itself
    base = kind >> 4
    return _Written(built_in & 0xFFF, base if base != _NO_BASE else -1, properties(changes))
