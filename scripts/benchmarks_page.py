"""The page of all benchmarks as Markdown: the missed goals first, each with its reason, then all.

The reasons are in a file of remarks (TOML), because a person writes them: `figure` is a pattern of
the figures' names (*, ? as in file names), `text` says why.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from figures import Figure, Report, table

NO_REASON = "no reason is written down yet"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a part of the benchmarks found, when, at which commit, and on what.

    `load` is the machine's load average of the five minutes before the part ended.
    """

    name: str
    title: str
    report: Report
    command: str
    failed: bool
    date: str
    commit: str
    minutes: float
    load: float
    machine: str


def page(outcomes: Sequence[Outcome], remarks: Path, *, quick: bool) -> str:
    """Write the whole page."""
    reasons = read_remarks(remarks)
    figures = [figure for outcome in outcomes for figure in outcome.report.figures]
    with_goal = [figure for figure in figures if figure.goal]
    missed = [figure for figure in with_goal if not figure.met()]
    machines = list(dict.fromkeys(one.machine for one in outcomes))
    lines = [
        "# Benchmarks",
        "Written by `python scripts/benchmarks.py`; the reasons stand in "
        f"`{remarks.name}`. Do not edit.",
        *(["Small sizes (`--quick`): these figures say only that everything runs."] * quick),
        *([f"Measured on {machines[0]}."] * (len(machines) == 1)),
        f"{len(with_goal) - len(missed)} of {len(with_goal)} goals are met.",
    ]
    if missed:
        rows = [
            [figure.name, figure.written(), figure.goal, reason_of(figure, reasons)]
            for figure in missed
        ]
        lines.append(table(("missed", "measured", "goal", "reason"), rows, texts=True))
    for outcome in outcomes:
        lines += section(outcome, machine=len(machines) > 1)
    return "\n\n".join(lines) + "\n"


def section(outcome: Outcome, *, machine: bool) -> list[str]:
    """Write the part of one benchmark; with the machine where the parts are of several."""
    minutes = f"{outcome.minutes:.0f} minutes" if outcome.minutes >= 1.5 else "a minute or less"
    facts = (
        f"`{outcome.command}`, {outcome.date} UTC, commit {outcome.commit}, {minutes}, "
        f"load {outcome.load:.1f}{f', on {outcome.machine}' if machine else ''}"
    )
    lines = [f"## {outcome.title}", facts]
    lines += [f"Skipped: {line}." for line in outcome.report.skipped]
    lines += outcome.report.tables
    if outcome.report.figures:
        rows = [
            [one.name, one.written(), _verdict(one), one.detail] for one in outcome.report.figures
        ]
        lines.append(table(("figure", "measured", "goal", "detail"), rows, texts=True))
    return lines


def _verdict(figure: Figure) -> str:
    if not figure.goal:
        return ""
    return figure.goal + ("" if figure.met() else " **missed**")


def read_remarks(path: Path) -> list[tuple[str, str]]:
    """Read patterns and reasons in order; nothing where there is no file."""
    if not path.exists():
        return []
    with path.open("rb") as file:
        found = tomllib.load(file).get("remark", [])
    return [(one["figure"], " ".join(one["text"].split())) for one in found]


def reason_of(figure: Figure, reasons: Sequence[tuple[str, str]]) -> str:
    """Give the first reason whose pattern fits the figure's name."""
    fitting = (text for pattern, text in reasons if fnmatchcase(figure.name, pattern))
    return next(fitting, NO_REASON)
