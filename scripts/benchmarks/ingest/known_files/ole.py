"""Writes small Office files of before 2007 by hand: containers, documents, slides and sheets."""

import struct
import zipfile
from collections.abc import Iterable, Mapping
from io import BytesIO

OUTSIDE, LAST = 0xFFFFFFFF, 0xFFFFFFFE
Tree = Mapping[str, "bytes | Tree"]


def chain(data: bytes, unit: int, table: list[int]) -> tuple[int, bytes]:
    """Give the first sector of a stream, and its bytes as whole sectors; add them to a table."""
    count = -(-len(data) // unit)
    if not count:
        return LAST, b""
    first = len(table)
    table.extend([*range(first + 1, first + count), LAST])
    return first, data.ljust(count * unit, b"\0")


def compound(tree: Tree) -> bytes:
    """Write a container (MS-CFB, version 3) with a tree of storages and streams."""
    entries: list[tuple[str, int, int, int, bytes]] = [("Root Entry", 5, OUTSIDE, OUTSIDE, b"")]

    def add(children: Tree) -> int:
        following = OUTSIDE
        for name, content in reversed(list(children.items())):
            inner = OUTSIDE if isinstance(content, bytes) else add(content)
            data = content if isinstance(content, bytes) else b""
            entries.append((name, 2 if isinstance(content, bytes) else 1, inner, following, data))
            following = len(entries) - 1
        return following

    top = add(tree)
    fat, mini_fat = [0xFFFFFFFD] * 64, list[int]()
    sectors, mini, places = b"", b"", []
    for *_, data in entries:
        if len(data) < 4096:
            first, padded = chain(data, 64, mini_fat)
            mini += padded
        else:
            first, padded = chain(data, 512, fat)
            sectors += padded
        places.append((first, len(data)))
    first, padded = chain(mini, 512, fat)
    sectors += padded
    places[0] = (first, len(mini))
    directory = b""
    for (name, kind, inner, following, _), (first, size) in zip(entries, places, strict=True):
        encoded = name.encode("utf-16-le") + b"\0\0"
        child = top if kind == 5 else inner
        directory += encoded.ljust(64, b"\0") + struct.pack(
            "<HBBIII16xI16xIQ", len(encoded), kind, 1, OUTSIDE, following, child, 0, first, size
        )
    at_directory, padded = chain(directory, 512, fat)
    sectors += padded
    minis = struct.pack(f"<{len(mini_fat)}I", *mini_fat)
    at_minis, padded = chain(minis, 512, fat)
    sectors += padded
    assert len(fat) <= 64 * 128
    tables = struct.pack(f"<{len(fat)}I", *fat).ljust(64 * 512, b"\xff")
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + struct.pack(
        "<16xHHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 64, at_directory, 0, 4096,
        at_minis, len(padded) // 512, LAST, 0,
    )  # fmt: skip
    header += struct.pack("<109I", *range(64), *[OUTSIDE] * 45)
    return header + tables + sectors


def summary(**values: str) -> bytes:
    """Write a property set of title, subject or author, in UTF-8."""
    numbers = {"title": 2, "subject": 3, "author": 4}
    found = [(1, struct.pack("<IHxx", 2, 65001))]
    for name, value in values.items():
        data = value.encode() + b"\0"
        padded = data.ljust(-(-len(data) // 4) * 4, b"\0")
        found.append((numbers[name], struct.pack("<II", 0x1E, len(data)) + padded))
    pairs, body, place = b"", b"", 8 + 8 * len(found)
    for number, data in found:
        pairs += struct.pack("<II", number, place + len(body))
        body += data
    section = struct.pack("<II", 8 + len(pairs) + len(body), len(found)) + pairs + body
    return struct.pack("<HHI16xI16xI", 0xFFFE, 0, 0, 1, 48) + section


HEADING_2, ITEM = struct.pack("<H", 2), struct.pack("<HHH", 0, 0x460B, 1)
PLAIN, CELL = struct.pack("<H", 0), struct.pack("<HHB", 0, 0x2416, 1)
ROW_END = struct.pack("<HHBHB", 0, 0x2416, 1, 0x2417, 1)
MOST_OF_A_PAGE = 18
"""Paragraphs whose formats stand on one page of 512 bytes."""


def word(
    pieces: list[str], formats: list[bytes], counts: tuple[int, ...] = (), flags: int = 0
) -> Tree:
    """Write a document of Word 97: its pieces of text, and a format for each paragraph."""
    stream = bytearray(0x800)
    bounds, descriptors, starts = [0], b"", [len(stream)]
    for piece in pieces:
        narrow = piece.isascii()
        place = 2 * len(stream) | 0x40000000 if narrow else len(stream)
        descriptors += struct.pack("<HIH", 0, place, 0)
        for character in piece:
            stream += character.encode("cp1252" if narrow else "utf-16-le")
            if character in "\r\x07":
                starts.append(len(stream))
        bounds.append(bounds[-1] + len(piece.encode("utf-16-le")) // 2)
    stream += bytes(-len(stream) % 512)
    number = len(stream) // 512
    pages = range(0, len(formats), MOST_OF_A_PAGE)
    for first in pages:
        stream += _page_of_formats(formats[first:][:MOST_OF_A_PAGE], starts[first:])
    plc = struct.pack(f"<{len(bounds)}i", *bounds) + descriptors
    table = b"\x02" + struct.pack("<I", len(plc)) + plc
    struct.pack_into("<HH", stream, 0, 0xA5EC, 0xC1)
    struct.pack_into("<H", stream, 0x0A, 0x0200 | flags)
    struct.pack_into(
        "<8i", stream, 0x4C, *(counts or (bounds[-1],)), *[0] * (8 - len(counts or (0,)))
    )
    struct.pack_into("<II", stream, 0x102, len(table), 4 + 8 * len(pages))
    struct.pack_into("<II", stream, 0x1A2, 0, len(table))
    count = len(pages)
    table += struct.pack(f"<{count}I", *(starts[first] for first in pages))
    table += struct.pack("<I", len(stream)) + struct.pack(
        f"<{count}I", *range(number, number + count)
    )
    return {"WordDocument": bytes(stream), "1Table": table}


def _page_of_formats(formats: list[bytes], starts: list[int]) -> bytes:
    """Write a page of the formats of paragraphs (MS-DOC, PapxFkp), which begin at these places."""
    page, end = bytearray(512), 510
    page[511] = len(formats)
    struct.pack_into(f"<{len(formats) + 1}I", page, 0, *starts[: len(formats) + 1])
    for index, data in enumerate(formats):
        padded = data + bytes(1 - len(data) % 2)
        end -= len(padded) + 1
        page[end : end + len(padded) + 1] = bytes([(len(padded) + 1) // 2]) + padded
        page[4 * (len(formats) + 1) + 13 * index] = end // 2
    return bytes(page)


def old_word(text: bytes, language: int = 0x0409) -> bytes:
    """Write the stream of a document of Word 6."""
    stream = bytearray(0x300)
    struct.pack_into("<HH", stream, 0, 0xA5DC, 101)
    struct.pack_into("<H", stream, 0x06, language)
    struct.pack_into("<II", stream, 0x18, len(stream), len(stream) + len(text))
    return bytes(stream) + text


def record(kind: int, content: bytes = b"", instance: int = 0, *, holds: bool = False) -> bytes:
    """Write a record of a presentation."""
    return struct.pack("<HHI", instance << 4 | (0xF if holds else 0), kind, len(content)) + content


def text_atoms(kind: int, text: str) -> bytes:
    """Write a text with its kind: 0 a title, 1 a body, 2 notes, 4 other."""
    return record(3999, struct.pack("<I", kind)) + record(4000, text.encode("utf-16-le"))


def box(*atoms: bytes) -> bytes:
    """Write a shape with a text."""
    return record(0xF004, record(0xF00D, b"".join(atoms)), holds=True)


def slides(texts: Iterable[tuple[str, str]]) -> Tree:
    """Write slides of a title and a body, whose paragraphs end with a carriage return."""
    stream, places, named = b"", [], b""
    for number, (title, body) in enumerate(texts, 2):
        places.append(len(stream))
        boxes = box(text_atoms(0, title)) + box(text_atoms(1, body))
        head = record(1007, bytes(16) + struct.pack("<I4x", 0))
        stream += record(1006, head + boxes, holds=True)
        named += record(1011, struct.pack("<IIIII", number, 0, 0, 254 + number, 0))
    return _shown(stream, places, record(4080, named, 0, holds=True))


def _shown(stream: bytes, places: list[int], lists: bytes) -> Tree:
    """Add the document with its lists of slides, and where all parts are from 2 on."""
    offsets = [len(stream), *places]
    stream += record(1000, lists, holds=True)
    directory, count = len(stream), len(offsets)
    stream += record(6002, struct.pack(f"<I{count}I", 1 | count << 20, *offsets))
    edit = len(stream)
    stream += record(4085, struct.pack("<IIIIIII", 0, 0, 0, directory, 1, count + 1, 0))
    user = struct.pack("<HHIIII", 0, 0xFF6, 20, 20, 0xE391C05F, edit)
    return {"PowerPoint Document": stream, "Current User": user}


def presentation() -> Tree:
    """Write two slides, the second with notes and a comment, and a master with a prompt."""
    stream, places = b"", {}
    comment = record(4026, "Ann".encode("utf-16-le")) + record(4026, "Why?".encode("utf-16-le"), 1)
    parts = {
        2: record(1016, box(text_atoms(1, "Click to edit")), holds=True),
        3: record(
            1006,
            record(1007, bytes(16) + struct.pack("<I4x", 0))
            + record(
                1036,
                box(record(3998, struct.pack("<I", 1))) + box(text_atoms(4, "A box")),
                holds=True,
            ),
            holds=True,
        ),
        4: record(
            1006,
            record(1007, bytes(16) + struct.pack("<I4x", 300))
            + box(text_atoms(0, "Second"))
            + record(12000, comment, holds=True),
            holds=True,
        ),
        5: record(1008, box(text_atoms(2, "Say this")) + box(text_atoms(4, "*")), holds=True),
    }
    for number, part in parts.items():
        places[number] = len(stream)
        stream += part

    def named(number: int, identity: int) -> bytes:
        return record(1011, struct.pack("<IIIII", number, 0, 0, identity, 0))

    outline = text_atoms(0, "First") + record(3999, b"\1\0\0\0") + record(4008, b"one\rtw\xf6")
    slides_ = record(4080, named(3, 256) + outline + named(4, 257), 0, holds=True)
    masters = record(4080, named(2, 100), 1, holds=True)
    notes = record(4080, named(5, 300), 2, holds=True)
    return _shown(stream, [places[number] for number in range(2, 6)], masters + slides_ + notes)


def biff(kind: int, content: bytes) -> bytes:
    """Write a record of a workbook."""
    return struct.pack("<HH", kind, len(content)) + content


def number_cell(row: int, column: int, value: float, style: int = 0) -> bytes:
    """Write a cell with a number."""
    return biff(0x203, struct.pack("<HHHd", row, column, style, value))


def label(row: int, column: int, text: str) -> bytes:
    """Write a cell with a text."""
    encoded = text.encode("utf-16-le")
    return biff(0x204, struct.pack("<HHHHB", row, column, 0, len(text), 1) + encoded)


def workbook(
    sheets: list[tuple[str, bytes]], globals_: list[tuple[int, bytes]] | None = None
) -> bytes:
    """Write the stream of a workbook of Excel 97; style 1 is a date."""
    begin = biff(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    head = begin + b"".join(biff(*extra) for extra in globals_ or [])
    head += biff(0xE0, struct.pack("<HHH14x", 0, 0, 0)) + biff(
        0xE0, struct.pack("<HHH14x", 0, 14, 0)
    )
    bodies, place = b"", len(head) + 4 + sum(4 + 8 + len(name) for name, _ in sheets)
    for name, cells in sheets:
        head += biff(
            0x85, struct.pack("<IHBB", place + len(bodies), 0, len(name), 0) + name.encode()
        )
        sheet = biff(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
        bodies += sheet + cells + biff(0x0A, b"")
    return head + biff(0x0A, b"") + bodies


def sparse_binary_workbook() -> bytes:
    """Write the sheet of an .xlsb whose two cells are as far apart as they can be."""
    sheet = b""
    for row, column in ((0, 0), (1_048_575, 16_383)):
        sheet += bytes([0, 4]) + struct.pack("<I", row)
        sheet += bytes([5, 16]) + struct.pack("<IId", column, 0, 1.0)
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.bin", b"")
        archive.writestr("xl/worksheets/sheet1.bin", sheet)
    return written.getvalue()
