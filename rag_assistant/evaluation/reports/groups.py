"""The metrics of a report in the groups and the words that every form of it shows them in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rag_assistant.evaluation.measuring.excerpts import EVIDENCE_MEASURES
from rag_assistant.evaluation.measuring.metric_names import OF_TRAFFIC
from rag_assistant.evaluation.measuring.ranking import RANKING_MEASURES
from rag_assistant.evaluation.measuring.report import Interval, Report
from rag_assistant.evaluation.runs.outcomes import STAGES, Stage

Fact = tuple[str, str]

TITLES = {"search": "Search", "retrieve": "Evidence", "answer": "Answers"}


@dataclass(frozen=True, slots=True)
class Group:
    """The metrics of a stage: those of quality, then those of time, tokens and cost."""

    stage: Stage
    title: str
    over: str
    quality: tuple[str, ...]
    traffic: tuple[str, ...]


def grouped(report: Report) -> tuple[Group, ...]:
    """Give the metrics of each stage that has any, in the order of the report."""
    groups = (_group(report, stage) for stage in STAGES)
    return tuple(group for group in groups if group.quality or group.traffic)


def _group(report: Report, stage: Stage) -> Group:
    names = [name for name in report.metrics if stage_of_metric(name) == stage]
    quality = tuple(name for name in names if not name.endswith(OF_TRAFFIC))
    traffic = tuple(name for name in names if name.endswith(OF_TRAFFIC))
    return Group(stage, TITLES[stage], _over(report, stage), quality, traffic)


def _over(report: Report, stage: Stage) -> str:
    if stage == "search":
        return f"over the {report.ranked} answerable questions with relevant files"
    if stage == "retrieve":
        placed = sum(bool(one.evidence and one.evidence.wanted) for one in report.asked)
        return f"over the {placed} questions whose quotes stand in the documents"
    asked = sum(one.answer is not None for one in report.asked)
    return f"over {asked} questions, each measure over those whose references allow it"


def stage_of_metric(name: str) -> Stage:
    """Say which stage a metric measures."""
    if name in RANKING_MEASURES or name.startswith("search_"):
        return "search"
    if name in EVIDENCE_MEASURES or name.startswith("retrieve_"):
        return "retrieve"
    return "answer"


def shown(name: str, value: float | None) -> str:
    """Give a metric as a person reads it; "-" where there was nothing to measure it on."""
    if value is None:
        return "-"
    if name.endswith("_ms"):
        return f"{value:,.1f}" if value < 1000 else f"{value:,.0f}"
    if name.endswith("_cost"):
        return f"{value:.4f}"
    if name.endswith(OF_TRAFFIC):
        return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
    return f"{value:.3f}"


def interval_shown(name: str, interval: Interval | None) -> str:
    """Give an interval as a person reads it: 0.812 to 0.934; "" where there is none."""
    if interval is None:
        return ""
    return f"{shown(name, interval.low)} to {shown(name, interval.high)}"


def facts(report: Report) -> tuple[Fact, ...]:
    """Say what was asked of what, when, and by which models: a word and its value."""
    header, settings = report.header, report.header.settings
    unanswerable = len(report.asked) - report.answerable
    databases = dict.fromkeys(name for one in report.asked for name in one.question.databases)
    took = "" if header.ended is None else f"{header.ended - header.started:,.0f} s"
    return _given(
        (
            "questions",
            f"{len(report.asked):,}, {unanswerable:,} of them unanswerable",
        ),
        ("not finished", _missing(report)),
        ("databases", ", ".join(databases or settings.databases)),
        ("mode", settings.mode),
        ("model", settings.model),
        ("helper model", settings.helper),
        ("judged by", settings.judge),
        ("embedder", settings.embedder),
        ("reranker", settings.reranker),
        ("ranking of", settings.ranking),
        ("started", datetime.fromtimestamp(header.started, UTC).strftime("%Y-%m-%d %H:%M UTC")),
        ("took", took),
        ("machine", header.machine),
    )


def made_with(report: Report) -> tuple[Fact, ...]:
    """Say what else it takes to make the run again: settings, versions, states of the indexes."""
    header, settings = report.header, report.header.settings
    return _given(
        ("question set", header.set_path),
        ("its digest", header.set_digest),
        ("seed", str(settings.seed)),
        ("depth", f"{settings.depth} hits"),
        ("questions at once", str(settings.at_once)),
        *((f"version of {what}", which) for what, which in header.versions.items()),
        *(
            (
                f"index {one.database}",
                f"{one.entries:,} entries, {one.passages:,} passages,"
                f" state {one.digest}, of {one.folder}",
            )
            for one in header.indexes
        ),
    )


def _given(*known: Fact) -> tuple[Fact, ...]:
    return tuple((word, value) for word, value in known if value)


def _missing(report: Report) -> str:
    """Say what a run that was broken off has not asked yet."""
    header = report.header
    if header.ended is not None:
        return ""
    return f"this run has not ended: rag-assistant eval resume {header.number} goes on with it"


LEFT_OUT_SHOWN = 20
"""Lines of a question set that are named one by one."""


def remarks(report: Report) -> tuple[str, ...]:
    """Give what a reader of the figures must know: notes, then the lines that were left out."""
    bad = report.header.bad_lines
    left_out = [f"Left out: {line.file}, line {line.line}: {line.reason}" for line in bad]
    if len(left_out) > LEFT_OUT_SHOWN:
        more = f"and {len(left_out) - LEFT_OUT_SHOWN:,} more lines were left out"
        all_of_them = f"rag-assistant eval report {report.header.number} report.json"
        left_out[LEFT_OUT_SHOWN:] = [f"… {more}; all of them: {all_of_them}"]
    return (*unique((*report.notes, *report.header.notes)), *left_out)


def unique(lines: Iterable[str]) -> Sequence[str]:
    """Give lines in their order, each once."""
    return list(dict.fromkeys(lines))
