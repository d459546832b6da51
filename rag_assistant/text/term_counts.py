"""The terms of texts, counted as they are stored: stems of words, each with a number of its own.

The number is a checksum of the term, the same in every database and in every version, so that what
one stored of its passages compares with what another did. Of a hundred thousand terms one or two
share theirs with another, which is a word too many in a count now and then.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

from rag_assistant.text.likeness import lower_words
from rag_assistant.text.terms import STOP_WORDS, terms_of_words

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
        self._known = _Numbers(self._stop_words)

    def numbered(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        """Give the terms of texts by number, word by word: the texts are words in lower case.

        Those of stop words are 0.
        """
        if len(self._known) > MOST_KNOWN:
            self._known = _Numbers(self._stop_words)
        known = self._known.__getitem__
        found = [list(map(known, words)) for words in texts]
        if learnt := self._known.learn():
            for numbers in found:
                if numbers and min(numbers) < 0:
                    numbers[:] = [n if n >= 0 else learnt[-n] for n in numbers]
        return found


class _Numbers(dict[str, int]):
    """The numbers of words' terms. New words get numbers below zero until they are learnt, all in
    one go: to look for them first would take as long as to look all words up.
    """

    def __init__(self, known: Mapping[str, int]) -> None:
        super().__init__(known)
        self._new: list[str] = []

    def __missing__(self, word: str) -> int:
        self._new.append(word)
        self[word] = number = -len(self._new)
        return number

    def learn(self) -> list[int]:
        """Give the new words the numbers of their terms, and list these at the places (from 1) that
        they had below zero; nothing where there was no new word."""
        if not self._new:
            return []
        terms = terms_of_words(self._new)
        numbers = [term_id(terms[word]) for word in self._new]
        self.update(zip(self._new, numbers, strict=True))
        self._new.clear()
        return [0, *numbers]


def counted(ids: Sequence[int]) -> CountedTerms:
    """Count terms that are given by number, word by word."""
    counts = Counter(ids)
    counts.pop(_STOP, None)
    several = {term: count for term, count in counts.items() if count > 1}
    for term in several:
        del counts[term]
    terms = array("I", several)
    terms.extend(counts)
    return CountedTerms(terms, bytes([min(LARGEST_COUNT, n) for n in several.values()]), len(ids))


def in_order(ids: Iterable[int]) -> list[int]:
    """Give terms as they stand, without stop words."""
    return [term for term in ids if term]


def words_counted(text: str, variants: str = "") -> list[str]:
    """Give the words of a passage as they are counted."""
    return lower_words(f"{text} {variants}" if variants else text)
