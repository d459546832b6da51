"""Measures of retrieved excerpts against reference excerpts, token by token.

An excerpt is a span of a document; a token counts for a span that it begins in. So the same word at
another place does not count, and neither does a token twice that two excerpts share.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

_TOKEN = re.compile(r"\w+")

Token = tuple[str, int]
"""A document, and where in its text the token begins."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Characters `start` to `end` of a document's text."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """Tokens of the reference excerpts, of the retrieved ones, and those that are in both."""

    wanted: int
    retrieved: int
    common: int

    @property
    def measures(self) -> Mapping[str, float]:
        """Recall, precision and intersection over union, from 0 to 1.

        With t_e the tokens of the reference excerpts and t_r those retrieved, recall is
        |t_e ∩ t_r| / |t_e|, precision |t_e ∩ t_r| / |t_r|, IoU |t_e ∩ t_r| / |t_e ∪ t_r|; where
        nothing was retrieved all are 0. Source: Smith and Troynikov 2024, "Evaluating Chunking
        Strategies for Retrieval", research.trychroma.com/evaluating-chunking.
        """
        union = self.wanted + self.retrieved - self.common
        return {
            "recall": _share(self.common, self.wanted),
            "precision": _share(self.common, self.retrieved),
            "IoU": _share(self.common, union),
        }


def overlap(
    references: Iterable[Excerpt], retrieved: Iterable[Excerpt], text_of: Callable[[str], str]
) -> Overlap:
    """Compare excerpts; `text_of` gives a document's text."""
    wanted, found = _tokens(references, text_of), _tokens(retrieved, text_of)
    return Overlap(len(wanted), len(found), len(wanted & found))


def _tokens(excerpts: Iterable[Excerpt], text_of: Callable[[str], str]) -> set[Token]:
    tokens: set[Token] = set()
    for one in excerpts:
        places = _TOKEN.finditer(text_of(one.document), one.start, one.end)
        tokens.update((one.document, place.start()) for place in places)
    return tokens


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def find_excerpt(document: str, text: str, quote: str, near: int = 0) -> Excerpt | None:
    """Give where a quote stands in a document, nearest to a place where it stands often.

    White space may differ. None where it does not stand there.
    """
    words = r"\s+".join(map(re.escape, quote.split()))
    places = [match.span() for match in re.finditer(words, text)] if words else []
    if not places:
        return None
    start, end = min(places, key=lambda span: abs(span[0] - near))
    return Excerpt(document, start, end)
