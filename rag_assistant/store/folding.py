"""Names, titles and paths as filters compare them, in whichever engine."""

import unicodedata
from functools import lru_cache

from rag_assistant.text.terms import accents_off, words_in


def author_words(names: str) -> str:
    """Give names as they are compared: their words without case and accents, a blank before each.

    What is found by " word" begins so.
    """
    return "".join(f" {accents_off(word)}" for word in words_in(names))


@lru_cache(maxsize=4_096)  # records of a file have one path, one after the other
def folded(text: str) -> str:
    """Give a text for comparison: case and the way of writing accents do not matter."""
    return unicodedata.normalize("NFC", text.casefold())
