"""Ranking: candidates, scored entry by entry in named stages, shown by their best passage.

What one database brings, or several brought together, is ranked in one pool. Profile "question"
runs all stages; "typing" takes the engine's order with the title, for each key typed. The shares of
an entry sum to its score.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from rag_assistant.search.meaning import beside_words, fuse, fused_shares, nearness
from rag_assistant.search.planning import plan_alone
from rag_assistant.search.pool import Extract, Pool, make_pool, query_terms
from rag_assistant.search.stages import contributions
from rag_assistant.search.stages.placed import placed_scores
from rag_assistant.store.reading import StoreReader
from rag_assistant.store.searching import PASSAGES, PASSAGES_PER_ENTRY
from rag_assistant.text.likeness import lower_words
from rag_assistant.values.documents import Hit
from rag_assistant.values.search_plan import Candidate, CandidatePassage, Plan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DATA_TYPES = frozenset({"application/xml"})
"""Media types of what is written for programs: XML of no known kind, such as settings, lists of
messages and exports."""

DATA = 0.5
"""Share of its score that an entry of data keeps: it repeats the words of a question in hundreds of
short fields, and answers it less often than a document that has them once."""

Profile = Literal["question", "typing"]

TITLE_TYPED = 0.5
"""Share of a term's rarity that it adds, while a person types, where the title holds it."""

NEAREST = 200
"""Entries nearest in meaning that are chosen as well, whatever words they have."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a search, best first, and what there is to say about it.

    `databases` are those that were searched. `by_meaning` says that vectors took part: such scores
    compare with their like only. `reranked_by` names the model that put the hits in their order,
    and `sent_to` the host that their text went to for it, if that is not this machine. Where hits
    are passages, `entries` are the entries in their order.
    """

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    databases: tuple[str, ...] = ()
    by_meaning: bool = False
    reranked_by: str = ""
    sent_to: str = ""
    entries: "tuple[EntryScore, ...]" = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


@dataclass(frozen=True, slots=True)
class EntryScore:
    """An entry in a ranking of entries: its score, and the ids of those that say the same."""

    database: str
    entry_id: int
    score: float
    duplicates: tuple[int, ...] = ()


class RankedEntry(NamedTuple):
    """A candidate in its `place` of a ranking, from 0, with the shares of each stage in its score.

    `extract` is what it was ranked by, and `keys` its terms as they are compared, where stages
    ranked it. It is shown by its `passage`, of those it has, and with the `duplicates` that say the
    same. A named tuple, since a search makes many of them.
    """

    candidate: Candidate
    place: int
    score: float = 0.0
    shares: Mapping[str, float] = MappingProxyType({})
    extract: Extract | None = None
    keys: Mapping[int, int] = MappingProxyType({})
    passage: int = 0
    duplicates: tuple[int, ...] = ()


def rank(pool: Pool) -> list[RankedEntry]:
    """Rank by all stages, and by the meaning where it takes part; equals as they came."""
    shares: Mapping[str, Sequence[float]] = contributions(pool)
    if pool.plan.by_meaning:
        shares = fused_shares([extract.candidate for extract in pool.extracts], shares)
    data = [_is_data(extract.candidate) for extract in pool.extracts]
    if any(data):
        shares = {
            name: [share * DATA if one else share for share, one in zip(some, data, strict=True)]
            for name, some in shares.items()
        }
    scores = [sum(some) for some in zip(*shares.values(), strict=True)]
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
    return [
        RankedEntry(
            pool.extracts[index].candidate,
            place,
            scores[index],
            {name: some[index] for name, some in shares.items()},
            pool.extracts[index],
            pool.keys.counts[index],
        )
        for place, index in enumerate(order)
    ]


def _is_data(candidate: Candidate) -> bool:
    return candidate.entry is not None and candidate.entry.media_type in DATA_TYPES


def rank_as_typed(plan: Plan, candidates: Sequence[Candidate]) -> list[RankedEntry]:
    """Rank by the engine's score of the best passage and what the title holds."""
    words = {candidate.title: lower_words(candidate.title) for candidate in candidates}
    terms = query_terms({word for found in words.values() for word in found}, plan.weights)
    shares: list[dict[str, float]] = []
    for candidate in candidates:
        held = {terms[word] for word in words[candidate.title] if word in terms}
        title = TITLE_TYPED * sum(plan.weights[term] for term in held)
        shares.append({"words": candidate.scores[0], "title": title})
    scores = [sum(some.values()) for some in shares]
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    return [
        RankedEntry(candidates[index], place, scores[index], shares[index])
        for place, index in enumerate(order)
    ]


def rank_by_date(candidates: Sequence[Candidate]) -> list[RankedEntry]:
    """List the newest first, equals as they came."""
    ordered = sorted(candidates, key=lambda candidate: candidate.date, reverse=True)
    return [RankedEntry(candidate, place) for place, candidate in enumerate(ordered)]


def most_promising(candidates: Sequence[Candidate], limit: int) -> list[Candidate]:
    """Choose of what several databases bring as many as there would be, were it one database.

    By the scores of their best passages, which are judged by the same weights in all. In a larger
    pool the stages that compare its entries give other shares, and take longer.
    """
    room = max(PASSAGES, PASSAGES_PER_ENTRY * limit)
    if sum(len(candidate.passages) for candidate in candidates) <= room:
        return list(candidates)
    best = [max(candidate.scores, default=0.0) for candidate in candidates]
    kept: set[int] = set()
    for index in sorted(range(len(best)), key=lambda index: -best[index]):
        room -= len(candidates[index].passages)
        if room < 0:
            break
        kept.add(index)
    near = {i: cosine for i, one in enumerate(candidates) if (cosine := nearness(one)) is not None}
    kept.update(sorted(near, key=lambda index: -near[index])[:NEAREST])
    return [candidate for index, candidate in enumerate(candidates) if index in kept]


def passages_that_matter(
    reader: StoreReader,
    entry_id: int,
    text: str,
    limit: int,
    vector: "NDArray[np.float32] | None" = None,
) -> list[int]:
    """Give the starts of the entry's passages that match `text`, best first, `limit` at most.

    All words of the text count here, not only the rare ones that find candidates. With its vector
    passages without any of the words take part, as near as they are in meaning.
    """
    plan = plan_alone(reader, text)
    records = reader.records.of_entry(entry_id)
    ids = [record.id for record in records]
    near = reader.vectors.cosines(vector, ids) if vector is not None else {}
    if not records or not (plan.weights or near):
        return []
    texts: Mapping[int, CandidatePassage] = {}
    if plan.for_stop_words:
        texts = reader.passages.candidates(ids)
    entry = reader.records.entries([entry_id]).get(entry_id)
    pool = make_pool(plan, [Candidate(entry_id, ids, records=records, entry=entry, texts=texts)])
    own = pool.extracts[0].candidate
    mean_length = reader.records.totals().mean_length
    entries = {entry_id: own.entry} if own.entry else {}
    scores = placed_scores(plan.weights, own.records, entries, mean_length)
    cosines = {place: near[passage] for place, passage in enumerate(ids) if passage in near}
    if cosines:
        order = list(fuse(dict(enumerate(scores)), cosines, beside_words(scores, plan.weights)))
    else:
        order = sorted(range(len(ids)), key=lambda place: (-scores[place], place))
    chosen = [ids[place] for place in order if cosines or scores[place] > 0][:limit]
    starts = reader.passages.starts(chosen)
    return [starts[passage] for passage in chosen]
