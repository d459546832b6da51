"""Bringing an index into step with its folder, reading only what changed since the last time.

Files are read in worker processes and written by one writer, this one. Whatever was committed stays
when a run is interrupted, and the next run goes on from there.
"""

import os
import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from rag_assistant.ingest.extraction import Extraction, Job, extract
from rag_assistant.ingest.loaders import reads_plainly
from rag_assistant.ingest.pool import ExtractionPool
from rag_assistant.ingest.walk import FoundFile, SkippedPath
from rag_assistant.ingest.worker import WorkerLimits
from rag_assistant.library.outcomes import record_of
from rag_assistant.library.pace import Pace
from rag_assistant.library.plan import is_unchanged
from rag_assistant.library.progress import Listener, Progress, SyncReport
from rag_assistant.library.rules import ReadingRules
from rag_assistant.library.unseen import DISKS, Seen, disks_json, look
from rag_assistant.store.sqlite.ledger import FileRecord, KnownFile
from rag_assistant.store.sqlite.writer import IndexWriter

COMMIT_SECONDS = 1.0
"""How much work a crash may cost, and how soon new entries can be found."""

NOT_READ_YET = ""
"""The loader of a file whose entries were carried over into a new database, without their text."""

MOST_WORKERS = 4

LIMITS = WorkerLimits()
"""What one file may cost."""

INLINE_FILES, INLINE_BYTES = 200, 256 * 1024
"""So many plain files of so many bytes at most are read here: a process takes longer to start."""


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """How one run goes.

    `prune` removes entries even when most files are gone; `retry` reads files again that failed,
    though neither they nor their loader changed. `disks` were mounted in the folder before.
    """

    reading: ReadingRules = ReadingRules()
    prune: bool = False
    retry: bool = False
    disks: frozenset[str] = frozenset()


class FolderSync:
    """One run over one folder. The caller holds the database's lock."""

    def __init__(
        self, folder: Path, writer: IndexWriter, report: SyncReport, listener: Listener
    ) -> None:
        self._folder = folder
        self._writer = writer
        self._report = report
        self._listener = listener
        self._known = writer.known_files()
        self._vanished_by_hash: dict[str, list[KnownFile]] = {}
        self._started = self._committed = time.monotonic()
        self._done = self._total = self._bytes_done = self._bytes_total = 0
        self._applying = False
        self._safe = deepcopy(report)
        self._pace = Pace()

    def run(self, options: SyncOptions) -> None:
        """Read what is new or changed, then take out what is gone; fills the report."""
        try:
            self._bring_into_step(options)
        except KeyboardInterrupt:
            if self._applying:
                # A file may be half written: back to the last commit, and so is the report.
                self._writer.roll_back()
                for name in (
                    "added",
                    "updated",
                    "moved",
                    "deleted",
                    "passages",
                    "failed",
                    "partial",
                ):
                    setattr(self._report, name, getattr(self._safe, name))
            self._report.interrupted = True
        self._commit()

    def _bring_into_step(self, options: SyncOptions) -> None:
        self._tell("")
        seen = self._look(options)
        found = seen.found
        skipped = [skip for skip in seen.skipped if not self._withheld(skip, seen)]
        present = {file.path for file in found} | {path.path for path in seen.skipped}
        missed = [known for path, known in self._known.items() if path not in present]
        gone = [known for known in missed if not seen.why_unseen(known.record.path)]
        for known in gone:
            if known.record.status == "indexed":
                self._vanished_by_hash.setdefault(known.record.hash, []).append(known)
        changed = [file for file in found if not self._unchanged(file, options)]
        self._total, self._done = len(found), len(found) - len(changed)
        self._bytes_total = sum(file.size for file in changed)
        sizes = {file.path: file.size for file in changed}
        for skip in skipped:
            self._skip(skip)
        self._tell("")
        for extraction in self._extractions(changed, options):
            self._applying = True
            self._apply(extraction)
            self._applying = False
            self._done += 1
            self._bytes_done += sizes[extraction.path]
            self._tell(extraction.path)
            if time.monotonic() - self._committed >= COMMIT_SECONDS:
                self._commit()
        self._remove(gone, prune=options.prune)
        self._writer.forget_old()
        now = datetime.now(UTC).isoformat(timespec="seconds")
        disks = disks_json(seen.disks)
        self._writer.set_meta({"indexed_at": now, "unfinished": "", DISKS: disks})

    def _look(self, options: SyncOptions) -> Seen:
        """Walk the folder, and withhold what could not be looked for."""
        # A folder that is gone gets here only when its database is to be emptied.
        if not self._folder.exists():
            return Seen()
        disks = frozenset() if options.prune else options.disks
        seen = look(self._folder, options.reading.walk, disks)
        found = {file.path for file in seen.found}
        reasons: dict[int, str] = {}
        for path, known in self._known.items():
            if known.record.status == "skipped" or path in found:
                continue
            if reason := seen.why_unseen(path):
                reasons[known.id] = reason
                self._report.unseen.append((path, reason))
        self._report.unseen.sort()
        self._writer.withhold(reasons)
        return seen

    def _withheld(self, skip: SkippedPath, seen: Seen) -> bool:
        """Whether a path was passed over that is a file of ours, and is withheld."""
        known = self._known.get(skip.path)
        return skip.path in seen.unseen and known is not None and known.record.status != "skipped"

    def _unchanged(self, file: FoundFile, options: SyncOptions) -> bool:
        known = self._known.get(file.path)
        if known is None or (options.retry and known.record.status == "failed"):
            return False
        if not is_unchanged(known, file):
            return False
        self._keep(known.record)
        return True

    def _extractions(self, files: list[FoundFile], options: SyncOptions) -> Iterator[Extraction]:
        """Read files: small plain ones here while the workers start, the others by them."""
        plain = [f for f in files if f.size <= INLINE_BYTES and reads_plainly(f.path)]
        inline = {file.path for file in plain} if len(plain) <= INLINE_FILES else set()
        fields = options.reading.fields
        here = (
            extract(self._folder, self._job(f), fields, LIMITS.characters)
            for f in files
            if f.path in inline
        )
        rest = [file for file in files if file.path not in inline]
        if not rest:
            yield from here
            return
        workers = min(MOST_WORKERS, os.cpu_count() or 1, 1 + len(rest) // 8)
        with ExtractionPool(self._folder, workers, fields, LIMITS) as pool:
            yield from chain(here, pool.extract(map(self._job, rest)))

    def _job(self, file: FoundFile) -> Job:
        known = self._known.get(file.path)
        # What failed before is read again in earnest: the same bytes may fare better now.
        if known is None or known.record.status == "failed":
            return Job(file.path, size=file.size)
        return Job(file.path, known.record.hash, known.record.loader, file.size)

    def _tell(self, path: str) -> None:
        seconds = time.monotonic() - self._started
        if self._total:
            self._pace = self._pace.after(seconds, self._done, self._bytes_done)
        safe = self._safe
        self._listener(
            Progress(
                self._done,
                self._total,
                self._bytes_done,
                self._bytes_total,
                len(self._report.failed),
                seconds,
                path,
                self._report.unchanged + safe.added + safe.updated + safe.moved,
                self._pace.items_a_second,
                self._pace.seconds_left(
                    self._total - self._done, self._bytes_total - self._bytes_done
                ),
            )
        )

    def _commit(self) -> None:
        self._writer.commit()
        self._committed = time.monotonic()
        told = self._report
        self._safe = replace(told, failed=[*told.failed], partial=[*told.partial])

    def _apply(self, extraction: Extraction) -> None:
        """Write what came of one file."""
        known = self._known.get(extraction.path)
        record = record_of(extraction)
        if extraction.outcome == "same" and known:
            # Touched, or read too soon after a write: the words are the same.
            again = replace(record, status=known.record.status, reason=known.record.reason)
            self._writer.record(again, known)
            self._keep(again)
        elif extraction.outcome == "skipped":
            self._record_skip(record)
        elif extraction.outcome == "failed":
            self._fail(record, known)
        else:
            self._take(record, known, extraction)

    def _take(self, record: FileRecord, known: KnownFile | None, extraction: Extraction) -> None:
        """Write what was read of a file, or move what is known of it under another path."""
        if record.reason:
            self._report.partial.append((record.path, record.reason))
        if known or not (twin := self._vanished_twin(record)):
            self._store(record, known, extraction)
        elif twin.record.loader == record.loader:
            self._writer.move(twin, record)
            self._report.moved += 1
        else:  # of a database that was made anew: its entries have their ids alone
            self._writer.move(twin, record)
            self._store(record, twin, extraction)

    def _store(self, record: FileRecord, known: KnownFile | None, extraction: Extraction) -> None:
        stored = self._writer.store(record, known, extraction.entries)
        self._report.passages += stored.passages
        self._count(known)
        if stored.renumbered:
            ids = ", ".join(map(str, stored.renumbered[:5]))
            self._report.notes.append(
                f"{record.path}: other entries have the ids {ids}; new ones were given"
            )

    def _count(self, known: KnownFile | None) -> None:
        if known and known.record.status == "indexed":
            self._report.updated += 1
        else:
            self._report.added += 1

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
        if known:
            self._writer.delete_entries(known.id)
        self._writer.record(record, known)

    def _keep(self, record: FileRecord) -> None:
        if record.status == "indexed":
            self._report.unchanged += 1
            if record.reason:
                self._report.partial.append((record.path, record.reason))
        elif record.status == "failed":
            self._report.failed.append((record.path, record.reason))
        else:
            self._report.skipped.append((record.path, record.reason))

    def _vanished_twin(self, record: FileRecord) -> KnownFile | None:
        """Take a vanished file of the same content and kind that a new path is of, if any."""
        candidates = self._vanished_by_hash.get(record.hash, [])
        for candidate in candidates:
            if candidate.record.loader in (record.loader, NOT_READ_YET):
                candidates.remove(candidate)
                return candidate
        return None

    def _fail(self, record: FileRecord, known: KnownFile | None) -> None:
        kept = " (the text of the last good reading is kept)"
        if known and self._writer.has_entries(known.id):
            record = replace(record, reason=record.reason + kept)
        self._writer.record(record, known)
        self._report.failed.append((record.path, record.reason))

    def _remove(self, gone: list[KnownFile], *, prune: bool) -> None:
        """Remove what is gone, unless it is more than half of all: then only when told to."""
        unclaimed = {id(known) for kin in self._vanished_by_hash.values() for known in kin}
        vanished = [known for known in gone if id(known) in unclaimed]
        indexed = sum(known.record.status == "indexed" for known in self._known.values())
        if not prune and 2 * len(vanished) > indexed:
            self._report.withheld = sorted(known.record.path for known in vanished)
            return
        for known in gone:
            if known.record.status != "indexed":
                self._writer.delete(known.id)
        for known in vanished:
            self._writer.delete(known.id)
        self._report.deleted += len(vanished)
