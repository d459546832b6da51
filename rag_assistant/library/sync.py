"""Bringing an index into step with its folder, reading only what changed since the last time.

Whatever was committed stays when a run is interrupted, and the next run goes on from there.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from rag_assistant.errors import LoadError
from rag_assistant.index.writer import FileRecord, IndexWriter, KnownFile
from rag_assistant.ingest.encoding import HEAD
from rag_assistant.ingest.loaders import load, loader_for, stamp, stamps_for, why_none
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.passages import split
from rag_assistant.ingest.paths import locate
from rag_assistant.ingest.walk import FoundFile, SkippedPath, walk

COMMIT_SECONDS = 1.0
"""How much work a crash may cost, and how soon new entries can be found."""

RACY_NS = 20_000_000
"""Nanoseconds within which the file system's clock may stand still; 20 ms covers ext4 and APFS."""


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
        try:
            self._bring_into_step(prune=prune)
        except KeyboardInterrupt:
            self._report.interrupted = True
        self._writer.commit()

    def _bring_into_step(self, *, prune: bool) -> None:
        found, skipped = self._list()
        present = {file.path for file in found} | {path.path for path in skipped}
        gone = [known for path, known in self._known.items() if path not in present]
        for known in gone:
            if known.record.status == "indexed":
                self._vanished_by_hash.setdefault(known.record.hash, []).append(known)
        for skip in skipped:
            self._skip(skip)
        for number, file in enumerate(found):
            self._listener(self._progress(number, len(found), file.path))
            self._take(file)
            self._commit_now_and_then()
        self._listener(self._progress(len(found), len(found), ""))
        self._remove(gone, prune)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._writer.set_meta({"indexed_at": now, "unfinished": ""})

    def _list(self) -> tuple[list[FoundFile], list[SkippedPath]]:
        self._listener(self._progress(0, 0, ""))
        found: list[FoundFile] = []
        skipped: list[SkippedPath] = []
        # A folder that is gone gets here only when its database is to be emptied.
        for item in walk(self._folder) if self._folder.exists() else ():
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
        """Put a path on the ledger that the walk passed over."""
        known = self._known.get(skip.path)
        if known and (known.record.status, known.record.reason) == ("skipped", skip.reason):
            self._report.skipped.append((skip.path, skip.reason))
        else:
            self._record_skip(FileRecord(skip.path, 0, 0, 0, "", "", "skipped", skip.reason))

    def _record_skip(self, record: FileRecord) -> None:
        """Put a path on the ledger; entries it had from before are gone with its text."""
        self._report.skipped.append((record.path, record.reason))
        known = self._known.get(record.path)
        if known and known.record.status == "indexed":
            self._report.deleted += 1
            self._writer.delete_entries(known.id)
        self._writer.record(record, known)

    def _take(self, file: FoundFile) -> None:
        """Bring one file into step."""
        known = self._known.get(file.path)
        if known and _unchanged(known.record, file):
            self._keep(known)
            return
        # The clock of the file system ticks slowly: a file just written may be written again
        # without a sign of it, so its time is not believed until it is old enough.
        racy = abs(time.time_ns() - file.mtime_ns) < RACY_NS
        stat = (file.path, file.size, -1 if racy else file.mtime_ns, file.ctime_ns)
        try:
            data, loader = self._read(file.path)
        except OSError as error:
            reason = f"cannot be read: {error.strerror or error}"
            self._fail(FileRecord(*stat, "", "", "failed", reason), known)
            return
        if loader is None:
            why = why_none(file.path)
            self._record_skip(FileRecord(*stat, "", "", "skipped", why))
            return
        self._bytes_done += len(data)
        digest = blake2b(data, digest_size=16).hexdigest()
        record = FileRecord(*stat, digest, stamp(loader), "indexed")
        if known is None and self._moved(record):
            return
        if known and (known.record.hash, known.record.loader) == (digest, record.loader):
            # Touched, or read too soon after a write: the words are the same.
            again = replace(record, status=known.record.status, reason=known.record.reason)
            self._writer.record(again, known)
            self._keep(replace(known, record=again))
            return
        self._load(record, loader, data, known)

    def _read(self, path: str) -> tuple[bytes, Loader | None]:
        """Read a file and choose its loader; of a file that has none, only the head is read."""
        # Unbuffered: the whole of a small file comes in one call.
        with locate(self._folder, path).open("rb", buffering=0) as stream:
            data = stream.read(HEAD) or b""
            loader = loader_for(path, data)
            if loader and len(data) == HEAD:
                data += stream.readall() or b""
        return data, loader

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
            documents = load(loader, LoadInput(record.path, data))
            with_passages = [(document, split(document)) for document in documents]
        except LoadError as error:
            reason = str(error)
            if known and known.record.status == "indexed":
                reason += " (the text of the last good reading is kept)"
            self._fail(replace(record, status="failed", reason=reason), known)
            return
        self._report.passages += self._writer.store(record, known, with_passages)
        if known and known.record.status == "indexed":
            self._report.updated += 1
        else:
            self._report.added += 1

    def _fail(self, record: FileRecord, known: KnownFile | None) -> None:
        self._writer.record(record, known)
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


def _unchanged(record: FileRecord, file: FoundFile) -> bool:
    """Whether a file need not be opened: same stat, and still read by the loader it was read by."""
    as_it_was = (record.size, record.mtime_ns, record.ctime_ns)
    now = (file.size, file.mtime_ns, file.ctime_ns)
    return as_it_was == now and record.loader in stamps_for(file.path)
