"""What a run must reach for a script to go on: least values, and no worse than another run."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.measuring.comparing import MetricChange, compare, measured_in_both
from rag_assistant.evaluation.measuring.figures import Figures
from rag_assistant.evaluation.measuring.metric_names import check_metric, less_is_better
from rag_assistant.evaluation.measuring.report import Metrics
from rag_assistant.evaluation.measuring.significance import FLIPS

GUARDED = (
    "nDCG@10",
    "found@10",
    "evidence_recall",
    "answered",
    "refusal_recall",
    "quote_recall",
    "citation_verified",
    "token_f1",
    "answer_contains",
    "judged_right",
)
"""What a baseline is held against: of each stage the measures that a person would miss first. The
more there are, the larger a difference must be to be told from noise."""


@dataclass(frozen=True, slots=True)
class Minimum:
    """The least that a metric must be; the most, where less is better."""

    metric: str
    value: float


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether something that was demanded holds, and a line that says so."""

    holds: bool
    line: str


def read_minimums(written: Sequence[str], known: Collection[str]) -> tuple[Minimum, ...]:
    """Read METRIC=VALUE each. Raises QuestionSetError for another form or an unknown metric."""
    return tuple(_minimum(each, known) for each in written)


def _minimum(written: str, known: Collection[str]) -> Minimum:
    name, _, value = written.partition("=")
    try:
        least = float(value)
    except ValueError:
        least = float("nan")
    if not isfinite(least):
        raise QuestionSetError(
            f"{written!r} is no least value of a metric.", hint="For example: `--min nDCG@10=0.7`."
        )
    check_metric(name.strip(), known)
    return Minimum(name.strip(), least)


def reached(minimums: Sequence[Minimum], metrics: Metrics) -> tuple[GateResult, ...]:
    """Hold metrics against the least that is demanded; what was not measured does not hold."""
    return tuple(_reached(one, metrics) for one in minimums)


def _reached(minimum: Minimum, metrics: Metrics) -> GateResult:
    name, demanded = minimum.metric, minimum.value
    value = metrics.get(name)
    if value is None:
        why = (
            "the questions give nothing to measure it on"
            if name in metrics
            else "this run has none: see --mode, and the notes of the report"
        )
        return GateResult(False, f"{name} was not measured, and {demanded:g} is demanded: {why}.")
    at_most = less_is_better(name)
    holds = value <= demanded if at_most else value >= demanded
    limit = f"{'at most' if at_most else 'at least'} {demanded:g}"
    # Not rounded to the limit itself, on the other side of which it may be.
    shown = repr(value) if round(value, 4) == demanded else f"{round(value, 4):g}"
    return GateResult(holds, f"{name} is {shown}; {limit} is demanded.")


def no_worse(
    baseline: Figures,
    now: Figures,
    *,
    tolerance: float = 0.0,
    seed: int = 0,
    samples: int = FLIPS,
) -> tuple[GateResult, ...]:
    """Hold a run against a baseline over the questions of both.

    A metric of GUARDED fails where it is worse by more than `tolerance` and by more than noise: p
    at most 0.05, adjusted for all of them. What cannot be compared at all fails, too.
    """
    guarded = [name for name in measured_in_both(baseline, now) if name in GUARDED]
    if not guarded:
        line = (
            f"{now.name} cannot be held against {baseline.name}: they have no question of the same"
            " id and text on which both measured anything."
        )
        return (GateResult(False, line),)
    compared = compare(baseline, now, metrics=guarded, seed=seed, samples=samples)
    checks = tuple(_no_worse(change, baseline.name, tolerance) for change in compared.changes)
    return (*checks, *_left_out(baseline, now, guarded))


def _no_worse(change: MetricChange, baseline: str, tolerance: float) -> GateResult:
    moved = f"{change.metric}: {change.before:.3f} in {baseline}, now {change.now:.3f}"
    if change.drop <= 0:
        return GateResult(True, f"{moved}.")
    if change.word != "worse":
        few = (
            f" ({change.paired.differ} questions differ: too few to tell)" if change.too_few else ""
        )
        return GateResult(True, f"{moved}: worse, but no more than noise, p {change.p:.3f}{few}.")
    holds = change.drop <= tolerance
    allowed = f"; {tolerance:g} is allowed" if tolerance else ""
    told = f"{moved}: worse by {change.drop:.3f}{allowed}, and more than noise, p {change.p:.4f}"
    return GateResult(holds, f"{told} ({change.worse} questions worse, {change.better} better).")


def _left_out(baseline: Figures, now: Figures, guarded: Sequence[str]) -> Iterator[GateResult]:
    """Say what the baseline has measured and this run has not: it could not, or was not to."""
    names = [name for name in GUARDED if baseline.metrics.get(name) is not None]
    missing = [name for name in names if now.metrics.get(name) is None and name not in guarded]
    lost = ", ".join(name for name in missing if name in now.metrics)
    if lost:
        yield GateResult(False, f"Measured in {baseline.name}, and could not be now: {lost}.")
    not_asked = ", ".join(name for name in missing if name not in now.metrics)
    if not_asked:
        yield GateResult(
            True, f"Not held against {baseline.name}, because not asked now: {not_asked}."
        )
