"""Which paths the ignore files of a folder tree leave out, as git judges them, and which line did.

A `.gitignore` counts in its folder and below, the deeper one first; so does `.ragignore`, which is
asked before any `.gitignore` and is not read by git.
"""

import os
import stat
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.ingest.paths import name_of
from rag_assistant.ingest.walking.ignore_patterns import Pattern, Patterns

GIT_IGNORE = ".gitignore"
RAG_IGNORE = ".ragignore"
LARGEST_IGNORE_FILE = 2**20
"""Bytes; a larger one is passed over, because every path below would be compared with all of it."""

_EXCLUDE = ".git/info/exclude"
_SHOWN = 100  # characters of a line in a reason


@dataclass(frozen=True, slots=True)
class _Source:
    """An ignore file: the path it knows is `above` + the walk's path without `cut` characters."""

    label: str
    patterns: Patterns
    cut: int
    above: str


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The ignore files that count in one folder, each kind with the deepest first."""

    rag: tuple[_Source, ...] = ()
    git: tuple[_Source, ...] = ()

    def judge(self, relative: str, name: str, is_folder: bool) -> tuple[str, bool]:
        """Say why a path is ignored ("" if it is not), and whether a .ragignore names it as wanted.

        `relative` is the path from the top folder, `name` its last part.
        """
        for source in self.rag:
            pattern = source.patterns.last(source.above + relative[source.cut :], name, is_folder)
            if pattern:
                return _reason(source, pattern), pattern.names_wanted
        for source in self.git:
            pattern = source.patterns.last(source.above + relative[source.cut :], name, is_folder)
            if pattern:
                return _reason(source, pattern), False
        return "", False

    def inside(self, folder: Path, prefix: str, names: Collection[str]) -> "IgnoreRules":
        """Give the rules for a folder whose path from the top is `prefix` ("" or ending in "/").

        `names` is what the folder holds. A repository inside another one has rules of its own:
        from a folder with a `.git`, the outer `.gitignore` files no longer count.
        """
        rag, git = self.rag, self.git
        if ".git" in names:
            git = _read(folder, _EXCLUDE, prefix)
        if RAG_IGNORE in names:
            rag = _read(folder, RAG_IGNORE, prefix) + rag
        if GIT_IGNORE in names:
            git = _read(folder, GIT_IGNORE, prefix) + git
        return self if (rag, git) == (self.rag, self.git) else IgnoreRules(rag, git)


NO_RULES = IgnoreRules()


def rules_above(folder: Path) -> IgnoreRules:
    """Give the rules of the git repository that `folder` (absolute, without links) lies in.

    None when they would ignore the folder itself: who names a folder wants it read. None either
    when the folder is the root of a repository, or in none.
    """
    root = next(
        (path for path in (folder, *folder.parents) if os.path.lexists(path / ".git")), None
    )
    if root is None or root == folder:
        return NO_RULES  # its own files are met when it is listed
    steps = list(folder.relative_to(root).parts)
    sources = _read(root, _EXCLUDE, "", steps)
    for depth, part in enumerate(steps):
        down = steps[depth:]
        sources = _read(root.joinpath(*steps[:depth]), GIT_IGNORE, "", down) + sources
        for source in sources:
            path = "/".join(source.above.split("/")[: -len(down)])
            pattern = source.patterns.last(path, part, True)
            if pattern and pattern.ignores:
                return NO_RULES
            if pattern:
                break
    return IgnoreRules((), sources)


def _read(folder: Path, file: str, prefix: str, down: Sequence[str] = ()) -> tuple[_Source, ...]:
    """Read an ignore file of `folder`; `down` leads from there to the top folder, if it is above.

    What cannot be read as one gives no rules: a link, a pipe, a file that may not be opened.
    """
    path = folder / file
    try:
        info = path.lstat()
        if not stat.S_ISREG(info.st_mode) or info.st_size > LARGEST_IGNORE_FILE:
            return ()
        with path.open("rb") as stream:
            data = stream.read(LARGEST_IGNORE_FILE)
    except OSError:
        return ()
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    patterns = Patterns(os.fsdecode(line.removesuffix(b"\r")) for line in lines)
    if not patterns:
        return ()
    above = "".join(part + "/" for part in down)
    label = "../" * len(down) + prefix + file
    return (_Source(name_of(label), patterns, len(prefix), above),)


def _reason(source: _Source, pattern: Pattern) -> str:
    if not pattern.ignores:
        return ""
    line = pattern.line if len(pattern.line) <= _SHOWN else pattern.line[:_SHOWN] + "…"
    return f"ignored by {source.label}: {name_of(line)}"
