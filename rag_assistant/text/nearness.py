"""Whether words that belong together in a question stand together in a text."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

NEAR = 4
"""Words that follow one another in a question stand together where they are so many apart."""


def together(asked: Mapping[str, float], text: Sequence[str]) -> float:
    """Give the share of neighbouring terms of a question that are neighbours in a text, too.

    `asked` has the question's terms in their order, each with its weight, `text` all terms of the
    text in theirs; a pair weighs what the lesser of the two does.
    """
    places: dict[str, list[int]] = {}
    for place, term in enumerate(text):
        if term in asked:
            places.setdefault(term, []).append(place)
    return together_at(asked, places)


def together_at(asked: Mapping[str, float], places: Mapping[str, Sequence[int]]) -> float:
    """Give the same, of the places where each term of the question stands in a text."""
    whole = held = 0.0
    for one, other in pairwise(asked):
        weight = min(asked[one], asked[other])
        whole += weight
        if any(abs(a - b) <= NEAR for a in places.get(one, ()) for b in places.get(other, ())):
            held += weight
    return held / whole if whole else 0.0
