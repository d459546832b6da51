"""Files and folders that nobody but their owner may read, from the moment they are made.

On POSIX they get their rights as they are created, whatever the umask; elsewhere a person's own
folders are private by the system, and nothing is done.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, TextIO

_POSIX = os.name == "posix"
_OTHERS = 0o077
_FILES = (
    "*.db",
    "*.db-wal",
    "*.db-shm",
    "*.damaged-*",
    "*.digests",
    "egress.sqlite*",
    "clients.secret",
    "unfinished-*.json",
    "evaluations/*/*",
    "crashes/*",
    "conversations.pending/*",
)
_FOLDERS = ("evaluations", "evaluations/*", "crashes", "conversations.pending")
_BESIDE = ("config.toml", "*.lock", "models", "images", "sample", "lost+found")
"""What else a home may have: nothing in it is a person's text."""


def private_folder(path: Path) -> Path:
    """Make a folder, and those above it that are missing, for its owner alone; give it back.

    Raises OSError.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in (*reversed(missing), path):
        folder.mkdir(mode=0o700, exist_ok=True)
    return path


def private_file(path: Path) -> Path:
    """Make an empty file for its owner alone, if there is none; give it back. Raises OSError.

    SQLite gives the files that it puts beside a database the rights of that database.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return path


def open_private(path: Path, mode: Literal["a", "w", "x"]) -> TextIO:
    """Open a text file (UTF-8) for writing, made for its owner alone. Raises OSError."""

    def made(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600)

    # Path.open cannot be told the rights of a new file.
    return open(path, mode, encoding="utf-8", errors="replace", opener=made)


def write_private(path: Path, text: str) -> None:
    """Write a text file (UTF-8) that only its owner may read. Raises OSError."""
    with open_private(path, "w") as stream:
        stream.write(text)


def open_to_others(home: Path) -> list[Path]:
    """List what of a home other users of this machine may read or change, the home itself first.

    What lies in a home that is closed to others is closed to them as well. A folder that holds more
    than ours is the person's own affair: of it our files count alone.
    """
    if not (_POSIX and home.is_dir() and _is_open(home)):
        return []
    found = [home] if _holds_ours_alone(home) else []
    return found + [path for path in _ours_in(home) if _is_open(path)]


def close_to_others(paths: list[Path]) -> list[Path]:
    """Take from others what they may do with files and folders; give those where that failed."""
    failed: list[Path] = []
    for path in paths:
        try:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)
        except OSError:
            failed.append(path)
    return failed


def may_be_written_by_others(path: Path) -> bool:
    """Whether other users may change a file, or put another in its place."""
    if not _POSIX or not path.exists():
        return False
    return any(
        path.stat().st_mode & 0o022 and not path.stat().st_mode & stat.S_ISVTX
        for path in (path, path.parent)
    )


def _ours_in(home: Path) -> Iterator[Path]:
    for pattern in (*_FOLDERS, *_FILES):
        yield from sorted(path for path in home.glob(pattern) if not path.is_symlink())


def _holds_ours_alone(home: Path) -> bool:
    ours = {path.relative_to(home).parts[0] for path in _ours_in(home)}
    ours |= {path.name for pattern in _BESIDE for path in home.glob(pattern)}
    return all(path.name in ours for path in home.iterdir())


def _is_open(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False
