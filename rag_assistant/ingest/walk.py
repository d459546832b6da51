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
from rag_assistant.ingest.walking.disks import Disks
from rag_assistant.ingest.walking.judge import Folder, Judge
from rag_assistant.ingest.walking.links import TARGET_MISSING, Links
from rag_assistant.ingest.walking.rules import LARGEST_FILE, WalkRules
from rag_assistant.ingest.walking.skips import CACHE_FOLDERS

__all__ = ["CACHE_FOLDERS", "LARGEST_FILE", "FoundFile", "SkippedPath", "WalkRules", "walk"]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file: its name in the folder (see `paths`), its size in bytes, its times in ns."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class SkippedPath:
    """A file or folder that is not read, and why, in words for a person.

    `unseen`: it could not be looked at, so nobody knows what is there, or whether anything is.
    """

    path: str
    reason: str
    unseen: bool = False


def walk(
    folder: Path,
    rules: WalkRules = WalkRules(),  # noqa: B008 - frozen
    disks: Disks | None = None,
) -> Iterator[FoundFile | SkippedPath]:
    """Find what is in `folder`, depth first in order of name.

    `disks` knows what was mounted in it before, and learns what is.

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
    return _Walk(folder, rules, disks or Disks()).run(entries)


class _Walk:
    """One walk: its judge, its links, and the folders it was asked about by links."""

    def __init__(self, folder: Path, rules: WalkRules, disks: Disks) -> None:
        self._top = folder
        self._disks = disks
        self._judge = Judge(folder, rules)
        self._links = Links(folder, rules.follow_links, self._is_read)
        self._asked: dict[str, Folder | str] = {}

    def run(self, entries: list[os.DirEntry[str]]) -> Iterator[FoundFile | SkippedPath]:
        # A stack of its own instead of recursion: trees may be deeper than Python's limit.
        top = self._asked[""] = self._judge.top(entry.name for entry in entries)
        device = self._top.stat().st_dev
        waiting = [(entry, top, device) for entry in reversed(entries)]
        while waiting:
            entry, parent, device = waiting.pop()
            result = self._examined(entry, parent)
            if result is not None:
                yield result
                continue
            name, unseen = name_of(parent.prefix + entry.name), ""
            folder: Folder | str = ""
            try:
                inside = _listed(entry.path)
                its_device = entry.stat().st_dev
                unseen = self._disks.why_unseen(
                    name, is_own=its_device != device, is_empty=not inside
                )
                folder = unseen or self._entered(entry, parent, inside)
            except OSError as error:
                folder = unseen = f"folder cannot be listed: {_why(error)}"
            if isinstance(folder, str):
                yield SkippedPath(name, folder, bool(unseen))
                continue
            waiting.extend((child, folder, its_device) for child in reversed(inside))

    def _examined(self, entry: os.DirEntry[str], parent: Folder) -> FoundFile | SkippedPath | None:
        """Judge one path; None stands for a folder to look into."""
        name = name_of(parent.prefix + entry.name)
        try:
            if entry.is_symlink():
                followed = self._links.follow(entry.path)
                if isinstance(followed, str):
                    return SkippedPath(name, followed, followed == TARGET_MISSING)
                info = followed
            else:
                info = entry.stat(follow_symlinks=False)
        except OSError as error:
            return SkippedPath(name, f"cannot be read: {_why(error)}", unseen=True)
        reason = self._judge.why_not(parent, entry.name, info)
        if reason:
            return SkippedPath(name, reason)
        if stat.S_ISDIR(info.st_mode):
            return None
        return FoundFile(name, info.st_size, info.st_mtime_ns, info.st_ctime_ns)

    def _entered(
        self, entry: os.DirEntry[str], parent: Folder, inside: list[os.DirEntry[str]]
    ) -> Folder | str:
        linked = entry.is_symlink()
        if linked or parent.linked:
            again = self._links.why_not_again(entry.path, parent.prefix + entry.name)
            if again:
                return again
        names = (child.name for child in inside)
        return self._judge.enter(parent, entry.name, names, linked=linked)

    def _is_read(self, relative: str) -> bool:
        """Whether the walk reads `relative`, a path from the top folder that no link is part of."""
        *above, last = relative.split("/")
        folder = self._asked[""]
        path = self._top
        try:
            for part in above:
                folder = self._folder(folder, part, path := path / part)
            if isinstance(folder, str):
                return False
            path = path / last
            info = path.lstat()
            if self._judge.why_not(folder, last, info):
                return False
            return not stat.S_ISDIR(info.st_mode) or not isinstance(
                self._folder(folder, last, path), str
            )
        except OSError:
            return False

    def _folder(self, parent: Folder | str, name: str, path: Path) -> Folder | str:
        """Give a folder below `parent`, or why it or one above it is not read."""
        if isinstance(parent, str):
            return parent
        relative = parent.prefix + name
        if relative not in self._asked:
            reason = self._judge.why_not(parent, name, path.lstat())
            names = (child.name for child in path.iterdir())
            self._asked[relative] = reason or self._judge.enter(parent, name, names)
        return self._asked[relative]


def _listed(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _why(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
