"""Many figures as one."""

from collections.abc import Sequence
from math import ceil


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean; None of nothing, which is neither good nor bad."""
    return sum(values) / len(values) if values else None


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The smallest value that `percent` of the values do not exceed (nearest rank)."""
    if not values:
        return None
    return sorted(values)[max(0, ceil(len(values) * percent / 100) - 1)]
