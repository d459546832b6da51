"""What entries that are whole files are compared by before their texts are: their names, and hashes
of some sentences. Entries that share a key are candidates for versions, in whichever engine.
"""

from dataclasses import dataclass
from zlib import crc32

from rag_assistant.text.likeness import hashes_in, sketch_of
from rag_assistant.text.version_names import named_version
from rag_assistant.values.ledger import ReadEntry

KEYED = 8
"""Hashes of a sketch, the least, by which an entry is looked up. Two full sketches of twelve that
share a half have one in common among them (prefix filtering: Chaudhuri et al., ICDE 2006)."""

SketchRow = tuple[int, str, bytes]
"""What an entry that is a whole file is compared by: its id, its stem, its sketch."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """The path of a file without marks of versions, and hashes of some of its sentences."""

    stem: str
    hashes: frozenset[int]

    @classmethod
    def of(cls, stem: str, sentences: bytes) -> "Sketch":
        """Make one of a stem and what `sketch_of` gave."""
        return cls(stem, frozenset(hashes_in(sentences)))


def sketch_row(entry_id: int, path: str, entry: ReadEntry) -> SketchRow:
    """Sketch an entry."""
    return entry_id, named_version(path).stem, sketch_of(row[5] for row in entry.passages)


def keys_of(stem: str, sentences: bytes) -> list[int]:
    """Give what an entry is looked up by: a number below zero of its stem, and hashes."""
    return [stem_key(stem), *hashes_in(sentences)[:KEYED]]


def stem_key(stem: str) -> int:
    """Give the number of a stem, which another may have too."""
    return -1 - crc32(stem.encode("utf-8", "surrogatepass"))
