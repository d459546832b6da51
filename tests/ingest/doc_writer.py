"""Writes the lists and the styles of Word 97 documents (MS-DOC, 2.9.131, 2.9.147, 2.9.271)."""

import struct
from collections.abc import Mapping

from scripts.benchmarks.ingest.known_files.ole import Tree

STYLES, KINDS, LISTS = 0xA2, 0x2E2, 0x2EA
"""Where the first part of a document says where these are."""


def with_parts(tree: Tree, parts: Mapping[int, tuple[bytes, int]]) -> Tree:
    """Add parts to a document's table, each with the size that is told of it."""
    document, table = tree["WordDocument"], tree["1Table"]
    assert isinstance(document, bytes)
    assert isinstance(table, bytes)
    stream = bytearray(document)
    for place, (content, size) in parts.items():
        struct.pack_into("<II", stream, place, len(table), size)
        table += content
    return {**tree, "WordDocument": bytes(stream), "1Table": table}


def level(pattern: str, code: int = 0, start: int = 1, flags: int = 0, limit: int = 0) -> bytes:
    """Write a level: in its text the characters 0 to 8 stand for the numbers of levels."""
    places = bytes(at for at, one in enumerate(pattern, 1) if ord(one) < 9)
    fixed = struct.pack("<iBB9s9xBBBx", start, code, flags, places, 3, 2, limit)
    return fixed + bytes(5) + struct.pack("<H", len(pattern)) + pattern.encode("utf-16-le")


def kinds(*written: tuple[int, list[bytes]]) -> tuple[bytes, int]:
    """Write kinds of lists, each of an identity and one level or nine."""
    heads = struct.pack("<H", len(written))
    for identity, levels in written:
        heads += struct.pack("<i22xBx", identity, len(levels) == 1)
    return heads + b"".join(one for _, levels in written for one in levels), len(heads)


def lists(*written: tuple[int, list[bytes]]) -> tuple[bytes, int]:
    """Write lists: the kind of each, and what it has of its own."""
    data = struct.pack("<I", len(written))
    data += b"".join(struct.pack("<i8xB3x", kind, len(own)) for kind, own in written)
    data += b"".join(b"\xff" * 4 + b"".join(own) for _, own in written)
    return data, len(data)


def starts_at(number: int, at: int = 0) -> bytes:
    """Write that a list starts a level anew."""
    return struct.pack("<iB3x", number, at | 0x10)


def formatted(at: int, own: bytes) -> bytes:
    """Write that a list has a level of its own."""
    return struct.pack("<iB3x", 1, at | 0x20) + own


def styles(*written: tuple[int, int, bytes]) -> tuple[bytes, int]:
    """Write styles of paragraphs: what each is among the built-in ones, its base, its changes."""
    data = struct.pack("<H", 18) + struct.pack("<HH", len(written), 18) + bytes(14)
    for built_in, base, changes in written:
        properties = struct.pack("<HH", len(changes) + 2, 0) + changes
        style = struct.pack("<HH14x", built_in, 1 | base << 4)
        style += struct.pack("<H", 2) + "ab\0".encode("utf-16-le") + properties
        data += struct.pack("<H", len(style)) + style + bytes(len(style) % 2)
    return data, len(data)


def changes(number: int | None = None, depth: int | None = None) -> bytes:
    """Write that a paragraph, or those of a style, is in a list, and on which level of it."""
    written = b"" if number is None else struct.pack("<HH", 0x460B, number)
    return written + (b"" if depth is None else struct.pack("<HB", 0x260A, depth))


def styled(style: int = 0, more: bytes = b"") -> bytes:
    """Write the properties of a paragraph: its style and what differs from it."""
    return struct.pack("<H", style) + more
