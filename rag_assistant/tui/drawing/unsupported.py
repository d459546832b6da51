"""Where sentences of an answer end that the sources do not bear out: marked in its Markdown, drawn.

The marks go through the parser as a sign of punctuation that the text does not have, so that they
change neither the layout nor any word: one stands for the soft mark, two for the hard one.
"""

import unicodedata
from collections.abc import Iterator, Sequence

from rag_assistant.values.support import Sentence

SIGN = "[?]"
"""Shown once a block, behind what was not confirmed word for word."""

HARD_SIGN = "[≠]"
"""Shown behind a sentence that the sources say otherwise. Both are seen where colours are off."""

_SPARE = tuple(
    letter
    for letter in map(chr, (0x2E2E, *range(0x2E00, 0x2E50), *range(0x2047, 0x204A)))
    if unicodedata.category(letter) == "Po"
)


def spare_sign(text: str) -> str:
    """Give a sign of punctuation that a text does not have; "" where it has them all."""
    return next((sign for sign in _SPARE if sign not in text), "")


def with_signs(text: str, sentences: Sequence[Sentence], sign: str) -> str:
    """Put a sign behind what has a mark, within the last cell of a row of a table."""
    parts: list[str] = []
    done = 0
    for sentence in _marked(sentences):
        written = text[sentence.start : sentence.end]
        if written.startswith("|"):
            written = written.rstrip("| \t")
        end = sentence.start + len(written)
        if end > done:
            parts += [text[done:end], 2 * sign if sentence.support.is_hard else sign]
            done = end
    return "".join([*parts, text[done:]])


def _marked(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """Give the sentences that a mark stands behind: of the soft ones of a block, the last.

    A hard mark says more than a soft one, which is left out beside it; it stays at its own
    sentence, since a table may have one wrong row among many.
    """
    hard = {one.block for one in sentences if one.support.is_hard}
    last_soft = {
        one.block: one for one in sentences if one.support.is_soft and one.block not in hard
    }
    for sentence in sentences:
        if sentence.support.is_hard or last_soft.get(sentence.block) is sentence:
            yield sentence
