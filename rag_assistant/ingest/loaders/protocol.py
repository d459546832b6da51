"""What a loader is: a named, versioned function from the bytes of one file to its documents."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from rag_assistant.ingest.room import MOST_CHARACTERS
from rag_assistant.values.documents import Document


@dataclass(frozen=True, slots=True)
class LoadInput:
    """One file: its name in the folder and all its bytes, which the caller has read once.

    `fields` maps what an entry has (`title`, `text`, `id`, ...) to the names that records of a file
    of records give it, where the person said so. `most` is how many characters are wanted: a loader
    that can stop there does, and says in `left_out` of a document what it did not take.
    """

    path: str
    data: bytes
    fields: Mapping[str, str] = field(default_factory=dict)
    most: int = MOST_CHARACTERS


class ReadAs(Exception):
    """What a loader raises for a file of another format, to be read as one of `suffix`."""

    def __init__(self, suffix: str) -> None:
        super().__init__(suffix)
        self.suffix = suffix


def or_text(documents: list[Document]) -> list[Document]:
    """Give the documents of a file of records; raise ReadAs for one without any, which is text."""
    if not documents:
        raise ReadAs(".txt")
    return documents


@dataclass(frozen=True, slots=True)
class Loader:
    """Reads one format. `version` rises when its output changes, so that files are read again.

    `suffixes` are in lower case with their dot. `load` raises LoadError with a reason a person
    understands, or ReadAs; what else it raises is a defect that `loaders.load` makes one of. A
    `plain` loader needs no third-party code, and time and memory in proportion to the file whatever
    is in it: small files of its kind may be read without a process of their own. One that
    `holds_files` gives documents with files attached, which other loaders read.
    """

    name: str
    version: int
    suffixes: frozenset[str]
    media_type: str
    load: Callable[[LoadInput], Iterable[Document]]
    plain: bool = False
    magic: bytes = b""
    holds_files: bool = False
