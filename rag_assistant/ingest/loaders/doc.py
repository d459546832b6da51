"""Word 6 to 2003 (.doc, .dot): the text by its piece table, with headings, list items and table
rows by the properties of its paragraphs, then notes, comments, text boxes and margins. Results of
fields are kept, their codes are not.

The format: MS-DOC, "Word (.doc) Binary File Format", Microsoft; section numbers refer to it.
"""

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.documents import Document
from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.flow import Flow, written
from rag_assistant.ingest.loaders.ole import (
    MAGIC,
    OleFile,
    by_content,
    by_stream,
    code_page,
    opened,
    password_protected,
)
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.loaders.xml_tree import Block

_MEDIA_TYPE = "application/msword"
_WORD_97, _WORD_6, _WORD_2 = 0xA5EC, 0xA5DC, 0xA5DB
_FIRST_97 = 0xC1
_ENCRYPTED, _OTHER_TABLE, _COMPLEX = 0x0100, 0x0200, 0x0004  # bits of the flags (2.5.1)
_MOST_TEXT = 30_000_000
_MARK = re.compile("[\x07\x0b-\x0e\x13-\x15\x1e]")
# How words with their reading above are written: EQ \\o\\ad(\\s\\up 10(reading),words)
_READING = re.compile(r"^\s*EQ\b[^(]*\(\\s\\up \d+\(([^()]*)\),([^()]*)\)", re.IGNORECASE)
_PAGE = 512  # bytes of a formatted disk page (2.9.174)
_STYLED, _BODY_LEVEL = range(1, 10), 9
_IN_TABLE, _ROW_END, _LIST, _OUTLINE = 0x2416, 0x2417, 0x460B, 0x2640  # sprms (2.6.2)
_OPERANDS = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}  # bytes, by the last bits of a sprm
_CODE_PAGES = {0x1F: 1254, 0x15: 1250, 0x05: 1250, 0x0E: 1250, 0x19: 1251, 0x22: 1251, 0x08: 1253}
_CODE_PAGES |= {0x0D: 1255, 0x01: 1256, 0x25: 1257, 0x26: 1257, 0x27: 1257, 0x11: 932, 0x12: 949}


@dataclass(frozen=True, slots=True)
class _Piece:
    """Characters from `start` to `end`, at `offset` of the stream, of 1 or 2 bytes."""

    start: int
    end: int
    offset: int
    width: int


@dataclass(frozen=True, slots=True)
class _Format:
    """What a paragraph is."""

    level: int = 0
    in_table: bool = False
    row_end: bool = False
    item: bool = False


def load(source: LoadInput) -> list[Document]:
    """Read a document; the title is its own, else its first heading.

    Files that are of another format under this suffix are read as what they are.
    """
    data = source.data
    if data[:2] == struct.pack("<H", _WORD_2):
        raise LoadError("a document of Word 2", hint="Open it in Word and save it as .docx.")
    if data[:2] == struct.pack("<H", _WORD_6) and len(data) > 0x180:
        return [written(_old(data), _MEDIA_TYPE, {})]
    if not data.startswith(MAGIC):
        return by_content(source, ".doc")
    with opened(data) as ole:
        if "WordDocument" not in ole:
            return by_stream(ole, source, ".doc")
        blocks = _blocks(ole)
        return [written(blocks, _MEDIA_TYPE, ole.properties())]


def _blocks(ole: OleFile) -> list[Block]:
    stream = ole.read("WordDocument")
    magic, version = struct.unpack_from("<HH", stream)
    flags = struct.unpack_from("<H", stream, 0x0A)[0]
    if magic not in (_WORD_97, _WORD_6):
        raise LoadError("broken file: it does not begin as a Word document does")
    if flags & _ENCRYPTED:
        raise password_protected()
    if magic == _WORD_6 or version < _FIRST_97:
        return _old(stream)
    table = ole.read("1Table" if flags & _OTHER_TABLE else "0Table")
    start, length = struct.unpack_from("<II", stream, 0x1A2)
    pieces = _pieces(table[start : start + length], narrow=False)
    formats = _Formats(stream, table)
    # Characters of the text, footnotes, margins, macros, comments, endnotes and text boxes (2.5.4).
    counts = struct.unpack_from("<8i", stream, 0x4C)
    parts: list[list[Block]] = []
    first = 0
    for count in counts:
        reader = _Reader(stream, formats, "cp1252")
        parts.append(reader.read(pieces, first, first + max(count, 0)))
        first += max(count, 0)
    text, footnotes, margins, _macros, comments, endnotes, boxes, margin_boxes = parts
    repeated = list(dict.fromkeys(margins + margin_boxes))
    return text + boxes + footnotes + endnotes + comments + repeated


def _old(stream: bytes) -> list[Block]:
    """Read the text of Word 6 or 95, whose characters are single bytes in a row or in pieces."""
    language, flags = struct.unpack_from("<HxxH", stream, 0x06)
    if flags & _ENCRYPTED:
        raise password_protected()
    start, end = struct.unpack_from("<II", stream, 0x18)
    pieces = [_Piece(0, max(end - start, 0), start, 1)]
    if flags & _COMPLEX:
        place, length = struct.unpack_from("<II", stream, 0x160)
        pieces = _pieces(stream[place : place + length], narrow=True)
    encoding = code_page(_CODE_PAGES.get(language & 0x3FF, 1252))
    return _Reader(stream, None, encoding).read(pieces, 0, pieces[-1].end if pieces else 0)


def _pieces(clx: bytes, *, narrow: bool) -> list[_Piece]:
    """Read the piece table (2.8.35, 2.9.38); `narrow` where no piece can be of two bytes."""
    position = 0
    while position < len(clx) and clx[position] == 1:  # formats of pieces
        position += 3 + struct.unpack_from("<H", clx, position + 1)[0]
    if position >= len(clx) or clx[position] != 2:
        raise LoadError("broken file: it has no table of its text", hint="Save it anew in Word.")
    length = struct.unpack_from("<I", clx, position + 1)[0]
    table = clx[position + 5 : position + 5 + length]
    count = max((len(table) - 4) // 12, 0)
    bounds = struct.unpack_from(f"<{count + 1}i", table)
    pieces = []
    for index in range(count):
        place = struct.unpack_from("<I", table, 4 * (count + 1) + 8 * index + 2)[0]
        start, end = bounds[index], bounds[index + 1]
        if not 0 <= start <= end <= _MOST_TEXT:
            raise LoadError("broken file: the table of its text is wrong")
        if narrow:
            pieces.append(_Piece(start, end, place, 1))
        elif place & 0x40000000:
            pieces.append(_Piece(start, end, (place & 0x3FFFFFFF) // 2, 1))
        else:
            pieces.append(_Piece(start, end, place, 2))
    return pieces


class _Reader:
    """Makes blocks of the characters of one part of a document."""

    def __init__(self, stream: bytes, formats: "_Formats | None", encoding: str) -> None:
        self._stream = stream
        self._formats = formats
        self._encoding = encoding
        self._flow = Flow()
        self._cell_ended = False  # by the mark just before
        # For each field that is open, where it began, or None once its code has ended.
        self._fields: list[tuple[int, int, int] | None] = []

    def read(self, pieces: list[_Piece], first: int, last: int) -> list[Block]:
        """Read the characters from `first` to `last`."""
        for piece in pieces:
            start, end = max(piece.start, first), min(piece.end, last)
            if start < end:
                offset = piece.offset + (start - piece.start) * piece.width
                self._piece(offset, (end - start) * piece.width, piece.width)
        return self._flow.close()

    def _piece(self, offset: int, length: int, width: int) -> None:
        data = self._stream[offset : offset + length]
        encoding = self._encoding if width == 1 else "utf-16-le"
        text = data.decode(
            encoding, "surrogatepass" if width == 2 and not len(data) % 2 else "replace"
        )
        position = 0
        for found in _MARK.finditer(text):
            before = text[position : found.start()]
            # A character beyond U+FFFF is two of the file's.
            units = (
                len(before) if width == 1 else len(before.encode("utf-16-le", "surrogatepass")) // 2
            )
            offset += units * width
            self._add(before)
            self._mark(found[0], offset)
            offset += width
            position = found.end()
        self._add(text[position:])

    def _add(self, text: str) -> None:
        if text:
            self._flow.add(text)
            self._cell_ended = False

    def _mark(self, mark: str, offset: int) -> None:
        flow = self._flow
        if mark == "\x0b":
            flow.add("\n")
        elif mark == "\x1e":
            flow.add("-")
        elif mark in "\x13\x14\x15":
            self._field(mark)
        elif mark == "\x07":
            self._cell(self._formats.at(offset) if self._formats else None)
        else:
            shape = self._formats.at(offset) if self._formats else _Format()
            flow.item = shape.item
            flow.end_paragraph(shape.level, in_cell=shape.in_table and mark == "\r")

    def _cell(self, shape: _Format | None) -> None:
        row_end = shape.row_end if shape else self._cell_ended
        if row_end:
            self._flow.end_row()
        else:
            self._flow.end_cell()
        self._cell_ended = not row_end

    def _field(self, mark: str) -> None:
        """Drop the code of a field: what is between its beginning and its separator or end."""
        flow = self._flow
        place = (len(flow.blocks), len(flow.cells), len(flow.parts))
        if mark == "\x13":
            self._fields.append(place)
        elif self._fields:
            began = self._fields.pop()
            # A code that goes on in another paragraph is no code, but a field that never ends.
            if began is not None and began[:2] == place[:2]:
                reading = _READING.search("".join(flow.parts[began[2] :]))
                flow.parts[began[2] :] = [f"{reading[2]} ({reading[1]})"] if reading else []
            if mark == "\x14":
                self._fields.append(None)


class _Formats:
    """The formats of paragraphs, by where in the stream they are (2.8.6, 2.9.175)."""

    def __init__(self, stream: bytes, table: bytes) -> None:
        start, length = struct.unpack_from("<II", stream, 0x102)
        plc = table[start : start + length]
        count = max((len(plc) - 4) // 8, 0)
        numbers = struct.unpack_from(f"<{count}I", plc, 4 * (count + 1)) if count else ()
        found: dict[int, _Format] = {}
        for number in dict.fromkeys(number & 0x3FFFFF for number in numbers):
            page = stream[number * _PAGE : (number + 1) * _PAGE]
            if len(page) == _PAGE:
                found.update(_page(page))
        self._starts = sorted(found)
        self._formats = [found[start] for start in self._starts]

    def at(self, offset: int) -> _Format:
        """Give the format of the paragraph that holds the byte at `offset`."""
        index = bisect_right(self._starts, offset) - 1
        return self._formats[index] if index >= 0 else _Format()


def _page(page: bytes) -> Iterator[tuple[int, _Format]]:
    count = min(page[511], 29)
    starts = struct.unpack_from(f"<{count}I", page)
    for index, start in enumerate(starts):
        place = 2 * page[4 * (count + 1) + 13 * index]
        if not place:
            yield start, _Format()
            continue
        size = 2 * page[place] - 1
        if size < 0:
            place += 1
            size = 2 * page[place] if place < _PAGE else 0
        yield start, _format(page[place + 1 : place + 1 + size])


def _format(data: bytes) -> _Format:
    """Read a style's number and the changes to it (2.9.114)."""
    if len(data) < 2:
        return _Format()
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
    return _Format(
        level=0 if in_table else level,
        in_table=in_table,
        row_end=bool(values.get(_ROW_END)),
        item=bool(values.get(_LIST)) and not level,
    )


LOADER = Loader("doc", 1, frozenset({".doc", ".dot"}), _MEDIA_TYPE, load)
