"""Keys: the terms of texts as they are compared with one another, by their rarity among these."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import log1p, sqrt

K1, B = 1.2, 0.5
"""BM25's constants, as for the terms of the query."""


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
        return {term: by_frequency[frequency] for term, frequency in frequencies.items()}

    @cached_property
    def norms(self) -> Sequence[float]:
        """Each text's norm of BM25."""
        lengths = [sum(count.values()) for count in self.counts]
        mean = max(1.0, sum(lengths) / max(1, len(lengths)))
        return [K1 * (1 - B + B * length / mean) for length in lengths]

    def unit_vector(self, index: int, most: int | None = None) -> dict[int, float]:
        """Give a text's `most` weighty terms (all by default) as a vector of length 1."""
        norm, idf = self.norms[index], self.idf
        counts = self.counts[index]
        weights = [idf[term] * count / (count + norm) for term, count in counts.items()]
        terms = list(counts)
        if most is not None and len(weights) > most:
            least = sorted(weights)[-most]
            kept = [place for place, weight in enumerate(weights) if weight >= least][:most]
            terms, weights = [terms[place] for place in kept], [weights[place] for place in kept]
        length = sqrt(sum([weight * weight for weight in weights])) or 1.0
        return {term: weight / length for term, weight in zip(terms, weights, strict=True)}


def keys_of(texts: Sequence[Mapping[int, int]]) -> Keys:
    """Take the counted terms of texts for keys; nothing is computed before it is asked for."""
    return Keys(texts)


def local_idf(frequency: int, total: int) -> float:
    """The inverse document frequency among `total` texts: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return log1p((total - frequency + 0.5) / (frequency + 0.5))
