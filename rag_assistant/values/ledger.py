"""The ledger of a database: every file that was met, what came of it, and what is to be written.

A line stands for a path in the folder that the database indexes, as it was when it was last read.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rag_assistant.values.documents import Sections, Suspicion
from rag_assistant.values.outline import EntryFacts

_SINGLE = re.compile(r"\d[\d.,]*|'[^']*'|\"[^\"]*\"")
"""What a reason tells of a single file: figures and quoted names."""

Status = Literal["indexed", "failed", "skipped"]

Listed = Literal["failed", "skipped", "withheld", "partial"]
"""Why a path is not searchable, or not all of it: the last, of a file that was read in part."""


NOT_SETTLED = -1
"""In place of a time of change, for a file that may have changed since without a sign of it."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A line of the ledger: a file as it was when it was last read, and what came of it.

    Times are in nanoseconds since 1970; `ctime_ns` is `NOT_SETTLED` where the file was read within
    a tick of its change. `loader` names the reader and its version, so that a better one reads the
    file again.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    hash: str
    loader: str
    status: Status
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A path that is not searchable, with the reason."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class SharedReason:
    """Lines of the ledger with one reason, which is given as it stands in the first."""

    reason: str
    lines: Sequence[LedgerLine]

    @property
    def paths(self) -> Sequence[str]:
        """What is not searchable."""
        return [line.path for line in self.lines]


def by_reason(lines: Iterable[LedgerLine]) -> list[SharedReason]:
    """Group paths by what keeps them from being searched, whatever figures and names it tells of
    each; the reason of most of them comes first.
    """
    groups: dict[str, list[LedgerLine]] = {}
    for line in lines:
        groups.setdefault(_SINGLE.sub("…", line.reason), []).append(line)
    shared = [SharedReason(them[0].reason, them) for them in groups.values()]
    return sorted(shared, key=lambda group: -len(group.lines))


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A ledger line read back, with its row id."""

    id: int
    record: FileRecord


PassageRow = tuple[int, int, int | None, int | None, str | None, str, Sections]
"""A passage on its way into an index: start, end, page, line, heading path, text, sections."""


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """An entry-to-be, as it was read: what a loader said of it, and the passages of its text.

    `title` is empty where the file names none. `text_hash` is that of the whole text. `previous` is
    the hash and the text that it had before its last change, where another database knows that.
    """

    title: str
    key: str
    media_type: str
    metadata: Mapping[str, str]
    wanted_id: int | None
    length: int
    text_hash: str
    passages: Sequence[PassageRow]
    suspicions: Sequence[Suspicion] = ()
    facts: EntryFacts = EntryFacts()
    previous: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class FileChange:
    """What is to be written of one file, over the line of `known` where there is one.

    `record`: its line alone. `fail`: the same, and entries of an earlier reading stay. `skip`: its
    line, and entries of an earlier reading are deleted. `store`: its line and its entries in place
    of those it held. `move`: `known` under another path, with its entries as they are; `move and
    store` gives them their text as well. `delete`: `known` with its entries, and no line.
    """

    action: Literal["record", "fail", "skip", "store", "move", "move and store", "delete"]
    file: FileRecord
    known: KnownFile | None = None
    entries: Sequence[ReadEntry] = ()


@dataclass(frozen=True, slots=True)
class FileWritten:
    """What writing a file came to: its `file` line as it stands, and how many `passages` are new.

    `renumbered` are ids that records wanted and others have.
    """

    file: FileRecord
    passages: int = 0
    renumbered: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file with the ids of its entries, one or one for each record, and the title of a first."""

    path: str
    entries: tuple[int, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class IndexFigures:
    """What an index holds.

    `indexed_at` is when the last whole run ended, ISO 8601 in UTC, empty before the first.
    `unfinished` says that a later run was interrupted, or is going on. `withheld` counts files that
    could not be looked for; their entries are not among `entries`. `partial` counts the files of
    which something is left out because they are too long.
    """

    folder: str
    indexed_at: str
    unfinished: bool
    entries: int
    passages: int
    failed: int
    skipped: int
    withheld: int = 0
    partial: int = 0
