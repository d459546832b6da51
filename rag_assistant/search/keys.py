"""Keys: the words of texts by their first letters, with their rarity among these texts.

The first six letters are a stem that costs nothing and works in any language; on Vaswani feedback
did as well with it as with Porter's.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import log1p, sqrt

from rag_assistant.text.terms import STOP_WORDS

LETTERS, SHORTEST = 6, 3
"""Letters that a key has at most and at least."""

K1, B = 1.2, 0.5
"""BM25's constants, as for the terms of the query."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of some texts: counted in each, their rarity, and each text's norm of BM25."""

    counts: Sequence[Mapping[str, int]]
    idf: Mapping[str, float]
    norms: Sequence[float]

    def unit_vector(self, index: int, most: int | None = None) -> dict[str, float]:
        """Give a text's `most` weighty keys (all by default) as a vector of length 1."""
        norm, idf = self.norms[index], self.idf
        weighed = [
            (idf[key] * count / (count + norm), key) for key, count in self.counts[index].items()
        ]
        if most is not None and len(weighed) > most:
            weighed = sorted(weighed, reverse=True)[:most]
        length = sqrt(sum(weight * weight for weight, _ in weighed)) or 1.0
        return {key: weight / length for weight, key in weighed}


def keys_of(texts: Sequence[Mapping[str, int]]) -> Keys:
    """Count the keys of texts, given as counted words in lower case; stop words are left out."""
    key_by_word = {
        word: word[:LETTERS]
        for word in set().union(*texts)
        if len(word) >= SHORTEST and word not in STOP_WORDS
    }
    counts: list[dict[str, int]] = []
    for text in texts:
        count: dict[str, int] = {}
        for word, times in text.items():
            if word in key_by_word:
                key = key_by_word[word]
                count[key] = count.get(key, 0) + times
        counts.append(count)
    frequencies = Counter(chain.from_iterable(counts))
    lengths = [sum(count.values()) for count in counts]
    mean = max(1.0, sum(lengths) / max(1, len(lengths)))
    norms = [K1 * (1 - B + B * length / mean) for length in lengths]
    idf = {key: local_idf(frequency, len(counts)) for key, frequency in frequencies.items()}
    return Keys(counts, idf, norms)


def local_idf(frequency: int, total: int) -> float:
    """The inverse document frequency among `total` texts: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return log1p((total - frequency + 0.5) / (frequency + 0.5))
