"""The part of a text that is held to be shown, laid out for a width: which line a character is on,
which character a cell shows, and what is let go when more comes in.
"""

from bisect import bisect_left, bisect_right
from itertools import chain

from rag_assistant.tui.rendering.excerpts import Excerpt
from rag_assistant.tui.rendering.parts import Part
from rag_assistant.tui.rendering.shown_lines import ShownLine


class HeldLines:
    """An excerpt and its lines; it grows at both ends and is let go, in whole parts, at either."""

    def __init__(self) -> None:
        self.excerpt = Excerpt(0, "")
        self.width = 0
        self._laid: list[tuple[Part, list[ShownLine]]] = []
        self._lines: list[ShownLine] = []

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, number: int) -> ShownLine:
        return self._lines[number]

    def hold(self, excerpt: Excerpt) -> None:
        """Hold another part; it has no lines before it is cut."""
        self.excerpt, self._laid, self._lines = excerpt, [], []

    def cut(self, width: int) -> None:
        """Lay out what is held for a width, in cells."""
        self.width = width
        self._take(self._lay_out(self.excerpt.parts))

    def append(self, more: Excerpt) -> None:
        """Hold the text after it as well, if it goes there."""
        if more.start == self.excerpt.end:
            self._hold(self.excerpt.start, self.excerpt.text + more.text)
            self._take([*self._laid, *self._lay_out(more.parts)])

    def prepend(self, more: Excerpt) -> int:
        """Hold the text before it as well, if it goes there; give how many lines that adds."""
        if more.end != self.excerpt.start:
            return 0
        before = len(self._lines)
        self._hold(more.start, more.text + self.excerpt.text)
        self._take([*self._lay_out(more.parts), *self._laid])
        return len(self._lines) - before

    def drop_first(self, many: int) -> int:
        """Let first lines go, so many at most, and not all; give how many went."""
        number = gone = 0
        while number < len(self._laid) - 1 and gone + len(self._laid[number][1]) <= many:
            gone += len(self._laid[number][1])
            number += 1
        if number:
            at = self._laid[number][0].start
            self._hold(at, self.excerpt.text[at - self.excerpt.start :])
            self._take(self._laid[number:])
        return gone

    def keep_first(self, many: int) -> None:
        """Let the last lines go, but for so many of the first, at the least."""
        kept = number = 0
        while number < len(self._laid) and kept < many:
            kept += len(self._laid[number][1])
            number += 1
        if number < len(self._laid):
            end, start = self._laid[number][0].start, self.excerpt.start
            self._hold(start, self.excerpt.text[: end - start])
            self._take(self._laid[:number])

    def _hold(self, start: int, text: str) -> None:
        self.excerpt = Excerpt(start, text)

    def _lay_out(self, parts: tuple[Part, ...]) -> list[tuple[Part, list[ShownLine]]]:
        return [(part, part.lines(self.width)) for part in parts]

    def _take(self, laid: list[tuple[Part, list[ShownLine]]]) -> None:
        self._laid = laid
        self._lines = list(chain.from_iterable(lines for _, lines in laid))
        parts = tuple(part for part, _ in laid)
        self.excerpt = Excerpt(self.excerpt.start, self.excerpt.text, parts)

    def holds(self, at: int) -> bool:
        """Tell whether a character is held."""
        return self.excerpt.start <= at < max(self.excerpt.end, self.excerpt.start + 1)

    def line_of(self, at: int) -> int:
        """Give the number of the line that a character is on, or the first.

        Lines of a row of a table begin at one place: of these it is the one that shows it.
        """
        last = bisect_right(self._lines, at, key=_start) - 1
        if last < 0:
            return 0
        first = bisect_left(self._lines, self._lines[last].start, key=_start)
        rows = range(first, last + 1)
        return next((row for row in rows if any(self._lines[row].columns(at, at + 1))), last)

    def place(self, number: int, column: int) -> int:
        """Give the character in a column of a line; the last one below all lines."""
        if number >= len(self._lines):
            return self.excerpt.end
        return self._lines[max(0, number)].place(column)

    def place_behind(self, number: int, column: int) -> int:
        """Give the place behind what is shown before a column of a line."""
        if number >= len(self._lines):
            return self.excerpt.end
        return self._lines[max(0, number)].place_behind(column)

    def text(self, start: int, end: int) -> str:
        """Give the words between two characters, as far as they are held."""
        first, last = (max(0, at - self.excerpt.start) for at in (start, end))
        return self.excerpt.text[first:last]


def _start(line: ShownLine) -> int:
    return line.start
