"""What came of reading a file, as a line of the ledger."""

import time

from rag_assistant.ingest.extraction import Extraction, Outcome
from rag_assistant.values.ledger import FileRecord, Status

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
    size, mtime_ns, ctime_ns = extraction.stat or (0, -1, -1)
    # The clock of the file system ticks slowly: a file just written may be written again without a
    # sign of it, so its time is not believed until it is old enough.
    if abs(time.time_ns() - mtime_ns) < RACY_NS:
        mtime_ns = -1
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
