"""How one text became another, word by word."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

LEAST_LIKE = 0.4
"""Share of both texts that they have in common, below which they are given whole."""

_PIECE = re.compile(r"\s*(?:\w+|[^\w\s])")

Kind = Literal["same", "gone", "new"]


@dataclass(frozen=True, slots=True)
class WordChange:
    """A piece of text that both have, or that only the first (`gone`) or the second (`new`) has."""

    kind: Kind
    text: str


def word_changes(before: str, now: str) -> tuple[WordChange, ...]:
    """Give the pieces of both texts in order: without the `new` the first, without the `gone` the
    second.

    White space tells nothing apart. What is the same is given as the second text has it.
    """
    from rapidfuzz.distance import Indel  # noqa: PLC0415 - only a comparison needs it

    first, second = _PIECE.findall(before), _PIECE.findall(now)
    words = [piece.strip() for piece in first], [piece.strip() for piece in second]
    if Indel.normalized_similarity(*words) < LEAST_LIKE:
        return (*_pieces("gone", first), *_pieces("new", second))
    changes: list[WordChange] = []
    gone: list[str] = []
    new: list[str] = []
    for step in Indel.opcodes(*words):
        old, made = first[step.src_start : step.src_end], second[step.dest_start : step.dest_end]
        if step.tag == "equal" and (_tells(made) or not (gone or new)):
            changes += [*_pieces("gone", gone), *_pieces("new", new), *_pieces("same", made)]
            gone, new = [], []
        else:  # a comma between two words that have changed has changed with them
            gone += old
            new += made
    return (*changes, *_pieces("gone", gone), *_pieces("new", new))


def _tells(pieces: Sequence[str]) -> bool:
    return any(letter.isalnum() for piece in pieces for letter in piece)


def _pieces(kind: Kind, pieces: Sequence[str]) -> Iterator[WordChange]:
    if pieces:
        yield WordChange(kind, "".join(pieces))


def as_marked_text(changes: Sequence[WordChange]) -> str:
    """Write changes for a terminal without colours: [-gone-]{+new+}, as git does by words."""
    signs = {"same": "{}", "gone": "[-{}-]", "new": "{{+{}+}}"}
    return "".join(_marked(signs[change.kind], change.text) for change in changes)


def _marked(sign: str, text: str) -> str:
    """Put the signs round the words and not round the space before them."""
    bare = text.lstrip()
    return text[: len(text) - len(bare)] + sign.format(bare)
