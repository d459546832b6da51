"""Figures of judgements that are likelihoods: the fit of their weights, how far they hold.

A logistic regression whose weights keep to their sign, by projected gradients; the area under the
ROC curve, and intervals of any measure by the bootstrap over questions.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

STEPS, RATE, RIDGE = 6_000, 0.05, 1.0
RESAMPLES = 1_000


def fit(values: Numbers, right: Numbers, weights: Numbers) -> Numbers:
    """Fit the bias and the weights, none below zero, with a ridge penalty.

    Projected Adam (Kingma and Ba 2015, arXiv 1412.6980) on the weighted logistic loss.
    """
    inputs = np.c_[np.ones(len(values)), values]
    share = weights / weights.sum()
    found = np.zeros(inputs.shape[1])
    mean, square = np.zeros_like(found), np.zeros_like(found)
    for step in range(1, STEPS + 1):
        likely = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (share * (likely - right))
        slope[1:] += RIDGE * found[1:] / len(values)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        found -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        found[1:] = np.maximum(found[1:], 0.0)
    return found


def weight_rows(
    names: Sequence[str], values: Numbers, right: Numbers, weights: Numbers, found: Numbers
) -> list[list[str]]:
    """Give a row for each signal: its weight in a fit, its mean, and how far it tells alone."""
    means = np.average(values, axis=0, weights=weights)
    return [
        [
            name,
            f"{weight:.2f}",
            f"{mean:.2f}",
            f"{ranks_apart(values[:, place], right, weights):.3f}",
        ]
        for place, (name, weight, mean) in enumerate(zip(names, found[1:], means, strict=True))
    ]


def log_loss(likely: Numbers, right: Numbers) -> float:
    """Give the mean negative logarithm of the likelihood of what came."""
    kept = np.clip(likely, 1e-9, 1 - 1e-9)
    return float(-np.mean(right * np.log(kept) + (1 - right) * np.log(1 - kept)))


def ranks_apart(likely: Numbers, right: Numbers, weights: Numbers) -> float:
    """Give the area under the ROC curve: how often a right answer is judged above a wrong one."""
    if right.min() == right.max():
        return float("nan")
    above = likely[right == 1][:, None] - likely[right == 0][None, :]
    both = weights[right == 1][:, None] * weights[right == 0][None, :]
    return float(np.average((above > 0) + 0.5 * (above == 0), weights=both))


def interval(
    measure: Callable[[NDArray[np.intp]], float], questions: Sequence[str], seed: int = 7
) -> tuple[float, float]:
    """Give the 95% interval of a measure of some places, by resampling whole questions."""
    names = sorted(set(questions))
    places = {name: np.flatnonzero(np.array(questions) == name) for name in names}
    chance = np.random.default_rng(seed)
    drawn = []
    for _ in range(RESAMPLES):
        chosen = chance.integers(0, len(names), len(names))
        drawn.append(measure(np.concatenate([places[names[one]] for one in chosen])))
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return float(low), float(high)
