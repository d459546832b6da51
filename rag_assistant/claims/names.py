"""Which words of a text are written as names."""

import re
from collections.abc import Sequence

from rag_assistant.claims.words import levelled
from rag_assistant.text.quantities import Quantity
from rag_assistant.text.terms import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_POSSESSIVE = re.compile(r"['’]s$")
_BEGINS = re.compile(r"(?:^|[.!?:…;\n|>*#“\"]|[-–—]\s)[\s*_#>\"'“‘(\[-]*$")
_LOOKED_BACK = 12


def names_of(text: str, values: Sequence[Quantity]) -> list[str]:
    """Give the levelled words of a text that are written as names; those of its values are none."""
    return [
        levelled(_POSSESSIVE.sub("", match[0]))
        for match in _WORD.finditer(text)
        if is_name(text, *match.span())
        and not any(value.start <= match.start() < value.end for value in values)
    ]


def is_name(text: str, start: int, end: int) -> bool:
    """Whether the word at a place is written as a name: with a capital within a sentence.

    A word all in capitals is one wherever it stands.
    """
    word = text[start:end]
    if not word[:1].isupper() or levelled(word) in STOP_WORDS:
        return False
    if len(word) > 1 and (word.isupper() or any(c.isupper() for c in word[1:])):
        return True
    return not _BEGINS.search(text[max(0, start - _LOOKED_BACK) : start])
