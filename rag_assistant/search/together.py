"""One search of one database, or of several together, step by step.

All take each step before any takes the next: they count what is asked for, so that a word is as
rare in one as in the others; they bring candidates, which are ranked in one pool; they show those
of their entries that were chosen. A single database is searched by the same steps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from rag_assistant.search.asked import Asked, read_query
from rag_assistant.search.candidates import PASSAGES, PASSAGES_PER_ENTRY
from rag_assistant.search.counts import summed
from rag_assistant.search.part import Chosen, Part
from rag_assistant.search.pool import make_pool
from rag_assistant.search.query import Query
from rag_assistant.search.ranking import Gathered, Profile, Ranking, SearchResult, rank
from rag_assistant.search.spelling import Correction, likeliest
from rag_assistant.search.stages import QUESTION, contributions
from rag_assistant.search.weights import Weights, unknown_words, weigh, with_corrections

Result = TypeVar("Result")

FIRST_STAGES = ("words", "title", "compounds")
"""The stages that choose, of what several databases bring, as much as one is ranked with."""

NEAREST = 200
"""Entries nearest in meaning that are chosen as well, whatever words they have."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is searched for: the `limit` best entries for any text."""

    text: str
    limit: int
    profile: Profile = "question"


class Parts(Protocol):
    """All databases of a search."""

    def ask(self, step: Callable[[Part], Result]) -> list[Result]:
        """Take a step in each, one result at least; those that cannot are left out from then on."""
        ...


def search_together(parts: Parts, request: Request) -> SearchResult:
    """Find the entries that best match a text, each shown by its best passage.

    Filters without words list entries, newest first. What only some of the databases have to say
    of the query, such as that they do not hold a phrase, is not said.
    """
    asked = read_query(request.text, typing=request.profile == "typing")
    queries = plan_all(parts, asked)
    first = queries[0]
    chosen: list[Chosen] = []
    by_meaning = False
    if request.limit > 0 and first.match and request.profile == "question":
        chosen, by_meaning = _by_stages(parts, request.limit)
    elif request.limit > 0 and (first.match or first.condition):
        chosen = _flat(parts.ask(lambda part: part.listed(request.limit)))
        # By score, the dates turned round: the newest is first, equals as they came.
        chosen.sort(key=lambda one: one.key[1], reverse=True)
        chosen.sort(key=lambda one: one.key[0])
    ranked = list(enumerate(chosen[: request.limit], 1))
    hits = sorted(_flat(parts.ask(lambda part: part.hits(ranked))), key=lambda hit: hit.rank)
    notes = [note for note in first.notes if all(note in query.notes for query in queries)]
    renumbered = tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, 1))
    return SearchResult(renumbered, tuple(notes), by_meaning=by_meaning)


def plan_all(parts: Parts, asked: Asked) -> list[Query]:
    """Let each database plan its query, by the rarity that the words have in all of them."""
    weights = _weights(parts, asked)
    return parts.ask(lambda part: part.plan(asked, weights))


def _weights(parts: Parts, asked: Asked) -> Weights:
    """Weigh the words by what all databases count, and correct those that none of them holds."""
    total = summed(parts.ask(lambda part: part.count(asked)))
    weights = weigh(asked, total)
    unknown = unknown_words(asked, weights, total)
    if not unknown:
        return weights
    proposed = parts.ask(lambda part: part.corrections(unknown))
    chosen: dict[str, Correction] = {}
    for word in unknown:
        if best := likeliest(word, [some[word] for some in proposed if word in some]):
            chosen[word] = best
    counted = parts.ask(lambda part: part.count_corrections(chosen.values()))
    counts = {one.term: sum(some.get(one.term, 0) for some in counted) for one in chosen.values()}
    chosen = {word: replace(one, passages=counts[one.term]) for word, one in chosen.items()}
    return with_corrections(weights, chosen, total.passages)


def _by_stages(parts: Parts, limit: int) -> tuple[list[Chosen], bool]:
    """Choose of what all bring; say also whether meaning took part."""
    ranking, by_meaning = rank_all(parts, limit)
    return chosen_of(parts, ranking, limit), by_meaning


def rank_all(parts: Parts, limit: int) -> tuple[Ranking, bool]:
    """Rank in one pool what all bring; say also whether meaning took part."""
    gathered = parts.ask(lambda part: part.gather(limit))
    joint = gathered[0] if len(gathered) == 1 else _narrowed(_joined(gathered), limit)
    return rank(joint), joint.cosines is not None


def chosen_of(parts: Parts, ranking: Ranking, limit: int) -> list[Chosen]:
    """Give the best of a ranking that differ, `limit` of each database, the best first."""
    best = _flat(parts.ask(lambda part: part.best_of(ranking, limit)))
    return sorted(best, key=lambda one: one.key)


def _joined(gathered: Sequence[Gathered]) -> Gathered:
    """Put what several databases brought into one.

    Where only some have vectors, the passages of the others are as those without a vector yet: they
    get the cosine that their words let expect.
    """
    cosines = [some.cosines for some in gathered if some.cosines is not None]
    return Gathered(
        gathered[0].query,
        [entry for some in gathered for entry in some.entries],
        {number: passage for some in gathered for number, passage in some.passages.items()},
        {number: cosine for some in cosines for number, cosine in some.items()}
        if cosines
        else None,
    )


def _narrowed(joint: Gathered, limit: int) -> Gathered:
    """Choose the most promising: as many as there would be, were it one database.

    In a larger pool the stages that compare its entries give other shares, and take longer.
    """
    entries, room = joint.entries, max(PASSAGES, PASSAGES_PER_ENTRY * limit)
    if sum(len(entry.passages) for entry in entries) <= room:
        return joint
    pool = make_pool(joint.query, entries, joint.passages)
    shares = contributions(pool, [stage for stage in QUESTION if stage.name in FIRST_STAGES])
    scores = [sum(some) for some in zip(*shares.values(), strict=True)]
    kept: set[int] = set()
    for index in sorted(range(len(scores)), key=lambda index: -scores[index]):
        room -= len(entries[index].passages)
        if room < 0:
            break
        kept.add(index)
    cosines = joint.cosines or {}
    near = [max(cosines.get(p, -1.0) for p in entry.passages) for entry in entries]
    nearest = sorted(range(len(near)), key=lambda index: -near[index])[:NEAREST]
    kept.update(index for index in nearest if near[index] > -1.0)
    return replace(joint, entries=[entry for i, entry in enumerate(entries) if i in kept])


def _flat(lists: Sequence[Sequence[Result]]) -> list[Result]:
    return [one for some in lists for one in some]
