"""Keys: the terms of texts as they are compared with one another, by their rarity among these."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import hypot, log1p

K1, B = 1.2, 0.5
"""BM25's constants, as for the terms of the query."""

LONG, OWN = 2.0, 2.0
"""Times the mean number of terms, from which on a text is long; and what its own terms may add."""


@dataclass(frozen=True)
class Keys:
    """The terms of some texts by number, counted in each."""

    counts: Sequence[Mapping[int, int]]

    @cached_property
    def idf(self) -> Mapping[int, float]:
        """The rarity of each term."""
        total = len(self.counts)
        frequencies = Counter(chain.from_iterable(self.counts))
        by_frequency = [local_idf(frequency, total) for frequency in range(total + 1)]
        rarities = map(by_frequency.__getitem__, frequencies.values())
        return dict(zip(frequencies, rarities, strict=True))

    @cached_property
    def norms(self) -> Sequence[float]:
        """Each text's norm of BM25."""
        lengths = [sum(count.values()) for count in self.counts]
        mean = max(1.0, sum(lengths) / max(1, len(lengths)))
        return [K1 * (1 - B + B * length / mean) for length in lengths]

    def weights(self, index: int) -> tuple[list[float], float]:
        """Give a text's terms, in their order, as a vector, and its length.

        Each by its rarity, and by its count as BM25 does: idf * f / (f + norm). Made so that a term
        that occurs once has its rarity: only terms that occur several times are reckoned. What no
        other text holds makes a long one OWN times as long as the rest at most: rows of numbers
        would make a report like nothing.
        """
        norm, counts = self.norms[index], self.counts[index]
        weights = list(map(self.idf.__getitem__, counts))
        for place, count in enumerate(counts.values()):
            if count > 1:
                weights[place] *= count * (1 + norm) / (count + norm)
        length = hypot(*weights)
        if len(counts) > LONG * self._mean_terms:
            length = min(length, self._shared_length(counts, weights) * hypot(1, OWN))
        return weights, length or 1.0

    def _shared_length(self, counts: Mapping[int, int], weights: Sequence[float]) -> float:
        """Give the length of a text's vector without the terms that only this text holds."""
        rarest = local_idf(1, len(self.counts))
        own = [self.idf[term] >= rarest for term in counts]
        return hypot(*[w for w, alone in zip(weights, own, strict=True) if not alone])

    @cached_property
    def _mean_terms(self) -> float:
        return sum(map(len, self.counts)) / max(1, len(self.counts))


def keys_of(texts: Sequence[Mapping[int, int]]) -> Keys:
    """Take the counted terms of texts for keys; nothing is computed before it is asked for."""
    return Keys(texts)


def local_idf(frequency: int, total: int) -> float:
    """The inverse document frequency among `total` texts: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return log1p((total - frequency + 0.5) / (frequency + 0.5))
