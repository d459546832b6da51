"""The wildcards of gitignore(5) as regular expressions, of whole paths and of single names.

What a pattern means is what git's wildmatch.c does with it. A choice that a star has made is never
taken back (each stands in an atomic group), so the work of a match is bounded by the length of the
pattern times the square of the path's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
_NAMED_CLASS = re.compile(r"\[:([^\]]*):\]")
_END_OF_NAME = "(?![^/])"


class _Invalid(Exception):
    """A pattern that git lets match nothing."""


@dataclass(slots=True)
class _Name:
    """A part of a pattern between slashes: what stands between its stars, each of fixed length.

    `characters` counts what is not a star; `slash` is how the part ends: "/", "\\\\/" or "".
    """

    pieces: list[str]
    characters: int = 0
    slash: str = ""

    def any_depth(self) -> bool:
        """Whether it is "**" (or more stars) and nothing else."""
        return self.characters == 0 and len(self.pieces) > 2

    def regex(self) -> str:
        """Match one name.

        A piece has a fixed length, so the first place where it fits between two stars is as good
        as any, and the last piece has only one place.
        """
        first, *inner = self.pieces
        if not inner:
            return first
        last = inner.pop()
        found = "".join(f"(?>[^/]*?{piece})" for piece in inner if piece)
        return first + found + (f"(?>[^/]*{last}{_END_OF_NAME})" if last else "[^/]*+")


_ONE_NAME = _Name(["", ""])


def compiled(glob: str) -> re.Pattern[str] | None:
    """Compile a pattern without its leading and trailing slash; None if it can match nothing.

    The expression is for `match`, against a path with "/" between its names, or a single name.
    Unlike in git, which compares bytes, `?` and `[...]` stand for a character.
    """
    try:
        names = list(_names(glob))
    except _Invalid:
        return None
    runs: list[list[str]] = [[]]  # names that follow one another; "**/" stands between two runs
    for name in names:
        if not name.any_depth():
            runs[-1].append(name.regex())
            continue
        # "**/" is any number of folders; at the end, or before an escaped slash, at least one.
        if runs[-1] or len(runs) == 1:
            runs.append([])
        if name.slash != "/":
            runs[-1].append(_ONE_NAME.regex())
    first, *others = runs
    regex = "/".join(first)
    if others:
        # As with stars in a name: the first place of a run is as good as any.
        *inner, last = others
        regex += "/" if first else ""
        regex += "".join(f"(?>(?:[^/]++/)*?{'/'.join(run)}/)" for run in inner)
        regex += f"(?>(?:.*/)?{'/'.join(last)}\\Z)"
    else:
        regex += "\\Z"
    return re.compile(regex, re.DOTALL)


def _names(glob: str) -> Iterator[_Name]:
    """Cut a pattern at its slashes. Raises _Invalid."""
    name = _Name([""])
    at = 0
    while at < len(glob):
        char = glob[at]
        at += 1
        escaped = char == "\\"
        if escaped:
            if at == len(glob):
                raise _Invalid
            char = glob[at]
            at += 1
        if char == "/":
            name.slash = "\\/" if escaped else "/"
            yield name
            name = _Name([""])
        elif char == "*" and not escaped:
            name.pieces.append("")
        else:
            piece = re.escape(char)
            if not escaped and char == "?":
                piece = "[^/]"
            elif not escaped and char == "[":
                piece, at = _class(glob, at)
            name.pieces[-1] += piece
            name.characters += 1
    yield name


def _class(glob: str, at: int) -> tuple[str, int]:
    """Translate the [...] whose first character is at `at`; also where it ends. Raises _Invalid."""
    negated = glob[at : at + 1] in ("!", "^")
    at += negated
    inside = ""
    first = True
    while first or glob[at : at + 1] != "]":
        first = False
        named = _NAMED_CLASS.match(glob, at)
        if named:
            if named[1] not in _CLASSES:
                raise _Invalid
            inside += _CLASSES[named[1]]
            at = named.end()
            continue
        low, at = _member(glob, at)
        high = low
        if glob[at : at + 1] == "-" and glob[at + 1 : at + 2] not in ("", "]"):
            high, at = _member(glob, at + 1)
        if low == high:
            inside += re.escape(low)
        elif low < high:
            inside += f"{re.escape(low)}-{re.escape(high)}"
    # A class of nothing but empty ranges matches no character, and its negation any.
    members = f"[{'^' if negated else ''}{inside}]" if inside else ("." if negated else "(?!)")
    return f"(?!/){members}", at + 1


def _member(glob: str, at: int) -> tuple[str, int]:
    """Give the character at `at`, unescaped, and where the next one is.

    Raises _Invalid at the end.
    """
    if glob[at : at + 1] == "\\":
        at += 1
    if at >= len(glob):
        raise _Invalid
    return glob[at], at + 1
