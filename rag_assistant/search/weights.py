"""TermWeights: what each term of a query is worth by its rarity, and corrections of unknown words.

They follow from counts alone, so that all databases searched together weigh a word alike, and a
word that one of them knows is corrected in none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log1p

from rag_assistant.search.query_terms import QueryTerms
from rag_assistant.search.spelling import Correction
from rag_assistant.text.terms import accents_off, camel_parts, is_unspaced, terms_by_word, words_in
from rag_assistant.values.search_plan import Counts

MOST_TERMS = 64
"""Distinct terms that one query looks up. Each costs a pass over its postings."""

MOST_CORRECTED = 3
"""Unknown words of a query that are corrected; each costs some 10 ms."""

CORRECTED = 0.5
"""Share of its weight that a correction has: what was typed may be right."""

MOST_COMPLETIONS = 12
"""Completions of a prefix that are weighed."""


@dataclass(frozen=True, slots=True)
class TermWeights:
    """Terms with their weights, and a word for each that is looked up as such.

    `stems` are looked up for prefixes beside what begins with them. `also` has the (word as typed,
    word searched as well) of corrections; `notes` say what a person should know.
    """

    by_term: Mapping[str, float]
    words: Mapping[str, str]
    stems: Sequence[str] = ()
    also: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def weigh(query: QueryTerms, total: Counts) -> TermWeights:
    """Weigh what is asked for by the counts of all databases that are searched."""
    weighing = _Weighing(total, {}, {}, [], list(query.notes))
    weighing.weigh(query.shares)
    for prefix in query.prefixes:
        weighing.complete(prefix)
    made = weighing
    return TermWeights(made.by_term, made.words, made.stems, notes=tuple(made.notes))


def unknown_words(query: QueryTerms, weights: TermWeights, total: Counts) -> list[str]:
    """Give the words, a few at most, that no database holds and that may be misspelt."""
    if query.typing:
        return []
    given = dict.fromkeys(query.words)
    by_word = terms_by_word(" ".join(given))
    missing = weights.by_term.keys() - total.frequencies.keys()
    unknown = [word for word in given if by_word[word] in missing and not camel_parts(word)]
    return unknown[:MOST_CORRECTED]


def with_corrections(
    weights: TermWeights, corrections: Mapping[str, Correction], passages: int
) -> TermWeights:
    """Let known words count beside unknown ones, given by word as typed, and say so."""
    by_term, words = dict(weights.by_term), dict(weights.words)
    also, notes = list(weights.also), list(weights.notes)
    for word, found in corrections.items():
        if found.term in by_term:
            continue
        by_term[found.term] = CORRECTED * idf(found.passages, passages)
        words[found.term] = found.word
        also.append((word, found.word))
        notes.append(f"searched for {word!r}, also {found.word!r}")
    return replace(weights, by_term=by_term, words=words, also=tuple(also), notes=tuple(notes))


def idf(frequency: int, total: int) -> float:
    """The inverse document frequency of Robertson and Sparck Jones, kept above zero as in Lucene.

    ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N passages.
    """
    return log1p(max(0.0, total - frequency + 0.5) / (frequency + 0.5))


@dataclass(slots=True)
class _Weighing:
    """TermWeights in the making."""

    total: Counts
    by_term: dict[str, float]
    words: dict[str, str]
    stems: list[str]
    notes: list[str]

    def weigh(self, shares: Mapping[str, float]) -> None:
        """Weigh the words, the rarest only where there are very many."""
        known, passages = self.total.frequencies, self.total.passages
        by_word = terms_by_word(" ".join(shares))
        for word, share in shares.items():
            term = by_word.get(word, "")
            # Other spellings and runs of segments are guesses: not worth a word if unknown.
            guessed = share < 1.0 or is_unspaced(word)
            if term and (term in known or not guessed):
                weight = share * idf(known.get(term, 0), passages)
                self.by_term[term] = max(weight, self.by_term.get(term, 0.0))
                self.words.setdefault(term, word)
        if len(self.by_term) > MOST_TERMS:
            self.notes.append(
                f"searched for the {MOST_TERMS} rarest of {len(self.by_term)} different words"
            )
            rarest = sorted(self.by_term, key=lambda t: (t not in known, -self.by_term[t]))
            kept = set(rarest[:MOST_TERMS])
            self.by_term = {t: weight for t, weight in self.by_term.items() if t in kept}

    def complete(self, prefix: str) -> None:
        """Weigh the words that begin with `prefix`; of several words, the last one does."""
        *before, last = words_in(prefix)
        found = self.total.completions.get(prefix, {})
        self.stems += _shorter(found, accents_off(last)) if not before else []
        passages = self.total.passages
        weight = idf(min(passages, sum(found.values())), passages)
        for term in sorted(found, key=lambda t: -found[t])[:MOST_COMPLETIONS]:
            self.by_term.setdefault(term, weight)
        if before:
            self.weigh(dict.fromkeys(before, 1.0))


def _shorter(found: Iterable[str], prefix: str) -> list[str]:
    """Give those of the completions that do not begin with the prefix."""
    return [term for term in found if not term.startswith(prefix)]
