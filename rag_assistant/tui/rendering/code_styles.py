"""What the words of source code are, by Pygments, as styles of their characters.

Only lexers that are named here are used, on code whose lines are no longer than code's: a lexer is
made of patterns, and a text is not to choose one that takes for ever. So XML has none, and Java has
that of C++: their own take seconds for some kilobytes of comments that do not end, or of words.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MOST_CHARACTERS = 100_000
"""Of one piece of code; longer ones are shown without colours."""

LONGEST_LINE = 1_000


class Styled(NamedTuple):
    """Characters of code with the style that they are drawn in."""

    start: int
    end: int
    style: str


_ENDINGS: Mapping[str, str] = {
    "bash": "bash sh zsh shell console",
    "c": "c h",
    "cpp": "cpp cc cxx c++ hpp java",
    "csharp": "csharp c# cs",
    "css": "css scss less",
    "diff": "diff patch",
    "go": "go golang",
    "ini": "ini cfg conf properties",
    "javascript": "javascript js mjs cjs jsx",
    "json": "json",
    "kotlin": "kotlin kt",
    "lua": "lua",
    "php": "php",
    "powershell": "powershell ps1",
    "python": "python py pyi python3",
    "r": "r",
    "ruby": "ruby rb",
    "rust": "rust rs",
    "scala": "scala",
    "sql": "sql",
    "swift": "swift",
    "toml": "toml",
    "typescript": "typescript ts tsx",
    "yaml": "yaml yml",
}
_LEXERS = {name: lexer for lexer, names in _ENDINGS.items() for name in names.split()}


def language_of(info: str) -> str:
    """Give the language that a fence names; "" for one that is not known."""
    words = info.split()
    return _LEXERS.get(words[0].strip("{}.").lower(), "") if words else ""


def language_at(path: str) -> str:
    """Give the language of the file of a path; "" for any other text."""
    return _LEXERS.get(PurePosixPath(path).suffix.lower().removeprefix("."), "")


def styles_of(code: str, language: str) -> list[Styled]:
    """Give the parts of code that have a style of their own, in order."""
    if not language or len(code) > MOST_CHARACTERS or _has_long_line(code):
        return []
    return list(_joined(_styles(code, language)))


def _has_long_line(code: str) -> bool:
    return any(len(line) > LONGEST_LINE for line in code.split("\n"))


def _styles(code: str, language: str) -> Iterator[Styled]:
    lexer, styles = _lexer(language), _token_styles()
    for start, token, words in lexer.get_tokens_unprocessed(code):
        kind = token
        while kind not in styles and kind.parent is not None:
            kind = kind.parent
        if style := styles.get(kind, ""):
            yield Styled(start, start + len(words), style)


def _joined(found: Iterator[Styled]) -> Iterator[Styled]:
    last: Styled | None = None
    for one in found:
        if last and last.end == one.start and last.style == one.style:
            last = last._replace(end=one.end)
            continue
        if last:
            yield last
        last = one
    if last:
        yield last


@lru_cache(maxsize=len(_ENDINGS))
def _lexer(language: str) -> "Lexer":
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - where there is code

    return get_lexer_by_name(language)


@lru_cache(maxsize=1)
def _token_styles() -> Mapping[object, str]:
    from pygments.token import Token  # noqa: PLC0415 - as above

    return {
        Token.Comment: "italic $foreground 60%",
        Token.Keyword: "bold $text-primary",
        Token.Operator.Word: "bold $text-primary",
        Token.Literal.String: "$text-success",
        Token.Literal.Number: "$text-warning",
        Token.Name.Function: "bold",
        Token.Name.Class: "bold",
        Token.Name.Tag: "$text-primary",
        Token.Name.Attribute: "$text-secondary",
        Token.Name.Decorator: "$text-secondary",
        Token.Generic.Deleted: "$text-error",
        Token.Generic.Inserted: "$text-success",
        Token.Generic.Heading: "bold",
        Token.Generic.Subheading: "bold",
    }
