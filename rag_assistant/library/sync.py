"""Bringing an index into step with its folder, reading only what changed since the last time.

Files are read in worker processes and written by one writer, this one. Whatever was committed stays
when a run is interrupted, and the next run goes on from there.
"""

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from rag_assistant.ingest.walk import FoundFile, SkippedPath
from rag_assistant.library.file_changes import FileChanges
from rag_assistant.library.plan import is_unchanged
from rag_assistant.library.progress import Listener, SyncProgress, SyncReport
from rag_assistant.library.reading_files import read_files
from rag_assistant.library.rules import ReadingRules
from rag_assistant.library.throughput import Throughput
from rag_assistant.library.unseen import DISKS, WalkedFolder, disks_json, look
from rag_assistant.store.writing import StoreWriter
from rag_assistant.values.ledger import FileChange, KnownFile

COMMIT_SECONDS = 1.0
"""How much work a crash may cost, and how soon new entries can be found; longer where a commit is
dear to a store."""

ROLLED_BACK = ("added", "updated", "moved", "deleted", "passages", "failed", "partial")
"""What of a report goes back with the writer to the last commit."""


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
        self, folder: Path, writer: StoreWriter, report: SyncReport, listener: Listener
    ) -> None:
        self._folder = folder
        self._writer = writer
        self._report = report
        self._listener = listener
        self._known = writer.ledger.files()
        self._started = self._committed = time.monotonic()
        self._done = self._total = self._bytes_done = self._bytes_total = 0
        self._writing = False
        self._safe = deepcopy(report)
        self._throughput = Throughput()

    def run(self, options: SyncOptions) -> None:
        """Read what is new or changed, then take out what is gone; fills the report."""
        try:
            self._bring_into_step(options)
        except KeyboardInterrupt:
            if self._writing:
                # A file may be half written: back to the last commit, and so is the report.
                self._writer.roll_back()
                for name in ROLLED_BACK:
                    setattr(self._report, name, getattr(self._safe, name))
            self._report.interrupted = True
        self._commit()

    def _bring_into_step(self, options: SyncOptions) -> None:
        self._tell("")
        walked = self._look(options)
        gone = self._gone(walked)
        changes = FileChanges(self._known, [k for k in gone if k.record.status == "indexed"])
        changed = [file for file in walked.found if not self._unchanged(file, options)]
        self._total, self._done = len(walked.found), len(walked.found) - len(changed)
        self._bytes_total = sum(file.size for file in changed)
        sizes = {file.path: file.size for file in changed}
        for skip in walked.skipped:
            if self._is_withheld(skip, walked):
                continue
            if change := changes.of_skip(skip):
                self._write(change)
            else:
                self._report.skipped.append((skip.path, skip.reason))
        self._tell("")
        for extraction in read_files(self._folder, changed, self._known, options.reading.fields):
            self._writing = True
            self._write(changes.of(extraction))
            self._writing = False
            self._done += 1
            self._bytes_done += sizes[extraction.path]
            self._tell(extraction.path)
            if time.monotonic() - self._committed >= max(COMMIT_SECONDS, self._writer.commit_pause):
                self._commit()
        self._remove(gone, changes.vanished(), prune=options.prune)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        disks = disks_json(walked.disks)
        self._writer.set_facts({"indexed_at": now, "unfinished": "", DISKS: disks})

    def _write(self, change: FileChange) -> None:
        self._report.add(change, self._writer.write(change))

    def _look(self, options: SyncOptions) -> WalkedFolder:
        """Walk the folder, and withhold what could not be looked for."""
        # A folder that is gone gets here only when its database is to be emptied.
        if not self._folder.exists():
            return WalkedFolder()
        disks = frozenset() if options.prune else options.disks
        walked = look(self._folder, options.reading.walk, disks)
        found = {file.path for file in walked.found}
        reasons: dict[int, str] = {}
        for path, known in self._known.items():
            if known.record.status == "skipped" or path in found:
                continue
            if reason := walked.why_unseen(path):
                reasons[known.id] = reason
                self._report.unseen.append((path, reason))
        self._report.unseen.sort()
        self._writer.withhold(reasons)
        return walked

    def _gone(self, walked: WalkedFolder) -> list[KnownFile]:
        """Give the files of the ledger that are not in the folder any more."""
        present = {file.path for file in walked.found} | {path.path for path in walked.skipped}
        missed = [known for path, known in self._known.items() if path not in present]
        return [known for known in missed if not walked.why_unseen(known.record.path)]

    def _is_withheld(self, skip: SkippedPath, walked: WalkedFolder) -> bool:
        """Whether a path was passed over that is a file of ours, and is withheld."""
        known = self._known.get(skip.path)
        return skip.path in walked.unseen and known is not None and known.record.status != "skipped"

    def _unchanged(self, file: FoundFile, options: SyncOptions) -> bool:
        known = self._known.get(file.path)
        if known is None or (options.retry and known.record.status == "failed"):
            return False
        if not is_unchanged(known, file):
            return False
        self._report.add_unchanged(known.record)
        return True

    def _tell(self, path: str) -> None:
        seconds = time.monotonic() - self._started
        if self._total:
            self._throughput = self._throughput.after(seconds, self._done, self._bytes_done)
        safe = self._safe
        self._listener(
            SyncProgress(
                self._done,
                self._total,
                self._bytes_done,
                self._bytes_total,
                len(self._report.failed),
                seconds,
                path,
                self._report.unchanged + safe.added + safe.updated + safe.moved,
                self._throughput.items_a_second,
                self._throughput.seconds_left(
                    self._total - self._done, self._bytes_total - self._bytes_done
                ),
            )
        )

    def _commit(self) -> None:
        self._writer.commit()
        self._committed = time.monotonic()
        report = self._report
        self._safe = replace(report, failed=[*report.failed], partial=[*report.partial])

    def _remove(
        self, gone: Sequence[KnownFile], vanished: Sequence[KnownFile], *, prune: bool
    ) -> None:
        """Remove what is gone, unless it is more than half of all: then only when told to.

        `vanished` are those of it that were indexed and stand for no new path.
        """
        indexed = sum(known.record.status == "indexed" for known in self._known.values())
        if not prune and 2 * len(vanished) > indexed:
            self._report.withheld = sorted(known.record.path for known in vanished)
            return
        for known in (*(one for one in gone if one.record.status != "indexed"), *vanished):
            self._write(FileChange("delete", known.record, known))
