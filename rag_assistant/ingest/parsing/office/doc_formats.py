"""What the paragraphs of a Word 97 document are: headings, list items, cells and ends of rows, by
the tables of their properties and their styles.

The format: MS-DOC, "Word (.doc) Binary File Format", Microsoft; section numbers refer to it.
"""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.ingest.parsing.office.doc_properties import (
    IN_TABLE,
    LIST,
    LIST_LEVEL,
    OUTLINE,
    ROW_END,
    Properties,
    properties,
)
from rag_assistant.ingest.parsing.office.doc_styles import DocStyles

_PAGE = 512  # bytes of a formatted disk page (2.9.174)
_BODY_LEVEL = 9
# The number of no list, and what is taken off those of lists without the list's indents (2.6.2).
_NO_LIST, _WITHOUT_INDENTS = 0xF801, 0x10000
_MOST_LISTS = 0x7FE


@dataclass(frozen=True, slots=True)
class ParagraphFormat:
    """What a paragraph is. `list_number` counts the document's lists from 1: 0 is none."""

    level: int = 0
    in_table: bool = False
    row_end: bool = False
    list_number: int = 0
    list_level: int = 0


class ParagraphFormats:
    """The formats of paragraphs, by where in the stream they are (2.8.6, 2.9.175)."""

    def __init__(self, stream: bytes, table: bytes) -> None:
        self._styles = DocStyles(stream, table)
        start, length = struct.unpack_from("<II", stream, 0x102)
        plc = table[start : start + length]
        count = max((len(plc) - 4) // 8, 0)
        numbers = struct.unpack_from(f"<{count}I", plc, 4 * (count + 1)) if count else ()
        found: dict[int, ParagraphFormat] = {}
        for number in dict.fromkeys(number & 0x3FFFFF for number in numbers):
            page = stream[number * _PAGE : (number + 1) * _PAGE]
            if len(page) == _PAGE:
                found.update((at, self._format(data)) for at, data in _page(page))
        self._starts = sorted(found)
        self._formats = [found[start] for start in self._starts]

    def at(self, offset: int) -> ParagraphFormat:
        """Give the format of the paragraph that holds the byte at `offset`."""
        index = bisect_right(self._starts, offset) - 1
        return self._formats[index] if index >= 0 else ParagraphFormat()

    def _format(self, data: bytes) -> ParagraphFormat:
        """Read a style's number and the changes to it (2.9.114)."""
        number = struct.unpack_from("<H", data)[0] if len(data) > 1 else 0
        style = self._styles.of(number)
        values: Properties = style.values | properties(data[2:])
        level = style.level
        if OUTLINE in values:
            level = values[OUTLINE] + 1 if values[OUTLINE] < _BODY_LEVEL else 0
        in_table = bool(values.get(IN_TABLE))
        return ParagraphFormat(
            level=0 if in_table else level,
            in_table=in_table,
            row_end=bool(values.get(ROW_END)),
            list_number=_list_number(values.get(LIST, 0)),
            list_level=values.get(LIST_LEVEL, 0),
        )


def _list_number(written: int) -> int:
    if written > _NO_LIST:
        written = _WITHOUT_INDENTS - written
    return written if written <= _MOST_LISTS else 0


def _page(page: bytes) -> Iterator[tuple[int, bytes]]:
    """Give where the paragraphs of a page start, and their properties."""
    count = min(page[511], 29)
    starts = struct.unpack_from(f"<{count}I", page)
    for index, start in enumerate(starts):
        place = 2 * page[4 * (count + 1) + 13 * index]
        if not place:
            yield start, b""
            continue
        size = 2 * page[place] - 1
        if size < 0:
            place += 1
            size = 2 * page[place] if place < _PAGE else 0
        yield start, page[place + 1 : place + 1 + size]
