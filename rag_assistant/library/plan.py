"""What indexing a folder would do, without doing it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.ingest.encoding import HEAD
from rag_assistant.ingest.loaders import loader_for, stamps_for, why_none
from rag_assistant.ingest.paths import locate
from rag_assistant.ingest.walk import FoundFile, WalkRules
from rag_assistant.library.folders import check_owner
from rag_assistant.library.rules import ReadingRules, rules_of
from rag_assistant.library.unseen import known_disks, look
from rag_assistant.store.opening import store_at
from rag_assistant.values.ledger import KnownFile


@dataclass(frozen=True, slots=True)
class IndexingPlan:
    """What would be read and why, what skipped and why, and what is gone from the folder.

    `unseen` are indexed files that cannot be looked for, and why: they would be withheld.
    """

    database: str
    read: tuple[tuple[str, str], ...]
    unchanged: int
    skipped: tuple[tuple[str, str], ...]
    gone: tuple[str, ...]
    unseen: tuple[tuple[str, str], ...] = ()


def is_unchanged(known: KnownFile, file: FoundFile) -> bool:
    """Whether a file need not be opened: same stat, and today's loaders read it."""
    record = known.record
    as_it_was = (record.size, record.mtime_ns, record.ctime_ns)
    now = (file.size, file.mtime_ns, file.ctime_ns)
    return as_it_was == now and record.loader in stamps_for(file.path)


def plan_of(
    folder: Path, database: str, path: Path, reading: ReadingRules | None = None
) -> IndexingPlan:
    """Plan for the database in the file `path`, there or not, by `reading` or the rules it has.

    Raises FolderError, LibraryError.
    """
    if not path.is_file():
        return make_plan(database, folder, (reading or ReadingRules()).walk, {})
    with store_at(path).reading() as reader:
        known = reader.ledger.facts()
        check_owner(folder, database, known.get("folder", ""))
        rules = reading or rules_of(path, known)
        return make_plan(database, folder, rules.walk, reader.ledger.files(), known_disks(known))


def make_plan(
    database: str,
    folder: Path,
    rules: WalkRules,
    known: Mapping[str, KnownFile],
    disks: frozenset[str] = frozenset(),
) -> IndexingPlan:
    """Walk a folder and compare it with what is known of it; at most the heads of files are read.

    Raises FolderError.
    """
    read: list[tuple[str, str]] = []
    unchanged = 0
    seen = look(folder, rules, disks)
    skipped = [(item.path, item.reason) for item in seen.skipped]
    met = {item.path for item in seen.found}
    for item in seen.found:
        before = known.get(item.path)
        if before and is_unchanged(before, item):
            unchanged += 1
        elif reason := why_not_read(folder, item.path):
            skipped.append((item.path, reason))
        else:
            read.append((item.path, "changed" if before else "new"))
    indexed = sorted(path for path, file in known.items() if file.record.status == "indexed")
    missed = {path: seen.why_unseen(path) for path in indexed if path not in met}
    gone = tuple(path for path, unseen in missed.items() if not unseen)
    unseen = tuple((path, reason) for path, reason in missed.items() if reason)
    return IndexingPlan(database, tuple(read), unchanged, tuple(sorted(skipped)), gone, unseen)


def why_not_read(folder: Path, path: str) -> str:
    """Say why a file would not be read; nothing when a loader would try."""
    try:
        with locate(folder, path).open("rb") as stream:
            return "" if loader_for(path, stream.read(HEAD)) else why_none(path)
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
