"""The terms of texts, counted as they are stored: stems of words, each with a number of its own.

The number is a checksum of the term, the same in every database and in every version, so that what
one stored of its passages compares with what another did. Of a hundred thousand terms one or two
share theirs with another, which is a word too many in a count now and then.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

from rag_assistant.text.likeness import lower_words
from rag_assistant.text.terms import STOP_WORDS, terms_by_word

MOST_KNOWN = 300_000
"""Words whose terms are remembered, some 50 MB, before the memory starts anew."""

LARGEST_COUNT = 255
"""A word that stands more often in a passage counts no more."""

_STOP = 0


def term_id(term: str) -> int:
    """Give the number of a term, of 32 bits and above zero."""
    return crc32(term.encode("utf-8", "replace")) or 1


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """The terms of a text by number: `ids`, and the `counts` of the first of them, those that occur
    several times; each of the others occurs once. `length` is in words, all of them.
    """

    ids: "array[int]"
    counts: bytes
    length: int


class TermCounter:
    """Counts terms. Whoever counts many texts keeps one: it remembers what words stand for.

    Stop words count only in lengths, unless it `keeps_stop_words`.
    """

    def __init__(self, *, keeps_stop_words: bool = False) -> None:
        self._stop_words = {} if keeps_stop_words else dict.fromkeys(STOP_WORDS, _STOP)
        self._known: dict[str, int] = dict(self._stop_words)

    def numbered(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        """Give the terms of texts by number, word by word: the texts are words in lower case.

        Those of stop words are 0.
        """
        known = self._known.__getitem__
        found: list[list[int]] = []
        for words in texts:
            try:
                found.append(list(map(known, words)))
            except KeyError:
                self._learn(texts[len(found) :])
                known = self._known.__getitem__
                found.append(list(map(known, words)))
        return found

    def _learn(self, texts: Sequence[Sequence[str]]) -> None:
        """Look up the terms of all words of texts, in one go."""
        words = set().union(*texts)
        new = words.difference(self._known)
        if len(self._known) + len(new) > MOST_KNOWN:
            self._known = dict(self._stop_words)
            new = words.difference(self._known)
        by_word = terms_by_word(" ".join(new))
        self._known.update((word, term_id(by_word.get(word, word))) for word in new)


def counted(ids: Sequence[int]) -> CountedTerms:
    """Count terms that are given by number, word by word."""
    counts = Counter(ids)
    counts.pop(_STOP, None)
    several = {term: count for term, count in counts.items() if count > 1}
    terms = array("I", several)
    terms.extend(counts.keys() - several.keys())
    return CountedTerms(terms, bytes([min(LARGEST_COUNT, n) for n in several.values()]), len(ids))


def in_order(ids: Iterable[int]) -> "array[int]":
    """Give terms as they stand, without stop words."""
    return array("I", filter(None, ids))


def words_counted(text: str, variants: str = "") -> list[str]:
    """Give the words of a passage as they are counted."""
    return lower_words(f"{text} {variants}" if variants else text)
