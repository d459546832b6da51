"""What came of reading a file, as a line of the ledger."""

import time

from rag_assistant.ingest.extraction import Extraction, Outcome
from rag_assistant.values.ledger import NOT_SETTLED, FileRecord, Status

RACY_NS = 20_000_000
"""Nanoseconds within which the file system's clock may stand still; 20 ms covers ext4 and APFS."""

_STATUS: dict[Outcome, Status] = {
    "read": "indexed",
    "same": "indexed",
    "failed": "failed",
    "skipped": "skipped",
}


def record_of(extraction: Extraction) -> FileRecord:
    """Make the ledger line of an extraction."""
    size, mtime_ns, ctime_ns = extraction.stat or (0, NOT_SETTLED, NOT_SETTLED)
    # The clock of the file system ticks slowly: a file just written may be written again without a
    # sign of it, so the next run reads it again.
    if abs(time.time_ns() - mtime_ns) < RACY_NS:
        ctime_ns = NOT_SETTLED
    return FileRecord(
        extraction.path,
        size,
        mtime_ns,
        ctime_ns,
        extraction.hash,
        extraction.loader,
        _STATUS[extraction.outcome],
        extraction.reason,
    )
