"""A report as a table for a terminal: figures by stage, what fared worst, the next step."""

from collections.abc import Iterator
from textwrap import wrap

from rich.cells import cell_len, set_cell_size

from rag_assistant.evaluation.measuring.report import Interval, Report
from rag_assistant.evaluation.reports.explanations import EXPLANATIONS
from rag_assistant.evaluation.reports.groups import Group, facts, grouped, remarks, shown
from rag_assistant.evaluation.reports.worst import Fault, worst
from rag_assistant.text.safe_text import clean_line

LEAST_ROOM = 20
"""Columns that an explanation has, however narrow the terminal."""

LEAST_WIDTH = 40
"""Columns that are written for, however narrow the terminal."""

WIDE = 100
"""Columns from which on times and costs have a line each."""

WORST_SHOWN = 5

IN_THE_HEAD = frozenset(
    ("databases", "mode", "model", "judged by", "ranking of", "started", "took")
)
"""The facts of a run that tell it from others; the page and the Markdown have all of them."""

_VALUE, _INTERVAL = 8, 11
"""Columns of a figure and of its interval."""


def report_table(report: Report, width: int = 100) -> str:
    """Give the report as aligned plain text, each metric with its 95 % interval and what it says.

    `width` is in columns; a narrow one breaks the explanations, never the figures.
    """
    room = max(width, LEAST_WIDTH)
    lines = [*wrap(_summary(report), room), *wrap(_what_ran(report), room)]
    names = max(map(len, report.metrics), default=0)
    for group in grouped(report):
        lines += ["", *wrap(f"{group.title}, {group.over}", room)]
        lines += _rows(report, group, names, room)
    lines += _wrong(report, room)
    if notes := remarks(report):
        lines += ["", *map(clean_line, notes)]
    return "\n".join([*lines, "", *_next_steps(report)])


def _summary(report: Report) -> str:
    unanswerable = len(report.asked) - report.answerable
    asked = f"{len(report.asked):,} question{'' if len(report.asked) == 1 else 's'}"
    without = f"{unanswerable:,} of them without an answer in the documents"
    return clean_line(f"{report.header.set_name}: {asked}, {without}")


def _what_ran(report: Report) -> str:
    said = [f"{word} {value}" for word, value in facts(report) if word in IN_THE_HEAD]
    return clean_line(" · ".join([f"Run {report.header.number}", *said]))


def _rows(report: Report, group: Group, names: int, width: int) -> Iterator[str]:
    brief = width < WIDE
    named = group.quality if brief else (*group.quality, *group.traffic)
    for name in named:
        if report.metrics[name] is None:
            continue
        value = shown(name, report.metrics[name])
        interval = _interval(report.intervals.get(name)) if name in group.quality else ""
        head = f"  {name:<{names}}  {value:>{_VALUE}}  {interval:<{_INTERVAL}}  "
        room = max(LEAST_ROOM, width - len(head))
        first, *rest = wrap(EXPLANATIONS.get(name, ""), room) or [""]
        yield (head + first).rstrip()
        yield from (" " * len(head) + line for line in rest)
    if brief:
        yield from _in_a_row(report, group, width)
    if missing := [name for name in named if report.metrics[name] is None]:
        said = f"not measured: {', '.join(missing)}"
        yield from wrap(said, width, initial_indent="  ", subsequent_indent="  ")


def _in_a_row(report: Report, group: Group, width: int) -> Iterator[str]:
    """Give what a stage took without explanations: in a narrow terminal they would fill it."""
    line = ""
    for name in group.traffic:
        if report.metrics[name] is None:
            continue
        said = f"{name} {shown(name, report.metrics[name])}"
        if line and len(line) + len(said) + 3 > width:
            yield line
            line = ""
        line = f"{line} · {said}" if line else f"  {said}"
    if line:
        yield line


def _interval(interval: Interval | None) -> str:
    return f"{interval.low:.3f}–{interval.high:.3f}" if interval else ""


def _wrong(report: Report, width: int) -> Iterator[str]:
    """Name the questions that fared worst, and what is wrong with each."""
    faults, many = worst(report, WORST_SHOWN)
    if not faults:
        return
    yield ""
    least = f"; the first {len(faults)} by what is wrong" if many > len(faults) else ""
    asked = f"{len(report.asked):,} questions"
    yield from wrap(f"Something is wrong with {many:,} of {asked}{least}", width)
    ids = min(24, max(cell_len(clean_line(fault.id)) for fault in faults))
    for fault in faults:
        yield from _fault(fault, ids, width)


def _fault(fault: Fault, ids: int, width: int) -> Iterator[str]:
    room = max(LEAST_ROOM, width - ids - 4)
    yield f"  {_cut(fault.id, ids)}  {_cut(fault.question, room).rstrip()}"
    for line in wrap("; ".join(fault.lines), room):
        yield f"{' ' * (ids + 4)}{line}"


def _cut(text: str, room: int) -> str:
    """Give a line of so many columns, with a mark where there would be more of it."""
    line = clean_line(text)
    return (
        set_cell_size(line, room) if cell_len(line) <= room else set_cell_size(line, room - 1) + "…"
    )


def _next_steps(report: Report) -> Iterator[str]:
    number = report.header.number
    if report.header.ended is None:
        yield f"This run has not ended: rag-assistant eval resume {number}"
    yield f"Each question, to read: rag-assistant eval report {number} report.html"
    if number > 1:
        yield "With an earlier run of these questions: rag-assistant eval compare before last"
