"""What servers hold, what lies about in their home, and which processes are left."""

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from rag_assistant.library.library import Library

HELD = ("memory, MB", "descriptors", "threads")

COLUMNS = ("logs, MB", "home, MB", "temporary files")

MEGABYTE = 1024**2


@dataclass(frozen=True, slots=True)
class Held:
    """What a server holds: memory of its own in MB, descriptors, threads."""

    memory: float
    descriptors: int
    threads: int

    def row(self) -> tuple[str, ...]:
        """Write it as cells of a table."""
        return f"{self.memory:.1f}", f"{self.descriptors}", f"{self.threads}"


@dataclass(frozen=True, slots=True)
class State:
    """What servers hold, by name, and their home: sizes in MB; `left` names temporary files."""

    held: dict[str, Held]
    logs: float
    home: float
    temporary: int
    left: str

    def row(self) -> tuple[str, ...]:
        """Write what the home holds as cells of a table."""
        return f"{self.logs:.2f}", f"{self.home:.1f}", f"{self.temporary}"


def state_of(home: Path, temporary: Path, servers: dict[str, int]) -> State:
    """Count it all."""
    files = [file for file in home.rglob("*") if file.is_file()]
    unfinished = [file for file in files if file.suffix in (".new", ".tmp", ".part")]
    left = [*temporary.iterdir(), *unfinished]
    return State(
        {name: _held_by(psutil.Process(server)) for name, server in servers.items()},
        sum(file.stat().st_size for file in files if file.name.endswith("-wal")) / MEGABYTE,
        sum(file.stat().st_size for file in files) / MEGABYTE,
        len(left),
        ", ".join(file.name for file in left[:5]),
    )


def _held_by(process: psutil.Process) -> Held:
    memory = process.memory_full_info().uss / MEGABYTE
    return Held(memory, process.num_fds(), process.num_threads())


def left_running(temporary: Path, *known: int) -> list[str]:
    """Give the command lines of processes that have a folder for temporary files from us."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            ours = process.environ().get("TMPDIR") == str(temporary)
            if ours and process.pid not in known and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline()[:6]))
    return found


def ledger(library: Library, name: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Give what became of each file, and the versions in their order, whatever ids they have."""
    with closing(sqlite3.connect(library.database(name).path)) as connection:
        files = connection.execute(
            "SELECT path, hash, loader, status, reason FROM files ORDER BY path"
        ).fetchall()
        versions = connection.execute(
            "SELECT first.path, files.path, versions.place, versions.told_by FROM versions"
            " JOIN entries ON entries.id = versions.entry_id"
            " JOIN files ON files.id = entries.file_id"
            " JOIN versions AS newest ON newest.family = versions.family AND newest.place = 0"
            " JOIN entries AS best ON best.id = newest.entry_id"
            " JOIN files AS first ON first.id = best.file_id ORDER BY 1, 3"
        ).fetchall()
    return files, versions
