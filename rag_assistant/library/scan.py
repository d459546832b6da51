"""Looking through a folder before it is indexed: what would be read, and what not and why.

No file of a known kind is opened, so it takes about as long as listing the folder.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.errors import IndexDamaged
from rag_assistant.ingest.loaders import known_by_name
from rag_assistant.ingest.walk import FoundFile, SkippedPath, WalkRules, walk
from rag_assistant.library.makeup import Makeup, MakeupCount
from rag_assistant.library.plan import why_not_read
from rag_assistant.library.rules import ReadingRules, rules_of
from rag_assistant.store.opening import store_at

TELL_SECONDS = 0.1
"""How often it is told how far it is."""


@dataclass(frozen=True, slots=True)
class ScanTarget:
    """The folder that is looked through, and the database that holds or would hold it.

    `entries` counts what that database holds already; it is None where there is no database yet.
    """

    folder: Path
    database: str
    path: Path
    entries: int | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """What was found so far; `over` when it is all.

    `makeup` counts the files that can be read; `skipped` are paths with the reason.
    """

    target: ScanTarget
    readable: int = 0
    size: int = 0
    makeup: Makeup = Makeup()
    skipped: tuple[tuple[str, str], ...] = ()
    over: bool = False


def scan_for(folder: Path, database: str, path: Path) -> Iterator[Scan]:
    """Scan a folder by the rules of its database in the file `path`, which need not be there.

    Raises FolderError.
    """
    rules, entries = ReadingRules(), None
    with suppress(IndexDamaged):  # which is made anew when it is indexed
        if path.is_file():
            with store_at(path).reading() as reader:
                rules = rules_of(path, reader.ledger.facts())
                entries = reader.ledger.figures().entries
    yield from scan(ScanTarget(folder, database, path, entries), rules.walk)


def scan(target: ScanTarget, rules: WalkRules) -> Iterator[Scan]:
    """Look through a folder; give what was found so far, again and again, and at last all.

    Raises FolderError.
    """
    count = MakeupCount()
    readable = 0
    skipped: list[tuple[str, str]] = []
    size = 0
    told_at = time.monotonic()
    for item in walk(target.folder, rules):
        reason = _why_skipped(target.folder, item)
        if isinstance(item, FoundFile) and not reason:
            count.add(item.path, item.size, item.mtime_ns)
            readable += 1
            size += item.size
        else:
            skipped.append((item.path, reason))
        now = time.monotonic()
        if now - told_at >= TELL_SECONDS:
            told_at = now
            yield Scan(target, readable, size, count.so_far(), tuple(skipped))
    yield Scan(target, readable, size, count.so_far(), tuple(skipped), over=True)


def _why_skipped(folder: Path, item: FoundFile | SkippedPath) -> str:
    if isinstance(item, SkippedPath):
        return item.reason
    return "" if known_by_name(item.path) else why_not_read(folder, item.path)
