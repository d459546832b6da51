"""Word 6 to 2003 (.doc, .dot): the text by its piece table, with headings, numbered items and
table rows by the properties of its paragraphs, then notes, comments, text boxes and margins.
Results of fields are kept, their codes are not.

The format: MS-DOC, "Word (.doc) Binary File Format", Microsoft; section numbers refer to it.
"""

import re
import struct
from dataclasses import dataclass

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, ReadAs
from rag_assistant.ingest.parsing.flow import Flow, ListPlace, written
from rag_assistant.ingest.parsing.mislabelled import suffix_by_content, suffix_by_stream
from rag_assistant.ingest.parsing.office.doc_formats import ParagraphFormat, ParagraphFormats
from rag_assistant.ingest.parsing.office.doc_lists import DocLists
from rag_assistant.ingest.parsing.office.list_numbers import NumberedLists
from rag_assistant.ingest.parsing.office.ole import (
    MAGIC,
    OleFile,
    code_page,
    opened,
    password_protected,
)
from rag_assistant.ingest.parsing.text_builder import TextBlock
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "application/msword"
_WORD_97, _WORD_6, _WORD_2 = 0xA5EC, 0xA5DC, 0xA5DB
_FIRST_97 = 0xC1
_ENCRYPTED, _OTHER_TABLE, _COMPLEX = 0x0100, 0x0200, 0x0004  # bits of the flags (2.5.1)
_MOST_TEXT = 30_000_000
_MARK = re.compile("[\x07\x0b-\x0e\x13-\x15\x1e]")
# How words with their reading above are written: EQ \\o\\ad(\\s\\up 10(reading),words)
_READING = re.compile(r"^\s*EQ\b[^(]*\(\\s\\up \d+\(([^()]*)\),([^()]*)\)", re.IGNORECASE)
_CODE_PAGES = {0x1F: 1254, 0x15: 1250, 0x05: 1250, 0x0E: 1250, 0x19: 1251, 0x22: 1251, 0x08: 1253}
_CODE_PAGES |= {0x0D: 1255, 0x01: 1256, 0x25: 1257, 0x26: 1257, 0x27: 1257, 0x11: 932, 0x12: 949}


@dataclass(frozen=True, slots=True)
class _Piece:
    """Characters from `start` to `end`, at `offset` of the stream, of 1 or 2 bytes."""

    start: int
    end: int
    offset: int
    width: int


def load(source: LoadInput) -> list[Document]:
    """Read a document; the title is its own, else its first heading.

    Lists that cannot be read are named in the metadata: their items are without numbers. Raises
    ReadAs for a file of another format under this suffix.
    """
    data = source.data
    if data[:2] == struct.pack("<H", _WORD_2):
        raise LoadError("a document of Word 2", hint="Open it in Word and save it as .docx.")
    if data[:2] == struct.pack("<H", _WORD_6) and len(data) > 0x180:
        return [written(_old(data), _MEDIA_TYPE, {}, source.most)]
    if not data.startswith(MAGIC):
        raise ReadAs(suffix_by_content(source.data, ".doc"))
    with opened(data) as ole:
        if "WordDocument" not in ole:
            raise ReadAs(suffix_by_stream(ole, ".doc"))
        metadata = ole.properties()
        blocks = _blocks(ole, metadata)
        return [written(blocks, _MEDIA_TYPE, metadata, source.most)]


def _blocks(ole: OleFile, metadata: dict[str, str]) -> list[TextBlock]:
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
    formats = ParagraphFormats(stream, table)
    lists: DocLists | None = None
    try:
        lists = DocLists(stream, table)
    except struct.error:
        metadata["unreadable"] = "the numbers of lists"
    # Characters of the text, footnotes, margins, macros, comments, endnotes and text boxes (2.5.4).
    counts = struct.unpack_from("<8i", stream, 0x4C)
    parts: list[list[TextBlock]] = []
    first = 0
    for count in counts:
        # Each part counts its lists for itself.
        numbers = NumberedLists(lists.find) if lists else None
        reader = _Reader(stream, "cp1252", formats, numbers)
        parts.append(reader.read(pieces, first, first + max(count, 0)))
        first += max(count, 0)
    text, footnotes, margins, _macros, comments, endnotes, boxes, margin_boxes = parts
    repeated = list(dict.fromkeys(margins + margin_boxes))
    return text + boxes + footnotes + endnotes + comments + repeated


def _old(stream: bytes) -> list[TextBlock]:
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
    return _Reader(stream, encoding).read(pieces, 0, pieces[-1].end if pieces else 0)


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

    def __init__(
        self,
        stream: bytes,
        encoding: str,
        formats: ParagraphFormats | None = None,
        numbers: NumberedLists | None = None,
    ) -> None:
        self._stream = stream
        self._encoding = encoding
        self._formats = formats
        self._numbers = numbers
        self._flow = Flow()
        self._cell_ended = False  # by the mark just before
        # For each field that is open, where it began, or None once its code has ended.
        self._fields: list[tuple[int, int, int] | None] = []

    def read(self, pieces: list[_Piece], first: int, last: int) -> list[TextBlock]:
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
            shape = self._formats.at(offset) if self._formats else ParagraphFormat()
            in_cell = shape.in_table and mark == "\r"
            flow.end_paragraph(shape.level, in_cell=in_cell, listed=self._listed(shape))

    def _listed(self, shape: ParagraphFormat) -> ListPlace | None:
        """Give the place of a paragraph in its list, if it is in one, and count it."""
        if not shape.list_number:
            return None
        mark = ""
        if self._numbers:
            mark = self._numbers.mark(str(shape.list_number), shape.list_level)
        return ListPlace(shape.list_level, mark)

    def _cell(self, shape: ParagraphFormat | None) -> None:
        row_end = shape.row_end if shape else self._cell_ended
        if row_end:
            self._flow.end_row()
        else:
            self._flow.end_cell(self._listed(shape) if shape else None)
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


LOADER = Loader("doc", 4, frozenset({".doc", ".dot"}), _MEDIA_TYPE, load)
