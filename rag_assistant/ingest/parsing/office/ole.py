"""The container of Office files before 2007 (MS-CFB), opened by olefile so that a hostile one costs
no more than its size, and the document properties in it (MS-OLEPS).
"""

import codecs
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any

from rag_assistant.errors import LoadError
from rag_assistant.ingest.parsing.extras import require

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HINT = "Open it in its program and save it anew."
_SUMMARY = "\x05SummaryInformation"
_PROPERTIES = {2: "title", 3: "subject", 4: "author", 5: "keywords", 12: "created", 13: "modified"}
_CODE_PAGE = 1
_CODE_PAGES = {1200: "utf-16-le", 10000: "mac_roman", 65001: "utf-8", 936: "gb18030", 1361: "johab"}
_INT16, _STRING, _WIDE_STRING, _TIME = 2, 0x1E, 0x1F, 0x40
_MOST_PROPERTIES = 200
_MOST_STREAMS = 50_000
# What olefile raises for damage: its own error is an OSError.
_OLEFILE_FAILS = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, struct.error),
)


class OleFile:
    """The streams of a container, by their paths of storages and names joined by slashes."""

    def __init__(self, ole: Any, size: int) -> None:
        self._ole = ole
        self._size = size
        self.names: list[list[str]] = ole.listdir()
        """The paths of all streams, each as the names of its storages and its own."""
        # olefile looks through all siblings for each that it opens.
        if len(self.names) > _MOST_STREAMS:
            raise LoadError(f"more than {_MOST_STREAMS:,} parts within the file", hint=_HINT)
        self._paths = {"/".join(path).lower() for path in self.names}

    def __contains__(self, path: str) -> bool:
        return path.lower() in self._paths

    def read(self, path: str) -> bytes:
        """Give a stream, b"" if there is none. Raises LoadError when it is damaged."""
        if path not in self:
            return b""
        # A chain of sectors may run in a circle, but none can hold more than the file does.
        if self._ole.get_size(path) > self._size:
            raise LoadError(f"broken file: {path[:60]!r} is larger than all of it", hint=_HINT)
        try:
            return bytes(self._ole.openstream(path).read())
        except _OLEFILE_FAILS:
            raise LoadError(f"broken file: {path[:60]!r} cannot be read", hint=_HINT) from None

    def properties(self) -> dict[str, str]:
        """Give title, author, subject, keywords and dates; none where they cannot be read."""
        try:
            return _properties(self.read(_SUMMARY))
        except (LoadError, OSError, struct.error):
            return {}


@contextmanager
def opened(data: bytes) -> Iterator[OleFile]:
    """Open a container. Raises LoadError for encryption, damage, and when olefile is absent.

    What goes wrong within the `with` for want of bytes is damage, too.
    """
    olefile = require("olefile", "formats")
    _refuse_endless_tables(data)
    try:
        ole = olefile.OleFileIO(BytesIO(data))
    except _OLEFILE_FAILS as error:
        said = " ".join(str(error).split())[:100]
        raise LoadError(f"broken file: {said}", hint=_HINT) from None
    with ole:
        try:
            found = OleFile(ole, len(data))
            if "EncryptedPackage" in found or "EncryptedSummary" in found:
                raise password_protected()
            yield found
        except (OSError, OverflowError, struct.error):
            raise LoadError("broken file: cut short, or its parts do not fit", hint=_HINT) from None


def password_protected() -> LoadError:
    """Give the error of a file that only a password opens."""
    return LoadError("password-protected", hint="Save a copy without a password.")


def moment(filetime: int) -> str:
    """Give a FILETIME (tenths of microseconds since 1601, UTC) in ISO 8601; "" if it is none."""
    try:
        when = datetime(1601, 1, 1) + timedelta(microseconds=filetime // 10)
    except OverflowError:
        return ""
    return f"{when.isoformat(timespec='seconds')}Z" if when.year >= 1900 else ""


def code_page(number: int, default: str = "cp1252") -> str:
    """Give the name of a Windows code page for Python; `default` for one that it does not know."""
    try:
        return codecs.lookup(_CODE_PAGES.get(number, f"cp{number}")).name
    except LookupError:
        return default


def _refuse_endless_tables(data: bytes) -> None:
    """Refuse a container that declares more allocation tables than its sectors need.

    olefile copies all tables for each one that it reads, so that many cost their square.
    """
    if len(data) < 512:
        raise LoadError("broken file: cut short", hint=_HINT)
    shift = min(struct.unpack_from("<H", data, 30)[0], 16)
    tables = struct.unpack_from("<I", data, 44)[0]
    per_table = (1 << shift) // 4 or 1
    if tables > (len(data) >> shift) // per_table + 110:  # some are declared in advance
        raise LoadError("broken file: its allocation tables do not fit its size", hint=_HINT)


def _properties(data: bytes) -> dict[str, str]:
    """Read a property set stream (MS-OLEPS, 2.21)."""
    if len(data) < 48:
        return {}
    section = struct.unpack_from("<I", data, 44)[0]
    count = min(struct.unpack_from("<I", data, section + 4)[0], _MOST_PROPERTIES)
    pairs = struct.iter_unpack("<II", data[section + 8 : section + 8 + 8 * count])
    places = {number: section + offset for number, offset in pairs}
    encoding = "cp1252"
    if _CODE_PAGE in places:
        encoding = code_page(struct.unpack_from("<H", data, places[_CODE_PAGE] + 4)[0])
    values = ((name, _value(data, places.get(key), encoding)) for key, name in _PROPERTIES.items())
    return {name: value for name, value in values if value}


def _value(data: bytes, place: int | None, encoding: str) -> str:
    if place is None or place + 12 > len(data):
        return ""
    kind, length = struct.unpack_from("<II", data, place)
    if kind == _TIME:
        return moment(struct.unpack_from("<Q", data, place + 4)[0])
    if kind == _WIDE_STRING:
        length, encoding = 2 * length, "utf-16-le"
    elif kind != _STRING:
        return ""
    return data[place + 8 : place + 8 + min(length, 4000)].decode(encoding, "replace").rstrip("\0")
