"""The texts and tables of a document of Pages, Numbers or Keynote, from its objects: paragraphs
with the headings that their styles make of them, and the cells of tables as they are stored.
"""

import re
import struct
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal

from rag_assistant.ingest.parsing.flow import clean
from rag_assistant.ingest.parsing.office.iwork_archive import IworkObject
from rag_assistant.ingest.parsing.office.protobuf import Message
from rag_assistant.ingest.parsing.text_builder import TextBlock, row_block

Objects = Mapping[int, IworkObject]

STORAGES = frozenset({2001, 2005})
"""Kinds of objects that hold text."""

TABLE_FRAME, TABLE = 6000, 6001
_HEADER = 1  # kind of a text that is repeated on every page
_HEADING = re.compile(
    r"(?:heading|überschrift|titre|encabezado|intestazione|kop|rubrik)\s*(\d?)", re.IGNORECASE
)
_TITLES = frozenset({"title", "titel", "título", "titolo"})
_MOST_PARENTS = 10
_BREAKS = str.maketrans({"\u2028": "\n", "\u2029": "\n", "\x04": "\n", "\x05": "\n", "\ufffc": ""})
_EPOCH = datetime(2001, 1, 1)  # dates are seconds since then
_TEXT, _NUMBERS, _DATE, _BOOLEAN, _DURATION, _RICH = 3, (2, 10), 5, 6, 7, 9
_DECIMAL_BIAS = 0x1820
_MOST_COLUMNS = 1000
_MOST_CELLS = 2_000_000


def reference(found: Message, field: int) -> int:
    """Give the id that a field refers to, 0 if none."""
    return next((inner.number(1) for inner in found.inner(field)), 0)


def storage_blocks(objects: Objects, storage: IworkObject) -> Iterator[TextBlock]:
    """Give the paragraphs of a text; none of what is repeated on every page."""
    found = storage.read()
    if found.number(1) == _HEADER:
        return
    # Places are counted in units of UTF-16.
    data = found.text(3).encode("utf-16-le")
    starts = [
        (entry.number(1), reference(entry, 2))
        for table in found.inner(5)
        for entry in table.inner(1)
    ]
    starts = starts or [(0, 0)]
    ends = [start for start, _ in starts[1:]] + [len(data) // 2]
    for (start, style), end in zip(starts, ends, strict=True):
        text = data[2 * start : 2 * end].decode("utf-16-le", "replace").translate(_BREAKS)
        level = _level(objects, style)
        for line in text.split("\n"):
            if words := clean(line):
                yield TextBlock(words, "heading" if level else "paragraph", level)


def _level(objects: Objects, style: int) -> int:
    """Give the heading level that a paragraph style stands for, by its name; 0 for none."""
    for _ in range(_MOST_PARENTS):
        if style not in objects:
            return 0
        named = next(objects[style].read().inner(1), None)
        if named is None:
            return 0
        if name := named.text(1).strip().lower():
            found = _HEADING.fullmatch(name)
            return 1 if name in _TITLES else int(found[1] or 1) if found else 0
        style = reference(named, 3)
    return 0


def table_blocks(objects: Objects, table: IworkObject) -> Iterator[TextBlock]:
    """Give the name of a table and its rows."""
    found = table.read()
    store = next(found.inner(4), None)
    if store is None:
        return
    yield TextBlock(clean(found.text(8)))
    strings = _strings(objects, reference(store, 4))
    rich = _rich_texts(objects, reference(store, 17))
    left = _MOST_CELLS
    for tiles in store.inner(3):
        for tile in tiles.inner(1):
            for row in _rows(objects, reference(tile, 2)):
                cells = list(_cells(row, strings, rich))
                left -= len(cells)
                if left < 0:
                    return
                yield row_block(cells)


def _rows(objects: Objects, tile: int) -> list[Message]:
    if tile not in objects:
        return []
    rows = list(objects[tile].read().inner(5))
    return sorted(rows, key=lambda row: row.number(1))


def _cells(
    row: Message, strings: Mapping[int, str], rich: Mapping[int, str]
) -> Iterator[tuple[int, str]]:
    """Give the cells of a row that have a value, with their columns from 0."""
    data, offsets = row.bytes_of(6), row.bytes_of(7)
    wide = 4 if row.number(8) else 1
    count = min(len(offsets) // 2, _MOST_COLUMNS)
    for column, offset in enumerate(struct.unpack_from(f"<{count}h", offsets)):
        if offset >= 0:
            start = offset * wide
            if text := _value(data[start : start + 64], strings, rich):
                yield column, text


def _value(cell: bytes, strings: Mapping[int, str], rich: Mapping[int, str]) -> str:
    """Give the value of a cell (version 5 of its form) as text; "" for what is not known."""
    if len(cell) < 12 or cell[0] != 5:
        return ""
    kind, flags = cell[1], int.from_bytes(cell[8:12], "little")
    values: dict[int, bytes] = {}
    at = 12
    for bit, size in ((1, 16), (2, 8), (4, 8), (8, 4), (16, 4)):
        if flags & bit:
            values[bit] = cell[at : at + size]
            at += size
            if len(values[bit]) < size:
                return ""
    text = ""
    if kind == _TEXT and 8 in values:
        text = strings.get(int.from_bytes(values[8], "little"), "")
    elif kind == _RICH and 16 in values:
        text = rich.get(int.from_bytes(values[16], "little"), "")
    elif kind in _NUMBERS and 1 in values:
        text = _decimal(values[1])
    elif kind == _DATE and 4 in values:
        text = _moment(values[4])
    elif kind in (_BOOLEAN, _DURATION) and 2 in values:
        number: float = struct.unpack("<d", values[2])[0]
        text = str(number > 0).lower() if kind == _BOOLEAN else f"{number:g} s"
    return text


def _decimal(data: bytes) -> str:
    """Read a decimal of 128 bits, as IEEE 754 has it with its digits as a whole number."""
    exponent = (((data[15] & 0x7F) << 7) | (data[14] >> 1)) - _DECIMAL_BIAS
    digits = int.from_bytes(data[:14], "little") | (data[14] & 1) << 112
    number = Decimal(digits).scaleb(exponent) if abs(exponent) < 400 else Decimal(0)
    sign = "-" if data[15] & 0x80 else ""
    if not number or not -12 < number.adjusted() < 21:
        return f"{sign}{number.normalize()}" if number else "0"
    # Programs compute in fifteen digits, and show no more.
    rounded = Decimal(f"{number:.15g}")
    text = f"{rounded:f}"
    return sign + (text.rstrip("0").rstrip(".") if "." in text else text)


def _moment(data: bytes) -> str:
    try:
        when = _EPOCH + timedelta(seconds=struct.unpack("<d", data)[0])
    except (OverflowError, ValueError):
        return ""
    return (
        when.date().isoformat() if when.time() == _EPOCH.time() else when.isoformat(" ", "minutes")
    )


def _strings(objects: Objects, id_: int) -> dict[int, str]:
    """Give the texts that cells refer to by number."""
    if id_ not in objects:
        return {}
    return {one.number(1): clean(one.text(3)) for one in objects[id_].read().inner(3)}


def _rich_texts(objects: Objects, id_: int) -> dict[int, str]:
    """Give the styled texts that cells refer to by number."""
    found: dict[int, str] = {}
    for entry in objects[id_].read().inner(3) if id_ in objects else ():
        payload = objects.get(reference(entry, 9))
        storage = objects.get(reference(payload.read(), 1)) if payload else None
        if storage and storage.kind in STORAGES:
            blocks = storage_blocks(objects, storage)
            found[entry.number(1)] = " ".join(block.text for block in blocks)
    return found
