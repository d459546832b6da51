"""What a run over a folder tells while it goes on, and what it did in the end."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Progress:
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


Listener = Callable[[Progress], None]


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
