"""Where sentences of an answer end that rest on nothing: marked in its Markdown, then drawn.

The mark goes through the parser as a sign of punctuation that the text does not have, so that it
changes neither the layout nor any word.
"""

import unicodedata
from collections.abc import Iterable

from rag_assistant.values.support import Sentence, Support

SIGN = "[?]"
"""What is shown behind such a sentence; it is seen where colours are off."""

_SPARE = tuple(
    letter
    for letter in map(chr, (0x2E2E, *range(0x2E00, 0x2E50), *range(0x2047, 0x204A)))
    if unicodedata.category(letter) == "Po"
)


def spare_sign(text: str) -> str:
    """Give a sign of punctuation that a text does not have; "" where it has them all."""
    return next((sign for sign in _SPARE if sign not in text), "")


def with_signs(text: str, sentences: Iterable[Sentence], sign: str) -> str:
    """Put a sign behind each unsupported sentence, within the last cell of a row of a table."""
    parts: list[str] = []
    done = 0
    for sentence in sentences:
        if sentence.support is not Support.UNSUPPORTED:
            continue
        written = text[sentence.start : sentence.end]
        if written.startswith("|"):
            written = written.rstrip("| \t")
        end = sentence.start + len(written)
        if end > done:
            parts += [text[done:end], sign]
            done = end
    return "".join([*parts, text[done:]])
