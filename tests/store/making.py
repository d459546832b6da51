"""Databases of a test's own, written through the store."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from rag_assistant.store.opening import store_at
from rag_assistant.store.writing import Store
from rag_assistant.values.ledger import FileChange, FileRecord, PassageRow, ReadEntry

Files = (
    Mapping[str, Sequence[ReadEntry]]
    | Mapping[FileRecord, Sequence[ReadEntry]]
    | Mapping[str | FileRecord, Sequence[ReadEntry]]
)
"""Entries by the path of their file, or by its whole line."""


def hash_of(text: str) -> str:
    """Give the hash that an entry of this text has."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def entry_of(text: str, title: str = "", key: str = "", *, cut: int = 0) -> ReadEntry:
    """Make an entry of a text: one passage, or passages of `cut` characters."""
    size = cut or max(1, len(text))
    rows: list[PassageRow] = [
        (start, min(start + size, len(text)), None, 1, None, text[start : start + size], ())
        for start in range(0, len(text), size)
    ]
    return ReadEntry(title, key, "text/plain", {}, None, len(text), hash_of(text), rows)


def file_of(path: str, changed: int = 1, *, loader: str = "text 1") -> FileRecord:
    """Make the line of a file that was read."""
    return FileRecord(path, 1, changed, 0, hash_of(path), loader, "indexed")


def write(store: Store, files: Files) -> None:
    """Write files as a run does that finds nothing else."""
    with store.writing() as writer:
        for file, entries in files.items():
            line = file_of(file) if isinstance(file, str) else file
            known = writer.ledger.file(line.path)
            writer.write(FileChange("store", line, known, entries))
        writer.finish()


def make_store(path: Path, files: Files) -> Store:
    """Write files into the database at `path`."""
    store = store_at(path)
    write(store, files)
    return store
