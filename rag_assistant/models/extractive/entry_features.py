"""How a sentence stands within its entry, as features: the question's words that others of it hold.

Of a question about one of many documents that are alike, most words say which document is meant,
and the sentence that answers has few of them: it stands beside those that do.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log1p

from rag_assistant.models.extractive.candidates import CandidateSentence
from rag_assistant.text.terms import terms_of

ENTRY_NAMES = ("entry", "beside the best", "rare in entry", "asked first")
"""The features, in the order in which they are given."""

FIRST = 4
"""Telling terms behind the word that asks ("what", "how"), which say what is asked about."""

_ASKS = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)


def rarity(times: int, of: int) -> float:
    """Weigh a term that `times` of so many sentences hold (as BM25's idf does)."""
    return log1p((of - times + 0.5) / (times + 0.5))


class WithinEntries:
    """What the sentences of each entry hold together of a question's weighed terms.

    `held` are those that each sentence has, `above` those of what stands above it.
    """

    def __init__(
        self,
        question: str,
        weights: Mapping[str, float],
        sentences: Sequence[CandidateSentence],
        held: Sequence[frozenset[str]],
        above: Sequence[frozenset[str]],
    ) -> None:
        self._weights, self._whole = weights, sum(weights.values()) or 1.0
        self._terms, self._above = held, above
        first = _asked_first(question, weights)
        self._first = _shares({term: weights[term] for term in first})
        own: dict[str, list[int]] = defaultdict(list)
        for index, sentence in enumerate(sentences):
            own[sentence.entry].append(index)
        self._best: dict[str, frozenset[str]] = {}
        self._held: dict[str, float] = {}
        self._rare: dict[str, dict[str, float]] = {}
        for entry, indexes in own.items():
            self._best[entry] = max((self._terms[index] for index in indexes), key=self._share)
            together = (self._terms[index] | self._above[index] for index in indexes)
            self._held[entry] = self._share(frozenset().union(*together))
            self._rare[entry] = self._rarities(indexes)
        self._highest = max(self._held.values(), default=0.0) or 1.0

    def of(self, index: int, sentence: CandidateSentence) -> list[float]:
        """Give the features of a sentence, in the order of `ENTRY_NAMES`."""
        terms, entry = self._terms[index], sentence.entry
        return [
            self._held[entry] / self._highest,
            self._share(terms | self._above[index] | self._best[entry]),
            _held(self._rare[entry], terms),
            _held(self._first, terms),
        ]

    def _share(self, terms: frozenset[str]) -> float:
        return sum([self._weights[term] for term in terms]) / self._whole

    def _rarities(self, indexes: Sequence[int]) -> dict[str, float]:
        """Weigh the terms that an entry's sentences hold by how few of these do."""
        counts = Counter(term for index in indexes for term in self._terms[index])
        return _shares({term: rarity(times, len(indexes)) for term, times in counts.items()})


def _shares(weights: Mapping[str, float]) -> dict[str, float]:
    """Give what part each weight is of all of them together."""
    whole = sum(weights.values()) or 1.0
    return {term: weight / whole for term, weight in weights.items()}


def _held(shares: Mapping[str, float], terms: frozenset[str]) -> float:
    return sum([shares[term] for term in terms if term in shares])


def _asked_first(question: str, terms: Iterable[str]) -> list[str]:
    """Give the first terms behind the word that asks, or of the question where none does."""
    asks = _ASKS.search(question)
    before = frozenset(terms_of(question[: asks.start()])) if asks else frozenset()
    return [term for term in terms if term not in before][:FIRST]
