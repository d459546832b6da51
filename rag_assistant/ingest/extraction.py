"""One file, from its place on disk to what an index stores of it, or the reason why not.

The same function runs in a worker process and, for small plain files, in our own; its outcome goes
through a pipe as JSON.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import Any, Literal

from rag_assistant.errors import LoadError, NothingToRead
from rag_assistant.ingest.attached import Attachments
from rag_assistant.ingest.encoding import HEAD
from rag_assistant.ingest.entry_facts import facts_of_document
from rag_assistant.ingest.loaders import load, loader_for, stamp, stamp_of_skip, why_none
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.marking import suspicions_of
from rag_assistant.ingest.passages import split
from rag_assistant.ingest.paths import locate
from rag_assistant.ingest.room import MOST_CHARACTERS, NOT_INDEXED, why_partly, within
from rag_assistant.values.documents import Document, Suspicion
from rag_assistant.values.ledger import ReadEntry
from rag_assistant.values.outline import facts_json, facts_of

NO_MEMORY = "needs too much memory"

Stat = tuple[int, int, int]
"""Size in bytes, and times of change of the content and of the inode, in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read. `hash` and `loader` are those of the last reading, empty for a new file.

    `without` says why what is attached to it is not to be read, after a process was lost over it.
    """

    path: str
    hash: str = ""
    loader: str = ""
    size: int = 0
    without: str = ""


Outcome = Literal["read", "same", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Extraction:
    """What came of a job.

    `same` means that neither the bytes nor the loader changed since the last reading. `stat` is the
    file's as it was when it was opened; None when it could not be. `reason` says why a file was not
    read, or what of one that was read is left out because it is too long.
    """

    path: str
    outcome: Outcome
    stat: Stat | None = None
    hash: str = ""
    loader: str = ""
    reason: str = ""
    entries: tuple[ReadEntry, ...] = field(default=())


def extract(
    folder: Path, job: Job, fields: Mapping[str, str], most: int = MOST_CHARACTERS
) -> Extraction:
    """Read `most` characters of a file. Never raises for what it or the file system does."""
    try:
        data, loader, stat = _read(folder, job.path)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        return Extraction(job.path, "failed", reason=reason)
    except MemoryError:
        return Extraction(job.path, "failed", reason=NO_MEMORY)
    if loader is None:
        skipped = stamp_of_skip(job.path)
        return Extraction(job.path, "skipped", stat, loader=skipped, reason=why_none(job.path))
    digest, name = blake2b(data, digest_size=16).hexdigest(), stamp(loader)
    if (digest, name) == (job.hash, job.loader):
        return Extraction(job.path, "same", stat, digest, name)
    try:
        source = LoadInput(job.path, data, fields, most)
        documents = Attachments(source, job.without).beside(load(loader, source))
        entries, left_out = _entries(documents, source)
    except (LoadError, MemoryError) as error:
        reason = NO_MEMORY if isinstance(error, MemoryError) else str(error)
        outcome: Outcome = "skipped" if isinstance(error, NothingToRead) else "failed"
        return Extraction(job.path, outcome, stat, digest, name, reason)
    reason = why_partly(left_out, most) if left_out else ""
    return Extraction(job.path, "read", stat, digest, name, reason, entries)


def _entries(documents: list[Document], source: LoadInput) -> tuple[tuple[ReadEntry, ...], str]:
    """Give the entries of a file, and what of it is in none because it is too long."""
    documents = within(documents, source.most)
    left_out = "; ".join(document.left_out for document in documents if document.left_out)
    kept = _with_distinct_keys(documents)
    return tuple(_entry(document, source.path) for document in kept), left_out


def _with_distinct_keys(documents: list[Document]) -> Iterator[Document]:
    """Tell records apart that name themselves alike: a key is what their id hangs on."""
    met: Counter[str] = Counter()
    for document in documents:
        met[document.key] += 1
        times = met[document.key]
        yield document if times == 1 else replace(document, key=f"{document.key}#{times}")


def _read(folder: Path, path: str) -> tuple[bytes, Loader | None, Stat]:
    """Read a file and choose its loader; of a file that has none, only the head is read.

    When the file changes while it is read, it is read once more; if it changed again its times are
    given as never seen, so that the next run reads it anew.
    """
    for _ in range(2):
        # Non-blocking: a pipe may have taken the file's place since the folder was listed.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with FileIO(os.open(locate(folder, path), flags)) as stream:
            before = _stat(stream.fileno())
            data = stream.read(HEAD) or b""
            loader = loader_for(path, data)
            if loader and len(data) == HEAD:
                data += stream.readall() or b""
            after = _stat(stream.fileno())
        if before == after:
            return data, loader, before
    return data, loader, (after[0], -1, -1)


def _stat(descriptor: int) -> Stat:
    info = os.fstat(descriptor)
    return info.st_size, info.st_mtime_ns, info.st_ctime_ns


def _entry(document: Document, path: str) -> ReadEntry:
    passages = split(document)
    metadata = document.metadata
    if document.left_out:
        metadata = {**metadata, NOT_INDEXED: document.left_out}
    return ReadEntry(
        document.title,
        document.key,
        document.media_type,
        metadata,
        document.wanted_id,
        len(document.text),
        blake2b(document.text.encode("utf-8", "replace"), digest_size=16).hexdigest(),
        tuple(
            (
                passage.location.start,
                passage.location.end,
                passage.location.page,
                passage.location.line,
                passage.location.heading,
                passage.text,
                passage.sections,
            )
            for passage in passages
        ),
        suspicions_of(document, path),
        facts_of_document(document, path),
    )


def to_json(extraction: Extraction) -> list[Any]:
    """Give an extraction as JSON values, as small as can be: it is written for every file."""
    entries = [
        [
            e.title,
            e.key,
            e.media_type,
            dict(e.metadata),
            e.wanted_id,
            e.length,
            e.text_hash,
            e.passages,
            [astuple(one) for one in e.suspicions],
            facts_json(e.facts),
        ]
        for e in extraction.entries
    ]
    x = extraction
    return [x.path, x.outcome, x.stat, x.hash, x.loader, x.reason, entries]


def from_json(values: list[Any]) -> Extraction:
    """Read what `to_json` gave. Raises ValueError or TypeError for anything else."""
    path, outcome, stat, digest, loader, reason, entries = values
    return Extraction(
        path,
        outcome,
        tuple(stat) if stat else None,
        digest,
        loader,
        reason,
        tuple(_entry_of(entry) for entry in entries),
    )


def _entry_of(values: list[Any]) -> ReadEntry:
    *read, suspicions, facts = values
    found = tuple(Suspicion(*one) for one in suspicions)
    return replace(ReadEntry(*read), suspicions=found, facts=facts_of(facts))
