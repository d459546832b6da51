"""Runs for comparing: of questions made up one by one, and kept ones of made-up reports."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_assistant.evaluation.measuring.figures import Figures
from rag_assistant.evaluation.measuring.measured import report_of
from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.evaluation.measuring.verdicts import Verdict
from rag_assistant.evaluation.runs.store import RunStore


def verdict(id_: str, measures: Mapping[str, float], **more: Any) -> Verdict:
    """A question of a run."""
    return Verdict(id_, f"What of {id_}?", ("staff",), True, measures=measures, **more)


def run(name: str, *verdicts: Verdict) -> Figures:
    """A run of nothing but these questions."""
    names = dict.fromkeys(measure for one in verdicts for measure in one.measures)
    means = {
        measure: mean([one.measures[measure] for one in verdicts if measure in one.measures])
        for measure in names
    }
    return Figures(name, None, means, verdicts)


def ndcg(name: str, *values: float) -> Figures:
    """A run whose questions have these values."""
    return run(name, *(verdict(f"q{n}", {"nDCG@10": value}) for n, value in enumerate(values)))


def kept(home: Path, report: Report) -> Report:
    """Keep a report's run as an evaluation does, and measure it."""
    store = RunStore(home)
    run = store.begin(report.header, [one.question for one in report.asked])
    for one in report.asked:
        for each in (one.search, one.evidence, one.answer):
            if each:
                run.add(each)
    run.finish(report.header.started + 60)
    run.close()
    return report_of(store.read(run.header.number))
