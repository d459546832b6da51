"""A run as a comparison sees it, wherever its figures come from."""

from dataclasses import dataclass

from rag_assistant.evaluation.measuring.report import Metrics, Report
from rag_assistant.evaluation.measuring.verdicts import Verdict, verdict_of
from rag_assistant.evaluation.runs.header import Header


@dataclass(frozen=True, slots=True)
class Figures:
    """A run by the name that a person calls it by, and each of its questions.

    `header` is None where it is not known what the run was made with: another program's run.
    `notes` say what a reader of the figures must know.
    """

    name: str
    header: Header | None
    metrics: Metrics
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()


def figures_of(report: Report) -> Figures:
    """Give the figures of a report."""
    header = report.header
    notes = [] if header.ended is not None else [f"run {header.number} has not ended yet"]
    return Figures(
        f"run {header.number}",
        header,
        report.metrics,
        tuple(map(verdict_of, report.asked)),
        tuple(notes),
    )
