"""How likely an answer is right, from signals that anybody can look up: by a fit.

The odds are those of a logistic regression with few weights, none of which pulls against what its
signal means. Those of what the built-in model quotes stand in `verification/chance_weights.py`,
those of answers in a model's own words in `verification/answer_confidence.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, exp

from rag_assistant.values.evidence import Signal


@dataclass(frozen=True, slots=True)
class SignalWeight:
    """A signal's weight, and its mean where it was fitted, which stands for a value not known."""

    weight: float
    mean: float


@dataclass(frozen=True, slots=True)
class Fit:
    """A regression: the bias, and the signals by name."""

    bias: float
    signals: Mapping[str, SignalWeight]


READING = Fit(-2.02, {"words": SignalWeight(1.54, 0.48), "together": SignalWeight(1.39, 0.23)})
"""What quotes are judged by when the built-in model reads entries for another: by their words.

Fitted on 588 answers of it to the odd lines of the demo questions and every fourth of the first 700
of COVID-QA, half of which could be answered where they were asked.
"""

MOST = 10

CERTAIN = 0.965
"""The odds are half as much again as the highest that a wrong answer gets in the tuning part of the
benchmark `judge`: .949, an altered value; true words of the wrong document get .940 at most."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How likely an answer is right, from 0 to 1, and what that follows from."""

    likelihood: float
    signals: tuple[Signal, ...] = ()

    @property
    def confidence(self) -> int:
        """The likelihood in tenths, from 1 to 10: at 7, some 60 to 70 of 100 answers are right.

        10 is kept for what is as good as certain: from `CERTAIN` on.
        """
        most = MOST if self.likelihood >= CERTAIN else MOST - 1
        return max(1, min(most, ceil(self.likelihood * MOST)))


def judged_by(by: Fit, values: Mapping[str, float]) -> Judgement:
    """Judge by a fit and the signals that are known; others count as the average."""
    signals = tuple(
        Signal(name, round(values[name], 4), round(fitted.weight * (values[name] - fitted.mean), 4))
        for name, fitted in by.signals.items()
        if name in values
    )
    average = by.bias + sum(fitted.weight * fitted.mean for fitted in by.signals.values())
    return Judgement(1 / (1 + exp(-(average + sum(signal.share for signal in signals)))), signals)
