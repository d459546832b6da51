"""Writes small documents of Pages, Numbers and Keynote: objects as messages, packed and zipped."""

from collections.abc import Iterable, Mapping

from scripts.benchmarks.ingest.known_files.packed import zipped

Value = int | bytes | str


def varint(number: int) -> bytes:
    """Write a number of Protocol Buffers."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def message(*fields: tuple[int, Value]) -> bytes:
    """Write a message of fields and values."""
    out = b""
    for field, value in fields:
        if isinstance(value, int):
            out += varint(field << 3) + varint(value)
        else:
            data = value.encode() if isinstance(value, str) else value
            out += varint(field << 3 | 2) + varint(len(data)) + data
    return out


def ref(id_: int) -> bytes:
    """Write a reference to an object."""
    return message((1, id_))


def snappy(data: bytes) -> bytes:
    """Pack as literals of at most 60 bytes, and runs of one byte as a copy of what is before."""
    out = varint(len(data))
    at = 0
    while at < len(data):
        run = len(data[at : at + 65]) - len(data[at : at + 65].lstrip(data[at : at + 1]))
        if run > 8:
            out += bytes([0, data[at], (run - 2) << 2 | 2, 1, 0])
            at += run
            continue
        piece = data[at : at + 60]
        out += bytes([(len(piece) - 1) << 2]) + piece
        at += len(piece)
    return out


def archive(objects: Iterable[tuple[int, int, bytes, tuple[int, ...]]]) -> bytes:
    """Write an archive of objects: id, kind, bytes, and the ids referred to."""
    data = b""
    for id_, kind, body, refers_to in objects:
        packed = b"".join(map(varint, refers_to))
        info = message((1, kind), (3, len(body)), (5, packed))
        head = message((1, id_), (2, info))
        data += varint(len(head)) + head + body
    blocks = [snappy(data[at : at + 65_536]) for at in range(0, len(data), 65_536)]
    return b"".join(b"\0" + len(block).to_bytes(3, "little") + block for block in blocks)


def document(files: Mapping[str, bytes]) -> bytes:
    """Zip archives and further members."""
    return zipped(dict(files))


def storage(text: str, styles: Iterable[tuple[int, int]] = (), kind: int = 0) -> bytes:
    """Write a text with the places from which paragraph styles hold."""
    entries = [(1, message((1, place), (2, ref(style)))) for place, style in styles]
    return message((1, kind), (3, text), (5, message(*entries)))


def style(name: str, parent: int = 0) -> bytes:
    """Write a paragraph style."""
    fields: list[tuple[int, Value]] = [(1, name)] if name else []
    return message((1, message(*fields, *([(3, ref(parent))] if parent else []))))


def cell(kind: int, flags: int, body: bytes) -> bytes:
    """Write a cell of a table."""
    return bytes([5, kind, 0, 0, 0, 0, 0, 0]) + flags.to_bytes(4, "little") + body


def decimal(digits: int, exponent: int) -> bytes:
    """Write a decimal of 128 bits."""
    biased = exponent + 0x1820
    sign = 0x80 if digits < 0 else 0
    return abs(digits).to_bytes(14, "little") + bytes([biased << 1 & 0xFF, biased >> 7 | sign])


def row(number: int, cells: Iterable[bytes | None]) -> bytes:
    """Write a row of a tile."""
    data, offsets = b"", b""
    for one in cells:
        offsets += (len(data) if one is not None else 0xFFFF).to_bytes(2, "little")
        data += one or b""
    return message((1, number), (6, data), (7, offsets))
