"""The lists of a Word 97 document and how their levels are numbered (MS-DOC, 2.9.131, 2.9.132,
2.9.147 and 2.9.150).
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.ingest.parsing.office.list_numbers import ListLevel, NumberedList

_KIND_SIZE, _LIST_SIZE, _LEVEL_SIZE, _OVERRIDE_SIZE = 28, 16, 28, 8  # bytes
_LEVELS, _LEVEL_BITS = 9, 0x0F
_LONGEST_TEXT = 255  # characters around the numbers of a level, as Word limits them
_SIMPLE = 0x01  # of a kind of list: it has one level
_DIGITS, _RESTARTS_BY_LIMIT = 0x04, 0x08  # of a level
_STARTS, _FORMATTED = 0x10, 0x20  # of what a list has of its own
# Forms of numbers by their codes (MS-OSHARED, 2.2.1.3); others are shown in digits.
_FORMS = {
    **dict(enumerate("decimal upperRoman lowerRoman upperLetter lowerLetter ordinal".split())),
    **{6: "cardinalText", 7: "ordinalText", 10: "ideographDigital", 11: "japaneseCounting"},
    **{22: "decimalZero", 33: "taiwaneseCounting", 35: "taiwaneseCountingThousand"},
    **{37: "chineseCounting", 39: "chineseCountingThousand", 255: "none"},
}
_BULLET = 23


class DocLists:
    """The lists of a document by their numbers, from 1. Raises struct.error for damage."""

    def __init__(self, stream: bytes, table: bytes) -> None:
        kinds, kinds_size, lists, lists_size = struct.unpack_from("<IIII", stream, 0x2E2)
        # The levels stand behind the kinds of lists, and are not counted in the size of them.
        self._kinds = _kinds(_Cursor(table, kinds)) if kinds_size else {}
        self._lists = dict(enumerate(_lists(_Cursor(table, lists)), 1)) if lists_size else {}

    def find(self, number: str) -> NumberedList | None:
        """Give a list, with the levels of its kind that it has none of its own for."""
        found = self._lists.get(int(number))
        if found is None or found.kind not in self._kinds:
            return None
        levels = self._kinds[found.kind] | found.levels
        return NumberedList(str(found.kind), levels, found.starts, bool(found.levels))


@dataclass(slots=True)
class _Cursor:
    """Where in a table is read."""

    data: bytes
    place: int

    def take(self, size: int) -> bytes:
        """Give the next bytes. Raises struct.error where there are less."""
        taken = self.data[self.place : self.place + size]
        if len(taken) < size:
            raise struct.error("cut short")
        self.place += size
        return taken

    def number(self, size: int) -> int:
        """Read a whole number of so many bytes."""
        return int.from_bytes(self.take(size), "little")


@dataclass(frozen=True, slots=True)
class _List:
    kind: int
    levels: dict[int, ListLevel]
    starts: dict[int, int]


def _kinds(cursor: _Cursor) -> dict[int, dict[int, ListLevel]]:
    heads = [struct.unpack("<i22xBx", cursor.take(_KIND_SIZE)) for _ in range(cursor.number(2))]
    return {
        identity: {level: _level(cursor) for level in range(1 if flags & _SIMPLE else _LEVELS)}
        for identity, flags in heads
    }


def _lists(cursor: _Cursor) -> Iterator[_List]:
    heads = [struct.unpack("<i8xBxxx", cursor.take(_LIST_SIZE)) for _ in range(cursor.number(4))]
    for kind, count in heads:
        cursor.take(4)
        found = _List(kind, {}, {})
        for _ in range(count):
            start, flags = struct.unpack("<iB3x", cursor.take(_OVERRIDE_SIZE))
            if flags & _FORMATTED:
                found.levels[flags & _LEVEL_BITS] = _level(cursor)
            elif flags & _STARTS:
                found.starts[flags & _LEVEL_BITS] = start
        yield found


def _level(cursor: _Cursor) -> ListLevel:
    start, code, flags, places, characters, paragraphs, limit = struct.unpack(
        "<iBB9s9xBBBx", cursor.take(_LEVEL_SIZE)
    )
    cursor.take(paragraphs + characters)  # changes to the indents, and to the look of numbers
    text = cursor.take(2 * cursor.number(2)).decode("utf-16-le", "replace")
    return ListLevel(
        _FORMS.get(code, "decimal"),
        "" if code == _BULLET else _pattern(text[:_LONGEST_TEXT], places),
        start,
        limit if flags & _RESTARTS_BY_LIMIT else None,
        digits=bool(flags & _DIGITS),
    )


def _pattern(text: str, places: bytes) -> str:
    """Write the text of a number with %1 for that of the first level; `places` count from 1."""
    return "".join(
        f"%{ord(one) + 1}" if at in places and ord(one) < _LEVELS else one
        for at, one in enumerate(text, 1)
    )
