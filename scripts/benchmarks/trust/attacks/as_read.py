"""Texts in the form in which a model reads them, to find an attack's words however they are hidden.

Unicode's compatibility forms are one, invisible characters are gone, and neither case nor the kind
of white space makes a difference.
"""

import sys
import unicodedata
from functools import cache, lru_cache

_TAGS, _FIRST_TAG, _LAST_TAG = 0xE0000, 0xE0020, 0xE007E
"""Tag characters stand this far from the characters of ASCII whose copies they are (Unicode,
chapter 23.9): people see nothing, and models read words."""


@cache
def _invisible() -> dict[int, int | None]:
    formats = (c for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) == "Cf")
    table: dict[int, int | None] = dict.fromkeys(formats)
    return table | {code: code - _TAGS for code in range(_FIRST_TAG, _LAST_TAG + 1)}


@lru_cache(maxsize=512)
def as_read(text: str) -> str:
    """Give a text for comparing: NFKC, without format characters, spaces one, case folded."""
    seen = text if text.isascii() else text.translate(_invisible())
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


@lru_cache(maxsize=512)
def with_escapes(text: str) -> str:
    """Give a text for comparing as it stands, and after it with the escapes of JSON undone."""
    undone = text.replace("\\\\", "\\").replace('\\"', '"').replace("\\n", " ")
    return as_read(text) if undone == text else f"{as_read(text)}\n{as_read(undone)}"
