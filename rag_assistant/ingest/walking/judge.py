"""Why a path of a folder is not read: every rule there is, in the order in which they count.

A reason names the rule and, where there is one, the file that it stands in.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.ingest.paths import name_of
from rag_assistant.ingest.walking.ignore_files import (
    GIT_IGNORE,
    NO_RULES,
    RAG_IGNORE,
    IgnoreRules,
    rules_above,
)
from rag_assistant.ingest.walking.ignore_patterns import Patterns
from rag_assistant.ingest.walking.rules import WalkRules
from rag_assistant.ingest.walking.skips import (
    SIGNS,
    VERSION_CONTROL,
    is_archive,
    is_junction,
    why_cache,
    why_cache_inside,
    why_special,
)

_SIGNS = SIGNS | {".git", GIT_IGNORE, RAG_IGNORE}


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that is looked into: what its entries are judged by.

    `prefix` is its path from the top folder and a slash ("" for the top folder), `signs` those of
    its files that say something about the others, `included` whether a pattern names the folder
    or one above, `linked` whether it was reached over a link.
    """

    prefix: str
    signs: frozenset[str]
    ignored: IgnoreRules
    included: bool
    linked: bool = False


class Judge:
    """The rules of one walk over the folder `top`."""

    def __init__(self, top: Path, rules: WalkRules) -> None:
        self._top = top
        self._rules = rules
        self._include = Patterns(rules.include)
        self._exclude = Patterns(rules.exclude)

    def top(self, names: Iterable[str]) -> Folder:
        """Give the top folder, which holds `names`."""
        signs = _SIGNS.intersection(names)
        ignored = NO_RULES
        if self._rules.ignore_files:
            ignored = rules_above(Path(os.path.realpath(self._top)))
            ignored = ignored.inside(self._top, "", signs)
        return Folder("", signs, ignored, included=not self._include)

    def enter(
        self, parent: Folder, name: str, names: Iterable[str], *, linked: bool = False
    ) -> Folder | str:
        """Give the folder `name`, which holds `names`, or why it is a program's."""
        signs = _SIGNS.intersection(names)
        relative = parent.prefix + name
        here = self._top / relative
        if not self._rules.caches and not parent.ignored.judge(relative, name, True)[1]:
            reason = why_cache_inside(here, signs)
            if reason:
                return reason
        ignored = parent.ignored
        if self._rules.ignore_files:
            ignored = ignored.inside(here, relative + "/", signs)
        included = parent.included
        if self._include:
            pattern = self._include.last(relative, name, True)
            included = pattern.ignores if pattern else included
        return Folder(relative + "/", signs, ignored, included, parent.linked or linked)

    def why_not(self, parent: Folder, name: str, info: os.stat_result) -> str:
        """Say why the entry `name` is not read; "" if it is. `info` is the stat of what is read."""
        is_folder = stat.S_ISDIR(info.st_mode)
        ignored, asked = "", False
        if parent.ignored is not NO_RULES:
            ignored, asked = parent.ignored.judge(parent.prefix + name, name, is_folder)
        if name[0] == "." and (name in VERSION_CONTROL or not (asked or self._rules.hidden)):
            return self._why_hidden(name, is_folder)
        if not is_folder:
            return self._why_no_file(parent, name, info, ignored)
        if is_junction(info):
            return "junction (links are not followed)"
        cache = "" if asked or self._rules.caches else why_cache(name, parent.signs)
        return cache or ignored or self._why_excluded(parent, name, True)

    def _why_no_file(self, parent: Folder, name: str, info: os.stat_result, ignored: str) -> str:
        if not stat.S_ISREG(info.st_mode):
            return why_special(info.st_mode)
        if not ignored and (self._exclude or self._include):
            ignored = self._why_excluded(parent, name, False)
        if ignored:
            return ignored
        if is_archive(parent.prefix + name):
            return "archive (not opened)"
        if info.st_size == 0:
            return "empty"
        largest = self._rules.largest
        return f"larger than {_size(largest)}" if info.st_size > largest else ""

    def _why_hidden(self, name: str, is_folder: bool) -> str:
        if self._rules.hidden:
            return "version control (never read)"
        return "hidden folder" if is_folder else "hidden file"

    def _why_excluded(self, parent: Folder, name: str, is_folder: bool) -> str:
        relative = parent.prefix + name
        if self._exclude:
            pattern = self._exclude.last(relative, name, is_folder)
            if pattern and pattern.ignores:
                return f"excluded by your pattern {name_of(pattern.line)}"
        if self._include and not is_folder:
            pattern = self._include.last(relative, name, False)
            if not (pattern.ignores if pattern else parent.included):
                return "not among the files to include"
        return ""


def _size(number: int) -> str:
    """Write a number of bytes as a person would."""
    for unit, words in ((2**20, "MB"), (2**10, "kB")):
        if number >= unit:
            return f"{number / unit:.4g} {words}"
    return f"{number} bytes"
