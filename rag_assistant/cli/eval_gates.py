"""The gates of `eval`: what a run must reach for the exit code to be 0."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.evaluation.measuring.figures import Figures, figures_of
from rag_assistant.evaluation.measuring.gates import (
    GateResult,
    Minimum,
    no_worse,
    reached,
    read_minimums,
)
from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.reports.compared_runs import figures_at
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.runs.store import RunStore


@dataclass(frozen=True, slots=True)
class Gates:
    """What was demanded on the command line."""

    minimums: tuple[Minimum, ...]
    baseline: Figures | None
    tolerance: float

    def checks(self, report: Report) -> Iterator[GateResult]:
        """Hold a report against it, a line each."""
        yield from reached(self.minimums, report.metrics)
        if self.baseline:
            seed = report.header.settings.seed
            now = figures_of(report)
            yield from no_worse(self.baseline, now, tolerance=self.tolerance, seed=seed)


def gates_of(options: Namespace, store: RunStore, of_set: Path | None = None) -> Gates:
    """Read what is demanded, before any question is asked.

    A baseline `last` or `before` is of the question set `of_set`. Raises QuestionSetError.
    """
    named = options.baseline
    baseline = figures_at(named, store, of_set=of_set) if named else None
    return Gates(read_minimums(options.min, tuple(EXPLANATIONS)), baseline, options.tolerance)
