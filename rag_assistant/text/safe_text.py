"""Untrusted text made fit to be shown: no terminal control, no invisible or reordering characters.

Documents, file names, model replies and error bodies pass through here at the edge where they are
shown. The stored text is never changed.
"""

import re

REPLACEMENT = "\ufffd"
"""Stands, visibly, where a character was that could steer the terminal or hide text."""

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and newline, DEL, C1
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"  # zero width, bidirectional control
    "\ud800-\udfff]"  # lone surrogates, as in file names that are not UTF-8
)


def clean(text: str) -> str:
    """Give `text` with each unsafe character replaced by a visible mark; CR LF becomes LF."""
    return _UNSAFE.sub(REPLACEMENT, text.replace("\r\n", "\n"))


def clean_line(text: str) -> str:
    """Give `text` as one safe line: white space of any kind folded to single spaces."""
    return " ".join(clean(text).split())
