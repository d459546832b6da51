"""The file on disk behind an entry: where it is, and whether it is still as it was when indexed.

The path comes from the index, never from a text. One that leads out of the database's folder, by
`..` or by a link, is refused.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import blake2b, file_digest
from pathlib import Path

from rag_assistant.errors import FolderError
from rag_assistant.ingest.paths import locate
from rag_assistant.library.database import Database
from rag_assistant.values.ledger import NOT_SETTLED, FileRecord

_HASH_BYTES = 16


def source_file(database: Database, entry_id: int) -> Path:
    """Give the file that an entry was read from.

    Raises EntryNotFound; FolderError where the file is gone or lies outside the folder.
    """
    path = database.entry(entry_id).path
    folder = Path(database.folder())
    resolved = _inside(folder, path)
    if resolved is None:
        raise FolderError(
            f"{path} leads out of the folder {folder}, so it is not opened.",
            hint="Open it yourself if you trust it.",
        )
    if not resolved.is_file():
        raise FolderError(
            f"{path} is not in {folder} any more.",
            hint=f"Bring the database into step: `rag-assistant index {folder}`.",
        )
    return resolved


def is_changed(database: Database, path: str) -> bool:
    """Say whether the file of the ledger's `path` differs from what was indexed, or is gone.

    A stat decides; only where that tells nothing are the bytes read.
    """
    with database.reading_all() as reader:
        folder = Path(reader.ledger.facts().get("folder", ""))
        known = reader.ledger.file(path)
    return known is None or _differs(folder, known.record)


def count_changed(database: Database, is_over: Callable[[], bool] = lambda: False) -> int:
    """Count the indexed files that have changed since, or are gone; `is_over` ends it early.

    Files that are new are not looked for.
    """
    with database.reading_all() as reader:
        folder = Path(reader.ledger.facts().get("folder", ""))
        records = [known.record for known in reader.ledger.files().values()]
    indexed = (record for record in records if record.status == "indexed")
    return sum(_differs(folder, record) for record in indexed if not is_over())


def _differs(folder: Path, known: FileRecord) -> bool:
    """Compare a file with the size, time and hash that it had."""
    with suppress(OSError, ValueError):
        file = _inside(folder, known.path)
        if file is None:
            return True
        found = file.stat()
        if found.st_size != known.size:
            return True
        settled = found.st_mtime_ns == known.mtime_ns and known.ctime_ns != NOT_SETTLED
        return not settled and _digest(file) != known.hash
    return True


def _inside(folder: Path, path: str) -> Path | None:
    """Give the resolved path of a file, None where that is not inside the folder."""
    try:
        resolved = locate(folder, path).resolve()
        return resolved if resolved.is_relative_to(folder.resolve()) else None
    except (OSError, ValueError, RuntimeError):  # a loop of links, a NUL in the name
        return None


def _digest(file: Path) -> str:
    """Give the hash that indexing gives the file's bytes."""
    with file.open("rb") as opened:
        return file_digest(opened, partial(blake2b, digest_size=_HASH_BYTES)).hexdigest()
