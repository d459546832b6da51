"""What the paragraphs of a Word 97 document are: headings, list items, cells and ends of rows, by
the tables of their properties.

The format: MS-DOC, "Word (.doc) Binary File Format", Microsoft; section numbers refer to it.
"""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_PAGE = 512  # bytes of a formatted disk page (2.9.174)
_STYLED, _BODY_LEVEL = range(1, 10), 9
_IN_TABLE, _ROW_END, _LIST, _OUTLINE = 0x2416, 0x2417, 0x460B, 0x2640  # sprms (2.6.2)
_OPERANDS = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}  # bytes, by the last bits of a sprm


@dataclass(frozen=True, slots=True)
class ParagraphFormat:
    """What a paragraph is."""

    level: int = 0
    in_table: bool = False
    row_end: bool = False
    item: bool = False


class ParagraphFormats:
    """The formats of paragraphs, by where in the stream they are (2.8.6, 2.9.175)."""

    def __init__(self, stream: bytes, table: bytes) -> None:
        start, length = struct.unpack_from("<II", stream, 0x102)
        plc = table[start : start + length]
        count = max((len(plc) - 4) // 8, 0)
        numbers = struct.unpack_from(f"<{count}I", plc, 4 * (count + 1)) if count else ()
        found: dict[int, ParagraphFormat] = {}
        for number in dict.fromkeys(number & 0x3FFFFF for number in numbers):
            page = stream[number * _PAGE : (number + 1) * _PAGE]
            if len(page) == _PAGE:
                found.update(_page(page))
        self._starts = sorted(found)
        self._formats = [found[start] for start in self._starts]

    def at(self, offset: int) -> ParagraphFormat:
        """Give the format of the paragraph that holds the byte at `offset`."""
        index = bisect_right(self._starts, offset) - 1
        return self._formats[index] if index >= 0 else ParagraphFormat()


def _page(page: bytes) -> Iterator[tuple[int, ParagraphFormat]]:
    count = min(page[511], 29)
    starts = struct.unpack_from(f"<{count}I", page)
    for index, start in enumerate(starts):
        place = 2 * page[4 * (count + 1) + 13 * index]
        if not place:
            yield start, ParagraphFormat()
            continue
        size = 2 * page[place] - 1
        if size < 0:
            place += 1
            size = 2 * page[place] if place < _PAGE else 0
        yield start, _format(page[place + 1 : place + 1 + size])


def _format(data: bytes) -> ParagraphFormat:
    """Read a style's number and the changes to it (2.9.114)."""
    if len(data) < 2:
        return ParagraphFormat()
    style = struct.unpack_from("<H", data)[0]
    level = style if style in _STYLED else 0  # the first nine are the headings (2.9.271)
    values: dict[int, int] = {}
    position = 2
    while position + 3 <= len(data):
        sprm = struct.unpack_from("<H", data, position)[0]
        position += 2
        values[sprm] = int.from_bytes(data[position : position + 2], "little")
        size = _OPERANDS.get(sprm >> 13)
        if size is None:
            size = values[sprm] + 1 if sprm == 0xD608 else data[position] + 1
        if size == 1:
            values[sprm] &= 0xFF
        position += size
    if _OUTLINE in values:
        level = values[_OUTLINE] + 1 if values[_OUTLINE] < _BODY_LEVEL else 0
    in_table = bool(values.get(_IN_TABLE))
    return ParagraphFormat(
        level=0 if in_table else level,
        in_table=in_table,
        row_end=bool(values.get(_ROW_END)),
        item=bool(values.get(_LIST)) and not level,
    )
