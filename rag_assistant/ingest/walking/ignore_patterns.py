"""The patterns of an ignore file, compiled so that a path is judged in one to three look-ups.

The language is that of gitignore(5). Every path is judged by itself: that what lies below an
ignored folder is ignored too follows from not entering it, as in git.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rag_assistant.ingest.walking.globs import compiled

LONGEST_LINE = 4096
"""Characters; a longer line is passed over, as one that no path can match."""

_SUFFIX = re.compile(r"\*(\.[^*?\[\\./]+)")
_Glob = tuple[int, bool, Callable[[str], object]]
"""The number of a pattern, whether it is matched with the whole path, and its match."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line; `ignores` is false for a negated one, `names_wanted` true if it has no wildcard."""

    line: str
    ignores: bool
    names_wanted: bool


class Patterns:
    """The lines of one ignore file; of several that match a path the last one decides.

    A line that git would refuse is passed over. Where git compares bytes, `?` and `[...]` stand
    here for a character; case matters on every system.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._patterns: list[Pattern] = []
        # For files and for folders apart: where the last pattern of a kind stands.
        self._names: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._suffixes: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._paths: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._globs: tuple[list[_Glob], list[_Glob]] = ([], [])
        for line in lines:
            self._add(line)
        for globs in self._globs:
            globs.reverse()

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def last(self, path: str, name: str, is_folder: bool) -> Pattern | None:
        """Give the pattern that decides on `path`, whose last part is `name`; None if none does.

        `path` is relative to the folder of the ignore file, with "/" between its parts.
        """
        best = self._names[is_folder].get(name, -1)
        suffixes = self._suffixes[is_folder]
        if suffixes:
            dot = name.rfind(".")
            if dot >= 0:
                best = max(best, suffixes.get(name[dot:], -1))
        paths = self._paths[is_folder]
        if paths:
            best = max(best, paths.get(path, -1))
        for number, whole, matches in self._globs[is_folder]:
            if number < best:
                break
            if matches(path if whole else name):
                best = number
                break
        return self._patterns[best] if best >= 0 else None

    def _add(self, line: str) -> None:
        text = _trimmed(line.partition("\0")[0])  # git reads no further
        if not text or text.startswith("#") or len(text) > LONGEST_LINE:
            return
        body = text.removeprefix("!")
        folders_only = body.endswith("/")
        body = body.removesuffix("/")
        anchored = "/" in body
        body = body.removeprefix("/")
        if not body or body.startswith("/") or body.endswith("/"):
            return
        number = len(self._patterns)
        kinds = (1,) if folders_only else (0, 1)
        suffix = None if anchored else _SUFFIX.fullmatch(body)
        plain = not any(mark in body for mark in "*?[\\")
        if plain:
            for kind in kinds:
                (self._paths if anchored else self._names)[kind][body] = number
        elif suffix:
            for kind in kinds:
                self._suffixes[kind][suffix[1]] = number
        else:
            regex = compiled(body)
            if regex is None:
                return
            for kind in kinds:
                self._globs[kind].append((number, anchored, regex.match))
        negated = text.startswith("!")
        self._patterns.append(Pattern(text, not negated, negated and plain))


def _trimmed(line: str) -> str:
    """Take off the spaces that end a line, but for one that a backslash keeps."""
    text = line.rstrip(" ")
    backslashes = len(text) - len(text.rstrip("\\"))
    return text + " " if backslashes % 2 and len(text) < len(line) else text
