"""What a person typed, made into a legal FTS5 query. No text whatever is a syntax error.

Words are joined by OR, so that a question finds passages that hold only some of its words. Only
the rarest words find the candidates, as far as a budget of postings goes; all words rank them.
"""

import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import isqrt

from rag_assistant.search.filters import Condition, condition_of, joined
from rag_assistant.search.query_language import Parsed, parse
from rag_assistant.search.spelling import correction
from rag_assistant.search.vocabulary import (
    document_frequencies,
    idf,
    open_vocabulary,
    passage_count,
    shorter_stems,
    terms_from,
)
from rag_assistant.search.wording import Wanted, exact_groups, wanted_words
from rag_assistant.terms import (
    accents_off,
    camel_parts,
    clusters_of,
    is_unspaced,
    terms_by_word,
    words_in,
)

MOST_TERMS = 64
"""Distinct terms that one query looks up. Each costs a pass over its postings."""

LONGEST_TEXT = 250_000
"""Characters of a text that are read as a query."""

MOST_CORRECTED = 3
"""Unknown words of a query that are corrected; each costs some 10 ms."""

CORRECTED = 0.5
"""Share of its weight that a correction has: what was typed may be right."""

MOST_COMPLETIONS, COMPLETIONS_READ = 12, 1_000
"""Completions of a prefix that are weighed, and terms that are read to choose them."""

MOST_COMPOUNDS = 16
"""Compounds of a query that are looked up whole."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A query ready to run.

    `match` is the FTS5 expression of the candidates, empty when no word is searched for; then the
    entries of a `condition` (SQL over `files` and `entries`, with `parameters`) are all wanted.
    `weights` holds each index term with its inverse document frequency among the passages; terms
    of `phrases` stand side by side in every candidate, those of `compounds` should. `also` has the
    (word as typed, word searched as well) of corrections; `notes` say what a person should know.
    """

    text: str
    match: str
    weights: dict[str, float]
    phrases: tuple[Words, ...] = ()
    condition: str = ""
    parameters: tuple[object, ...] = ()
    also: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    compounds: tuple[Words, ...] = ()


def posting_budget(passages: int) -> int:
    """Give how many postings may be read for candidates: some .2 of 100,000 passages, .06 of 1M.

    A share of .2 to .4 left the ranking of small collections as it was. It falls as the square root
    of the size, so that a hundred times the passages take ten times as long.
    """
    return max(5_000, 60 * isqrt(passages))


def plan_query(connection: sqlite3.Connection, text: str, *, typing: bool = False) -> Query:
    """Make a query of any text, weighing its words by the rarity they have in this index.

    While a person is `typing`, the last word may be the beginning of one, and nothing is corrected.
    """
    open_vocabulary(connection)
    read = text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
    # Composed, because a letter and its loose accent are one letter to FTS5 and two to a pattern.
    parsed = parse(unicodedata.normalize("NFC", read))
    plan = _Plan(connection, passage_count(connection))
    if len(text) > LONGEST_TEXT:
        plan.notes.append(f"searched for the first {LONGEST_TEXT:,} characters")
    plain = words_in(parsed.plain)
    prefixes = [*parsed.prefixes, *(plain[-1:] if typing and _is_begun(read, plain) else ())]
    wanted = _wanted(parsed, bool(prefixes))
    plan.weigh(wanted)
    for prefix in [*prefixes, *wanted.openings]:
        plan.complete(prefix)
    if not typing:
        plan.correct(plain)
    for phrase in parsed.phrases:
        plan.demand(phrase)
    condition = plan.filter(parsed)
    match = _expression(plan.required, list(plan.candidates(wanted)), plan.excluded)
    if not match and plan.excluded:
        condition = joined(" AND ", [condition, _without(plan.excluded)])
    return Query(
        text,
        match,
        plan.weights,
        tuple(plan.phrases),
        *condition,
        also=tuple(plan.also),
        notes=tuple(plan.notes),
        compounds=tuple(tuple(plan.terms(words)) for words in wanted.compounds),
    )


def _is_begun(text: str, words: list[str]) -> bool:
    """Say whether the text ends within a word that is long enough to be completed."""
    return bool(words) and text.endswith(words[-1]) and len(words[-1]) > 1


def _wanted(parsed: Parsed, has_prefixes: bool) -> Wanted:
    """Give what to look up. Stop words stand for themselves only where nothing else is asked."""
    alone = not (parsed.phrases or has_prefixes or parsed.filters)
    wanted = wanted_words(parsed.plain, stop_words=alone)
    for phrase in parsed.phrases:
        for word in wanted_words(phrase, stop_words=True).shares:
            wanted.add(word)
    return wanted


@dataclass(slots=True)
class _Plan:
    """A query in the making: terms with their weights, passages and words, and what is required."""

    connection: sqlite3.Connection
    total: int
    weights: dict[str, float] = field(default_factory=dict)
    postings: dict[str, int] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    prefixes: list[str] = field(default_factory=list)
    required: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    phrases: list[Words] = field(default_factory=list)
    also: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def terms(self, words: Iterable[str]) -> list[str]:
        """Give the index terms of words, in order."""
        given = list(words)
        by_word = terms_by_word(" ".join(given))
        return [by_word[word] for word in given if word in by_word]

    def weigh(self, wanted: Wanted) -> None:
        """Weigh the words, the rarest only where there are very many."""
        by_word = terms_by_word(" ".join(wanted.shares))
        parts = terms_by_word(" ".join(word for words in wanted.compounds for word in words))
        given = {term: word for word, term in (parts | by_word).items()}
        self.postings |= document_frequencies(self.connection, given)
        for word, share in wanted.shares.items():
            term = by_word.get(word, "")
            # Other spellings and runs of segments are guesses: not worth a word if unknown.
            guessed = share < 1.0 or is_unspaced(word)
            if term and (term in self.postings or not guessed):
                weight = share * idf(self.postings.get(term, 0), self.total)
                self.weights[term] = max(weight, self.weights.get(term, 0.0))
                self.words.setdefault(term, word)
        if len(self.weights) > MOST_TERMS:
            self.notes.append(
                f"searched for the {MOST_TERMS} rarest of {len(self.weights)} different words"
            )
            rarest = sorted(self.weights, key=lambda t: (t not in self.postings, -self.weights[t]))
            kept = set(rarest[:MOST_TERMS])
            self.weights = {t: weight for t, weight in self.weights.items() if t in kept}

    def complete(self, prefix: str) -> None:
        """Search for all words that begin with `prefix`; of several words, the last one does."""
        *before, last = words_in(prefix)
        self.prefixes.append(f"{_quoted((*before, last))} *")
        plain = accents_off(last)
        found = dict(terms_from(self.connection, plain, COMPLETIONS_READ))
        whole = [stem for stem in shorter_stems(plain) if self.terms([stem]) == [stem]]
        stems = document_frequencies(
            self.connection, {} if before else {stem: stem for stem in whole}
        )
        self.prefixes += [_quoted((stem,)) for stem in stems]
        found |= stems
        weight = idf(min(self.total, sum(found.values())), self.total)
        for term in sorted(found, key=lambda t: -found[t])[:MOST_COMPLETIONS]:
            self.weights.setdefault(term, weight)
        if before:
            self.weigh(Wanted(dict.fromkeys(before, 1.0)))

    def correct(self, words: Iterable[str]) -> None:
        """Search for known words as well where a word is unknown, and say so."""
        given = dict.fromkeys(words)
        by_word = terms_by_word(" ".join(given))
        missing = self.weights.keys() - self.postings.keys()
        unknown = [word for word in given if by_word[word] in missing and not camel_parts(word)]
        for word in unknown[:MOST_CORRECTED]:
            found = correction(self.connection, word)
            if found is None or found.term in self.weights:
                continue
            self.weights[found.term] = CORRECTED * idf(found.passages, self.total)
            self.words[found.term] = found.word
            self.postings[found.term] = found.passages
            self.also.append((word, found.word))
            self.notes.append(f"searched for {word!r}, also {found.word!r}")

    def demand(self, phrase: str) -> None:
        """Let only passages through that hold the exact phrase."""
        groups = exact_groups(phrase)
        self.phrases += [tuple(self.terms(group)) for group in groups if not _opens(group)]
        expression = _all_of(groups)
        self.required.append(expression)
        query = "SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT 1"
        if self.connection.execute(query, (expression,)).fetchone() is None:
            self.notes.append(f"no passage holds the exact words {phrase!r}")

    def filter(self, parsed: Parsed) -> Condition:
        """Take in what is excluded and the titles; give the condition of the other filters."""
        self.excluded += [_all_of(exact_groups(text)) for text in parsed.excluded]
        conditions = [condition_of(self.connection, parsed.filters)]
        for wanted in parsed.filters:
            if wanted.name != "title":
                continue
            words = words_in(wanted.value)
            if any(map(is_unspaced, words)):
                sign = "=" if wanted.negated else ">"
                conditions.append((f"instr(entries.title, ?) {sign} 0", (wanted.value,)))
            else:
                star = " *" if wanted.value.endswith("*") and len(words[-1]) > 1 else ""
                expression = f"{{title}} : {_quoted(words)}{star}"
                (self.excluded if wanted.negated else self.required).append(expression)
        return joined(" AND ", conditions)

    def candidates(self, wanted: Wanted) -> Iterator[str]:
        """Give what to join by OR: the rarest words that the budget has postings for."""
        yield from self.prefixes
        budget = posting_budget(self.total)
        known = sorted(self.words.keys() & self.weights.keys() & self.postings.keys())
        spent = 0
        for term in sorted(known, key=lambda t: self.postings[t]):
            if spent and spent + self.postings[term] > budget:
                break
            spent += self.postings[term]
            yield _quoted((self.words[term],))
        for words in wanted.compounds[:MOST_COMPOUNDS]:
            read = [self.postings.get(term, 0) for term in self.terms(words)]
            if all(read) and sum(read) <= budget:
                yield _quoted(words)
        if not (known or self.required or self.prefixes):
            yield from [_quoted((self.words[term],)) for term in self.weights if term in self.words]


def _quoted(words: Iterable[str]) -> str:
    """Give words side by side in FTS5's language; words hold no quotes."""
    return '"' + " ".join(words) + '"'


def _opens(group: Words) -> bool:
    """Say whether a group is a single letter of a script without spaces, found as a prefix."""
    return len(group) == 1 and is_unspaced(group[0]) and len(clusters_of(group[0])) == 1


def _all_of(groups: Iterable[Words]) -> str:
    """Demand all groups of an exact phrase."""
    parts = [_quoted(group) + (" *" if _opens(group) else "") for group in groups]
    return f"({' AND '.join(parts)})"


def _expression(required: list[str], candidates: list[str], excluded: list[str]) -> str:
    """Make the FTS5 expression; "" when nothing is searched for."""
    if required:
        found = " AND ".join(required)
        if candidates:
            # The first one again, so that the other words may be missing.
            found = f"({found}) AND ({' OR '.join([required[0], *candidates])})"
    else:
        found = " OR ".join(candidates)
    return f"({found}) NOT ({' OR '.join(excluded)})" if found and excluded else found


def _without(excluded: list[str]) -> Condition:
    """Make a condition of exclusions alone: entries of which no passage holds what is excluded."""
    condition = (
        "entries.id NOT IN (SELECT passages.entry_id FROM passages_fts"
        " JOIN passages ON passages.id = passages_fts.rowid WHERE passages_fts MATCH ?)"
    )
    return condition, (" OR ".join(excluded),)
