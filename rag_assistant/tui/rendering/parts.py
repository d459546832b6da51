"""Parts of a document, each of which can be laid out for a width by itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rag_assistant.tui.drawing.layout import LEAST_WIDTH
from rag_assistant.tui.rendering.shown_lines import (
    ShownLine,
    ShownRun,
    ShownRuns,
    cells_of,
    wrapped,
)


class Part(Protocol):
    """What stands from `start` to `end` of a text."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...

    def lines(self, width: int) -> list[ShownLine]:
        """Give its lines, none wider than `width` cells; their starts never go back."""
        ...


@dataclass(frozen=True, slots=True)
class WordsPart:
    """Lines that are wrapped, behind what stands before the `first` and before the `rest`.

    `gap` stands in the empty line above them, where there is one.
    """

    start: int
    end: int
    written: tuple[ShownRuns, ...] = ((),)
    first: ShownRuns = ()
    rest: ShownRuns = ()
    gap: ShownRuns | None = None

    def lines(self, width: int) -> list[ShownLine]:
        """Wrap them."""
        prefix, rest = fitting(self.first, self.rest, width)
        room = width - max(cells_of(prefix), cells_of(rest))
        shown: list[ShownLine] = []
        if self.gap is not None:
            shown.append(ShownLine(self.start, self.gap))
        at = self.start
        for line in self.written:
            for runs in wrapped(line, room):
                at = max(at, first_place(runs, at))
                shown.append(ShownLine(at, (*prefix, *runs)))
                prefix = rest
        return shown


@dataclass(frozen=True, slots=True)
class RulePart:
    """A line across."""

    start: int
    end: int
    prefix: ShownRuns = ()
    gap: ShownRuns | None = None

    def lines(self, width: int) -> list[ShownLine]:
        """Give the line, and the empty one above it."""
        prefix, _ = fitting(self.prefix, (), width)
        dashes = ShownRun("─" * (width - cells_of(prefix)), self.start, self.end, "$foreground 40%")
        shown = [ShownLine(self.start, (*prefix, dashes))]
        return shown if self.gap is None else [ShownLine(self.start, self.gap), *shown]


def fitting(first: ShownRuns, rest: ShownRuns, width: int) -> tuple[ShownRuns, ShownRuns]:
    """Give what stands before lines, nothing where it would leave no room for them."""
    if width - max(cells_of(first), cells_of(rest)) < LEAST_WIDTH:
        return (), ()
    return first, rest


def first_place(runs: Sequence[ShownRun], otherwise: int) -> int:
    """Give the place in the source at which runs begin."""
    return next((run.start for run in runs if run.end > run.start), otherwise)


def moved(runs: Sequence[ShownRun], by: int) -> ShownRuns:
    """Give runs with their places in a text that has so many characters before theirs."""
    return tuple(
        run._replace(start=run.start + by, end=run.end + by) if run.end > run.start else run
        for run in runs
    )
