"""The patterns of an ignore file, compiled so that a path is judged in one to three look-ups.

The language is that of gitignore(5). Every path is judged by itself: that what lies below an
ignored folder is ignored too follows from not entering it, as in git.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

LONGEST_LINE = 4096
"""Characters; a longer line is passed over, as one that no path can match."""

_SUFFIX = re.compile(r"\*(\.[^*?\[\\./]+)")
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t-\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_STAND_IN = 0xF0000  # private use: the first of the characters that stand for pieces of regex
_END = "(?:(?P<ps_d>/)|$)"  # how pathspec ends a pattern that covers what lies below it too
_STAR = "[^/]*"  # how it writes "*",
_FIRST_STARS = "^(?:.+/)?"  # "**/" at the beginning,
_INNER_STARS = "(?:/.+)?"  # and "/**" before another slash

_Glob = tuple[int, bool, Callable[[str], object]]
"""The number of a pattern, whether it is matched with the whole path, and its search."""


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
        text = _trimmed(line)
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
            regex = _regex(body)
            if regex is None:
                return
            for kind in kinds:
                self._globs[kind].append((number, anchored, regex.search))
        negated = text.startswith("!")
        self._patterns.append(Pattern(text, not negated, negated and plain))


def _trimmed(line: str) -> str:
    """Take off the spaces that end a line, but for one that a backslash keeps."""
    text = line.rstrip(" ")
    backslashes = len(text) - len(text.rstrip("\\"))
    return text + " " if backslashes % 2 and len(text) < len(line) else text


def _regex(body: str) -> re.Pattern[str] | None:
    """Translate a pattern with wildcards for a path (or a name) of its own; None if it is invalid.

    pathspec places the stars. Escapes, classes and spaces, where it differs from git, reach it as
    single characters and are put in afterwards.
    """
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: PLC0415

    pieces: list[str] = []
    plain = _without_classes(body, pieces)
    if plain is None:
        return None
    try:  # more than two stars say no more than two
        translated, _ = GitIgnoreSpecPattern.pattern_to_regex("/" + re.sub(r"\*{3,}", "**", plain))
    except ValueError:
        return None
    if translated is None:
        return None
    regex = _linear(translated.replace(_END, r"\Z"))
    for number, piece in enumerate(pieces):
        regex = regex.replace(chr(_STAND_IN + number), piece)
    return re.compile(regex, re.DOTALL)


def _linear(regex: str) -> str:
    """Keep stars from being tried in every combination, which may take for ever.

    What stands between two stars of a name is of fixed length, and what stands between two double
    stars of fixed depth, so its first occurrence is as good as any.
    """
    first, *parts = regex.split(_STAR)
    for number, part in enumerate(parts):
        last_of_its_name = number == len(parts) - 1 or "/" in part.replace("[^/]", "")
        parts[number] = _STAR + part if last_of_its_name else f"(?>[^/]*?{part})"
    first, *parts = (first + "".join(parts)).split(_INNER_STARS)
    if not parts:
        return first
    if first.startswith(_FIRST_STARS):
        first = f"^(?>(?:.+?/)??{first.removeprefix(_FIRST_STARS)}(?=/))"
    *inner, last = parts
    return first + "".join(f"(?>(?:/.+?)??{part}(?=/))" for part in inner) + _INNER_STARS + last


def _without_classes(body: str, pieces: list[str]) -> str | None:
    """Put stand-ins where escapes, classes and spaces were; their regexes go into `pieces`."""
    plain = ""
    at = 0
    while at < len(body):
        char = body[at]
        at += 1
        if char == "\\":
            if at == len(body):
                return None
            piece = re.escape(body[at])
            at += 1
        elif char == "[":
            found = _class(body, at)
            if found is None:
                return None
            piece, at = found
        elif char.isspace() or ord(char) >= _STAND_IN:
            piece = re.escape(char)
        else:
            plain += char
            continue
        plain += chr(_STAND_IN + len(pieces))
        pieces.append(piece)
    return plain


def _class(body: str, at: int) -> tuple[str, int] | None:
    """Translate the [...] whose first character is at `at`; also where it ends. As wildmatch.c."""
    negated = body[at : at + 1] in ("!", "^")
    at += negated
    inside = ""
    first = True
    while first or body[at : at + 1] != "]":
        first = False
        named = re.compile(r"\[:([^\]]*):\]").match(body, at)
        if named:
            if named[1] not in _CLASSES:
                return None
            inside += _CLASSES[named[1]]
            at = named.end()
            continue
        low, at = _member(body, at)
        high = low
        if body[at : at + 1] == "-" and body[at + 1 : at + 2] not in ("", "]"):
            high, at = _member(body, at + 1)
        if not low or not high:
            return None
        if low <= high:
            inside += f"{re.escape(low)}-{re.escape(high)}"
    # A class of nothing but empty ranges matches no character, and its negation any.
    members = f"[{'^' if negated else ''}{inside}]" if inside else ("." if negated else "(?!)")
    return f"(?!/){members}", at + 1


def _member(body: str, at: int) -> tuple[str, int]:
    """Give the character at `at`, unescaped, and where the next one is; "" at the end."""
    if body[at : at + 1] == "\\":
        at += 1
    return body[at : at + 1], at + 1
