"""Ranking: FTS5's candidates, scored entry by entry in named stages, shown by their best passage.

What one database brings, or several brought together, is ranked in one pool. Profile "question"
runs all stages; "typing" takes FTS5's order with the title, for each key typed. The explanation of
a hit sums to its score.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rag_assistant.search.candidates import (
    PASSAGES,
    Found,
    Passage,
    find_entries,
    passages_of,
    read_passages,
    titles_of,
)
from rag_assistant.search.hits import Choice
from rag_assistant.search.pool import Pool, make_pool, query_terms
from rag_assistant.search.query import Query, plan_query
from rag_assistant.search.stages import contributions
from rag_assistant.search.stages.bm25 import mean_part_length, part_scores
from rag_assistant.text.likeness import lower_words
from rag_assistant.values.documents import Hit

if TYPE_CHECKING:
    from rag_assistant.search.meaning import Meaning

Profile = Literal["question", "typing"]

TITLE_TYPED = 0.5
"""Share of a term's rarity that it adds, while a person types, where the title holds it."""

TYPING_ROWS, TYPING_ENTRIES = 150, 60
"""Rows and titles looked at while a person types, or what is asked for if that is more."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a search, best first, and what there is to say about it.

    `databases` are those that were searched. `by_meaning` says that vectors took part: such scores
    compare with their like only. `reranked_by` names the model that put the hits in their order,
    and `sent_to` the host that their text went to for it, if that is not this machine.
    """

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    databases: tuple[str, ...] = ()
    by_meaning: bool = False
    reranked_by: str = ""
    sent_to: str = ""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The candidates of a search, with the passages that they are judged by.

    `cosines` has the nearness in meaning of those passages that have a vector; it is None where
    meaning takes no part.
    """

    query: Query
    entries: Sequence[Found]
    passages: Mapping[int, Passage]
    cosines: Mapping[int, float] | None = None


def gather(
    connection: sqlite3.Connection,
    query: Query,
    limit: int,
    meaning: "Meaning | None" = None,
    most: int = PASSAGES,
) -> Gathered:
    """Take the candidates of one database, and those near in meaning where there is one.

    `most` passages are read, or three for each of `limit` entries.
    """
    entries: Sequence[Found] = find_entries(connection, query, limit, most=most)
    cosines: Mapping[int, float] | None = None
    if meaning:
        from rag_assistant.search.meaning import (  # noqa: PLC0415 - loads numpy
            cosines_with,
            with_the_nearest,
        )

        entries = with_the_nearest(connection, query, entries, meaning)
        cosines = cosines_with(connection, entries, meaning)
    ids = [passage_id for entry in entries for passage_id in entry.passages]
    return Gathered(query, entries, read_passages(connection, ids), cosines)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates with the shares of each stage in their scores; `order` has them best first."""

    pool: Pool
    parts: Mapping[str, Sequence[float]]
    scores: Sequence[float]
    order: Sequence[int]
    mean_length: float

    def choice(self, index: int, duplicates: Sequence[int] = ()) -> Choice:
        """Choose the passage that an entry is shown by."""
        extract = self.pool.extracts[index]
        scores = part_scores(extract, self.pool.query.weights, self.mean_length)
        best = max(range(len(scores)), key=lambda part: (scores[part], -part))
        found = extract.found
        others = len(found.passages) + found.others - 1
        explanation = {name: shares[index] for name, shares in self.parts.items()}
        return Choice(found.passages[best], others, explanation, tuple(duplicates))


def rank(gathered: Gathered) -> Ranking:
    """Rank by all stages, and by the meaning where there is one."""
    pool = make_pool(gathered.query, gathered.entries, gathered.passages)
    parts = contributions(pool)
    if gathered.cosines is not None:
        from rag_assistant.search.meaning import fused_parts  # noqa: PLC0415 - loads numpy

        parts = fused_parts(gathered.entries, parts, gathered.cosines)
    scores = [sum(shares) for shares in zip(*parts.values(), strict=True)]
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
    return Ranking(pool, parts, scores, order, mean_part_length(pool))


def rank_as_typed(connection: sqlite3.Connection, query: Query, limit: int) -> list[Choice]:
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
