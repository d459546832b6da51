"""How the text that was read of a file compares with what the file says: its words, each as often
as it stands there, and their order by the longest common subsequence.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class WordScore:
    """Counts of words: known, read, in both, and in both in the same order."""

    known: int = 0
    read: int = 0
    same: int = 0
    ordered: int = 0

    def add(self, other: "WordScore") -> None:
        """Add the counts of another one."""
        self.known += other.known
        self.read += other.read
        self.same += other.same
        self.ordered += other.ordered

    @property
    def precision(self) -> float:
        """The share of the words read that the file says."""
        return self.same / self.read if self.read else 0.0

    @property
    def recall(self) -> float:
        """The share of the words of the file that were read."""
        return self.same / self.known if self.known else 0.0

    @property
    def order(self) -> float:
        """The longest common subsequence, as a share of the words that both have."""
        return self.ordered / self.same if self.same else 0.0


def compare_words(known: str, read: str) -> WordScore:
    """Compare two texts by their words in lower case; signs and white space do not count."""
    ours, theirs = (_WORD.findall(text.casefold()) for text in (known, read))
    same = (Counter(ours) & Counter(theirs)).total()
    return WordScore(len(ours), len(theirs), same, longest_common(ours, theirs))


def longest_common(first: Sequence[str], second: Sequence[str]) -> int:
    """Give the length of the longest common subsequence (Hyyrö's bit-parallel recurrence)."""
    places: dict[str, int] = {}
    for number, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << number
    every = (1 << len(first)) - 1
    row = every
    for word in second:
        matches = row & places.get(word, 0)
        row = ((row + matches) | (row - matches)) & every
    return len(first) - row.bit_count()
