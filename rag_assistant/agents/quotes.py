"""Finding a model's quote in an entry's text. Code, not the model, decides whether it is there.

A quote is looked for to the letter, then with white space, case, hyphenation and typographic
variants levelled; what is given back is always the entry's own text at that place.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rag_assistant.documents import Location, Passage

_LEVELLED = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "\u00ad": None}
)
_GAP = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class FoundQuote:
    """A quote's words as the entry has them, and where."""

    text: str
    location: Location


def find_quote(quote: str, passages: Sequence[Passage]) -> FoundQuote | None:
    """Find `quote` in the passages of one entry; None when its words are not there."""
    if not quote.strip():
        return None
    for run in _contiguous(passages):
        text = "".join(passage.text for passage in run)
        span = _exact(quote, text) or _levelled(quote, text)
        if span:
            return FoundQuote(text[slice(*span)], _locate(run, *span))
    return None


def _contiguous(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Group passages that follow one another without a gap: a quote may run across them."""
    if not passages:
        return
    run = [passages[0]]
    for before, passage in pairwise(passages):
        if passage.location.start != before.location.end:
            yield run
            run = []
        run.append(passage)
    yield run


def _exact(quote: str, text: str) -> tuple[int, int] | None:
    start = text.find(quote)
    return (start, start + len(quote)) if start >= 0 else None


def _levelled(quote: str, text: str) -> tuple[int, int] | None:
    wanted, _ = _level(quote.strip().strip("\"'“”…").removesuffix("..."))
    levelled, places = _level(text)
    wanted = wanted.strip()
    start = levelled.find(wanted) if wanted else -1
    if start < 0:
        return None
    return places[start], places[start + len(wanted) - 1] + 1


def _level(text: str) -> tuple[str, list[int]]:
    """Level a text; give with it the place each of its characters came from."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        plain = unicodedata.normalize("NFKC", character).translate(_LEVELLED).casefold()
        if _GAP.fullmatch(plain):
            if characters and characters[-1] == " ":
                continue
            plain = " "
        characters.extend(plain)
        places.extend([place] * len(plain))
    return "".join(characters), places


def _locate(run: Sequence[Passage], start: int, end: int) -> Location:
    """Turn a span of a run's text into a place in the entry."""
    offset = run[0].location.start
    for passage in run:
        place = passage.location
        if place.start <= offset + start < place.end:
            within = offset + start - place.start
            line = place.line
            if line is not None:
                line += passage.text.count("\n", 0, within)
            return replace(place, start=offset + start, end=offset + end, line=line)
    raise ValueError("the span lies outside the run")
