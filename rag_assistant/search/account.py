"""How some entries of a database fared in a search: which words they have, what came before them.

It takes the steps of a search (`together`) and looks at what a search does not show, so that what
it says of a rank is what a search would give.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from rag_assistant.search.database_search import DatabaseSearch
from rag_assistant.search.empty_filters import written
from rag_assistant.search.phrases import exactly
from rag_assistant.search.pool import make_pool
from rag_assistant.search.query_terms import QueryTerms, read_query
from rag_assistant.search.ranking import RankedEntry, rank
from rag_assistant.search.together import Searches, bring_together, shown_of
from rag_assistant.search.word_account import WordAccount, account_of_words
from rag_assistant.text.terms import words_in
from rag_assistant.values.documents import Hit
from rag_assistant.values.search_plan import Phrase

Result = TypeVar("Result")

ABOVE = 10
"""Entries before this one that are given, the best first."""

Fate = Literal[
    "shown",
    "outranked",
    "duplicate",
    "older version",
    "cut off",
    "filtered",
    "no words",
    "no match",
]
"""What became of an entry: `shown` among the first; `outranked` by more than are shown; a
`duplicate` or an `older version` of one that is shown; `cut off` before the stages of ranking;
`filtered` by the question's own conditions; it has `no match`."""


@dataclass(frozen=True, slots=True)
class Account:
    """What became of an entry. `rank` counts from 1 among `ranked` entries, 0 for none.

    `score` and `shares` are as in a hit, and `above` has the hits before it. A `duplicate` or an
    `older version` is shown with the entry `same_as`. `before` counts the entries that the engine
    puts before one that was cut off. `condition` names the part of the question that let it not
    through.
    """

    fate: Fate
    entry_id: int
    words: tuple[WordAccount, ...]
    rank: int = 0
    ranked: int = 0
    score: float = 0.0
    shares: Mapping[str, float] | None = None
    above: tuple[Hit, ...] = ()
    same_as: Hit | None = None
    before: int = 0
    condition: str = ""
    by_meaning: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """Entries of the database `number` of those that are searched, of which the best is meant."""

    number: int
    entries: Collection[int]

    def place_in(self, ranking: Sequence[RankedEntry]) -> int | None:
        """Give the place of the best of the entries in a ranking."""
        for one in ranking:
            candidate = one.candidate
            if candidate.database == self.number and candidate.entry_id in self.entries:
                return one.place
        return None


def account(searches: Searches, text: str, limit: int, target: Target) -> Account:
    """Say what became of the best of some entries in a search for `limit` hits."""
    query = read_query(text)
    plan, candidates = bring_together(searches, query, limit)
    if not plan.has_words:
        first = min(target.entries)
        words = _words(searches, query, target, first)
        return Account("no words", first, words, notes=plan.notes)
    pool = make_pool(plan, candidates)
    ranking = rank(pool)
    place = target.place_in(ranking)
    if place is None:
        return _not_ranked(searches, query, target, len(ranking), plan.notes)
    shown = shown_of(searches, ranking, len(ranking))
    stands = _standing(searches, shown, ranking[place], limit)
    return Account(
        stands.fate,
        stands.entry_id,
        _words(searches, query, target, stands.entry_id),
        stands.rank,
        len(ranking),
        round(ranking[place].score, 4),
        {name: round(share, 4) for name, share in ranking[place].shares.items()},
        stands.above,
        stands.same_as,
        by_meaning=plan.by_meaning,
        notes=plan.notes,
    )


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where an entry stands among the hits, and what stands before it."""

    fate: Fate
    entry_id: int
    rank: int
    above: tuple[Hit, ...]
    same_as: Hit | None = None


def _standing(
    searches: Searches, shown: Sequence[RankedEntry], entry: RankedEntry, limit: int
) -> _Standing:
    number, entry_id = entry.candidate.database, entry.candidate.entry_id
    fate: Fate = "older version"
    at = _shown_at(shown, number, entry_id)
    if at is None:
        newest = _asked_of(searches, number, lambda search: _newest(search, entry_id))
        at = _shown_at(shown, number, newest)
        if at is None:
            raise LookupError(f"entry {entry_id} was ranked, and nothing is shown for it")
    elif entry_id in shown[at].duplicates:
        fate = "duplicate"
    else:
        fate = "shown" if at < limit else "outranked"
    above = _hits(searches, list(enumerate(shown[: min(at, ABOVE)], 1)))
    stands_in = fate in ("duplicate", "older version")
    same_as = _hits(searches, [(at + 1, shown[at])])[0] if stands_in else None
    return _Standing(fate, entry_id, at + 1, above, same_as)


def _shown_at(shown: Sequence[RankedEntry], number: int, entry_id: int) -> int | None:
    """Give the place of what an entry is shown by: itself, or one that says the same."""
    for place, one in enumerate(shown):
        if one.candidate.database == number and (
            one.candidate.entry_id == entry_id or entry_id in one.duplicates
        ):
            return place
    return None


def _newest(search: DatabaseSearch, entry_id: int) -> int:
    return search.reader.versions.newest([entry_id]).get(entry_id, entry_id)


def _hits(searches: Searches, ranked: Sequence[tuple[int, RankedEntry]]) -> tuple[Hit, ...]:
    found = [hit for some in searches.ask(lambda search: search.hits(ranked)) for hit in some]
    return tuple(sorted(found, key=lambda hit: hit.rank))


def _not_ranked(
    searches: Searches, query: QueryTerms, target: Target, ranked: int, notes: tuple[str, ...]
) -> Account:
    """Say why an entry was not among those that were ranked."""
    entry_id, fate, before, condition = _asked_of(
        searches, target.number, lambda search: _refusal(search, query, target.entries)
    )
    words = _words(searches, query, target, entry_id)
    return Account(
        fate, entry_id, words, ranked=ranked, before=before, condition=condition, notes=notes
    )


def _refusal(
    search: DatabaseSearch, query: QueryTerms, entries: Collection[int]
) -> tuple[int, Fate, int, str]:
    """Give the entry, what became of it, how many stand before it, and the condition at fault."""
    place = search.reader.candidates.place_of(search.plan, entries, search.judge())
    if place is not None:
        return place.entry_id, "cut off", place.before, ""
    condition = _condition_at_fault(search, query, entries)
    return min(entries), "filtered" if condition else "no match", 0, condition


def _condition_at_fault(search: DatabaseSearch, query: QueryTerms, entries: Collection[int]) -> str:
    """Name what of the question lets none of the entries through; empty where all does."""
    candidates, parsed = search.reader.candidates, query.parsed
    for phrase in parsed.phrases:
        if not candidates.hold(exactly(phrase), entries):
            return f'"{phrase}"'
    for excluded in parsed.excluded:
        if candidates.hold(exactly(excluded), entries):
            return f'-"{excluded}"'
    if not candidates.let_through(search.plan.filters, entries):
        return written(parsed.filters)
    for one in parsed.filters:
        words = words_in(one.value) if one.name == "title" else []
        titled = (Phrase(tuple(words), column="title"),)
        if words and candidates.hold(titled, entries) == one.negated:
            return written([one])
    return ""


def _asked_of(searches: Searches, number: int, step: Callable[[DatabaseSearch], Result]) -> Result:
    """Take a step in one database alone."""
    given = searches.ask(lambda search: [step(search)] if search.number == number else [])
    return next(one for some in given for one in some)


def _words(
    searches: Searches, query: QueryTerms, target: Target, entry_id: int
) -> tuple[WordAccount, ...]:
    """Say of each word of the question whether the entry has it."""
    return _asked_of(
        searches,
        target.number,
        lambda search: account_of_words(search.reader, search.plan, query, entry_id),
    )
