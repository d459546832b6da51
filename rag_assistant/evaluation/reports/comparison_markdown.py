"""A comparison of two runs as Markdown, for a pull request or a folder of notes."""

from collections.abc import Iterator, Sequence

from rag_assistant.evaluation.measuring.comparing import Comparison, MetricChange, Moved, signed
from rag_assistant.evaluation.reports.comparison import (
    NOT_TESTED,
    brief,
    interval_of,
    moved_lists,
    other_metrics,
    outcome,
    p_of,
    remarks,
    settings_of,
    title,
    traffic_title,
    untested_words,
)
from rag_assistant.evaluation.reports.markdown import cut, escaped


def comparison_markdown(comparison: Comparison, rows: int = 10) -> str:
    """Give a comparison as GitHub Flavored Markdown; what came from elsewhere is only text in it.

    The first `rows` questions that are worse and that are better are listed.
    """
    lines = [f"# {escaped(title(comparison))}", "", escaped(outcome(comparison))]
    if comparison.unlike:
        lines += ["", "## Not made alike", "", *_row("", "before", "now"), "|---|---|---|"]
        for one in comparison.unlike:
            lines += _row(*map(escaped, settings_of(one)))
    if comparison.changes:
        lines += ["", "## Metrics", "", *_metrics(comparison.changes)]
    quality, traffic = other_metrics(comparison)
    for head, some in ((NOT_TESTED, quality), (traffic_title(comparison), traffic)):
        if some:
            lines += ["", f"## {escaped(head)}", "", *_row("metric", "before → now"), "|---|---|"]
            lines += [row for one in some for row in _row(escaped(one.metric), untested_words(one))]
    for head, questions in moved_lists(comparison, rows):
        lines += ["", f"## {escaped(head)}", *(_moved(questions) if questions else ())]
    below = [f"- {escaped(remark)}" for remark in remarks(comparison)]
    return "\n".join([*lines, "", "## Notes", "", *below] if below else lines) + "\n"


def _metrics(changes: Sequence[MetricChange]) -> Iterator[str]:
    heads = ("metric", "before", "now", "change", "95 % interval", "p", "better", "worse", "")
    yield from _row(*heads)
    yield "|---|---:|---:|---:|---|---:|---:|---:|---|"
    for change in changes:
        yield from _row(
            escaped(change.metric),
            f"{change.before:.3f}",
            f"{change.now:.3f}",
            signed(change.paired.difference),
            interval_of(change),
            p_of(change),
            str(change.better),
            str(change.worse),
            change.word,
        )


def _moved(questions: Sequence[Moved]) -> Iterator[str]:
    yield from ("", *_row("id", "what changed", "question"), "|---|---|---|")
    for moved in questions:
        told = (brief(moved.id), " · ".join(moved.changes), cut(moved.question))
        yield from _row(*map(escaped, told))


def _row(*cells: str) -> Iterator[str]:
    yield f"| {' | '.join(cells)} |"
