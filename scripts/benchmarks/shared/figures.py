"""What a benchmark found: figures with their goals, tables, and what could not be measured.

Every part makes a `Report`. It is printed for people or as one JSON object, and docs/benchmarks.md
is made of all of them.
"""

import json
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rag_assistant.evaluation.measuring import summary

_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value. `goal` is a relation and a number ("<= 2.0"), empty where there is none.

    `detail` says what else was seen: a spread, a comparison.
    """

    name: str
    value: float
    unit: str = ""
    goal: str = ""
    detail: str = ""

    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal."""
        if not self.goal:
            return None
        relation, limit = self.goal.split()
        return _RELATIONS[relation](self.value, float(limit))

    def written(self) -> str:
        """Write the value with its unit, in about four digits."""
        size = abs(self.value)
        digits = 0 if size >= 1_000 else 1 if size >= 10 else 2 if size >= 1 else 4
        number = f"{self.value:,.0f}" if self.value == int(size) else f"{self.value:,.{digits}f}"
        return f"{number} {self.unit}".strip()


@dataclass(frozen=True, slots=True)
class Report:
    """What one benchmark found. `tables` are Markdown; `skipped` says what is missing, and why."""

    figures: Sequence[Figure] = ()
    tables: Sequence[str] = ()
    skipped: Sequence[str] = field(default_factory=tuple)

    def with_more(self, other: "Report") -> "Report":
        """Give both in one."""
        return Report(
            [*self.figures, *other.figures],
            [*self.tables, *other.tables],
            [*self.skipped, *other.skipped],
        )

    def missed(self) -> bool:
        """Whether a goal is missed."""
        return any(figure.met() is False for figure in self.figures)

    def to_json(self) -> str:
        """Write it as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)


def report_from(value: dict[str, Any]) -> Report:
    """Read what `to_json` wrote."""
    figures = [Figure(**figure) for figure in value["figures"]]
    return Report(figures, value["tables"], value["skipped"])


def joined(reports: Iterable[Report]) -> Report:
    """Give all in one."""
    whole = Report()
    for one in reports:
        whole = whole.with_more(one)
    return whole


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value that a share of the values does not exceed, as the reports of `eval` do."""
    found = summary.percentile(values, share * 100)
    if found is None:
        raise ValueError("nothing was measured")
    return found


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, texts: bool = False) -> str:
    """Make a Markdown table; all columns but the first are numbers, unless they are `texts`."""
    rule = ["---", *["---" if texts else "---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def show(report: Report, as_json: bool) -> None:
    """Print a report."""
    if as_json:
        print(report.to_json())
        return
    for line in report.skipped:
        print(f"skipped: {line}")
    for block in report.tables:
        print(f"\n{block}")
    if report.tables and report.figures:
        print()
    for figure in report.figures:
        verdict = {None: "", True: ": met", False: ": MISSED"}[figure.met()]
        goal = f" (goal {figure.goal}{verdict})" if figure.goal else ""
        detail = f"; {figure.detail}" if figure.detail else ""
        print(f"{figure.name}: {figure.written()}{goal}{detail}")
