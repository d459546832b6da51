"""Bringing an index into step with its folder, reading only what changed since the last time.

Whatever was committed stays when a run is interrupted, and the next run goes on from there.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from rag_assistant.documents import Document, Passage
from rag_assistant.errors import LoadError
from rag_assistant.index.writer import FileRecord, IndexWriter, KnownFile
from rag_assistant.ingest.loaders import Loader, LoadInput, loader_for
from rag_assistant.ingest.passages import split
from rag_assistant.ingest.walk import FoundFile, SkippedPath, open_found, walk

COMMIT_SECONDS = 1.0
"""How much work a crash may cost, and how soon new entries can be found."""

RACY_NS = 20_000_000
"""A file written this shortly before it was read may be written again within the same tick of the
file system's clock, unseen; such a file is read once more next time. 20 ms covers ext4 and APFS."""

NO_LOADER = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `total` is 0 while the folder is still being listed."""

    done: int
    total: int
    bytes_done: int
    failed: int
    path: str


@dataclass(slots=True)
class SyncReport:
    """What a run did. `withheld` lists files that are gone but whose entries were kept."""

    database: str
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    moved: int = 0
    deleted: int = 0
    passages: int = 0
    seconds: float = 0.0
    failed: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    interrupted: bool = False


ProgressListener = Callable[[Progress], None]


class FolderSync:
    """One run over one folder. The caller holds the database's lock."""

    def __init__(
        self, folder: Path, writer: IndexWriter, report: SyncReport, listener: ProgressListener
    ) -> None:
        self._folder = folder
        self._writer = writer
        self._report = report
        self._listener = listener
        self._known = writer.known_files()
        self._vanished_by_hash: dict[str, list[KnownFile]] = {}
        self._last_commit = time.monotonic()
        self._bytes_done = 0

    def run(self, *, prune: bool) -> None:
        """Read what is new or changed, then take out what is gone; fills the report."""
        found, skipped = self._list()
        present = {file.path for file in found} | {path.path for path in skipped}
        gone = [known for path, known in self._known.items() if path not in present]
        for known in gone:
            if known.record.status == "indexed":
                self._vanished_by_hash.setdefault(known.record.hash, []).append(known)
        try:
            for skip in skipped:
                self._skip(skip)
            for number, file in enumerate(found):
                self._listener(self._progress(number, len(found), file.path))
                self._take(file)
                self._commit_now_and_then()
            self._listener(self._progress(len(found), len(found), ""))
            self._remove(gone, prune)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            self._writer.set_meta({"indexed_at": now})
        except KeyboardInterrupt:
            self._report.interrupted = True
        self._writer.commit()

    def _list(self) -> tuple[list[FoundFile], list[SkippedPath]]:
        self._listener(self._progress(0, 0, ""))
        found: list[FoundFile] = []
        skipped: list[SkippedPath] = []
        for item in walk(self._folder):
            if isinstance(item, FoundFile):
                found.append(item)
            else:
                skipped.append(item)
        return found, skipped

    def _progress(self, done: int, total: int, path: str) -> Progress:
        return Progress(done, total, self._bytes_done, len(self._report.failed), path)

    def _commit_now_and_then(self) -> None:
        if time.monotonic() - self._last_commit >= COMMIT_SECONDS:
            self._writer.commit()
            self._last_commit = time.monotonic()

    def _skip(self, skip: SkippedPath) -> None:
        """Put a path on the ledger; entries it had from before are gone with its text."""
        self._report.skipped.append((skip.path, skip.reason))
        known = self._known.get(skip.path)
        if known and known.record.status == "skipped" and known.record.reason == skip.reason:
            return
        if known and known.record.status == "indexed":
            self._report.deleted += 1
        record = FileRecord(skip.path, 0, 0, 0, "", NO_LOADER, "skipped", skip.reason)
        self._writer.delete_entries(self._writer.record(record))

    def _take(self, file: FoundFile) -> None:
        """Bring one file into step."""
        loader = loader_for(file.path)
        loader_name = f"{loader.name} {loader.version}" if loader else NO_LOADER
        known = self._known.get(file.path)
        if known and _unchanged(known.record, file, loader_name):
            self._keep(known)
            return
        if loader is None:
            self._skip(SkippedPath(file.path, f"no loader for {_kind(file.path)} files"))
            return
        read_at = time.time_ns()
        try:
            with open_found(self._folder, file) as stream:
                data = stream.read()
        except OSError as error:
            reason = f"cannot be read: {error.strerror or error}"
            self._fail(FileRecord(*_stat(file, read_at), "", loader_name, "failed", reason))
            return
        self._bytes_done += len(data)
        digest = blake2b(data, digest_size=16).hexdigest()
        record = FileRecord(*_stat(file, read_at), digest, loader_name, "indexed")
        if known is None and self._moved(record):
            return
        if known and (known.record.hash, known.record.loader) == (digest, loader_name):
            # Touched, or read too soon after a write: the words are the same.
            again = replace(record, status=known.record.status, reason=known.record.reason)
            self._writer.record(again)
            self._keep(replace(known, record=again))
            return
        self._load(record, loader, data, known)

    def _keep(self, known: KnownFile) -> None:
        record = known.record
        if record.status == "indexed":
            self._report.unchanged += 1
        elif record.status == "failed":
            self._report.failed.append((record.path, record.reason))
        else:
            self._report.skipped.append((record.path, record.reason))

    def _moved(self, record: FileRecord) -> bool:
        """Take a new path for a vanished file of the same content and kind, if there is one."""
        candidates = self._vanished_by_hash.get(record.hash, [])
        for candidate in candidates:
            if candidate.record.loader == record.loader:
                candidates.remove(candidate)
                self._writer.move(candidate, record)
                self._report.moved += 1
                return True
        return False

    def _load(
        self, record: FileRecord, loader: Loader, data: bytes, known: KnownFile | None
    ) -> None:
        try:
            source = LoadInput(record.path, data)
            documents = list(_with_passages(loader.load(source)))
        except LoadError as error:
            reason = str(error)
            if known and known.record.status == "indexed":
                reason += " (the text of the last good reading is kept)"
            self._fail(replace(record, status="failed", reason=reason))
            return
        self._report.passages += self._writer.store(record, documents)
        if known and known.record.status == "indexed":
            self._report.updated += 1
        else:
            self._report.added += 1

    def _fail(self, record: FileRecord) -> None:
        self._writer.record(record)
        self._report.failed.append((record.path, record.reason))

    def _remove(self, gone: list[KnownFile], prune: bool) -> None:
        """Remove what is gone, unless it is more than half of all: then only when told to."""
        unclaimed = {id(known) for kin in self._vanished_by_hash.values() for known in kin}
        for known in gone:
            if known.record.status != "indexed":
                self._writer.drop_ledger_line(known.record.path)
        vanished = [known for known in gone if id(known) in unclaimed]
        indexed = sum(known.record.status == "indexed" for known in self._known.values())
        if not prune and 2 * len(vanished) > indexed:
            self._report.withheld = sorted(known.record.path for known in vanished)
            return
        for known in vanished:
            self._writer.delete(known.id)
        self._report.deleted += len(vanished)


def _unchanged(record: FileRecord, file: FoundFile, loader: str) -> bool:
    return (record.size, record.mtime_ns, record.ctime_ns, record.loader) == (
        file.size,
        file.mtime_ns,
        file.ctime_ns,
        loader,
    )


def _stat(file: FoundFile, read_at: int) -> tuple[str, int, int, int]:
    racy = abs(read_at - file.mtime_ns) < RACY_NS
    return file.path, file.size, -1 if racy else file.mtime_ns, file.ctime_ns


def _kind(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    return f".{name.rsplit('.', 1)[1]}" if "." in name[1:] else "such"


def _with_passages(documents: Iterable[Document]) -> Iterator[tuple[Document, list[Passage]]]:
    for document in documents:
        yield document, split(document)
