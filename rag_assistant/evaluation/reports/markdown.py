"""A report as Markdown, for a pull request or a folder of notes."""

import re
from collections.abc import Iterator, Sequence

from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.reports.groups import (
    Fact,
    Group,
    facts,
    grouped,
    interval_shown,
    made_with,
    remarks,
    shown,
)
from rag_assistant.evaluation.reports.worst import worst
from rag_assistant.text.safe_text import clean_line

WORST_SHOWN = 10

LONGEST = 160
"""Characters of a question that are shown."""

_MARKUP = re.compile(r"([\\`*_\[\]<>|~&$]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
"""What has a meaning within a line of CommonMark, in GitHub's tables and formulas, in bare links.

A stroke before any ASCII punctuation makes it that character itself: CommonMark 0.31, section 2.4.
"""

_MENTION = re.compile(r"@(?=\w)")
"""GitHub looks for names after that; a comment behind the "@" keeps anybody from being called."""


def report_markdown(report: Report) -> str:
    """Give the report as GitHub Flavored Markdown; what came from elsewhere is only text in it."""
    header = report.header
    lines = [
        f"# Evaluation {header.number}: {escaped(header.set_name)}",
        "",
        *_list(facts(report)),
    ]
    for group in grouped(report):
        lines += ["", f"## {group.title}", "", f"{group.over[:1].upper()}{group.over[1:]}.", ""]
        lines += _table(report, group)
    lines += _worst(report)
    if notes := remarks(report):
        lines += ["", "## Notes", "", *(f"- {escaped(note)}" for note in notes)]
    lines += ["", "## Made with", "", *_list(made_with(report))]
    return "\n".join(lines) + "\n"


def _list(known: Sequence[Fact]) -> Iterator[str]:
    return (f"- **{escaped(word)}:** {escaped(value)}" for word, value in known)


def _table(report: Report, group: Group) -> Iterator[str]:
    yield "| metric | value | 95 % interval | what it says |"
    yield "|---|---:|---|---|"
    for name in (*group.quality, *group.traffic):
        interval = report.intervals.get(name) if name in group.quality else None
        cells = (
            f"`{name}`",
            shown(name, report.metrics[name]),
            interval_shown(name, interval),
            escaped(EXPLANATIONS.get(name, "")),
        )
        yield f"| {' | '.join(cells)} |"


def _worst(report: Report) -> Iterator[str]:
    faults, many = worst(report, WORST_SHOWN)
    if not faults:
        return
    yield from ("", "## What fared worst", "")
    yield f"Something is wrong with {many:,} of {len(report.asked):,} questions."
    yield from ("", "| id | question | what is wrong |", "|---|---|---|")
    for fault in faults:
        yield f"| {escaped(fault.id)} | {escaped(cut(fault.question))} | {'; '.join(fault.lines)} |"


def cut(text: str) -> str:
    """Give the beginning of a long text, as one line."""
    line = clean_line(text)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


def escaped(text: str) -> str:
    """Give a text as a line that says the same, wherever in a line of Markdown it is put."""
    return _MENTION.sub("@<!-- -->", _MARKUP.sub(r"\\\1", clean_line(text)))
