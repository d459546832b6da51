"""What judge.py prints: weights fitted on the tuning part, figures of the rest."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_assistant.claims.confidence import judged_by
from rag_assistant.evaluation.measuring.reliability import ece
from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.values.evidence import WELL_SUPPORTED
from rag_assistant.verification.answer_confidence import BY_HAND, MODEL_ANSWER
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.trust.calibration_figures import (
    Numbers,
    fit,
    interval,
    log_loss,
    ranks_apart,
    weight_rows,
)

MIX = {
    "perfect": 0.2,
    "rewording": 0.2,
    "altering": 0.15,
    "beside, other folders": 0.2,
    "beside, left out": 0.25,
}
"""What part each kind of answer has in the fit: what was read in the wrong place is what confidence
is for, and half of the altered answers are withheld before it is asked for."""

ALIKE = {
    "perfect": 0.25,
    "rewording": 0.25,
    "altering": 0.25,
    "beside, other folders": 0.125,
    "beside, left out": 0.125,
}
"""The same if every kind of model is met as often as any other."""

RANKS = ((1, 1, "1"), (2, 3, "2 to 3"), (4, 8, "4 to 8"), (9, 10**9, "beyond"))

LOW = 3
"""The confidence up to which an answer is shown as weakly supported."""

HIGH = 8
"""A confidence that most people would trust, whatever its words."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer of a known kind, and what the product makes of it.

    `rank` is the place of the right document in a search for the question. `right` is known from
    the script.
    """

    collection: str
    tunes: bool
    kind: str
    form: str
    question: str
    right: bool
    rank: int
    withheld: bool = False
    by_model: bool = False
    hard: bool = False
    soft: bool = False
    confidence: int = 0
    values: Mapping[str, float] = field(default_factory=dict)
    text: str = ""

    def as_json(self) -> dict[str, Any]:
        """Give it for a file."""
        return asdict(self)

    @property
    def name(self) -> str:
        """The kind, and of `beside` how."""
        return f"{self.kind}, {self.form}" if self.kind == "beside" else self.kind

    @property
    def shown(self) -> int:
        """The confidence that is shown, by the weights of today; 0 for none."""
        return judged_by(MODEL_ANSWER, self.values).confidence if self.values else 0

    @property
    def likely(self) -> float:
        """How likely it is right, as the product judges."""
        return judged_by(MODEL_ANSWER, self.values).likelihood


def fitted(seen: Sequence[Judged]) -> Report:
    """Fit the weights on what is for tuning; what is not known of an answer counts as its mean."""
    tuning = [one for one in seen if one.tunes and one.values and not one.by_model]
    names = [name for name in MODEL_ANSWER.signals if name not in BY_HAND]
    right = np.array([float(one.right) for one in tuning])
    weights = _weights(tuning, MIX)
    values = np.array([[one.values.get(name, np.nan) for name in names] for one in tuning])
    values = np.where(np.isnan(values), np.nanmean(values, axis=0), values)
    found = fit(values, right, weights)
    rows = weight_rows(names, values, right, weights, found)
    fixed = sum(one.weight * one.mean for one in BY_HAND.values())
    rows.append(["bias", f"{found[0] - fixed:.2f}", "", ""])
    likely = 1 / (1 + np.exp(-(found[0] + values @ found[1:])))
    loss = Figure("log loss", log_loss(likely, right), detail=f"{len(tuning)} answers")
    return Report([loss], [table(("a model's answer", "weight", "mean", "alone"), rows)])


def _weights(some: Sequence[Judged], mix: Mapping[str, float]) -> Numbers:
    """Weigh answers so that each kind has its part, and of each the collections have the same."""
    cells = [(one.collection, one.name) for one in some]
    counts = Counter(cells)
    return np.array([mix[cell[1]] / counts[cell] for cell in cells])


def reported(seen: Sequence[Judged]) -> Report:
    """Give the figures of what is not for tuning."""
    rest = [one for one in seen if not one.tunes]
    given = [one for one in rest if one.kind != "refusing" and one.values and not one.by_model]
    figures = [*_withheld(rest), *_marks(rest), *_beside(rest), *_refusing(rest)]
    if given:
        figures += _calibration(given)
    return Report(figures, [_by_kind(rest), _reliability(given)] if given else [])


def _withheld(rest: Sequence[Judged]) -> list[Figure]:
    """Say how many right answers are withheld, by where their document ranks."""
    figures = []
    for first, last, name in RANKS:
        some = [o for o in rest if o.kind == "perfect" and first <= o.rank <= last]
        if some:
            share = _share(one.withheld for one in some)
            said = f"{sum(one.withheld for one in some)} of {len(some)}"
            title = f"right answers withheld, whose document ranks {name}"
            figures.append(Figure(title, share * 100, "%", "<= 2", said))
    return figures


def _marks(rest: Sequence[Judged]) -> list[Figure]:
    figures = []
    for kind, goal in (("perfect", "<= 1"), ("rewording", "<= 3")):
        if some := [one for one in rest if one.kind == kind]:
            share = _share(one.hard for one in some) * 100
            figures.append(Figure(f"hard marks, {kind}", share, "%", goal, f"of {len(some)}"))
            share = _share(one.soft for one in some) * 100
            figures.append(Figure(f"soft marks, {kind}", share, "%", "", f"of {len(some)}"))
    if some := [one for one in rest if one.kind == "altering"]:
        share = _share(one.hard or one.soft or one.withheld for one in some) * 100
        figures.append(Figure("marked or withheld, altering", share, "%", "", f"of {len(some)}"))
    return figures


def _beside(rest: Sequence[Judged]) -> list[Figure]:
    """Say how often true words of the wrong place are shown as weak, or as no answer."""
    figures = []
    for form, goal in (("other folders", ">= 0.8"), ("left out", ">= 0.45")):
        some = [one for one in rest if one.kind == "beside" and one.form == form]
        if some:
            weak = [one.withheld or one.by_model or one.shown <= LOW for one in some]
            name = f"beside, {form}: no answer, or confidence of {LOW} at most"
            figures.append(Figure(name, _share(weak), "", goal, f"of {len(some)}"))
            well = _share(one.shown >= WELL_SUPPORTED for one in some)
            name = f"beside, {form}: well supported"
            figures.append(Figure(name, well, "", "<= 0", f"of {len(some)}"))
            high = _share(one.shown >= HIGH for one in some)
            name = f"beside, {form}: confidence of {HIGH} at least"
            figures.append(Figure(name, high, detail=f"of {len(some)}"))
    return figures


def _refusing(rest: Sequence[Judged]) -> list[Figure]:
    some = [one for one in rest if one.kind == "refusing"]
    kept = [one.by_model and not one.confidence for one in some]
    goal = ">= 1"
    return [Figure("refusals kept", _share(kept), "", goal, f"of {len(some)}")] if some else []


def _share(values: Iterable[bool]) -> float:
    return mean(list(values)) or 0.0


def _by_kind(rest: Sequence[Judged]) -> str:
    rows = []
    for collection, kind, form in dict.fromkeys((o.collection, o.kind, o.form) for o in rest):
        some = [o for o in rest if (o.collection, o.kind, o.form) == (collection, kind, form)]
        shares = [
            _share(one.withheld for one in some),
            _share(one.by_model for one in some),
            _share(one.hard for one in some),
            _share(one.soft for one in some),
            _share(one.shown >= HIGH for one in some),
            _share(0 < one.shown <= LOW for one in some),
        ]
        name = ", ".join(filter(None, (collection, kind, form)))
        rows.append([name, str(len(some)), *(f"{share:.3f}" for share in shares)])
    head = ("reported", "answers", "withheld", "own refusal", "hard", "soft", "≥ 8", "≤ 3")
    return table(head, rows)


def _reliability(given: Sequence[Judged]) -> str:
    weights = _weights(given, MIX)
    right = np.array([float(one.right) for one in given])
    confidences = np.array([one.shown for one in given])
    rows = []
    for confidence in np.unique(confidences):
        some = np.flatnonzero(confidences == confidence)
        share = float(np.average(right[some], weights=weights[some]))
        low, high = interval(
            partial(_mean_of, right[some], weights[some]), [given[int(n)].question for n in some]
        )
        rows.append(
            [f"{confidence:.0f}", str(len(some)), f"{share:.3f}", f"{low:.3f} to {high:.3f}"]
        )
    return table(("confidence", "answers", "share right", "95%"), rows)


def _of_some(
    measure: Callable[..., float], columns: tuple[Numbers, ...], places: NDArray[np.intp]
) -> float:
    return float(measure(*(column[places] for column in columns)))


def _mean_of(values: Numbers, weights: Numbers, places: NDArray[np.intp]) -> float:
    return float(np.average(values[places], weights=weights[places]))


def _calibration(given: Sequence[Judged]) -> list[Figure]:
    likely = np.array([one.likely for one in given])
    right = np.array([float(one.right) for one in given])
    questions = [one.question for one in given]
    measures: tuple[tuple[str, Callable[..., float], str], ...] = (
        ("ECE", lambda *columns: ece(*(column.tolist() for column in columns)), "<= 0.08"),
        ("ROC area", ranks_apart, ">= 0.82"),
    )
    figures = []
    for mixed, mix in (("mixed as for the fit", MIX), ("every kind alike", ALIKE)):
        columns = likely, right, _weights(given, mix)
        for name, measure, goal in measures:
            low, high = interval(partial(_of_some, measure, columns), questions)
            said = f"95% {low:.3f} to {high:.3f}, {len(given)} answers"
            figures.append(Figure(f"{name}, {mixed}", measure(*columns), "", goal, said))
    return figures
