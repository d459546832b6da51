"""Documents that are zip files, read in the one safe way: members are read with a cap, because the
sizes that a zip declares may lie, and nothing is ever written to disk.
"""

import posixpath
import zlib
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import unquote

from rag_assistant.errors import LoadError
from rag_assistant.ingest.room import TooLarge

if TYPE_CHECKING:
    from zipfile import ZipInfo

MOST_ENTRIES = 20_000
LARGEST_MEMBER = 128_000_000
"""In bytes, unpacked."""

MOST_UNPACKED = 512_000_000
"""In bytes, of all members that are read of one file."""

_SMALL = 10_000_000  # bytes; what unpacks to less is no bomb, however well it was packed
_HIGHEST_RATIO = 200
_ENTRY_MARK = b"PK\x01\x02"  # begins each entry of a zip's directory (APPNOTE.TXT, 4.3.12)
_READABLE = frozenset({0, 8})  # methods: stored, deflated (APPNOTE.TXT, 4.4.5)
_ENCRYPTED = 0x1  # bit of an entry's flags (APPNOTE.TXT, 4.4.4)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # MS-CFB, 2.2
# The streams of the formats before 2007, which some programs save under the newer suffixes.
_OLD_STREAMS = ("WordDocument", "PowerPoint Document", "Workbook", "Book")
_PASSWORD = "password-protected"
_PASSWORD_HINT = "Save a copy without a password."


class ZipContainer:
    """The members of a zip by name, whatever their case and slashes: programs differ in these."""

    def __init__(self, data: bytes) -> None:
        """Open a zip. Raises LoadError for what is none, is encrypted as a whole, or too large."""
        from zipfile import BadZipFile, ZipFile  # noqa: PLC0415  5 ms, and most files are no zips

        if data.startswith(_OLE):
            raise _ole_error(data)
        # Counted before it is opened: the directory of a hostile zip would fill the memory.
        if data.count(_ENTRY_MARK) > MOST_ENTRIES:
            raise LoadError(f"more than {MOST_ENTRIES:,} files within the file")
        try:
            self._zip = ZipFile(BytesIO(data))
        except (BadZipFile, ValueError, NotImplementedError, EOFError):
            is_zip = data.startswith(b"PK")
            reason = "broken file: its end is missing" if is_zip else "not what its suffix says"
            raise LoadError(reason, hint="Open it in its program and save it anew.") from None
        self._members = {_key(info.filename): info for info in self._zip.infolist()}
        self._left = MOST_UNPACKED

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._members

    def names(self) -> list[str]:
        """Give the names of all members, as the zip has them."""
        return [info.filename for info in self._members.values()]

    def read(self, name: str) -> bytes:
        """Unpack a member. Raises LoadError when it is missing, encrypted, broken or too large."""
        data, too_large = self.beginning(name)
        if too_large:
            raise too_large
        return data

    def beginning(self, name: str) -> tuple[bytes, TooLarge | None]:
        """Unpack as much of a member as is read of any, with what `read` raises if it goes on."""
        info = self._members.get(_key(name))
        if info is None:
            raise LoadError(f"broken file: it has no {name[:100]}")
        if info.flag_bits & _ENCRYPTED:
            raise LoadError(_PASSWORD, hint=_PASSWORD_HINT)
        # The other methods cannot be unpacked in small steps, and no document uses them.
        if info.compress_type not in _READABLE:
            raise LoadError(f"unknown compression of {name[:100]}")
        data, too_large = self._unpacked(info)
        self._left -= len(data)
        return data, too_large

    def _unpacked(self, info: "ZipInfo") -> tuple[bytes, TooLarge | None]:
        from zipfile import BadZipFile  # noqa: PLC0415  as above

        limit = min(LARGEST_MEMBER, self._left)
        limit = min(limit, max(_SMALL, _HIGHEST_RATIO * info.compress_size))
        try:
            with self._zip.open(info) as member:
                data = member.read(limit + 1)
        except (BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
            hint = "Open it in its program and save it anew."
            raise LoadError(f"broken file: {info.filename[:100]}", hint=hint) from None
        except RuntimeError:  # how zipfile says that a password is wanted
            raise LoadError(_PASSWORD, hint=_PASSWORD_HINT) from None
        if len(data) > limit:
            name = info.filename[:100]
            if limit < min(LARGEST_MEMBER, self._left):
                times = f"more than {_HIGHEST_RATIO} times its size"
                raise LoadError(f"refused: {name} unpacks to {times}, as zip bombs do")
            reason = f"too large: {name} unpacks to more than {limit // 1_000_000} MB"
            return data[:limit], TooLarge(reason, hint="Split it into smaller files.")
        return data, None


def resolve(folder: str, target: str) -> str:
    """Give the member's name for a reference made from within `folder`."""
    path = unquote(target.partition("#")[0]).replace("\\", "/")
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _ole_error(data: bytes) -> LoadError:
    """Say why a file is of the older container: it is encrypted, or not what its suffix says."""
    encrypted = "EncryptedPackage".encode("utf-16-le") in data
    if not encrypted and any(name.encode("utf-16-le") in data for name in _OLD_STREAMS):
        hint = "Rename it to .doc, .xls or .ppt, or save it anew."
        return LoadError("an older Office format under a newer suffix", hint=hint)
    return LoadError(_PASSWORD, hint=_PASSWORD_HINT)
