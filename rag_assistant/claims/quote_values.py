"""Whether two wordings state the same values: numbers, money, shares, dates, and their units."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from rag_assistant.claims.turning import negates
from rag_assistant.claims.words import Words
from rag_assistant.text.quantities import Quantity, holds_quantity, may_be_same, quantities_in, same
from rag_assistant.text.sentences import sentences_of

AROUND = 40
"""Characters on both sides of some words in which a value may begin or end that they cut."""

Span = tuple[int, int]
"""Two places in a text."""

_EDGES = "\"'“”‘’«»*-.!? \t\n"
_ENDED = re.compile(r"[.!?][\"”’)]?\s(?:- )?$")
_APART = re.compile(r"(?:[.!?][\"”’)]?)?(?:\n\n|$)|[.!?]\s(?:- )?[A-Z]")

MOST_TRIES = 50
"""Places of words at which their values are compared before they count as not there."""


@lru_cache(64)
def values_of(text: str) -> Sequence[Quantity]:
    """Give the values of a quote, which is compared with several places."""
    return quantities_in(text)


def values_around(text: str, start: int, end: int) -> list[Quantity]:
    """Give the values of a text that stand between two places, or reach across one of them."""
    low, high = _edge(text, start, -1), _edge(text, end, 1)
    return [
        value.moved(low)
        for value in quantities_in(text[low:high])
        if value.end > start - low and value.start < end - low
    ]


def _edge(text: str, place: int, step: int) -> int:
    """Give the place between two words that is at most AROUND characters from another."""
    far = max(0, place - AROUND) if step < 0 else min(len(text), place + AROUND)
    while far not in (0, len(text), place) and not text[far].isspace():
        far -= step
    return far


def state_the_same(quote: Sequence[Quantity], text: Sequence[Quantity], span: Span) -> bool:
    """Whether a quote has the values of the `span` of a text, in order.

    What the span cuts off, as the metres of "9 m", may be missing; it must change nothing.
    """
    ours, theirs = _ends(quote), _ends(value for value in text if not _is_outside(value, span))
    return len(ours) == len(theirs) and all(
        same(one, other) or (_is_cut(other, span) and may_be_same(one, other))
        for one, other in zip(ours, theirs, strict=True)
    )


def _is_cut(value: Quantity, span: Span) -> bool:
    return value.start < span[0] or value.end > span[1]


def _is_outside(value: Quantity, span: Span) -> bool:
    """Whether of a value that a span cuts nothing is in it that is a value: "Feb." of a day."""
    start, end = max(value.start, span[0]), min(value.end, span[1])
    inside = value.words[start - value.start : end - value.start]
    return _is_cut(value, span) and not holds_quantity(inside)


def none_differs(quote: str, text: str, start: int, end: int) -> bool:
    """Whether a quote whose words stand in a text has no value that is another one there.

    The same words may be of another value: "£5" of "£5 million", "8 %" of "(8) %".
    """
    if _on_one_line(quote) == _on_one_line(text[start:end]) and _is_apart(text, start, end):
        return True
    ours = values_of(quote)
    if not ours:
        return True
    theirs = values_around(text, start, end)
    if len(ours) != len(theirs):  # another layout, as a rule
        return not theirs or _edges_fit(ours, theirs)
    return all(may_be_same(one, other) for one, other in zip(ours, theirs, strict=True))


def _on_one_line(text: str) -> str:
    return " ".join(text.split()).strip(_EDGES)


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether no value can reach into a span: a paragraph, or sentences between others."""
    before = text[max(0, start - 5) : start]
    begins = not before or "\n\n" in before or (_ENDED.search(before) and text[start].isupper())
    return bool(begins) and _APART.match(text, end - (text[end - 1] in ".!?")) is not None


def _edges_fit(ours: Sequence[Quantity], theirs: Sequence[Quantity]) -> bool:
    return any(may_be_same(ours[0], one) for one in theirs) and any(
        may_be_same(ours[-1], one) for one in theirs
    )


def find_words(words: Words, wanted: Words, start: int = 0) -> tuple[int, int] | None:
    """Find words in a text, word for word, where they are of the same values as well."""
    for _ in range(MOST_TRIES):
        found = words.find(wanted, start) if start < len(words) else None
        if found is None or none_differs(wanted.text, words.text, *words.span(*found)):
            return found
        start = found[0] + 1
    return None


def stands_in(wanted: Words, quote: Words) -> bool:
    """Whether words stand in a quote, in a sentence that negates where they do and only there."""
    found = find_words(quote, wanted)
    if found is None:
        return False
    if not negates(quote.text):
        return not negates(wanted.text)
    start, end = quote.span(*found)
    around = [s for s in sentences_of(quote.text) if s[0] < end and start < s[1]]
    sentence = quote.text[around[0][0] : around[-1][1]] if around else quote.text
    return negates(sentence) is negates(wanted.text)


def _ends(values: Iterable[Quantity]) -> list[Quantity]:
    return list(chain.from_iterable(value.ends() for value in values))


@lru_cache(256)
def claimed_values(text: str) -> Sequence[Quantity]:
    """Give the values that a claim rests on, those of ranges one by one.

    "First" and "second" in words number what is said, as often as not. The last texts are kept:
    a sentence is looked at by several checks.
    """
    found = (v for v in quantities_in(text) if v.kind != "ordinal" or v.words[0].isdigit())
    return _ends(found)
