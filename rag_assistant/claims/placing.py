"""Whether names and values of a claim stand where the source has them, and not in one another's
place: "A paid B £5" is not "B paid A £5".
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from rag_assistant.claims.findings import ClaimComparison, Finding
from rag_assistant.claims.statements import EXACT, StatementToken, TokenKind

MOST_ANCHORS = 14
"""Names and values of a claim of which each two are compared; a longer one is a list."""

NEARER = 2
"""Words by which exchanged places must fit better than those that the claim gives."""


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A name or a value of the claim that stands once in the window: its places in both."""

    key: tuple[str, ...]
    first: int
    last: int
    there: int
    is_value: bool
    is_dated: bool


def exchange_findings(beside: ClaimComparison) -> Iterator[Finding]:
    """Give the pairs of names, or of values, that have changed places."""
    tokens, window = beside.claim.tokens, beside.window.tokens
    places = _places(window)
    anchors = list(_anchors(tokens, window, places))
    if not 2 <= len(anchors) <= MOST_ANCHORS:
        return
    passive = is_turned(beside)
    for one, other in combinations(anchors, 2):
        if one.is_value != other.is_value or one.is_dated != other.is_dated:
            continue
        if not passive and one.there > other.there:
            between = _words(tokens[one.last + 1 : other.first])
            if between & _words(window[other.there + 1 : one.there]):
                yield Finding("exchanged")
                continue
        kept = _distance(tokens, places, one, one) + _distance(tokens, places, other, other)
        turned = _distance(tokens, places, one, other) + _distance(tokens, places, other, one)
        if turned + NEARER < kept:
            yield Finding("exchanged")


def is_turned(beside: ClaimComparison) -> bool:
    """Whether one of both says by whom something is done, and the other who does it."""
    return (" by " in beside.claim.text) != (" by " in beside.window.text)


def is_dated(token: StatementToken) -> bool:
    """Whether a token is a date, which may stand anywhere in a sentence."""
    return token.value is not None and token.value.kind in ("date", "ordinal")


def _anchors(
    tokens: Sequence[StatementToken],
    window: Sequence[StatementToken],
    places: Mapping[str, Sequence[int]],
) -> Iterator[_Anchor]:
    for first, last in _groups(tokens):
        key = tuple(token.term for token in tokens[first : last + 1])
        there = places.get(key[0], ())
        if len(there) == 1 and all(term in places for term in key):
            token = window[there[0]]
            yield _Anchor(
                key, first, last, there[0], token.kind is TokenKind.VALUE, is_dated(token)
            )


def _groups(tokens: Sequence[StatementToken]) -> Iterator[tuple[int, int]]:
    """Give the first and last places of names, of one word or more, and of values."""
    start = None
    for place, token in enumerate((*tokens, StatementToken(TokenKind.MARK, "", "", "", 0))):
        if start is not None and token.kind is not TokenKind.NAME:
            yield start, place - 1
            start = None
        if token.kind is TokenKind.NAME:
            start = place if start is None else start
        elif token.kind in EXACT:
            yield place, place


def _places(window: Sequence[StatementToken]) -> Mapping[str, Sequence[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, token in enumerate(window):
        if token.term:
            places[token.term].append(place)
    return places


def _words(tokens: Sequence[StatementToken]) -> set[str]:
    return {token.term for token in tokens if token.kind is TokenKind.WORD}


def _distance(
    tokens: Sequence[StatementToken],
    places: Mapping[str, Sequence[int]],
    one: _Anchor,
    at: _Anchor,
) -> int:
    """Give how far the words beside an anchor in the claim are from a place in the window."""
    before = [token.term for token in tokens[: one.first] if _is_shared(token, places)][-1:]
    after = [token.term for token in tokens[one.last + 1 :] if _is_shared(token, places)][:1]
    return sum(min(abs(at.there - place) for place in places[term]) for term in (*before, *after))


def _is_shared(token: StatementToken, places: Mapping[str, Sequence[int]]) -> bool:
    return token.kind is TokenKind.WORD and token.term in places
