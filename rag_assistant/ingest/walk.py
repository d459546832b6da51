"""Find the files of a folder: every path in it is either found or skipped with a reason.

The order is that of the names, so two walks of an unchanged folder agree. One bad path never ends
a walk; only a top folder that cannot be listed does.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.errors import FolderError
from rag_assistant.ingest.paths import name_of

LARGEST_FILE = 200 * 1024 * 1024
"""Bytes; a larger file is skipped, because a loader holds the whole of it in memory."""

CACHE_FOLDERS = frozenset(
    """
    __pycache__ node_modules bower_components site-packages __pypackages__ venv env.bak venv.bak
    """.split()
)
"""Folders that programs fill; those that begin with a dot are skipped as hidden anyway."""

_KINDS = (
    (stat.S_ISFIFO, "named pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)
_JUNCTION = (
    0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT: Windows' link to a folder, no symlink to Python
)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file: its name in the folder (see `paths`), its size in bytes, its times in ns."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class SkippedPath:
    """A file or folder that is not read, and why, in words for a person."""

    path: str
    reason: str


def walk(folder: Path) -> Iterator[FoundFile | SkippedPath]:
    """Find what is in `folder`, depth first in order of name; links are not followed.

    Raises FolderError at once when the folder itself is missing, a file, or cannot be listed.
    """
    try:
        entries = _listed(os.fspath(folder))
    except FileNotFoundError:
        raise FolderError(f"There is no folder {folder}.", hint="Check the path.") from None
    except NotADirectoryError:
        raise FolderError(
            f"{folder} is a file, not a folder.", hint="Give the folder that holds it."
        ) from None
    except (OSError, ValueError) as error:
        raise FolderError(
            f"The folder {folder} cannot be listed: {_why(error)}.",
            hint="Check that you may read it.",
        ) from None
    return _walk(entries)


def _walk(entries: list[os.DirEntry[str]]) -> Iterator[FoundFile | SkippedPath]:
    # A stack of its own instead of recursion: trees may be deeper than Python's limit.
    waiting = [(entry, "") for entry in reversed(entries)]
    while waiting:
        entry, parent = waiting.pop()
        relative = parent + entry.name
        result = _examined(entry, relative)
        if result is not None:
            yield result
            continue
        try:
            inside = _listed(entry.path)
        except OSError as error:
            yield SkippedPath(name_of(relative), f"folder cannot be listed: {_why(error)}")
            continue
        waiting.extend((child, relative + "/") for child in reversed(inside))


def _listed(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _examined(entry: os.DirEntry[str], relative: str) -> FoundFile | SkippedPath | None:
    """Judge one path; None stands for a folder to look into."""
    name = name_of(relative)
    try:
        if entry.is_symlink():
            return SkippedPath(name, "symbolic link (links are not followed)")
        info = entry.stat(follow_symlinks=False)
    except OSError as error:
        return SkippedPath(name, f"cannot be read: {_why(error)}")
    is_folder = stat.S_ISDIR(info.st_mode)
    reason = _no_folder(entry.name, info) if is_folder else _no_file(entry.name, info)
    if reason:
        return SkippedPath(name, reason)
    if is_folder:
        return None
    return FoundFile(name, info.st_size, info.st_mtime_ns, info.st_ctime_ns)


def _no_folder(name: str, info: os.stat_result) -> str:
    """Say why a folder is not looked into; empty if it is."""
    if name.startswith("."):
        return "hidden folder"
    if getattr(info, "st_reparse_tag", 0) == _JUNCTION:
        return "junction (links are not followed)"
    return "cache folder" if name in CACHE_FOLDERS else ""


def _no_file(name: str, info: os.stat_result) -> str:
    """Say why a file is not read; empty if it is."""
    if name.startswith("."):
        return "hidden file"
    if not stat.S_ISREG(info.st_mode):
        kind = next((words for test, words in _KINDS if test(info.st_mode)), "special file")
        return f"not a regular file: {kind}"
    if info.st_size == 0:
        return "empty"
    return f"larger than {LARGEST_FILE // 2**20} MB" if info.st_size > LARGEST_FILE else ""


def _why(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
