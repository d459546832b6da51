"""What a run over a folder tells while it goes on, and what it did in the end.

A report is counted up file by file, of what was to be written and what came of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_assistant.values.ledger import FileChange, FileRecord, FileWritten


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far a run is. `total` is 0 while the folder is still being listed.

    `bytes_done` of `bytes_total` counts only files that have to be read; `seconds` is the time
    since the run began. `searchable` files can be found already. `files_per_second` and
    `seconds_left`, of the part that is read, are None too early on.
    """

    done: int
    total: int
    bytes_done: int
    bytes_total: int
    failed: int
    seconds: float
    path: str
    searchable: int = 0
    files_per_second: float | None = None
    seconds_left: float | None = None


Listener = Callable[[SyncProgress], None]


@dataclass(slots=True)
class SyncReport:
    """What a run did.

    `withheld` lists files that are gone but whose entries were kept. `unseen` are files that it
    could not look for, with the reason: nothing of them is deleted, and nothing found.

    `partial` lists files that are indexed in part, with what is left out of them.
    """

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
    unseen: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    partial: list[tuple[str, str]] = field(default_factory=list)
    interrupted: bool = False

    def add(self, change: FileChange, written: FileWritten) -> None:
        """Count what was written of a file."""
        file, known = written.file, change.known
        was_indexed = known is not None and known.record.status == "indexed"
        match change.action:
            case "record":
                self.add_unchanged(file)
            case "fail":
                self.failed.append((file.path, file.reason))
            case "skip":
                self.skipped.append((file.path, file.reason))
                self.deleted += was_indexed
            case "delete":
                self.deleted += was_indexed
            case action:
                if file.reason:
                    self.partial.append((file.path, file.reason))
                self.moved += action == "move"
                self.updated += action != "move" and was_indexed
                self.added += action != "move" and not was_indexed
                self.passages += written.passages
        if written.renumbered:
            ids = ", ".join(map(str, written.renumbered[:5]))
            self.notes.append(f"{file.path}: other entries have the ids {ids}; new ones were given")

    def add_unchanged(self, file: FileRecord) -> None:
        """Count a file that is as it was, whatever came of it then."""
        if file.status == "indexed":
            self.unchanged += 1
            if file.reason:
                self.partial.append((file.path, file.reason))
        else:
            lines = self.failed if file.status == "failed" else self.skipped
            lines.append((file.path, file.reason))

    def is_empty(self) -> bool:
        """Whether nothing was indexed, tried or deleted: there are skips at most."""
        counted = (self.added, self.updated, self.unchanged, self.moved, self.deleted)
        return not any(counted) and not self.failed
