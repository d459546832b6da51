"""Sums, averages, the least and the most of a column, exactly, written as its cells are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rag_assistant.errors import ToolFailed
from rag_assistant.text.quantities import Quantity
from rag_assistant.tools.table.conditions import (
    amount_of,
    numbers_of,
    single_value,
    written_amount,
)
from rag_assistant.tools.table.rows import FoundRow

FUNCTIONS = ("count", "sum", "average", "min", "max")

PLACES = 2
"""Decimal places that an average is rounded to, or one more than its cells have."""

_FIGURE = re.compile(r"[\d][\d.,'’ ]*\d|\d")
_DECIMALS = re.compile(r"[.,](\d{1,2}|\d{4,})$")


@dataclass(frozen=True, slots=True)
class Computed:
    """What was computed: the number as written, from how many cells, and what must be known of it.

    `holder` is the row that has it, where one does.
    """

    value: str
    cells: int
    notes: tuple[str, ...] = ()
    holder: FoundRow | None = None


def compute(function: str, rows: Sequence[FoundRow], column: str) -> Computed:
    """Compute a function of a column over rows. Raises ToolFailed where its values have units that
    differ, or there are none.

    Rows that sum up others, and cells without one number, are left out, and notes say so.
    """
    counted = [row for row in rows if not row.is_total]
    notes = [f"left out, sums up others: {len(rows) - len(counted)}"] * (len(rows) > len(counted))
    if function == "count":
        return Computed(str(len(counted)), len(counted), tuple(notes))
    read = [(row, _number(row.cell(row.table.column(column)))) for row in counted]
    known = [(row, value) for row, value in read if value is not None]
    if not known:
        raise ToolFailed(f"No cell of {column!r} is a number.", hint="Name another column.")
    if len(known) < len(read):
        notes.append(f"left out, not one number: {len(read) - len(known)} of {len(read)} cells")
    if doubtful := [value.words for _, value in known if len(numbers_of(value)) > 1]:
        notes.append(f"may be read in two ways: {', '.join(doubtful[:3])}")
    amounts = _amounts([value for _, value in known])
    total = sum(amounts, Fraction(0))
    result, holder = total, None
    if function == "average":
        result = total / len(amounts)
    elif function in ("min", "max"):
        result = (min if function == "min" else max)(amounts)
        holder = known[amounts.index(result)][0]
    cells = [value.words for _, value in known]
    written, rounded = _written(result, cells, [value for _, value in known])
    notes += ["rounded"] * rounded
    return Computed(written, len(known), tuple(notes), holder)


def _number(cell: str) -> Quantity | None:
    value = single_value(cell)
    return value if value is not None and numbers_of(value) else None


def _amounts(values: Sequence[Quantity]) -> list[Fraction]:
    """Give the numbers as written where all have one unit, else in the base of their units."""
    readings = [numbers_of(value)[0] for value in values]
    if len({(one.unit, one.per) for one in readings}) > 1:
        units = ", ".join(sorted({value.words for value in values})[:4])
        raise ToolFailed(
            f"The values have units that differ: {units}.", hint="Narrow the rows by `where`."
        )
    same = len({one.size for one in readings}) == 1
    return [written_amount(one) if same else amount_of(one) for one in readings]


def _written(
    result: Fraction, cells: Sequence[str], values: Sequence[Quantity]
) -> tuple[str, bool]:
    """Write a number as the cells are, with what stands before and after theirs; and if rounded."""
    decimals = max((len(found[1]) for cell in cells if (found := _decimals(cell))), default=0)
    exact = result * 10**decimals
    rounded = exact.denominator != 1
    if rounded:
        decimals = max(PLACES, decimals + 1)
        rounded = (result * 10**decimals).denominator != 1
    number = f"{round(result, decimals):,.{decimals}f}" if decimals else f"{int(result):,}"
    one = numbers_of(values[0])[0]
    if len({numbers_of(value)[0].size for value in values}) > 1:
        return f"{number} {one.unit}".strip(), rounded
    before, after = _around(cells[0])
    return f"{before}{number}{after}", rounded


def _decimals(cell: str) -> re.Match[str] | None:
    found = _FIGURE.search(cell)
    return _DECIMALS.search(found[0]) if found else None


def _around(cell: str) -> tuple[str, str]:
    found = _FIGURE.search(cell)
    if found is None:
        return "", ""
    before, after = cell[: found.start()].strip("(-−+ "), cell[found.end() :].rstrip(")")
    return before, after
