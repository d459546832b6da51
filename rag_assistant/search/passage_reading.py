"""The best passages ordered once more, by their text: a linear weighing of what can be seen.

A score by terms knows how often a passage has the question's words. Read are some of the best, for
whether these stand together, whether there is a thing of the kind that is asked for, and whether
the passage beside it is as good. What each feature weighs is fitted (`passage_weights.py`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log1p

from rag_assistant.search.passage_weights import PASSAGE_WEIGHTS
from rag_assistant.search.pool import query_terms
from rag_assistant.search.ranking import RankedEntry
from rag_assistant.text.kinds_asked import holds_kind, kind_asked
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.nearness import together_at
from rag_assistant.values.search_plan import CandidatePassage

READ = 60
"""Passages that are read. By words the answers of .95 of the questions for tuning stand in so many,
of .96 in twice as many."""

WINDOW = 12
"""Words, of a part of a sentence."""

FEATURES = (
    "words",
    "document",
    "meaning",
    "score",
    "rank",
    "beside",
    "place",
    "beginning",
    "window",
    "together",
    "has kind",
)
"""The features, in the order in which they are given."""

SeenPassage = tuple[RankedEntry, CandidatePassage]
"""A passage in its place of a ranking, with its text."""

_WEIGHTS = tuple(PASSAGE_WEIGHTS[name] for name in FEATURES)


def read_closely(
    question: str, weights: Mapping[str, float], ranked: Sequence[SeenPassage]
) -> list[RankedEntry]:
    """Order passages, given the best first, by what their texts say; `weights` are the terms'.

    The share "reading" lifts each above the score that the best one had, by its own score stretched
    to 0 to 1: so they stay above those that were not read.
    """
    if not ranked:
        return []
    rows = passage_features(question, weights, ranked)
    scores = [sum(map(_times, _WEIGHTS, row)) for row in rows]
    lowest, top = min(scores), max(one.score for one, _ in ranked)
    spread = (max(scores) - lowest) or 1.0
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return [
        _lifted(ranked[at][0], place, top + (scores[at] - lowest) / spread)
        for place, at in enumerate(order)
    ]


def _lifted(one: RankedEntry, place: int, score: float) -> RankedEntry:
    shares = {**one.shares, "reading": score - sum(one.shares.values())}
    return one._replace(place=place, score=score, shares=shares)


def _times(weight: float, value: float) -> float:
    return weight * value


def passage_features(
    question: str, weights: Mapping[str, float], ranked: Sequence[SeenPassage]
) -> list[list[float]]:
    """Give the features of passages, each about 0 to 1, in the order of `FEATURES`."""
    best = max((one.score for one, _ in ranked), default=0.0) or 1.0
    kind = kind_asked(question)
    beside = _beside(ranked)
    words = [lower_words(passage.text) for _, passage in ranked]
    known = query_terms(set().union(*words), weights)
    rows: list[list[float]] = []
    for rank, (one, passage) in enumerate(ranked):
        held = [(place, known[word]) for place, word in enumerate(words[rank]) if word in known]
        places: dict[str, list[int]] = {}
        for place, term in held:
            places.setdefault(term, []).append(place)
        rows.append(
            [
                one.shares.get("words", 0.0),
                one.shares.get("document", 0.0),
                one.shares.get("meaning", 0.0),
                one.score / best,
                log1p(rank) / 4,
                beside[rank] / best,
                log1p(passage.start / 1000) / 4,
                float(passage.start == 0),
                _in_a_window(weights, held),
                together_at(weights, places) if len(places) > 1 else 0.0,
                float(kind is not None and holds_kind(kind, passage.text)),
            ]
        )
    return rows


def _beside(ranked: Sequence[SeenPassage]) -> list[float]:
    """Give for each passage the score of the better one of its neighbours, 0 where none is here."""
    begins: dict[tuple[int, int, int], float] = {}
    ends: dict[tuple[int, int, int], float] = {}
    places: list[tuple[tuple[int, int, int], tuple[int, int, int]]] = []
    for one, passage in ranked:
        start = one.candidate.database, one.candidate.entry_id, passage.start
        end = *start[:2], passage.start + len(passage.text)
        begins[start] = ends[end] = one.score
        places.append((start, end))
    return [max(ends.get(start, 0.0), begins.get(end, 0.0)) for start, end in places]


def _in_a_window(weights: Mapping[str, float], places: Sequence[tuple[int, str]]) -> float:
    """Give the greatest share of the question's words that stands within `WINDOW` words.

    Given are the places of its terms, in words, in their order.
    """
    whole = sum(weights.values()) or 1.0
    here: Counter[str] = Counter()
    first, held, most = 0, 0.0, 0.0
    for place, term in places:
        here[term] += 1
        if here[term] == 1:
            held += weights[term]
        while place - places[first][0] >= WINDOW:
            gone = places[first][1]
            here[gone] -= 1
            if not here[gone]:
                held -= weights[gone]
            first += 1
        most = max(most, held)
    return most / whole
