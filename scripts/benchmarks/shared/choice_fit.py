"""Weights with which what is right gets the highest share among what may be chosen.

A conditional logistic regression with a quadratic penalty (McFadden 1974), by Adam (Kingma and Ba
2015, arXiv 1412.6980).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PENALTY = 0.002
STEPS, STEP = 400, 0.05


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be chosen for a question: the features of each, and how far it is right, from 0.

    `counts` is what the question counts in the fit.
    """

    rows: Sequence[Sequence[float]]
    right: Sequence[float]
    counts: float = 1.0


def fitted(choices: Sequence[Choice], names: Sequence[str]) -> Mapping[str, float]:
    """Fit a weight for each feature; choices of which none is right say nothing."""
    import numpy as np  # noqa: PLC0415 - only a fit needs it

    telling = [one for one in choices if any(one.right)]
    sizes = np.array([len(one.rows) for one in telling])
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    x = np.array([row for one in telling for row in one.rows])
    y = np.array([held / sum(one.right) for one in telling for held in one.right])
    counts = np.array([one.counts for one in telling])
    share = np.repeat(counts / counts.sum(), sizes)
    weights = mean = spread = np.zeros(len(names))
    for step in range(1, STEPS + 1):
        slope = x.T @ ((_likelihood(x @ weights, first, sizes) - y) * share) + PENALTY * weights
        mean, spread = 0.9 * mean + 0.1 * slope, 0.999 * spread + 0.001 * slope**2
        size = np.sqrt(spread / (1 - 0.999**step)) + 1e-9
        weights = weights - STEP * mean / (1 - 0.9**step) / size
    return dict(zip(names, weights.tolist(), strict=True))


def _likelihood(
    scores: "NDArray[np.float64]", first: "NDArray[np.int64]", sizes: "NDArray[np.int64]"
) -> "NDArray[np.float64]":
    """Give the share of each in those of its question (softmax)."""
    import numpy as np  # noqa: PLC0415 - only a fit needs it

    highest = np.repeat(np.maximum.reduceat(scores, first), sizes)
    raised = np.exp(scores - highest)
    shares: NDArray[np.float64] = raised / np.repeat(np.add.reduceat(raised, first), sizes)
    return shares


def written(constant: str, weights: Mapping[str, float]) -> str:
    """Write weights as they stand in the program."""
    lines = (f'    "{name}": {weight:.2f},' for name, weight in weights.items())
    return "\n".join([f"{constant}: Mapping[str, float] = {{", *lines, "}"])
