"""Characters that nobody sees, where they carry something: not each one that a page may hold.

Soft hyphens, joiners within words and marks of direction have their use; they are folded away
before words are compared. What is told here has none.
"""

import re
from collections.abc import Iterator

from rag_assistant.injection.folding import TAGS, beyond_ascii

_TAG_RUN = re.compile("[\U000e0020-\U000e007e]+\U000e007f?")
_FLAG = "\U0001f3f4"
_LONGEST_FLAG = 8
_SHOWN = 60
_OTHERS = (
    ("\u202d\u202e", "[\u202d\u202e]", "shows its characters in another order than they are read"),
    (
        "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff",
        "[\u200b-\u200d\u2060-\u2064\ufeff]{8,}",
        "holds a run of invisible characters, in which something may be written",
    ),
    (
        "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])),
        "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}",
        "holds a run of invisible characters, in which something may be written",
    ),
)


def invisible(text: str) -> Iterator[tuple[int, int, str]]:
    """Give the places of such characters, and why they are told."""
    there = beyond_ascii(text)
    if not there:
        return  # as most texts
    if any(chr(code) in there for code in TAGS):
        for found in _TAG_RUN.finditer(text):
            is_flag = text[found.start() - 1 : found.start()] == _FLAG
            if not (is_flag and found.end() - found.start() <= _LONGEST_FLAG):
                said = "".join(chr(ord(tag) - 0xE0000) for tag in found[0] if ord(tag) in TAGS)
                yield *found.span(), f'holds text in invisible characters: "{said[:_SHOWN]}"'
    for characters, pattern, reason in _OTHERS:
        if not there.isdisjoint(characters):
            for found in re.finditer(pattern, text):
                yield *found.span(), reason
