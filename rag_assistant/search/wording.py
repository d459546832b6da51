"""What the plain words of a query are looked up as.

Each word is looked up as itself; identifiers also as a whole and in parts, words of scripts without
spaces as segments, and letters that are written in two ways in both.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from re import fullmatch

from rag_assistant.text.terms import (
    STOP_WORDS,
    camel_parts,
    clusters_of,
    folded,
    is_unspaced,
    segments_of,
    words_in,
    words_of,
)

LESSER = 0.5
"""Share of its weight that another spelling or a part of a name has."""

MOST_ADJACENT = 16
"""Words of a compound that is looked up whole; a longer one is a list."""

_JOINERS = frozenset("-_./:@\\+#&~")


@dataclass(slots=True)
class Wanted:
    """Words to look up, in order, each with its share of the weight.

    `compounds` are words that would better stand side by side; `openings` are single letters of
    scripts without spaces, to be found at the beginning of a segment.
    """

    shares: dict[str, float] = field(default_factory=dict)
    compounds: list[tuple[str, ...]] = field(default_factory=list)
    openings: list[str] = field(default_factory=list)

    def add(self, word: str, share: float = 1.0) -> None:
        """Want a word; wanted twice, it has the greater share."""
        self.shares[word] = max(share, self.shares.get(word, 0.0))


def wanted_words(text: str, *, stop_words: bool) -> Wanted:
    """Give what to look up for a text; of nothing but stop words, all of them if `stop_words`."""
    words = words_in(text)
    if any(_tells(word) for word in words):
        words = [word for word in words if _tells(word)]
    elif not stop_words:
        words = []
    wanted = Wanted()
    for word in dict.fromkeys(words):
        _want(wanted, word)
    for compound in _compounds(text):
        if len(compound) <= MOST_ADJACENT and any(_tells(word) for word in compound):
            wanted.compounds.append(compound)
    wanted.compounds = list(dict.fromkeys(wanted.compounds))
    return wanted


def _tells(word: str) -> bool:
    """Say whether a word tells documents apart: no stop word, no Japanese ending."""
    return word.lower() not in STOP_WORDS and not fullmatch("[\u3041-\u309f]{1,2}", word)


def _want(wanted: Wanted, word: str) -> None:
    wanted.add(word)
    if is_unspaced(word):
        segments = segments_of(word, closed=False)
        for segment in segments if any(map(_tells, segments)) else []:
            if len(segment) == 1 and is_unspaced(segment):
                wanted.openings.append(segment)
            elif _tells(segment):
                wanted.add(segment)
        if len(segments) > 1:
            wanted.compounds.append(tuple(segments))
        return
    if spelling := folded(word):
        wanted.add(spelling, LESSER)
    if parts := camel_parts(word):
        wanted.compounds.append(tuple(parts))
        for part in filter(_tells, parts):
            wanted.add(part, LESSER)


def _compounds(text: str) -> Iterator[tuple[str, ...]]:
    """Find words joined by other signs than white space: foo.bar-baz, HP-4410-2B, 3.5.2, a/b/c."""
    run: list[str] = []
    end = 0
    for word in words_of(text):
        gap = text[end : word.start()]
        joined = 0 < len(gap) <= 3 and _JOINERS.issuperset(gap)
        if not joined or is_unspaced(word[0]):
            if len(run) > 1:
                yield tuple(run)
            run = []
        if not is_unspaced(word[0]):
            run.append(word[0])
        end = word.end()
    if len(run) > 1:
        yield tuple(run)


def exact_groups(text: str) -> list[tuple[str, ...]]:
    """Cut an exact phrase into words that must stand side by side.

    Usually this is one group; words of scripts without spaces are each a group of segments, since
    these stand in a column of their own.
    """
    groups: list[tuple[str, ...]] = []
    for unspaced, words in groupby(words_in(text), key=is_unspaced):
        if unspaced:
            groups += [tuple(segments_of(word, closed=False)) for word in words]
        else:
            groups.append(tuple(words))
    return groups


def quoted(words: Iterable[str]) -> str:
    """Give words side by side in FTS5's language; words hold no quotes."""
    return '"' + " ".join(words) + '"'


def exactly(phrase: str) -> str:
    """Demand an exact phrase in FTS5's language; it holds at least one word."""
    return all_of(exact_groups(phrase))


def all_of(groups: Iterable[tuple[str, ...]]) -> str:
    """Demand all groups of an exact phrase."""
    parts = [quoted(group) + (" *" if opens(group) else "") for group in groups]
    return f"({' AND '.join(parts)})"


def opens(group: tuple[str, ...]) -> bool:
    """Say whether a group is a single letter of a script without spaces, found as a prefix."""
    return len(group) == 1 and is_unspaced(group[0]) and len(clusters_of(group[0])) == 1
