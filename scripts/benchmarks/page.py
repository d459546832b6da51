"""The page of all benchmarks as Markdown: the missed goals first, each with its reason, then all.

A part that was not measured anew stays as it was. The reasons are in a file of remarks (TOML),
since a person writes them: `figure` is a pattern of the figures' names (*, ? as in file names),
`text` says why.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from scripts.benchmarks.shared.figures import Figure, Report, table

NO_REASON = "no reason is written down yet"
MISSED = " **missed**"
MEASURED_ON, WHERE_ELSE = "Measured on ", ", unless a part says otherwise."


class FigureRow(NamedTuple):
    """A figure as the page has it; the goal says so where it is missed."""

    figure: str
    measured: str
    goal: str
    detail: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a part of the benchmarks found, when, at which commit, and on what.

    `load` is the machine's load average of the five minutes before the part ended.
    """

    name: str
    title: str
    report: Report
    failed: bool
    date: str
    commit: str
    minutes: float
    load: float
    machine: str


def page(
    titles: Sequence[str],
    outcomes: Sequence[Outcome],
    before: str,
    remarks: Path,
    *,
    quick: bool = False,
) -> str:
    """Write the page: the parts of these titles, in this order.

    A part of which there is no outcome stays as it is on `before`, the page as it was.
    """
    stayed, machine = sections_of(before)
    fresh = {outcome.title: outcome for outcome in outcomes}
    if machine is None or not any(title in stayed for title in titles if title not in fresh):
        machine = next((one.machine for one in outcomes), "")
    sections = [
        section(fresh[title], machine) if title in fresh else stayed[title]
        for title in titles
        if title in fresh or title in stayed
    ]
    with_goal = [row for text in sections for row in figure_rows(text) if row.goal]
    missed = [row for row in with_goal if row.goal.endswith(MISSED)]
    lines = [
        "# Benchmarks",
        f"Written by `python -m scripts.benchmarks`; the reasons stand in `{remarks.name}`. "
        "Do not edit.",
        *(["Small sizes (`--quick`): these figures say only that everything runs."] * quick),
        f"{MEASURED_ON}{machine}{WHERE_ELSE}",
        f"{len(with_goal) - len(missed)} of {len(with_goal)} goals are met.",
    ]
    if missed:
        reasons = read_remarks(remarks)
        rows = [
            [
                row.figure,
                row.measured,
                row.goal.removesuffix(MISSED),
                reason_of(row.figure, reasons),
            ]
            for row in missed
        ]
        lines.append(table(("missed", "measured", "goal", "reason"), rows, texts=True))
    return "\n\n".join([*lines, *sections]) + "\n"


def sections_of(text: str) -> tuple[dict[str, str], str | None]:
    """Read a page: its parts by title, and the machine of which it is, if it says so."""
    head, *sections = text.split("\n## ")
    said = next((line for line in head.splitlines() if line.startswith(MEASURED_ON)), None)
    machine = said and said.removeprefix(MEASURED_ON).removesuffix(WHERE_ELSE)
    parts = {one.partition("\n")[0]: f"## {one}".rstrip("\n") for one in sections}
    return parts, machine


def section(outcome: Outcome, machine: str) -> str:
    """Write the part of one benchmark; with its machine where that is another than the page's."""
    minutes = f"{outcome.minutes:.0f} minutes" if outcome.minutes >= 1.5 else "a minute or less"
    elsewhere = f", on {outcome.machine}" if outcome.machine != machine else ""
    facts = (
        f"`--only {outcome.name}`, {outcome.date} UTC, commit {outcome.commit}, {minutes}, "
        f"load {outcome.load:.1f}{elsewhere}"
    )
    lines = [f"## {outcome.title}", facts]
    lines += [f"Skipped: {line}." for line in outcome.report.skipped]
    lines += outcome.report.tables
    if outcome.report.figures:
        rows = [
            [one.name, one.written(), _verdict(one), one.detail] for one in outcome.report.figures
        ]
        lines.append(table(FigureRow._fields, rows, texts=True))
    return "\n\n".join(lines)


def figure_rows(text: str) -> Iterator[FigureRow]:
    """Read the figures of a page or a part of it, as they are written."""
    head = table(FigureRow._fields, (), texts=True).splitlines()
    within = False
    for line in text.splitlines():
        if not line.startswith("|"):
            within = False
        elif line in head:
            within = True
        elif within:
            _, figure, measured, goal, detail = (cell.strip() for cell in line.split("|", 4))
            yield FigureRow(figure, measured, goal, detail.removesuffix("|").rstrip())


def _verdict(figure: Figure) -> str:
    if not figure.goal:
        return ""
    return figure.goal + ("" if figure.met() else MISSED)


def read_remarks(path: Path) -> list[tuple[str, str]]:
    """Read patterns and reasons in order; nothing where there is no file."""
    if not path.exists():
        return []
    with path.open("rb") as file:
        found = tomllib.load(file).get("remark", [])
    return [(one["figure"], " ".join(one["text"].split())) for one in found]


def reason_of(figure: str, reasons: Sequence[tuple[str, str]]) -> str:
    """Give the first reason whose pattern fits a figure's name."""
    fitting = (text for pattern, text in reasons if fnmatchcase(figure, pattern))
    return next(fitting, NO_REASON)
