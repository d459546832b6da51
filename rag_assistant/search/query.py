"""What a person typed, made into a legal FTS5 query. No text whatever is a syntax error.

Words are joined by OR, so that a question finds passages that hold only some of its words. Only
the rarest words find the candidates, as far as a budget of postings goes; all words rank them.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isqrt

from rag_assistant.search.asked import Asked, read_query
from rag_assistant.search.counts import Counts, count
from rag_assistant.search.filters import ANYTHING, Condition, condition_of, joined
from rag_assistant.search.query_language import Parsed
from rag_assistant.search.spelling import correction
from rag_assistant.search.weights import (
    MOST_COMPLETIONS,
    Weights,
    unknown_words,
    weigh,
    with_corrections,
)
from rag_assistant.search.wording import all_of, exact_groups, exactly, opens, quoted
from rag_assistant.text.terms import is_unspaced, terms_by_word, words_in

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
    weights: Mapping[str, float]
    phrases: tuple[Words, ...] = ()
    condition: str = ""
    parameters: tuple[object, ...] = ()
    also: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    compounds: tuple[Words, ...] = ()


def posting_budget(passages: int, *, typing: bool = False) -> int:
    """Give how many postings may be read for candidates: some .2 of 100,000 passages, .06 of 1M.

    A share of .2 to .4 left the ranking of small collections as it was. It falls as the square root
    of the size, so that a hundred times the passages take ten times as long. Each posting costs
    FTS5 a microsecond: while a person is `typing`, half of them must do.
    """
    return max(5_000, (30 if typing else 60) * isqrt(passages))


def plan_query(connection: sqlite3.Connection, text: str, *, typing: bool = False) -> Query:
    """Make a query of any text for one database, by the rarity that its words have there.

    While a person is `typing`, the last word may be the beginning of one, and nothing is corrected.
    """
    asked = read_query(text, typing=typing)
    own = count(connection, asked)
    weights = weigh(asked, own)
    unknown = unknown_words(asked, weights, own)
    found = {word: right for word in unknown if (right := correction(connection, word))}
    weights = with_corrections(weights, found, own.passages)
    corrected = {right.term: right.passages for right in found.values()}
    own = replace(own, frequencies={**corrected, **own.frequencies})
    return query_for(connection, asked, weights, own)


def query_for(
    connection: sqlite3.Connection,
    asked: Asked,
    weights: Weights,
    own: Counts,
    within: Condition = ANYTHING,
) -> Query:
    """Make the query of a database, which chooses its candidates by its `own` counts.

    `within` must hold for whatever is found; it is no wish to list all for which it holds.
    """
    plan = _Plan(connection, weights, own, notes=list(weights.notes))
    for phrase in asked.parsed.phrases:
        plan.demand(phrase)
    condition = plan.filter(asked.parsed)
    match = _expression(plan.required, list(plan.candidates(asked)), plan.excluded)
    if not match and plan.excluded:
        condition = joined(" AND ", [condition, _without(plan.excluded)])
    if match or condition[0]:
        condition = joined(" AND ", [within, condition])
    return Query(
        asked.text,
        match,
        weights.by_term,
        tuple(plan.phrases),
        *condition,
        also=weights.also,
        notes=tuple(plan.notes),
        compounds=tuple(tuple(_terms(words)) for words in asked.wanted.compounds),
    )


def _terms(words: Iterable[str]) -> list[str]:
    """Give the index terms of words, in order."""
    given = list(words)
    by_word = terms_by_word(" ".join(given))
    return [by_word[word] for word in given if word in by_word]


@dataclass(slots=True)
class _Plan:
    """A query in the making: what is required and excluded, and what finds candidates."""

    connection: sqlite3.Connection
    weights: Weights
    own: Counts
    required: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    phrases: list[Words] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def demand(self, phrase: str) -> None:
        """Let only passages through that hold the exact phrase."""
        groups = exact_groups(phrase)
        terms = [tuple(_terms(group)) for group in groups if not opens(group)]
        expression = all_of(groups)
        if expression in self.required or (
            len(terms) == len(groups) and set(terms) <= set(self.phrases)
        ):
            return  # said already: "the" thirty times over would be read as often
        self.phrases += terms
        self.required.append(expression)
        query = "SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT 1"
        if self.connection.execute(query, (expression,)).fetchone() is None:
            self.notes.append(f"no passage holds the exact words {phrase!r}")

    def filter(self, parsed: Parsed) -> Condition:
        """Take in what is excluded and the titles; give the condition of the other filters."""
        self.excluded += dict.fromkeys(exactly(text) for text in parsed.excluded)
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
                expression = f"{{title}} : {quoted(words)}{star}"
                (self.excluded if wanted.negated else self.required).append(expression)
        return joined(" AND ", conditions)

    def candidates(self, asked: Asked) -> Iterator[str]:
        """Give what to join by OR: the rarest words and prefixes that the budget has postings for.

        A prefix that costs more than all of it stands for some of its completions, the most
        frequent for which there is room then.
        """
        by_term, words, postings = self.weights.by_term, self.weights.words, self.own.frequencies
        budget = posting_budget(self.own.passages, typing=asked.typing)
        known = words.keys() & by_term.keys() & postings.keys()
        costs: dict[str, float] = {quoted((words[term],)): postings[term] for term in sorted(known)}
        for prefix in asked.prefixes:
            found = self.own.completions.get(prefix, {})
            costs |= {quoted((stem,)): found[stem] for stem in self.weights.stems if stem in found}
            costs[_begun(prefix)] = inf if prefix in self.own.broad else sum(found.values())
        broad = [prefix for prefix in asked.prefixes if costs[_begun(prefix)] > budget]
        spent = 0.0
        for expression in sorted(costs.keys() - map(_begun, broad), key=lambda one: costs[one]):
            if spent and spent + costs[expression] > budget:
                break
            spent += costs[expression]
            yield expression
        for prefix in broad:
            for expression, cost in self.completions(prefix, budget - spent, alone=not spent):
                spent += cost
                yield expression
        for compound in asked.wanted.compounds[:MOST_COMPOUNDS]:
            read = [postings.get(term, 0) for term in _terms(compound)]
            if all(read) and sum(read) <= budget:
                yield quoted(compound)
        if not (known or self.required or asked.prefixes):
            yield from [quoted((words[term],)) for term in by_term if term in words]

    def completions(self, prefix: str, room: float, *, alone: bool) -> list[tuple[str, int]]:
        """Choose words that begin with a prefix, as there is room for their postings.

        Where there is room for none, the rarest is chosen if it stands `alone`.
        """
        *before, _ = words_in(prefix)
        found = self.own.completions[prefix]
        by_word = terms_by_word(" ".join(found))
        # Terms are stems: not all of them are words that have this stem.
        terms = [term for term in found if by_word.get(term) == term]
        chosen: list[tuple[str, int]] = []
        for term in sorted(terms, key=lambda one: -found[one]):
            if found[term] <= room and len(chosen) < MOST_COMPLETIONS:
                room -= found[term]
                chosen.append((quoted((*before, term)), found[term]))
        if alone and not chosen:
            rarest = sorted(terms, key=lambda one: found[one])[:1]
            chosen = [(quoted((*before, term)), found[term]) for term in rarest]
        return chosen


def _begun(prefix: str) -> str:
    """Give a prefix in FTS5's language."""
    return f"{quoted(words_in(prefix))} *"


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
