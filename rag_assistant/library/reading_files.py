"""Reading the files of a run: small plain ones here while the workers start, the others by them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from rag_assistant.ingest.extraction import Extraction, Job, extract
from rag_assistant.ingest.loaders import reads_plainly
from rag_assistant.ingest.pool import ExtractionPool
from rag_assistant.ingest.walk import FoundFile
from rag_assistant.ingest.worker import WorkerLimits
from rag_assistant.values.ledger import KnownFile

MOST_WORKERS = 4

LIMITS = WorkerLimits()
"""What one file may cost."""

INLINE_FILES, INLINE_BYTES = 200, 256 * 1024
"""So many plain files of so many bytes at most are read here: a process takes longer to start."""


def read_files(
    folder: Path,
    files: Sequence[FoundFile],
    known: Mapping[str, KnownFile],
    fields: Mapping[str, str],
) -> Iterator[Extraction]:
    """Give what came of reading each file, in any order.

    `known` are the lines of the ledger by path: a file with the bytes that its line has is not read
    again. `fields` says what the fields of records are called.
    """
    plain = [file for file in files if file.size <= INLINE_BYTES and reads_plainly(file.path)]
    inline = {file.path for file in plain} if len(plain) <= INLINE_FILES else set()
    here = (
        extract(folder, _job(file, known), fields, LIMITS.characters)
        for file in files
        if file.path in inline
    )
    rest = [file for file in files if file.path not in inline]
    if not rest:
        yield from here
        return
    workers = min(MOST_WORKERS, os.cpu_count() or 1, 1 + len(rest) // 8)
    with ExtractionPool(folder, workers, fields, LIMITS) as pool:
        yield from chain(here, pool.extract(_job(file, known) for file in rest))


def _job(file: FoundFile, known: Mapping[str, KnownFile]) -> Job:
    line = known.get(file.path)
    # What failed before is read again in earnest: the same bytes may fare better now.
    if line is None or line.record.status == "failed":
        return Job(file.path, size=file.size)
    return Job(file.path, line.record.hash, line.record.loader, file.size)
