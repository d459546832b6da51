"""The passages of all databases in one order, several of an entry where they deserve it.

A passage is scored by what it holds and what places it, by its entry's place among the documents,
and by its meaning where vectors take part. The entry's score raises its passages, but opens or
closes nothing: passages that words find take part whatever their entry's score.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from rag_assistant.search.meaning import beside_words, fuse
from rag_assistant.search.ranking import DATA, DATA_TYPES, RankedEntry
from rag_assistant.search.stages.placed import placed_scores
from rag_assistant.values.search_plan import Candidate
from rag_assistant.values.term_records import EntryTerms, PassageRecord

PRIOR = 0.5
"""Of the best passage's score by words: what passages of the best entry gain. Chosen on the tuning
questions of COVID-QA, the demo folders and the reports, where 0 loses up to .08 of the gold quotes
in the first five or ten, and .8 up to .03: a quote of these small sets is .02 to .04."""

EntryKey = tuple[int, int]
"""The place of a database among those that are searched, and the id of an entry in it."""


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """What one database brings: passages in its engine's order, the terms of their entries by id.

    `cosines` has the nearness in meaning of those with a vector. `mean_length` is that of a passage
    of the database, in words; `side_by_side` what each is worth for words that stand so.
    """

    database: int
    records: Sequence[PassageRecord]
    entries: Mapping[int, EntryTerms]
    mean_length: float
    cosines: Mapping[int, float]
    side_by_side: Sequence[float]


def rank_passages(
    weights: Mapping[str, float],
    found: Sequence[FoundPassages],
    ranking: Sequence[RankedEntry],
    shown: Set[EntryKey],
    limit: int,
) -> list[RankedEntry]:
    """Give the `limit` best passages, equals as they came; each as an entry that is shown by it.

    `ranking` is that of the entries. Those of them that are not `shown` say what another one says,
    and their passages are left out; so is a passage with the same words as a better one.
    """
    entries = _entry_scores(ranking)
    passages = [(one.database, record) for one in found for record in one.records]
    cosines = [one.cosines.get(record.id) for one in found for record in one.records]
    own = [score for one in found for score in _own_scores(weights, one)]
    highest = max(own, default=0.0) or 1.0
    priors = [
        PRIOR * entries.get((database, record.entry_id), 0.0) for database, record in passages
    ]
    lexical = {n: score / highest + priors[n] for n, score in enumerate(own)}
    near = {n: cosine for n, cosine in enumerate(cosines) if cosine is not None}
    scores = fuse(lexical, near, beside_words(own, weights)) if near else lexical
    hidden = entries.keys() - shown
    chosen: list[RankedEntry] = []
    said: set[object] = set()
    for n in sorted(scores, key=lambda n: (-scores[n], n)):
        database, record = passages[n]
        words = (record.length, frozenset(record.terms.items()))
        if (database, record.entry_id) in hidden or words in said:
            continue
        if len(chosen) == limit:
            break
        said.add(words)
        shares = {"words": own[n] / highest, "document": priors[n]}
        if near:
            shares["meaning"] = scores[n] - sum(shares.values())
        candidate = Candidate(record.entry_id, [record.id], database=database)
        chosen.append(RankedEntry(candidate, len(chosen), scores[n], shares))
    return chosen


def _entry_scores(ranking: Sequence[RankedEntry]) -> dict[EntryKey, float]:
    """Give the scores of entries as shares of the best one's."""
    highest = max((one.score for one in ranking), default=0.0) or 1.0
    return {
        (one.candidate.database, one.candidate.entry_id): max(0.0, one.score / highest)
        for one in ranking
    }


def _own_scores(weights: Mapping[str, float], found: FoundPassages) -> list[float]:
    """Score the passages of a database by words, those of data less, as their entries are."""
    data = {number for number, one in found.entries.items() if one.media_type in DATA_TYPES}
    scores = placed_scores(weights, found.records, found.entries, found.mean_length)
    return [
        (score + whole) * (DATA if record.entry_id in data else 1)
        for score, whole, record in zip(scores, found.side_by_side, found.records, strict=True)
    ]
