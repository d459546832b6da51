"""Scores of a stage stretched to what the stage is worth."""

from collections.abc import Sequence


def scaled(raw: Sequence[float], highest: float) -> list[float]:
    """Stretch values so that the greatest is `highest`; where none is above zero, all are zero."""
    top = max(raw, default=0.0)
    return [value / top * highest for value in raw] if top > 0 else [0.0] * len(raw)
