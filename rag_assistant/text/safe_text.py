"""Untrusted text made fit to be shown: no terminal control, no invisible or reordering characters.

Documents, file names, model replies and error bodies pass through here at the edge where they are
shown. The stored text is never changed.
"""

import re

REPLACEMENT = "\ufffd"
"""Stands, visibly, where a character was that could steer the terminal or hide text."""

_UNSAFE = re.compile(
    # The flag of a country's part is written in tags, and is no hidden text.
    "(\U0001f3f4[\U000e0061-\U000e007a]{2,6}\U000e007f)"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and newline, DEL, C1
    "\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"  # no width,
    "\U0001d173-\U0001d17a"  # or reordering
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # tags, which spell out text that nobody sees
    "\ud800-\udfff]"  # lone surrogates, as in file names that are not UTF-8
    # One may choose the form of the character before it; more of them spell out such text.
    "|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)

_SOFT_HYPHEN = "\u00ad"


def clean(text: str) -> str:
    """Give `text` with each unsafe character replaced by a visible mark; CR LF becomes LF.

    A soft hyphen becomes a plain one: it stands in honest text, and would not be seen.
    """
    text = text.replace("\r\n", "\n").replace(_SOFT_HYPHEN, "-")
    return _UNSAFE.sub(lambda found: found[1] or REPLACEMENT, text)


def clean_line(text: str) -> str:
    """Give `text` as one safe line: white space of any kind folded to single spaces."""
    return " ".join(clean(text).split())
