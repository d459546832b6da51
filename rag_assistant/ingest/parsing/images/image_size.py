"""The size of an image by its header, without decoding it: what an image would take in memory is
known before anything opens it. Bytes of no known format have no size, and are no image.
"""

import struct
from collections.abc import Callable
from itertools import islice

_MOST_MARKERS = 10_000
_MOST_FIELDS = 1_000


def size_of(data: bytes) -> tuple[int, int] | None:
    """Give (width, height) in pixels of a PNG, GIF, BMP, WebP, JPEG or TIFF; None for others.

    Of a TIFF it is the size of the largest page.
    """
    for marks, measure in _FORMATS:
        if data.startswith(marks):
            try:
                return measure(data)
            except (struct.error, IndexError):  # cut short
                return None
    return None


def _pair(form: str, data: bytes, offset: int) -> tuple[int, int]:
    first, second = struct.unpack_from(form, data, offset)
    return int(first), int(second)


def _png(data: bytes) -> tuple[int, int]:
    return _pair(">II", data, 16)


def _gif(data: bytes) -> tuple[int, int]:
    return _pair("<HH", data, 6)


def _bmp(data: bytes) -> tuple[int, int]:
    if struct.unpack_from("<I", data, 14)[0] == 12:  # the header of OS/2
        return _pair("<HH", data, 18)
    width, height = _pair("<ii", data, 18)
    return abs(width), abs(height)  # negative: from the top down


def _webp(data: bytes) -> tuple[int, int] | None:
    """Read RFC 9649, 2.4 to 2.7: the lossy, the lossless and the extended header."""
    kind = data[12:16] if data[8:12] == b"WEBP" else b""
    if kind == b"VP8 ":
        width, height = _pair("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return width, height
    return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Find the frame header among the markers (ITU T.81, annex B)."""
    at = 2
    for _ in range(_MOST_MARKERS):
        at = data.find(b"\xff", at)
        if at < 0:
            return None
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = _pair(">HH", data, at + 5)
            return width, height
        bare = marker in (0, 1, 0xFF) or 0xD0 <= marker <= 0xD8
        at += 1 if bare else 2 + struct.unpack_from(">H", data, at + 2)[0]
    return None


def _tiff(data: bytes) -> tuple[int, int] | None:
    """Read width and height (tags 256 and 257 of TIFF 6.0) of every page."""
    order = "<" if data.startswith(b"II") else ">"
    sizes: list[tuple[int, int]] = []
    (at,) = struct.unpack_from(f"{order}I", data, 4)
    seen: set[int] = set()
    while at and at not in seen and len(seen) < _MOST_MARKERS:
        seen.add(at)
        (count,) = struct.unpack_from(f"{order}H", data, at)
        found: dict[int, int] = {}
        for number in islice(range(count), _MOST_FIELDS):
            field = at + 2 + 12 * number
            tag, kind = struct.unpack_from(f"{order}HH", data, field)
            if tag in (256, 257):
                form = "H" if kind == 3 else "I"
                (found[tag],) = struct.unpack_from(order + form, data, field + 8)
        sizes.append((found.get(256, 0), found.get(257, 0)))
        (at,) = struct.unpack_from(f"{order}I", data, at + 2 + 12 * count)
    return max(sizes, key=lambda size: size[0] * size[1]) if sizes else None


_FORMATS: tuple[tuple[tuple[bytes, ...], Callable[[bytes], tuple[int, int] | None]], ...] = (
    ((b"\x89PNG\r\n\x1a\n",), _png),
    ((b"GIF87a", b"GIF89a"), _gif),
    ((b"BM",), _bmp),
    ((b"RIFF",), _webp),
    ((b"\xff\xd8\xff",), _jpeg),
    ((b"II*\0", b"MM\0*"), _tiff),
)
