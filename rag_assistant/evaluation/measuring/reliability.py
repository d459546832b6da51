"""How far the confidence of answers can be relied on: of those at 7, are 6 to 7 in 10 right?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil

from rag_assistant.evaluation.measuring.answers import Pair, rightness
from rag_assistant.evaluation.measuring.report import Bin, Interval, Metrics
from rag_assistant.evaluation.measuring.voices import (
    Told,
    aurc,
    chance_metrics,
    chances,
    resampled,
    roc,
)

TENTHS = 10
"""Bins of equal width; the confidence that a person sees is the number of its bin."""

LEAST = 20
"""Fewest answers that an error of calibration is given of. It is above 0 by chance alone: answers
as likely right as they say, drawn at random 2,000 times, had an ECE of 0.21 on average where there
were 20, of 0.27 where 10 and of 0.10 where 100."""


def reliability(pairs: Sequence[Pair]) -> tuple[Bin, ...]:
    """Give the answers of each confidence that any has, the lowest first.

    Only answers that were given count, of which it is known whether they are right (`rightness`);
    one that is partly right counts as half. Of what the built-in model quotes all counts, in any
    voice, and right is the first quote.
    """
    told = sorted((_tenth(likely), right) for likely, right in _told(pairs))
    bins = []
    for confidence, some in groupby(told, key=lambda each: each[0]):
        right = [each[1] for each in some]
        bins.append(Bin(confidence, len(right), sum(right) / len(right)))
    return tuple(bins)


def reliability_metrics(pairs: Sequence[Pair]) -> Metrics:
    """Give the ECE and the Brier score of the confidence; None of fewer than LEAST answers."""
    told = list(_told(pairs))
    if len(told) < LEAST:
        return {"confidence_ECE": None, "confidence_Brier": None}
    return {"confidence_ECE": _ece_of(told), "confidence_Brier": _brier_of(told)}


def _told(pairs: Sequence[Pair]) -> Iterator[tuple[float, float]]:
    """Give for each answer how likely it is said to be right, and how right it is.

    Confidence is told in tenths: what is said is the middle of the tenth, unless the chance is.
    """
    yield from chances(pairs)
    for question, outcome in pairs:
        if outcome.answer.chance is None and outcome.answer.confidence:
            right = rightness(question, outcome)
            if right is not None:
                yield (outcome.answer.confidence - 0.5) / TENTHS, right


def _tenth(likely: float) -> float:
    """Give the middle of the tenth that a likelihood is in."""
    return (min(max(ceil(likely * TENTHS), 1), TENTHS) - 0.5) / TENTHS


def reliability_intervals(pairs: Sequence[Pair], seed: int) -> Mapping[str, Interval]:
    """Give the 95 % intervals of the errors, and of the areas of the chances, that are given."""
    told = list(_told(pairs))
    of_chances = list(chances(pairs))
    known = {**reliability_metrics(pairs), **chance_metrics(of_chances)}
    measures: Mapping[str, tuple[Sequence[Told], Callable[[Sequence[Told]], float]]] = {
        "confidence_ECE": (told, _ece_of),
        "confidence_Brier": (told, _brier_of),
        "chance_ROC": (of_chances, roc),
        "chance_AURC": (of_chances, aurc),
    }
    made = {
        name: resampled(measure, some, seed)
        for name, (some, measure) in measures.items()
        if known[name] is not None
    }
    return {name: ends for name, ends in made.items() if ends}


def _ece_of(told: Sequence[Told]) -> float:
    likely, right = zip(*told, strict=True)
    return ece(likely, right, [1.0] * len(told))


def _brier_of(told: Sequence[Told]) -> float:
    likely, right = zip(*told, strict=True)
    return brier(likely, right, [1.0] * len(told))


def ece(likely: Sequence[float], right: Sequence[float], weights: Sequence[float]) -> float:
    """Give the expected calibration error over TENTHS bins, from 0 to 1.

    Sum over the bins of |sum of w (likely - right)| / sum of all w, where `right` is 1 or 0 and w
    the weight of each: with equal weights the distance of mean likelihood and share right, by the
    number in the bin. Source: Naeini et al. 2015, doi 10.1609/aaai.v29i1.9602.
    """
    apart = [0.0] * TENTHS
    for said, came, weight in zip(likely, right, weights, strict=True):
        place = min(max(ceil(said * TENTHS), 1), TENTHS) - 1
        apart[place] += weight * (said - came)
    return float(sum(map(abs, apart)) / sum(weights))


def brier(likely: Sequence[float], right: Sequence[float], weights: Sequence[float]) -> float:
    """Give the mean squared distance of likelihood and outcome, weighed; from 0 to 1.

    Source: Brier 1950, doi 10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.
    """
    apart = (
        weight * (said - came) ** 2
        for said, came, weight in zip(likely, right, weights, strict=True)
    )
    return float(sum(apart) / sum(weights))
