"""Ranking: FTS5's candidates, scored entry by entry in named stages, shown by their best passage.

Profile "question" runs all stages; "typing" takes FTS5's order with the title, for each key typed.
The explanation of a hit sums to its score.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rag_assistant.documents import Hit
from rag_assistant.search.candidates import (
    Found,
    find_entries,
    newest_entries,
    passages_of,
    read_passages,
    titles_of,
)
from rag_assistant.search.duplicates import Ranked, Shown, without_duplicates
from rag_assistant.search.hits import Choice, make_hit
from rag_assistant.search.pool import Pool, lower_words, make_pool, query_terms
from rag_assistant.search.query import Query, plan_query
from rag_assistant.search.stages import contributions
from rag_assistant.search.stages.bm25 import mean_part_length, part_scores

if TYPE_CHECKING:
    from rag_assistant.search.meaning import Meaning

Profile = Literal["question", "typing"]

TITLE_TYPED = 0.5
"""Share of a term's rarity that it adds, while a person types, where the title holds it."""

TYPING_ROWS, TYPING_ENTRIES = 150, 60
"""Rows and titles looked at while a person types, or what is asked for if that is more."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of one search of one database, best first, and what there is to say about it.

    `by_meaning` says that vectors took part: such scores compare with their like only.
    """

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    query: Query | None = None
    by_meaning: bool = False


def search_index(
    connection: sqlite3.Connection,
    database: str,
    text: str,
    limit: int,
    profile: Profile = "question",
    meaning: "Meaning | None" = None,
) -> SearchResult:
    """Find the `limit` entries that best match `text`, each shown by its best passage.

    Filters without words list entries, newest first. `meaning` is the vector of `text`, when the
    database has vectors to compare it with.
    """
    query = plan_query(connection, text, typing=profile == "typing")
    choices: Sequence[Choice] = ()
    if limit > 0 and query.match:
        if profile == "typing":
            choices = _as_typed(connection, query, limit)
        else:
            choices = _by_stages(connection, query, limit, meaning)
    elif limit > 0 and query.condition:
        choices = [Choice(passage) for passage in newest_entries(connection, query, limit)]
    hits = [
        make_hit(connection, database, query, rank, choice)
        for rank, choice in enumerate(choices, 1)
    ]
    return SearchResult(tuple(hits), query.notes, query, by_meaning=meaning is not None)


def _by_stages(
    connection: sqlite3.Connection, query: Query, limit: int, meaning: "Meaning | None"
) -> list[Choice]:
    """Rank by all stages, and by the meaning where there is one."""
    entries: Sequence[Found] = find_entries(connection, query, limit)
    if meaning:
        from rag_assistant.search.meaning import with_the_nearest  # noqa: PLC0415 - loads numpy

        entries = with_the_nearest(connection, query, entries, meaning)
    ids = [passage_id for entry in entries for passage_id in entry.passages]
    pool = make_pool(query, entries, read_passages(connection, ids))
    parts = contributions(pool)
    if meaning:
        from rag_assistant.search.meaning import fused_parts  # noqa: PLC0415 - loads numpy

        parts = fused_parts(connection, entries, parts, meaning)
    scores = [sum(shares) for shares in zip(*parts.values(), strict=True)]
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
    ranking = (
        Ranked(entries[index].entry_id, scores[index], pool.keys.counts[index].keys())
        for index in order
    )
    shown = without_duplicates(connection, ranking, limit)
    mean = mean_part_length(pool)
    return [
        _choice(
            pool, order[one.place], one, mean, {n: p[order[one.place]] for n, p in parts.items()}
        )
        for one in shown
    ]


def _choice(
    pool: Pool, index: int, shown: Shown, mean_length: float, explanation: dict[str, float]
) -> Choice:
    """Choose the passage that an entry is shown by."""
    extract = pool.extracts[index]
    scores = part_scores(extract, pool.query.weights, mean_length)
    best = max(range(len(scores)), key=lambda part: (scores[part], -part))
    found = extract.found
    others = len(found.passages) + found.others - 1
    return Choice(found.passages[best], others, explanation, tuple(shown.duplicates))


def _as_typed(connection: sqlite3.Connection, query: Query, limit: int) -> list[Choice]:
    """Rank by FTS5's score of the best passage and what the title holds."""
    entries = find_entries(connection, query, limit, TYPING_ROWS)[: max(TYPING_ENTRIES, limit)]
    titles = titles_of(connection, [entry.entry_id for entry in entries])
    words = {title: lower_words(title) for title in titles.values()}
    terms = query_terms({word for found in words.values() for word in found}, query.weights)
    explained: list[tuple[Found, dict[str, float]]] = []
    for entry in entries:
        held = {terms[word] for word in words[titles[entry.entry_id]] if word in terms}
        title = TITLE_TYPED * sum(query.weights[term] for term in held)
        explained.append((entry, {"words": entry.scores[0], "title": title}))
    explained.sort(key=lambda pair: -sum(pair[1].values()))
    return [
        Choice(entry.passages[0], len(entry.passages) + entry.others - 1, explanation)
        for entry, explanation in explained[:limit]
    ]


def passages_that_matter(
    connection: sqlite3.Connection, entry_id: int, text: str, limit: int
) -> list[int]:
    """Give the starts of the entry's passages that match `text`, best first, `limit` at most.

    All words of the text count here, not only the rare ones that find candidates.
    """
    query = plan_query(connection, text)
    starts, passages = passages_of(connection, entry_id)
    if not query.weights or not passages:
        return []
    found = Found(entry_id, [passage.id for passage in passages], [])
    pool = make_pool(query, [found], {passage.id: passage for passage in passages})
    scores = part_scores(pool.extracts[0], query.weights, mean_part_length(pool))
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], starts[index]))
    return [starts[index] for index in order if scores[index] > 0][:limit]
