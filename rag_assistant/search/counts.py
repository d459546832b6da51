"""Counts: how many passages a database has, and how many of them hold what a text asks for.

Counts of several databases add up, so that rarity means the same in all that are searched.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from rag_assistant.search.query_terms import QueryTerms
from rag_assistant.store.searching import Vocabulary
from rag_assistant.text.terms import accents_off, terms_by_word, words_in
from rag_assistant.values.search_plan import Counts

COMPLETIONS_READ, POSTINGS_COUNTED = 1_000, 1_000_000
"""Terms that are read to choose the completions of all prefixes, and the postings behind them.

FTS5 counts a term's passages by reading them, some 50 ns each.
"""

_ENDINGS = "s es ed ing ly er ness ment ation ations ies ied ily".split()


def count(vocabulary: Vocabulary, query: QueryTerms) -> Counts:
    """Count in one database."""
    asked = {prefix: _terms_beside(prefix) for prefix in query.prefixes}
    most = COMPLETIONS_READ // max(1, len(asked))
    every = {term: word for terms in asked.values() for term, word in terms.items()}
    vocabulary.expect({**query.terms, **every}, {_begun(prefix): most for prefix in asked})
    frequencies = vocabulary.frequencies(query.terms)
    completions: dict[str, Mapping[str, int]] = {}
    broad: set[str] = set()
    for prefix, beside in asked.items():
        found, whole_range = _completions(vocabulary, _begun(prefix), len(asked))
        if not whole_range:
            broad.add(prefix)
        if len(words_in(prefix)) > 1:
            frequencies |= vocabulary.frequencies(beside)
        else:
            found |= vocabulary.frequencies(beside)
        completions[prefix] = found
    return Counts(vocabulary.passages(), frequencies, completions, frozenset(broad))


def _begun(prefix: str) -> str:
    """Give the beginning of a word that a prefix ends with."""
    return accents_off(words_in(prefix)[-1])


def _terms_beside(prefix: str) -> dict[str, str]:
    """Give the terms that are counted for a prefix, each with a word for it.

    Of several words those of the words before the last; of one, the stems that are shorter than it.
    """
    *before, _ = words_in(prefix)
    if before:
        return {term: word for word, term in terms_by_word(" ".join(before)).items()}
    stems = _shorter_stems(_begun(prefix))
    return {stem: stem for stem in stems if terms_by_word(stem).get(stem) == stem}


def _completions(vocabulary: Vocabulary, prefix: str, prefixes: int) -> tuple[dict[str, int], bool]:
    """Give terms that begin with one of so many prefixes, and whether these are all of them."""
    most, room = COMPLETIONS_READ // prefixes, POSTINGS_COUNTED // prefixes
    found: dict[str, int] = {}
    for term, passages in vocabulary.beginning_with(prefix, most):
        found[term] = passages
        room -= passages
        if room < 0:
            return found, False
    return found, len(found) < most


def _shorter_stems(prefix: str) -> set[str]:
    """Give the stems of words that begin with `prefix`, where the stem does not: runn*, run.

    The words are made by putting English endings on the prefix, over what it has of them already.
    """
    words = {
        prefix + ending[shared:]
        for ending in _ENDINGS
        for shared in range(len(ending))
        if prefix.endswith(ending[:shared])
    }
    stems = terms_by_word(" ".join(words)).values()
    return {stem for stem in stems if not stem.startswith(prefix) and len(stem) > 2}


def summed(counts: Iterable[Counts]) -> Counts:
    """Add up what several databases counted."""
    given = list(counts)
    prefixes = dict.fromkeys(prefix for one in given for prefix in one.completions)
    return Counts(
        sum(one.passages for one in given),
        _added(one.frequencies for one in given),
        {prefix: _added(one.completions.get(prefix, {}) for one in given) for prefix in prefixes},
        frozenset().union(*(one.broad for one in given)),
    )


def _added(frequencies: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for some in frequencies:
        total.update(some)
    return dict(total)
