"""A line on the screen, each character of which knows where in a source's text it stands.

What is seen may differ from what is written: signs of Markdown are left out, others put in their
place. Places always count characters of the text as it is kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import get_character_cell_size

from rag_assistant.text.blocks import Span

TAB = "    "
"""What is shown for a tab, wherever it stands."""


class ShownRun(NamedTuple):
    """Characters of one look, shown for those from `start` to `end` of the source.

    Where both are as many, each stands for its own; else all of them stand for all of those.
    Nothing of the source stands behind what has equal places, such as a frame.
    """

    text: str
    start: int = 0
    end: int = 0
    style: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether each character has a place of its own."""
        return self.end - self.start == len(self.text)

    def part(self, first: int, last: int) -> "ShownRun":
        """Give some of its characters."""
        if not self.is_exact:
            return ShownRun(self.text[first:last], self.start, self.end, self.style)
        return ShownRun(self.text[first:last], self.start + first, self.start + last, self.style)


ShownRuns = tuple[ShownRun, ...]


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One line on the screen, without its end; it begins what stands from `start` on."""

    start: int
    runs: ShownRuns

    @property
    def text(self) -> str:
        """The characters as they are shown."""
        return "".join(run.text for run in self.runs)

    @property
    def end(self) -> int:
        """The place behind the last character of the source in it."""
        return max((run.end for run in self.runs if run.end > run.start), default=self.start)

    def column(self, at: int) -> int:
        """Give the column, in characters as they are shown, of a place in the source.

        Of a place that is not shown, that of the next one in the line.
        """
        column = 0
        for run in self.runs:
            if at < run.end:
                return column + max(0, at - run.start if run.is_exact else 0)
            column += len(run.text)
        return column

    def place(self, column: int) -> int:
        """Give the place in the source of what is shown in a column, or of what follows it."""
        for run in self.runs:
            if column < len(run.text) and run.end > run.start:
                return run.start + (max(0, column) if run.is_exact else 0)
            column -= len(run.text)
        return self.end

    def place_behind(self, column: int) -> int:
        """Give the place behind what is shown before a column."""
        behind = self.start
        for run in self.runs:
            if column <= 0:
                break
            if run.end > run.start:
                behind = run.start + min(column, len(run.text)) if run.is_exact else run.end
            column -= len(run.text)
        return behind

    def columns(self, start: int, end: int) -> Iterator[Span]:
        """Give where the characters from `start` to `end` of the source are shown, in order."""
        column = 0
        for run in self.runs:
            if run.start < end and start < run.end:
                first, last = 0, len(run.text)
                if run.is_exact:
                    first, last = max(0, start - run.start), min(last, end - run.start)
                yield column + first, column + last
            column += len(run.text)


def wrapped(runs: Sequence[ShownRun], width: int) -> list[ShownRuns]:
    """Cut a line where it is too long, between words if that can be; no line has none of it."""
    text = "".join(run.text for run in runs)
    cut = list(cuts(text, max(2, width)))
    return [tuple(runs)] if len(cut) == 1 else [tuple(_part(runs, *span)) for span in cut]


def _part(runs: Sequence[ShownRun], first: int, last: int) -> Iterator[ShownRun]:
    column = 0
    for run in runs:
        begin, stop = max(first - column, 0), min(last - column, len(run.text))
        if begin < stop:
            yield run.part(begin, stop)
        column += len(run.text)


def cuts(text: str, width: int) -> Iterator[Span]:
    """Give the parts of a line that fit; the space at which one ends still belongs to it."""
    narrow = text.isascii()
    first = 0
    while True:
        fits = first + width if narrow else _fitting(text, first, width)
        if fits >= len(text):
            yield first, len(text)
            return
        space = text.rfind(" ", first, fits + 1)
        end = space + 1 if space > first else fits
        yield first, end
        first = end
        if first == len(text):
            return


def _fitting(text: str, first: int, width: int) -> int:
    """Give where the characters from `first` on do not fit any more; one always does."""
    left = width
    for place in range(first, len(text)):
        left -= get_character_cell_size(text[place])
        if left < 0:
            return max(place, first + 1)
    return len(text)


def cells_of(runs: Sequence[ShownRun]) -> int:
    """Count the cells that runs take up."""
    return sum(
        len(run.text) if run.text.isascii() else sum(map(get_character_cell_size, run.text))
        for run in runs
    )


def verbatim(text: str, start: int, end: int, style: str = "") -> ShownRuns:
    """Give characters as they are written, but for tabs."""
    if "\t" not in text[start:end]:
        return (ShownRun(text[start:end], start, end, style),) if end > start else ()
    runs: list[ShownRun] = []
    at = start
    while at < end:
        tab = text.find("\t", at, end)
        stop = end if tab < 0 else tab
        if stop > at:
            runs.append(ShownRun(text[at:stop], at, stop, style))
        if tab >= 0:
            runs.append(ShownRun(TAB, tab, tab + 1, style))
        at = stop + 1
    return tuple(runs)
