"""Character n-grams: words that share letters with the query's find what stems do not join.

The n-grams of the query's terms are looked for in all words of the pool; each counts as a term of
BM25 does, with its rarity in the pool.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from rag_assistant.search.keys import local_idf
from rag_assistant.search.pool import Pool
from rag_assistant.search.stages.scaling import scaled

N = 4
"""Letters; the blank before a word is one of them."""

WEIGHT = 0.2
"""Of the highest score so far. Chosen on Vaswani."""

K1, B = 1.2, 0.75


def shared(pool: Pool, scores: Sequence[float]) -> list[float]:
    """Score the n-grams of the query that the words of each extract hold."""
    grams_by_word = _grams_by_word(pool)
    counts: list[dict[str, int]] = []
    for extract in pool.extracts:
        count: dict[str, int] = {}
        for word in extract.counts.keys() & grams_by_word.keys():
            times = extract.counts[word]
            for gram in grams_by_word[word]:
                count[gram] = count.get(gram, 0) + times
        counts.append(count)
    total = len(counts)
    frequencies = Counter(chain.from_iterable(counts))
    idf = {gram: local_idf(frequency, total) for gram, frequency in frequencies.items()}
    mean = max(1.0, sum(extract.length for extract in pool.extracts) / max(1, total))
    raw: list[float] = []
    for extract, count in zip(pool.extracts, counts, strict=True):
        norm = K1 * (1 - B + B * extract.length / mean)
        raw.append(sum([idf[gram] * f * (K1 + 1) / (f + norm) for gram, f in count.items()]))
    return scaled(raw, WEIGHT * max(scores, default=0.0))


def _grams_by_word(pool: Pool) -> dict[str, list[str]]:
    """Give the n-grams of the query that each word holds, for the words that hold any."""
    wanted = {
        gram
        for term in pool.plan.weights
        for gram in (f" {term}"[i : i + N] for i in range(len(term) + 2 - N))
    }
    # One long text is searched for each n-gram, which is faster than taking all words apart.
    text = " " + " ".join(pool.vocabulary) + " "
    found: dict[str, list[str]] = {}
    for gram in wanted:
        place = text.find(gram)
        while place >= 0:
            start = place + 1 if gram[0] == " " else text.rfind(" ", 0, place) + 1
            end = text.find(" ", place + 1)
            found.setdefault(text[start:end], []).append(gram)
            place = text.find(gram, end)
    return found
