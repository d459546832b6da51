"""Excel workbooks before 2007 (.xls) and binary ones (.xlsb), by calamine: each sheet is a page
under its name as a heading, each row a line, dates in ISO 8601. Cells that calamine could not hold
in memory are counted before it is asked.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, time, timedelta
from io import BytesIO
from itertools import chain
from typing import Any

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, ReadAs
from rag_assistant.ingest.parsing.extras import require
from rag_assistant.ingest.parsing.flow import clean
from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.mislabelled import suffix_by_content, suffix_by_stream
from rag_assistant.ingest.parsing.office.ole import MAGIC, opened, password_protected
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder, row_block
from rag_assistant.ingest.parsing.zip_container import ZipContainer
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "application/vnd.ms-excel"
_HINT = "Open it in Excel and save it anew."
_MOST_CELLS = 8_000_000  # of a file, empty ones between others included: calamine holds them all
_FILE_PASS, _BEGIN = 0x2F, (0x809, 0x409, 0x209, 0x009)
# Records of a cell, which begin with its row and column (MS-XLS, 2.3); the last column of MULRK.
_CELLS = frozenset({0x06, 0xD6, 0xFD, 0x203, 0x204, 0x205, 0x27E, 0xBD})
_MANY = 0xBD
_DIMENSIONS, _STRINGS = 0x200, 0xFC  # calamine reserves memory for as many as these declare
_MOST_DECLARED = 65_536 * 256
_BINARY_ROW = 0  # MS-XLSB, 2.3: a row, then its cells
_BINARY_CELLS = frozenset({*range(1, 12), 62})

Extent = tuple[int, int, int, int]
"""The first row and column that have cells, and the last; `_NONE` where there are none."""

_NONE: Extent = (1 << 32, 1 << 32, -1, -1)


def load(source: LoadInput) -> list[Document]:
    """Read a workbook. Raises ReadAs for a file of another format under its suffixes."""
    data = source.data
    metadata: dict[str, str] = {}
    if data.startswith(MAGIC):
        with opened(data) as ole:
            name = "Workbook" if "Workbook" in ole else "Book"
            if name not in ole:
                raise ReadAs(suffix_by_stream(ole, ".xls"))
            _refuse_size([*_extents(ole.read(name))])
            metadata = ole.properties()
    elif data.startswith(b"PK\x03\x04") and b"xl/workbook.bin" in data:
        container = ZipContainer(data)
        sheets = [name for name in container.names() if "sheets/" in name and name[-4:] == ".bin"]
        _refuse_size([_binary_extent(container.read(name)) for name in sheets])
    else:
        raise ReadAs(suffix_by_content(source.data, ".xls"))
    builder = TextBuilder(source.most)
    with _no_panic():
        _write(data, builder)
    values = tidy({name: clean(value) for name, value in metadata.items()})
    return [builder.document(_MEDIA_TYPE, values, titled_by_heading=False)]


def _write(data: bytes, builder: TextBuilder) -> None:
    calamine = require("python_calamine", "formats")
    unreadable = (calamine.CalamineError, ValueError, OSError)
    try:
        workbook = calamine.load_workbook(BytesIO(data))
    except calamine.PasswordError:
        raise password_protected() from None
    except unreadable as error:
        said = " ".join(str(error).split())[:100]
        raise LoadError(f"broken workbook: {said}", hint=_HINT) from None
    for number, name in enumerate(workbook.sheet_names, 1):
        try:
            rows = workbook.get_sheet_by_name(name).iter_rows()
        except unreadable:  # a sheet that is a chart
            continue
        blocks = _rows(rows)
        if first := next(blocks, None):
            builder.page(number)
            builder.write([TextBlock(clean(name), "heading", 1)])
            builder.write_sheet(clean(name), chain([first], blocks))


def _rows(rows: Iterator[list[Any]]) -> Iterator[TextBlock]:
    for row in rows:
        line = row_block((column, _shown(value)) for column, value in enumerate(row) if value != "")
        if line.text:
            yield line


def _shown(value: object) -> str:
    """Write a cell's value as a person would search for it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, (datetime, time)):
        return value.isoformat(timespec="seconds")
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return clean(str(value))


@contextmanager
def _no_panic() -> Iterator[None]:
    """Make an error of calamine's panics, which are no Exception, so that nobody expects them."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise LoadError("broken workbook: its parts do not fit", hint=_HINT) from None


def _refuse_size(extents: list[Extent]) -> None:
    cells = sum(
        (bottom - top + 1) * (right - left + 1)
        for top, left, bottom, right in extents
        if bottom >= top
    )
    if cells > _MOST_CELLS:
        hint = "Delete lone cells far from the others, or split it."
        raise LoadError(f"its sheets span {cells:,} cells, empty ones included", hint=hint)


def _extents(stream: bytes) -> Iterator[Extent]:
    """Give the rectangle of cells of each sheet (MS-XLS, 2.1.4: records of type, length, data).

    Raises LoadError for an encrypted workbook.
    """
    top, left, bottom, right = _NONE
    position, end = 0, len(stream) - 4
    header = struct.Struct("<HH").unpack_from
    while position <= end:
        kind, length = header(stream, position)
        if kind in _CELLS and length >= 6 and position + 8 <= len(stream):
            row, column = header(stream, position + 4)
            last = column
            if kind == _MANY and position + 4 + length <= len(stream):
                last = int.from_bytes(
                    stream[position + 2 + length : position + 4 + length], "little"
                )
            top, bottom = min(top, row), max(bottom, row)
            left, right = min(left, column), max(right, column, last)
        elif kind in _BEGIN:
            yield top, left, bottom, right
            top, left, bottom, right = _NONE
        elif kind in (_DIMENSIONS, _STRINGS, _FILE_PASS):
            _check(kind, stream[position + 4 : position + 4 + length], len(stream))
        position += 4 + length
    yield top, left, bottom, right


def _check(kind: int, data: bytes, size: int) -> None:
    """Refuse a workbook that is encrypted, or declares what no file of its size can hold."""
    if kind == _FILE_PASS:
        raise password_protected()
    if kind == _STRINGS and len(data) >= 8:
        declared, most = struct.unpack_from("<4xI", data)[0], size
    elif kind == _DIMENSIONS and len(data) >= 10:
        form = "<IIHH" if len(data) >= 14 else "<HHHH"  # since Excel 97, and before it
        top, bottom, left, right = struct.unpack_from(form, data)
        # An end before the beginning is taken for a huge one by calamine, and so it is here.
        declared, most = (bottom - top) % (1 << 32) * ((right - left) % (1 << 16)), _MOST_DECLARED
    else:
        return
    if declared > most:
        raise LoadError("broken workbook: it declares more than it can hold", hint=_HINT)


def _binary_extent(data: bytes) -> Extent:
    """Give the rectangle of cells of a sheet of .xlsb (MS-XLSB, 2.1.4)."""
    top, left, bottom, right = _NONE
    row = position = 0
    while position < len(data):
        kind, position = _number(data, position, 2)
        length, position = _number(data, position, 4)
        first = int.from_bytes(data[position : position + 4], "little")
        if kind == _BINARY_ROW:
            row = first
        elif kind in _BINARY_CELLS:
            top, bottom = min(top, row), max(bottom, row)
            left, right = min(left, first), max(right, first)
        position += length
    return top, left, bottom, right


def _number(data: bytes, position: int, longest: int) -> tuple[int, int]:
    """Read a number of seven bits a byte; give it and where it ends."""
    value = 0
    for index, byte in enumerate(data[position : position + longest]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value, position + index + 1
    return value, position + longest


LOADER = Loader("xls", 3, frozenset({".xls", ".xlsb"}), _MEDIA_TYPE, load)
