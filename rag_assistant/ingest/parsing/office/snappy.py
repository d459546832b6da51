"""Blocks of Snappy (https://github.com/google/snappy/blob/main/format_description.txt), unpacked
within a limit, whatever they declare.
"""

from rag_assistant.errors import LoadError

_LITERAL = 0
_LONG_LITERAL = 60  # lengths from here on are written in the bytes that follow


def unpacked(data: bytes, most: int) -> bytes:
    """Unpack a block. Raises LoadError when it is broken or holds more than `most` bytes."""
    try:
        length, at = _length(data)
        if length > most:
            raise LoadError(f"too large: a part unpacks to more than {most // 1_000_000} MB")
        return _elements(data, at, length)
    except IndexError:
        raise _broken() from None


def _length(data: bytes) -> tuple[int, int]:
    value = shift = at = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 or shift > 35:
            return value, at


def _elements(data: bytes, at: int, length: int) -> bytes:
    out = bytearray()
    end = len(data)
    while at < end and len(out) <= length:
        tag = data[at]
        kind, size = tag & 3, tag >> 2
        at += 1
        if kind == _LITERAL:
            if size >= _LONG_LITERAL:
                extra = size - _LONG_LITERAL + 1
                size = int.from_bytes(data[at : at + extra], "little")
                at += extra
            out += data[at : at + size + 1]
            at += size + 1
            continue
        if kind == 1:
            offset, size = (tag >> 5) << 8 | data[at], (size & 7) + 4
            at += 1
        else:
            width = 2 if kind == 2 else 4
            offset, size = int.from_bytes(data[at : at + width], "little"), size + 1
            at += width
        start = len(out) - offset
        if not 0 < offset <= len(out):
            raise _broken()
        # A copy may run into what it writes itself, which then repeats.
        piece = out[start : start + size]
        out += (piece * (size // len(piece) + 1))[:size]
    if len(out) != length:
        raise _broken()
    return bytes(out)


def _broken() -> LoadError:
    hint = "Open it in its program and save it anew."
    return LoadError("broken file: a packed part cannot be read", hint=hint)
