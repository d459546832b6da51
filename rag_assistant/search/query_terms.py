"""What a text asks for, before any database is looked at: read once, whichever are searched.

Each plain word is looked up as itself; identifiers also as a whole and in parts, words of scripts
without spaces as segments, letters that are written in two ways in both, and names with signs as
what stands for them. The last word of a text that is still being typed may be the beginning of one.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from re import fullmatch

from rag_assistant.search.query_language import Parsed, parse
from rag_assistant.text.signed_names import signed_words
from rag_assistant.text.terms import (
    STOP_WORDS,
    accents_off,
    camel_parts,
    folded,
    is_unspaced,
    segments_of,
    terms_by_word,
    words_in,
    words_of,
)

LONGEST_TEXT = 250_000
"""Characters of a text that are read as a query."""

LESSER = 0.5
"""Share of its weight that another spelling or a part of a name has."""

MOST_ADJACENT = 16
"""Words of a compound that is looked up whole; a longer one is a list."""

_JOINERS = frozenset("-_./:@\\+#&~>")


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """A text taken apart. `words` are the plain ones; `shares` says what they, and the words of
    phrases, are looked up as, each with its share of the weight.

    `compounds` are words that would better stand side by side, `numbered` those with the number
    that follows them ("clause 4"), `prefixes` are to be completed;
    `terms` maps the index terms to be counted to a word for each. While a person is `typing`,
    nothing is corrected.
    """

    parsed: Parsed
    words: Sequence[str]
    shares: Mapping[str, float]
    compounds: Sequence[tuple[str, ...]]
    numbered: Sequence[tuple[str, ...]]
    prefixes: Sequence[str]
    terms: Mapping[str, str]
    typing: bool
    notes: tuple[str, ...] = ()


def read_query(text: str, *, typing: bool = False) -> QueryTerms:
    """Take any text apart."""
    read = text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
    # Composed, because a letter and its loose accent are one letter to FTS5 and two to a pattern.
    parsed = parse(unicodedata.normalize("NFC", read))
    words = words_in(parsed.plain)
    begun = words[-1:] if typing and _is_begun(read, words) else []
    prefixes = [prefix for prefix in (*parsed.prefixes, *begun) if _begins_words(prefix)]
    # Stop words stand for themselves only where nothing else is asked.
    alone = not (parsed.phrases or prefixes or parsed.filters)
    looked_up = _looked_up(parsed.plain, stop_words=alone)
    for phrase in parsed.phrases:
        for word in _looked_up(phrase, stop_words=True).shares:
            looked_up.add(word)
    cut = f"searched for the first {LONGEST_TEXT:,} characters"
    return QueryTerms(
        parsed,
        words,
        looked_up.shares,
        looked_up.compounds,
        list(dict.fromkeys(_numbered(parsed.plain))),
        [*prefixes, *looked_up.openings],
        _terms(looked_up),
        typing,
        (cut,) if len(text) > LONGEST_TEXT else (),
    )


def _is_begun(text: str, words: list[str]) -> bool:
    """Say whether the text ends within a word that is long enough to be completed.

    A stop word after other words is at its end: to complete it would find half of all passages.
    """
    if not words or not text.endswith(words[-1]) or len(words[-1]) < 2:
        return False
    return words[-1].lower() not in STOP_WORDS or STOP_WORDS.issuperset(map(str.lower, words))


def _begins_words(prefix: str) -> bool:
    """Say whether something is left of a prefix without its marks: all words begin with nothing."""
    return bool(accents_off(words_in(prefix)[-1]))


def _terms(looked_up: "_LookedUp") -> dict[str, str]:
    """Give the terms of the words and of the parts of compounds, each with a word for it."""
    by_word = terms_by_word(" ".join(looked_up.shares))
    parts = terms_by_word(" ".join(word for words in looked_up.compounds for word in words))
    return {term: word for word, term in (parts | by_word).items()}


@dataclass(slots=True)
class _LookedUp:
    """Words to look up, in order, each with its share of the weight.

    `openings` are single letters of scripts without spaces, to be found at the beginning of a
    segment.
    """

    shares: dict[str, float] = field(default_factory=dict)
    compounds: list[tuple[str, ...]] = field(default_factory=list)
    openings: list[str] = field(default_factory=list)

    def add(self, word: str, share: float = 1.0) -> None:
        """Look a word up; asked for twice, it has the greater share."""
        self.shares[word] = max(share, self.shares.get(word, 0.0))


def _looked_up(text: str, *, stop_words: bool) -> _LookedUp:
    """Give what to look up for a text; of nothing but stop words, all of them if `stop_words`."""
    words = words_in(text)
    if any(_tells(word) for word in words):
        words = [word for word in words if _tells(word)]
    elif not stop_words:
        words = []
    looked_up = _LookedUp()
    for word in dict.fromkeys(words):
        _look_up(looked_up, word)
    for word in signed_words(text):
        looked_up.add(word, LESSER)
    for compound in _compounds(text):
        if len(compound) <= MOST_ADJACENT and any(_tells(word) for word in compound):
            looked_up.compounds.append(compound)
    looked_up.compounds = list(dict.fromkeys(looked_up.compounds))
    return looked_up


def _numbered(text: str) -> Iterator[tuple[str, str]]:
    """Find words that a number follows, which tells them from others of the name."""
    for word, number in pairwise(words_in(text)):
        if number.isdecimal() and not word.isdecimal() and _tells(word):
            yield word, number


def _tells(word: str) -> bool:
    """Say whether a word tells documents apart: no stop word, no Japanese ending."""
    return word.lower() not in STOP_WORDS and not fullmatch("[\u3041-\u309f]{1,2}", word)


def _look_up(looked_up: _LookedUp, word: str) -> None:
    looked_up.add(word)
    if is_unspaced(word):
        segments = segments_of(word, closed=False)
        for segment in segments if any(map(_tells, segments)) else []:
            if len(segment) == 1 and is_unspaced(segment):
                looked_up.openings.append(segment)
            elif _tells(segment):
                looked_up.add(segment)
        if len(segments) > 1:
            looked_up.compounds.append(tuple(segments))
        return
    if spelling := folded(word):
        looked_up.add(spelling, LESSER)
    if parts := camel_parts(word):
        looked_up.compounds.append(tuple(parts))
        for part in filter(_tells, parts):
            looked_up.add(part, LESSER)


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
