"""Documents that are zip files, read in the one safe way: members are read with a cap, because the
sizes that a zip declares may lie, and nothing is ever written to disk. On top of it stand the Open
Packaging Conventions of Office files: which part refers to which, and the core properties.
"""

import posixpath
import re
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.xml_tree import all_text, attribute, iso_date, local, parse

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MOST_ENTRIES = 20_000
LARGEST_MEMBER = 128_000_000
"""In bytes, unpacked."""

MOST_UNPACKED = 512_000_000
"""In bytes, of all members that are read of one file."""

_SMALL = 10_000_000  # bytes; what unpacks to less is no bomb, however well it was packed
_HIGHEST_RATIO = 200
_ENTRY_MARK = b"PK\x01\x02"  # begins each entry of a zip's directory (APPNOTE.TXT, 4.3.12)
_ENCRYPTED = 0x1  # bit of an entry's flags (APPNOTE.TXT, 4.4.4)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # MS-CFB, 2.2
# The streams of the formats before 2007, which some programs save under the newer suffixes.
_OLD_STREAMS = ("WordDocument", "PowerPoint Document", "Workbook", "Book")
_PASSWORD = "password-protected"
_PASSWORD_HINT = "Save a copy without a password."
_MOST_NAMED = 20
_LONGEST_VALUE = 1000
_PROPERTIES = {
    "title": "title",
    "creator": "author",
    "created": "created",
    "modified": "modified",
    "subject": "subject",
    "keywords": "keywords",
    "description": "description",
    "category": "category",
    "language": "language",
    "lastModifiedBy": "last_modified_by",
}
_NO_TITLE = re.compile(
    r"(?i)(?:power\s?point[ -]pr.sentation|pr.sentation\d*|slide 1|folie 1|untitled|document\d*"
    r"|microsoft word - .*|.*\.(?:docx?|pptx?|xlsx?|od[tsp]))\Z"
)


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part refers to: the last word of the relation's type, and the other part's name."""

    kind: str
    target: str


class ZipContainer:
    """The members of a zip by name, whatever their case and slashes: programs differ in these."""

    def __init__(self, data: bytes) -> None:
        """Open a zip. Raises LoadError for what is none, is encrypted as a whole, or too large."""
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
        info = self._members.get(_key(name))
        if info is None:
            raise LoadError(f"broken file: it has no {name[:100]}")
        if info.flag_bits & _ENCRYPTED:
            raise LoadError(_PASSWORD, hint=_PASSWORD_HINT)
        # The other methods cannot be unpacked in small steps, and no document uses them.
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise LoadError(f"unknown compression of {name[:100]}")
        data = self._unpacked(info)
        self._left -= len(data)
        return data

    def _unpacked(self, info: ZipInfo) -> bytes:
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
            raise LoadError(reason, hint="Split it into smaller files.")
        return data


def relations(container: ZipContainer, part: str) -> dict[str, Relation]:
    """Read what a part refers to within the package, by relation id (ECMA-376-2, 6.5).

    The package itself is the part "". What is outside of the package is left out.
    """
    folder, name = posixpath.split(part)
    file = posixpath.join(folder, "_rels", f"{name}.rels")
    if file not in container:
        return {}
    found: dict[str, Relation] = {}
    for element in parse(container.read(file), file):
        if element.get("TargetMode", "").lower() != "external":
            kind = element.get("Type", "").rpartition("/")[2]
            target = resolve(folder, element.get("Target", ""))
            found[element.get("Id", "")] = Relation(kind, target)
    return found


def resolve(folder: str, target: str) -> str:
    """Give the member's name for a reference made from within `folder`."""
    path = unquote(target.partition("#")[0]).replace("\\", "/")
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


def main_part(container: ZipContainer, usual: str) -> str:
    """Give the name of the part that is the document; `usual` where the package names none."""
    for relation in relations(container, "").values():
        if relation.kind == "officeDocument" and relation.target in container:
            return relation.target
    if usual not in container:
        raise LoadError(f"not such a document: it has no {usual}")
    return usual


def properties(container: ZipContainer) -> dict[str, str]:
    """Read the core properties (ECMA-376-2, 8), and name the files that are embedded.

    A title that a program made up is left out.
    """
    names = [relation.target for relation in relations(container, "").values()
             if relation.kind == "core-properties"]  # fmt: skip
    name = next((name for name in [*names, "docProps/core.xml"] if name in container), "")
    values: dict[str, str] = {}
    if name:
        try:
            for element in parse(container.read(name), name):
                if key := _PROPERTIES.get(local(element)):
                    values.setdefault(key, all_text(element))
        except LoadError:
            values = {"unreadable": name}
    return tidy(values) | _embedded(container)


def tidy(values: dict[str, str]) -> dict[str, str]:
    """Fold white space, drop empty values and titles that say nothing; dates become ISO 8601."""
    folded = {key: " ".join(value.split())[:_LONGEST_VALUE] for key, value in values.items()}
    for key in ("created", "modified", "date"):
        # Windows counts from 1601, and writes that year where it knows none.
        folded[key] = iso_date(folded.get(key, "").removeprefix("1601-01-01T00:00:00Z"))
    if _NO_TITLE.match(folded.get("title", "")):
        del folded["title"]
    return {key: value for key, value in folded.items() if value}


def relation_id(element: "Element") -> str:
    """Give the relation id that an element bears (`r:id`, `r:embed`, `r:dm`)."""
    for name in ("id", "dm", "embed"):
        if value := attribute(element, name, qualified=True):
            return value
    return ""


def _embedded(container: ZipContainer) -> dict[str, str]:
    names = [posixpath.basename(name) for name in container.names() if "/embeddings/" in name]
    names = [name for name in names if name]
    if not names:
        return {}
    more = len(names) - _MOST_NAMED
    listed = ", ".join(name[:100] for name in names[:_MOST_NAMED])
    return {"embedded": f"{listed} and {more} more" if more > 0 else listed}


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _ole_error(data: bytes) -> LoadError:
    """Say why a file is of the older container: it is encrypted, or not what its suffix says."""
    encrypted = "EncryptedPackage".encode("utf-16-le") in data
    if not encrypted and any(name.encode("utf-16-le") in data for name in _OLD_STREAMS):
        hint = "Rename it to .doc, .xls or .ppt, or save it anew."
        return LoadError("an older Office format under a newer suffix", hint=hint)
    return LoadError(_PASSWORD, hint=_PASSWORD_HINT)
