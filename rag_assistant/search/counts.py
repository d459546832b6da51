"""Counts: how many passages a database has, and how many of them hold what a text asks for.

Counts of several databases add up, so that rarity means the same in all that are searched.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rag_assistant.search.asked import Asked
from rag_assistant.search.vocabulary import (
    document_frequencies,
    open_vocabulary,
    passage_count,
    shorter_stems,
    terms_from,
)
from rag_assistant.text.terms import accents_off, terms_by_word, words_in

COMPLETIONS_READ, POSTINGS_COUNTED = 1_000, 1_000_000
"""Terms that are read to choose the completions of all prefixes, and the postings behind them.

FTS5 counts a term's passages by reading them, some 50 ns each.
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many `passages` there are, and how many hold each term, absent where none does.

    `completions` has the same for each prefix: the terms that begin so, and shorter stems of words
    that do. Of `broad` prefixes there are more completions than were read.
    """

    passages: int = 0
    frequencies: Mapping[str, int] = field(default_factory=dict)
    completions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    broad: frozenset[str] = frozenset()


def count(connection: sqlite3.Connection, asked: Asked) -> Counts:
    """Count in one database."""
    open_vocabulary(connection)
    frequencies = document_frequencies(connection, asked.terms)
    completions: dict[str, Mapping[str, int]] = {}
    broad: set[str] = set()
    for prefix in asked.prefixes:
        *before, last = words_in(prefix)
        plain = accents_off(last)
        found, whole_range = _completions(connection, plain, len(asked.prefixes))
        if not whole_range:
            broad.add(prefix)
        if before:
            by_word = terms_by_word(" ".join(before))
            terms = {term: word for word, term in by_word.items()}
            frequencies |= document_frequencies(connection, terms)
        else:
            stems = shorter_stems(plain)
            whole = {stem: stem for stem in stems if terms_by_word(stem).get(stem) == stem}
            found |= document_frequencies(connection, whole)
        completions[prefix] = found
    return Counts(passage_count(connection), frequencies, completions, frozenset(broad))


def _completions(
    connection: sqlite3.Connection, prefix: str, prefixes: int
) -> tuple[dict[str, int], bool]:
    """Give terms that begin with one of so many prefixes, and whether these are all of them."""
    most, room = COMPLETIONS_READ // prefixes, POSTINGS_COUNTED // prefixes
    found: dict[str, int] = {}
    for term, passages in terms_from(connection, prefix, most):
        found[term] = passages
        room -= passages
        if room < 0:
            return found, False
    return found, len(found) < most


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
