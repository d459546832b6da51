"""The fit of the chance that the first quote is right, and of what each voice takes.

In the fit three of five questions can be answered where they are asked, and half of the others are
near-misses; the collections count by the roots of their sizes.
"""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from zlib import crc32

import numpy as np

from rag_assistant.evaluation.measuring.reliability import ece
from rag_assistant.verification.chance_weights import CHANCE
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.trust.calibration_figures import (
    Numbers,
    fit,
    log_loss,
    ranks_apart,
    weight_rows,
)
from scripts.benchmarks.trust.voice_tables import Spoken

MIX = {"answerable": 0.6, "near": 0.2, "left out": 0.2}
"""Of the tuning part: with as many questions that cannot be answered as others, no chance is high
enough for an "Answer" to be right in eight of ten, nine times in ten."""

FOLDS = 5
"""Parts of the questions, each judged by a fit on the others: what a voice takes is chosen so."""

GOALS = {"ANSWER": 0.8, "PROBABLY": 0.5}
"""The least share that is to be right in a voice."""

SURE = 1.282
"""One-sided: nine times in ten the share is above its lower end."""

FEWEST = 20
"""Answers in a voice from which its share is an estimate."""


HEAD = '''"""The chance that the first quote of the built-in model is right, and what voices take.

Written by `--only voices --fit` of the benchmarks. What a signal is, is said by `signals.py` and
`question_fit.py`, of those from `chosen` on by `models/extractive/certainty.py`: the model tells
these itself.
"""

from rag_assistant.claims.confidence import Fit, SignalWeight

CHANCE = Fit('''


def weights_of(spoken: Sequence[Spoken]) -> Numbers:
    """Give what each answer counts."""
    cells = Counter((one.collection, one.kind) for one in spoken)
    sizes = Counter(one.collection for one in spoken)
    whole = {
        collection: sum(MIX[kind] for of, kind in cells if of == collection) for collection in sizes
    }
    counts = np.array(
        [
            MIX[one.kind] / whole[one.collection] / cells[one.collection, one.kind]
            * sqrt(sizes[one.collection])
            for one in spoken
        ]
    )  # fmt: skip
    scaled: Numbers = counts / counts.mean()
    return scaled


def fitted(asked: Sequence[Spoken]) -> Report:
    """Fit the weights; choose what the voices take by chances of fits on other questions.

    Fitted are the signals that the product has weights of: a new one gets 0 there first.
    """
    spoken = [one for one in asked if one.voice and one.kind in MIX]
    names = [name for name in CHANCE.signals if any(name in one.values for one in spoken)]
    values = np.array([[one.values.get(name, np.nan) for name in names] for one in spoken])
    right = np.array([float(one.right) for one in spoken])
    weights = weights_of(spoken)
    # What is not known of an answer counts as the mean, as in the product.
    known = ~np.isnan(values)
    means = (np.nan_to_num(values) * weights[:, None]).sum(0) / (known * weights[:, None]).sum(0)
    values = np.where(known, values, means)
    found = fit(values, right, weights)
    likely = _by_others(spoken, values, right, weights)
    answer = _least(likely, right, weights, GOALS["ANSWER"], 1.01)
    least = {
        "ANSWER": answer,
        "PROBABLY": _least(likely, right, weights, GOALS["PROBABLY"], answer),
    }
    detail = f"{len(spoken)} answers, each judged by a fit on other questions"
    even = weights.tolist()
    figures = [
        Figure("tuning: log loss", log_loss(likely, right), detail=detail),
        Figure("tuning: ROC area", ranks_apart(likely, right, weights), detail="as weighed"),
        Figure("tuning: ECE", ece(likely.tolist(), right.tolist(), even), detail="as weighed"),
    ]
    rows = weight_rows(names, values, right, weights, found)
    weighed = table(("signal", "weight", "mean", "alone"), rows)
    return Report(figures, [weighed, _written(names, means, found, least)])


def _by_others(
    spoken: Sequence[Spoken], values: Numbers, right: Numbers, weights: Numbers
) -> Numbers:
    """Give the chance of each answer by a fit that has not seen its question."""
    folds = np.array([crc32(one.question.encode()) % FOLDS for one in spoken])
    likely = np.zeros(len(spoken))
    for fold in range(FOLDS):
        rest, here = folds != fold, folds == fold
        found = fit(values[rest], right[rest], weights[rest])
        likely[here] = 1 / (1 + np.exp(-(found[0] + values[here] @ found[1:])))
    return likely


def _least(likely: Numbers, right: Numbers, weights: Numbers, goal: float, below: float) -> float:
    """Give the least chance from which, up to another, enough answers are right nine times in ten.

    It is no less than the share itself: "Probably" is not said of what is likelier wrong. The lower
    end is Wilson's (1927, doi 10.1080/01621459.1927.10502953), of as many answers as the
    weights leave (Kish 1965): (sum of w)² / sum of w². Where none is enough, the voice has none.
    """
    best = below
    for bar in np.arange(round(below, 2) - 0.01, goal - 0.005, -0.01):
        some = (likely >= bar) & (likely < below)
        if some.sum() < FEWEST:
            continue
        count = weights[some].sum() ** 2 / (weights[some] ** 2).sum()
        if _lower_end(float(np.average(right[some], weights=weights[some])), float(count)) >= goal:
            best = float(bar)
    return round(best, 2)


def _lower_end(share: float, count: float) -> float:
    spread = SURE * sqrt(share * (1 - share) / count + SURE**2 / (4 * count**2))
    return (share + SURE**2 / (2 * count) - spread) / (1 + SURE**2 / count)


def _written(names: Sequence[str], means: Numbers, found: Numbers, least: dict[str, float]) -> str:
    """Write the constants as they stand in the program."""
    lines = (
        f'        "{name}": SignalWeight({weight:.2f}, {mean:.2f}),'
        for name, weight, mean in zip(names, found[1:], means, strict=True)
    )
    return "\n".join(
        [
            HEAD,
            f"    {found[0]:.2f},",
            "    {",
            *lines,
            "    },",
            ")",
            "",
            f"ANSWER, PROBABLY = {least['ANSWER']:.2f}, {least['PROBABLY']:.2f}",
            '"""The least chance with which it answers, and with which it probably does."""',
        ]
    )
