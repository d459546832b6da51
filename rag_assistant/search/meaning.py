"""What a question's vector adds to a search by words: entries near in meaning, fused scores."""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

from rag_assistant.store.reading import StoreReader
from rag_assistant.values.search_plan import Candidate, Plan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEAREST = 200
"""Passages near in meaning that join those found by words."""

OF_AN_ENTRY = 3
"""Of these, the passages that join those of an entry that words found as well."""


def with_the_nearest(
    reader: StoreReader, plan: Plan, found: Sequence[Candidate], vector: "NDArray[np.float32]"
) -> list[Candidate]:
    """Add the passages near in meaning and the entries of theirs; give all cosines.

    An entry that words did not find comes with its nearest passage, one that they found with its
    nearest ones besides its own. Filters hold for them too. What is added has no records yet.
    """
    near = nearest_passages(reader, plan, vector)
    entry_of = reader.passages.entries_of(near) if near else {}
    of_entry: dict[int, list[int]] = {}
    for passage in near:
        if passage in entry_of:
            of_entry.setdefault(entry_of[passage], []).append(passage)
    candidates = [
        _with_more(one, of_entry.pop(one.entry_id)) if one.entry_id in of_entry else one
        for one in found
    ]
    candidates += [Candidate(entry_id, own[:1], [0.0]) for entry_id, own in of_entry.items()]
    passages = [passage for candidate in candidates for passage in candidate.passages]
    cosines = reader.vectors.cosines(vector, passages)
    return [one._replace(cosines=[cosines.get(p) for p in one.passages]) for one in candidates]


def _with_more(candidate: Candidate, near: Sequence[int]) -> Candidate:
    added = [passage for passage in near[:OF_AN_ENTRY] if passage not in candidate.passages]
    return candidate._replace(
        passages=[*candidate.passages, *added],
        scores=[*candidate.scores, *[0.0] * len(added)],
        others=max(0, candidate.others - len(added)),
    )


def nearest_passages(reader: StoreReader, plan: Plan, vector: "NDArray[np.float32]") -> list[int]:
    """Give the passages nearest in meaning that a plan's filters let through, the nearest first.

    None where a phrase is asked for or words are excluded: only the words can say then which
    passages there are.
    """
    if plan.excluded or any(one[0].column == "any" for one in plan.required):
        return []
    among = reader.candidates.passages_let_through(plan.filters)
    return list(reader.vectors.nearest(vector, NEAREST, among))


def nearness(candidate: Candidate) -> float | None:
    """Give the cosine of a candidate's nearest passage, None where none has a vector."""
    return max((cosine for cosine in candidate.cosines if cosine is not None), default=None)


def fused_shares(
    candidates: Sequence[Candidate], shares: Mapping[str, Sequence[float]]
) -> dict[str, list[float]]:
    """Scale what the stages gave to at most 1 and add what the meaning gives, entry by entry.

    An entry without any cosine gets what its words let expect.
    """
    lexical = [sum(some) for some in zip(*shares.values(), strict=True)]
    near = {
        index: cosine
        for index, candidate in enumerate(candidates)
        if (cosine := nearness(candidate)) is not None
    }
    fused = fuse(dict(enumerate(lexical)), near)
    highest = max(lexical, default=0.0) or 1.0
    scaled = {name: [share / highest for share in some] for name, some in shares.items()}
    scaled["meaning"] = [fused[i] - score / highest for i, score in enumerate(lexical)]
    return scaled


WEIGHT = 1.6
"""Weight of an entry's cosine beside a lexical score of at most 1. Chosen on Vaswani, where 1.2 to
2 differ by .009 of nDCG@10, and what `beside_words` does for passages gains nothing."""

OF_PASSAGES = 1.0
"""The same for a passage, where the best one holds each word of the query once. Chosen on the
tuning questions of COVID-QA, the demo folders and the reports, where .8 to 1.2 differ by a few
quotes."""

LEAST_HELD = 0.1
"""Share of a query that is taken for held at least."""


def beside_words(by_words: Iterable[float], weights: Mapping[str, float]) -> float:
    """Give the weight of a passage's cosine beside words that score so: the less they hold, the
    more it is.

        OF_PASSAGES / sqrt(best score / sum of the weights of the query's terms)

    A text of mean length that has each term once scores that sum. Where even the best has few of
    them, the question says it in other words than the texts, and their scores tell little. With one
    weight for all, COVID-QA, asked in the words of its texts, wants it half as great as the demo
    folders do, asked in other words.
    """
    held = max(by_words, default=0.0) / (sum(weights.values()) or 1.0)
    return OF_PASSAGES / sqrt(max(LEAST_HELD, held))


def fuse(
    lexical: Mapping[int, float], cosine: Mapping[int, float], weight: float = WEIGHT
) -> dict[int, float]:
    """Give score(p) = lexical(p) / max(lexical) + weight * cosine(p), for the passages of both.

    A passage that words did not find has no lexical part; a missing cosine is estimated from the
    lexical part by least squares over the passages that have both. Best first, equals by id.
    Without any cosine the order is the lexical one. Sums of scores did better than sums of ranks
    on every collection tried (../shared/retrieval.md).
    """
    highest = max(lexical.values(), default=0.0)
    words = {p: score / highest if highest > 0 else 0.0 for p, score in lexical.items()}
    base, slope = _line([(words[p], cosine[p]) for p in words if p in cosine])
    fused = {p: part + weight * cosine.get(p, base + slope * part) for p, part in words.items()}
    for passage, near in cosine.items():
        fused.setdefault(passage, weight * near)
    return dict(sorted(fused.items(), key=lambda item: (-item[1], item[0])))


def _line(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Fit y = base + slope * x to (x, y) by least squares; the slope is never negative.

    Of no points both are 0; of points with a single x the line is level.
    """
    if not points:
        return 0.0, 0.0
    count = len(points)
    middle_x, middle_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    shared = sum((x - middle_x) * (y - middle_y) for x, y in points)
    slope = max(0.0, shared / spread) if spread > 1e-12 else 0.0
    return middle_y - slope * middle_x, slope
