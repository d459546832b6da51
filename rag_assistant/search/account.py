"""How some entries of a database fared in a search: which words they have, what came before them.

It takes the steps of a search (`together`) and looks at what a search does not show, so that what
it says of a rank is what a search would give.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from rag_assistant.search.asked import Asked, read_query
from rag_assistant.search.candidates import FTS_WEIGHTS
from rag_assistant.search.duplicates import newest_versions
from rag_assistant.search.part import Chosen, Part
from rag_assistant.search.query import Query
from rag_assistant.search.query_language import Filter
from rag_assistant.search.ranking import Ranking
from rag_assistant.search.together import Parts, chosen_of, plan_all, rank_all
from rag_assistant.search.word_account import WordAccount, account_of_words, holds
from rag_assistant.search.wording import exactly, quoted
from rag_assistant.text.terms import words_in
from rag_assistant.values.documents import Hit

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
    `older version` is shown with the entry `same_as`. `before` counts the entries that FTS5 puts
    before one that was cut off. `condition` names the part of the question that let it not through.
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
    """Entries of the database `number` of `count` searched ones, of which the best is meant."""

    number: int
    count: int
    entries: Collection[int]


def account(parts: Parts, text: str, limit: int, target: Target) -> Account:
    """Say what became of the best of some entries in a search for `limit` hits."""
    asked = read_query(text)
    queries = plan_all(parts, asked)
    notes = tuple(note for note in queries[0].notes if all(note in q.notes for q in queries))
    if not queries[0].match:
        first = min(target.entries)
        return Account("no words", first, _words(parts, asked, target, first), notes=notes)
    ranking, by_meaning = rank_all(parts, limit)
    place = _place(ranking, target)
    if place is None:
        return _not_ranked(parts, asked, target, len(ranking.order), notes)
    found = _fate(parts, ranking, place, limit, target)
    return Account(
        found.fate,
        found.entry_id,
        _words(parts, asked, target, found.entry_id),
        found.rank,
        len(ranking.order),
        found.score,
        found.shares,
        found.above,
        found.same_as,
        by_meaning=by_meaning,
        notes=notes,
    )


def _place(ranking: Ranking, target: Target) -> int | None:
    """Give the place of the best of the entries in a ranking."""
    for place, index in enumerate(ranking.order):
        number = ranking.pool.extracts[index].found.entry_id
        if number % target.count == target.number and number // target.count in target.entries:
            return place
    return None


@dataclass(frozen=True, slots=True)
class _Found:
    """Where an entry stands in a ranking."""

    fate: Fate
    entry_id: int
    rank: int
    score: float
    shares: Mapping[str, float]
    above: tuple[Hit, ...]
    same_as: Hit | None = None


def _fate(parts: Parts, ranking: Ranking, place: int, limit: int, target: Target) -> _Found:
    index = ranking.order[place]
    entry_id = ranking.pool.extracts[index].found.entry_id // target.count
    chosen = chosen_of(parts, ranking, len(ranking.order))
    own = [one for one in chosen if one.part == target.number]
    fate: Fate = "older version"
    shown = _shown_for(own, entry_id, place)
    if shown is None:
        newest = _asked_of(parts, target.number, lambda part: _newest(part, entry_id))
        there = _place(ranking, Target(target.number, target.count, {newest}))
        shown = _shown_for(own, newest, -1 if there is None else there)
        if shown is None:
            raise LookupError(f"entry {entry_id} was ranked, and nothing is shown for it")
    elif entry_id in shown.choice.duplicates:
        fate = "duplicate"
    else:
        fate = "shown" if chosen.index(shown) < limit else "outranked"
    rank = chosen.index(shown) + 1
    shares = {name: round(values[index], 4) for name, values in ranking.parts.items()}
    before = chosen[: min(rank - 1, ABOVE)]
    above = _hits(parts, list(enumerate(before, 1)))
    stands_in = fate in ("duplicate", "older version")
    same_as = _hits(parts, [(rank, shown)])[0] if stands_in else None
    return _Found(fate, entry_id, rank, round(ranking.scores[index], 4), shares, above, same_as)


def _shown_for(own: Sequence[Chosen], entry_id: int, place: int) -> Chosen | None:
    """Give what an entry is shown by: itself, or one that says the same."""
    for one in own:
        if one.key[0] == place or entry_id in one.choice.duplicates:
            return one
    return None


def _newest(part: Part, entry_id: int) -> int:
    return newest_versions(part.connection, [entry_id]).get(entry_id, entry_id)


def _hits(parts: Parts, ranked: Sequence[tuple[int, Chosen]]) -> tuple[Hit, ...]:
    found = [hit for some in parts.ask(lambda part: part.hits(ranked)) for hit in some]
    return tuple(sorted(found, key=lambda hit: hit.rank))


def _not_ranked(
    parts: Parts, asked: Asked, target: Target, ranked: int, notes: tuple[str, ...]
) -> Account:
    """Say why an entry was not among those that were ranked."""
    entry_id, fate, before, condition = _asked_of(
        parts, target.number, lambda part: _refusal(part, asked, target.entries)
    )
    words = _words(parts, asked, target, entry_id)
    return Account(
        fate, entry_id, words, ranked=ranked, before=before, condition=condition, notes=notes
    )


def _refusal(part: Part, asked: Asked, entries: Collection[int]) -> tuple[int, Fate, int, str]:
    """Give the entry, what became of it, how many FTS5 puts before it, and the condition at fault.

    Scores are compared as `find_entries` does, by each entry's best passage.
    """
    connection, query = part.connection, part.query
    wanted = json.dumps(sorted(entries))
    best = connection.execute(
        "SELECT entry_id, -bm25(passages_fts, ?, ?, ?, ?) AS score FROM passages_fts"
        " JOIN passages ON passages.id = passages_fts.rowid"
        " JOIN entries ON entries.id = entry_id JOIN files ON files.id = file_id"
        " WHERE passages_fts MATCH ? AND entry_id IN (SELECT value FROM json_each(?))"
        f" AND ({query.condition or '1'}) ORDER BY score DESC LIMIT 1",
        (*FTS_WEIGHTS, query.match, wanted, *query.parameters),
    ).fetchone()
    if best is None:
        condition = _condition_at_fault(connection, asked, query, wanted)
        return min(entries), "filtered" if condition else "no match", 0, condition
    entry_id, score = best
    (before,) = connection.execute(
        "SELECT count(DISTINCT entry_id) FROM (SELECT rowid, -bm25(passages_fts, ?, ?, ?, ?)"
        " AS score FROM passages_fts WHERE passages_fts MATCH ?) AS found"
        " JOIN passages ON passages.id = found.rowid WHERE found.score > ?",
        (*FTS_WEIGHTS, query.match, score),
    ).fetchone()
    return entry_id, "cut off", before, ""


def _condition_at_fault(
    connection: sqlite3.Connection, asked: Asked, query: Query, wanted: str
) -> str:
    """Name what of the question lets none of the entries through; empty where all does."""
    for phrase in asked.parsed.phrases:
        if not holds(connection, exactly(phrase), wanted):
            return f'"{phrase}"'
    for excluded in asked.parsed.excluded:
        if holds(connection, exactly(excluded), wanted):
            return f'-"{excluded}"'
    through = connection.execute(
        "SELECT 1 FROM entries JOIN files ON files.id = file_id"
        f" WHERE entries.id IN (SELECT value FROM json_each(?)) AND ({query.condition or '1'})",
        (wanted, *query.parameters),
    ).fetchone()
    if through is None:
        return _written(asked.parsed.filters)
    for one in asked.parsed.filters:
        words = words_in(one.value) if one.name == "title" else []
        if words and holds(connection, f"{{title}} : {quoted(words)}", wanted) == one.negated:
            return _written([one])
    return ""


def _written(filters: Sequence[Filter]) -> str:
    return " ".join(f"{'-' * one.negated}{one.name}:{one.value}" for one in filters)


def _asked_of(parts: Parts, number: int, step: Callable[[Part], Result]) -> Result:
    """Take a step in one database alone."""
    given = parts.ask(lambda part: [step(part)] if part.number == number else [])
    return next(one for some in given for one in some)


def _words(parts: Parts, asked: Asked, target: Target, entry_id: int) -> tuple[WordAccount, ...]:
    """Say of each word of the question whether the entry has it."""
    return _asked_of(parts, target.number, lambda part: account_of_words(part, asked, entry_id))
