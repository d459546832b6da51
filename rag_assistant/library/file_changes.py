"""What is to be written of each file of a run, by what the ledger knows of it.

A file that is gone from its path and there under another with the same bytes was moved: its entries
keep their ids and their text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rag_assistant.ingest.extraction import Extraction
from rag_assistant.ingest.walk import SkippedPath
from rag_assistant.library.outcomes import record_of
from rag_assistant.values.ledger import FileChange, FileRecord, KnownFile

NOT_READ_YET = ""
"""The loader of a file whose entries were carried over into a new database, without their text."""


class FileChanges:
    """Decides on the changes of a run; each `vanished` file stands for one new path at most."""

    def __init__(self, known: Mapping[str, KnownFile], vanished: Iterable[KnownFile]) -> None:
        self._known = known
        self._vanished: dict[str, list[KnownFile]] = {}
        for file in vanished:
            self._vanished.setdefault(file.record.hash, []).append(file)

    def of(self, extraction: Extraction) -> FileChange:
        """Decide by what came of reading a file."""
        known = self._known.get(extraction.path)
        file = record_of(extraction)
        if extraction.outcome == "same" and known:
            # Touched, or read too soon after a write: the words are the same.
            again = replace(file, status=known.record.status, reason=known.record.reason)
            return FileChange("record", again, known)
        if extraction.outcome == "skipped":
            return FileChange("skip", file, known)
        if extraction.outcome == "failed":
            return FileChange("fail", file, known)
        if known or not (twin := self._twin(file)):
            return FileChange("store", file, known, extraction.entries)
        if twin.record.loader == file.loader:
            return FileChange("move", file, twin)
        # Of a database that was made anew: its entries have their ids alone.
        return FileChange("move and store", file, twin, extraction.entries)

    def _twin(self, file: FileRecord) -> KnownFile | None:
        """Take a vanished file of the same content and kind that a new path is of, if any."""
        candidates = self._vanished.get(file.hash, [])
        for candidate in candidates:
            if candidate.record.loader in (file.loader, NOT_READ_YET):
                candidates.remove(candidate)
                return candidate
        return None

    def of_skip(self, skip: SkippedPath) -> FileChange | None:
        """Decide on a path that the walk passed over; None where the ledger says so already."""
        known = self._known.get(skip.path)
        if known and (known.record.status, known.record.reason) == ("skipped", skip.reason):
            return None
        file = FileRecord(skip.path, 0, 0, 0, "", "", "skipped", skip.reason)
        return FileChange("skip", file, known)

    def vanished(self) -> list[KnownFile]:
        """Give the vanished files that stand for no new path."""
        return [file for kin in self._vanished.values() for file in kin]
