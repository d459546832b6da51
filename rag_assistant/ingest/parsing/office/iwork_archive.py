"""The objects of a document of Pages, Numbers or Keynote since 2013: messages by their ids, in
files of packed archives (.iwa) within a zip. Apple has not published the format; what is read of it
was found by others, and is the same in all versions since.
"""

from dataclasses import dataclass

from rag_assistant.errors import LoadError
from rag_assistant.ingest.parsing.office.protobuf import Message, message, varint
from rag_assistant.ingest.parsing.office.snappy import unpacked
from rag_assistant.ingest.parsing.zip_container import ZipContainer

_MOST_UNPACKED = 100_000_000
"""Bytes of all archives of a file."""

_LARGEST_BLOCK = 1_000_000  # bytes unpacked; programs write 64 KB
_SUFFIX = ".iwa"
# What programs keep of templates and views is not the document's text.
_PASSED_OVER = ("templateslide", "masterslide", "viewstate", "metadata")


@dataclass(frozen=True, slots=True)
class IworkObject:
    """An object: its type's number, its bytes, the ids it refers to, and the file it is in."""

    kind: int
    data: bytes
    refers_to: tuple[int, ...]
    file: str

    def read(self) -> Message:
        """Read its fields."""
        return message(self.data)


def objects_of(container: ZipContainer) -> dict[int, IworkObject]:
    """Give the objects by id, in the order of the files. Raises LoadError for a broken archive."""
    found: dict[int, IworkObject] = {}
    left = _MOST_UNPACKED
    for name in container.names():
        base = name.rsplit("/", 1)[-1].lower()
        if not base.endswith(_SUFFIX) or base.startswith(_PASSED_OVER):
            continue
        data = _blocks(container.read(name), left)
        left -= len(data)
        _add_objects(data, name, found)
    return found


def _blocks(data: bytes, most: int) -> bytes:
    """Unpack the blocks of an archive; each has a head of four bytes, the last three its length."""
    parts: list[bytes] = []
    at = total = 0
    while at + 4 <= len(data):
        size = int.from_bytes(data[at + 1 : at + 4], "little")
        if data[at] != 0 or at + 4 + size > len(data):
            raise LoadError("broken file: an archive in it cannot be read")
        parts.append(unpacked(data[at + 4 : at + 4 + size], _LARGEST_BLOCK))
        total += len(parts[-1])
        if total > most:
            raise LoadError(f"too large: it unpacks to more than {_MOST_UNPACKED // 1_000_000} MB")
        at += 4 + size
    return b"".join(parts)


def _add_objects(data: bytes, name: str, found: dict[int, IworkObject]) -> None:
    """Read the objects: each has a head (id, and kind, length and references of its messages)."""
    at = 0
    while at < len(data):
        size, at = varint(data, at)
        head = message(data[at : at + size])
        at += size
        for number, info in enumerate(head.inner(2)):
            length = info.number(3)
            if at + length > len(data):
                raise LoadError("broken file: an archive in it is cut short")
            if not number:  # further ones are changes for older programs
                refers_to = tuple(info.packed(5))
                found[head.number(1)] = IworkObject(
                    info.number(1), data[at : at + length], refers_to, name
                )
            at += length
