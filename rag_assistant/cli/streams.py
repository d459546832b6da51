"""Standard output and error, whatever characters their terminal, pipe or file can hold.

A pipe on Windows is written in the code page of the system, and any stream in what PYTHONIOENCODING
names: a document's words may not be in it, and must end no command.
"""

import codecs
import sys
from io import TextIOWrapper
from typing import TextIO

_INSTEAD = {
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’‚", "'"),
    **dict.fromkeys("–—−‐‑", "-"),
    **dict.fromkeys("·•", "-"),
    "…": "...",
    "→": "->",
    "↔": "<->",
    "≠": "!=",
    "≈": "~",
    "×": "x",
    "›": ">",
    "‹": "<",
    "\u00a0": " ",
    "\u202f": " ",
    "\u2009": " ",
}
"""What this program's own marks become where they cannot be written; ASCII alone."""

_HANDLER = "rag-assistant"

_escaped: set[str] = set()
"""Encodings in which something was written as an escape, to say so once at the end."""


def accept_any_text() -> None:
    """Let the standard streams take every character: what one lacks is written in ASCII."""
    codecs.register_error(_HANDLER, _replaced)
    for stream in (sys.stdout, sys.stderr):
        # Others than "strict" were chosen by the person (PYTHONIOENCODING), or by a C locale.
        if isinstance(stream, TextIOWrapper) and stream.errors in ("strict", "backslashreplace"):
            stream.reconfigure(errors=_HANDLER)


def holds_all(stream: TextIO) -> bool:
    """Whether any character can be written to a stream as itself."""
    return (stream.encoding or "").lower().replace("_", "-").startswith("utf")


def what_was_escaped() -> str:
    """Say, for a person, that characters were written as escapes; "" where none was."""
    if not _escaped:
        return ""
    return (
        f"Some characters are not in {' or '.join(sorted(_escaped))}, the encoding of this output,"
        " and are written as \\u and their number. Set PYTHONIOENCODING=utf-8 to have them."
    )


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_in_ascii, error.object[error.start : error.end])), error.end


def _in_ascii(character: str) -> str:
    instead = _INSTEAD.get(character)
    if instead is None:
        instead = character.encode("ascii", "backslashreplace").decode("ascii")
        if not "\ud800" <= character <= "\udfff":  # halves of characters are in no encoding
            _escaped.add(sys.stdout.encoding or "ascii")  # the error's own name is often "charmap"
    return instead
