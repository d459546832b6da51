"""What calibration.py prints: weights fitted on the tuning part, figures of the rest."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_assistant.claims.confidence import ANSWER, READING, Judgement, judged
from rag_assistant.evaluation.measuring.answers import refusal_precision, refusal_recall
from rag_assistant.evaluation.measuring.reliability import brier, ece
from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.verification.refusing import THRESHOLD
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.trust.calibration_figures import (
    Numbers,
    fit,
    interval,
    log_loss,
    ranks_apart,
    weight_rows,
)

MIX = {"answerable": 1 / 2, "near": 1 / 3, "elsewhere": 1 / 6}
"""What part each kind of question has in the fit; those left out count as near."""


@dataclass(frozen=True, slots=True)
class Observed:
    """An answer, before it was judged: whether it is right, and what it was judged by."""

    collection: str
    tunes: bool
    kind: str
    model: str
    question: str
    right: bool = False
    cites: bool = False
    values: Mapping[str, float] = field(default_factory=dict)
    judging_ms: float = 0.0
    run_ms: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Give it for a file."""
        return asdict(self)

    @property
    def likely(self) -> float:
        """How likely it is right, as the product judges; an answer that cites nothing is not."""
        return self._judgement.likelihood

    @property
    def refused(self) -> bool:
        """Whether the product refuses it."""
        return self._judgement.likelihood < THRESHOLD

    @property
    def confidence(self) -> int:
        """The confidence that the product gives."""
        return self._judgement.confidence

    @property
    def _judgement(self) -> Judgement:
        return judged(self.values) if self.cites else Judgement(0.0)


def fitted(seen: Sequence[Observed], without: Sequence[str] = ()) -> Report:
    """Fit the weights on what is for tuning, where every collection, model and kind has its part.

    A signal that is not known of an answer counts as its mean; those named in `without` do not.
    """
    tuning = [one for one in seen if one.tunes and one.cites]
    names = [name for name in ANSWER.signals if name not in without]
    right = np.array([float(one.right) for one in tuning])
    weights = _even(tuning)
    tables, figures = [], []
    for title, some in (("an answer", names), ("a reading", list(READING.signals))):
        values = np.array([[one.values.get(name, np.nan) for name in some] for one in tuning])
        values = np.where(np.isnan(values), np.nanmean(values, axis=0), values)
        found = fit(values, right, weights)
        rows = weight_rows(some, values, right, weights, found)
        tables.append(table((title, "weight", "mean", "alone"), [*rows, _bias(found)]))
        likely = 1 / (1 + np.exp(-(found[0] + values @ found[1:])))
        detail = f"{len(tuning)} answers"
        figures.append(Figure(f"log loss, {title}", log_loss(likely, right), detail=detail))
        if some is names:
            tables.append(_thresholds(tuning, likely))
    return Report(figures, tables)


def _bias(found: Numbers) -> list[str]:
    return ["bias", f"{found[0]:.2f}", "", ""]


def _even(tuning: Sequence[Observed]) -> Numbers:
    cells = [(one.collection, one.model, _mixed(one.kind)) for one in tuning]
    counts = Counter(cells)
    return np.array([MIX[cell[2]] / counts[cell] for cell in cells])


def _mixed(kind: str) -> str:
    return "near" if kind == "left out" else kind


def _thresholds(tuning: Sequence[Observed], likely: Numbers) -> str:
    """Say what a threshold would refuse, on the tuning part, of the built-in model's answers."""
    own = [place for place, one in enumerate(tuning) if one.model == "built-in"]
    parts = {
        "right": [p for p in own if tuning[p].right],
        "wrong": [p for p in own if tuning[p].kind == "answerable" and not tuning[p].right],
        "near": [p for p in own if _mixed(tuning[p].kind) == "near"],
        "elsewhere": [p for p in own if tuning[p].kind == "elsewhere"],
    }
    rows = []
    for bar in np.arange(0.08, 0.42, 0.04):
        row = [f"{bar:.2f}"]
        for collection in dict.fromkeys(one.collection for one in tuning):
            for places in parts.values():
                some = [p for p in places if tuning[p].collection == collection]
                row.append(f"{np.mean(likely[some] < bar):.2f}" if some else "-")
        rows.append(row)
    collections = dict.fromkeys(one.collection for one in tuning)
    head = [f"{collection}: {part}" for collection in collections for part in parts]
    return table(("refused below", *head), rows)


def reported(seen: Sequence[Observed]) -> Report:
    """Give the figures of what is not for tuning."""
    rest = [one for one in seen if not one.tunes]
    cited = [one for one in rest if one.cites]
    tables = [_refusals(rest), _by_kind(rest), _reliability(cited)]
    figures: list[Figure] = []
    for model in ("", *dict.fromkeys(one.model for one in rest)):
        figures += _calibration([one for one in cited if model in ("", one.model)], model)
    ratio = [one.judging_ms / one.run_ms for one in rest if one.run_ms and one.model == "built-in"]
    judging = [one.judging_ms for one in rest if one.model == "built-in"]
    detail = f"median; {np.median(judging):.1f} ms for an answer"
    figures.append(
        Figure("judging, of the time of the run", float(np.median(ratio)), "", "", detail)
    )
    figures.append(Figure("threshold", THRESHOLD))
    return Report(figures, tables)


def _refusals(rest: Sequence[Observed]) -> str:
    """Precision and recall of refusal, and what answers are worth with it and without it."""
    rows = []
    for collection, model in dict.fromkeys((one.collection, one.model) for one in rest):
        some = [one for one in rest if (one.collection, one.model) == (collection, model)]
        given = [one for one in some if not one.refused]
        before = [one for one in some if one.cites]
        refused = [one for one in some if one.refused]
        right = [one for one in some if one.right]
        outcomes = [(one.refused, one.kind == "answerable") for one in some]
        hopeless = sum(not answerable for _, answerable in outcomes)
        rows.append(
            [
                f"{collection}, {model}",
                str(len(some)),
                _of(refusal_precision(outcomes), len(refused)),
                _of(refusal_recall(outcomes), hopeless),
                _share(not one.right for one in refused),
                _share(one.right for one in before),
                _share(one.right for one in given),
                _share(not one.refused for one in right),
            ]
        )
    head = (
        "reported",
        "questions",
        "refusal precision",
        "refusal recall",
        "refused that were wrong",
        "right of answers, before",
        "right of answers, after",
        "right ones kept",
    )
    return table(head, rows)


def _by_kind(rest: Sequence[Observed]) -> str:
    rows = []
    for collection, kind in dict.fromkeys((one.collection, one.kind) for one in rest):
        some = [one for one in rest if (one.collection, one.kind) == (collection, kind)]
        models = dict.fromkeys(one.model for one in rest)
        shares = [_share(one.refused for one in some if one.model == model) for model in models]
        rows.append([f"{collection}, {kind}", str(len(some) // len(models)), *shares])
    return table(("refused", "questions", *dict.fromkeys(one.model for one in rest)), rows)


def _share(values: Iterable[bool]) -> str:
    given = list(values)
    return _of(mean(given), len(given))


def _of(share: float | None, count: int) -> str:
    return "-" if share is None else f"{share:.3f} of {count}"


def _reliability(cited: Sequence[Observed]) -> str:
    """Say what share of the answers of each confidence is right, in the mix that was fitted on."""
    weights = _even(cited)
    right = np.array([float(one.right) for one in cited])
    likely = np.array([one.likely for one in cited])
    confidences = np.array([one.confidence for one in cited])
    rows = []
    for confidence in np.unique(confidences):
        some = np.flatnonzero(confidences == confidence)
        share = partial(_mean_of, right[some], weights[some])
        low, high = interval(share, [cited[int(place)].question for place in some])
        mean = np.average(likely[some], weights=weights[some])
        shown = [f"{share(np.arange(len(some))):.3f}", f"{low:.3f} to {high:.3f}", f"{mean:.3f}"]
        rows.append([str(confidence), str(len(some)), *shown])
    return table(("confidence", "answers", "share right", "95%", "judged likely"), rows)


Measure = Callable[[Numbers, Numbers, Numbers], float]


def _mean_of(values: Numbers, weights: Numbers, places: NDArray[np.intp]) -> float:
    return float(np.average(values[places], weights=weights[places]))


def _of_some(
    measure: Measure, columns: tuple[Numbers, Numbers, Numbers], places: NDArray[np.intp]
) -> float:
    likely, right, weights = columns
    return measure(likely[places], right[places], weights[places])


def _of_numbers(measure: Callable[..., float]) -> Measure:
    """Let a measure of the product take arrays."""
    return lambda *columns: measure(*(column.tolist() for column in columns))


def _calibration(cited: Sequence[Observed], model: str) -> list[Figure]:
    likely = np.array([one.likely for one in cited])
    right = np.array([float(one.right) for one in cited])
    columns = (likely, right, _even(cited))
    questions = [one.question for one in cited]
    measures: list[tuple[str, Measure]] = [
        ("ECE", _of_numbers(ece)),
        ("Brier score", _of_numbers(brier)),
        ("ROC area", ranks_apart),
    ]
    figures = []
    for name, measure in measures:
        low, high = interval(partial(_of_some, measure, columns), questions)
        said = f"95% {low:.3f} to {high:.3f}, {len(cited)} answers"
        figures.append(Figure(f"{name}, {model or 'all models'}", measure(*columns), detail=said))
    return figures
