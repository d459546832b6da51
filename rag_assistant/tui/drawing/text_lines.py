"""A source's text cut into lines for a width, each of which knows where in the source it stands.

Cutting a page takes less than a millisecond. Content's own wrapping knows no places, and is slower.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import get_character_cell_size

TAB = 4
"""Cells that a tab takes up, wherever it stands."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a text that ends at an end of line, if it can; `start` is its place."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class TextLine:
    """The characters of one line on the screen, without the line's end; `start` is their place."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Where its characters end."""
        return self.start + len(self.text)

    def column(self, at: int) -> int:
        """Give the column, counted in characters as they are shown, of a place in the source."""
        before = self.text[: max(0, at - self.start)]
        return len(before) + (TAB - 1) * before.count("\t")

    def place(self, column: int) -> int:
        """Give the place in the source of a column."""
        if "\t" not in self.text:
            return self.start + min(max(0, column), len(self.text))
        for number, character in enumerate(self.text):
            column -= TAB if character == "\t" else 1
            if column < 0:
                return self.start + number
        return self.end


def lay_out(text: str, start: int, width: int) -> list[TextLine]:
    """Cut a text at the ends of its lines, and between words where a line is too long.

    `start` is the place of the text in its source. An end of line at the text's end begins no line.
    """
    lines: list[TextLine] = []
    begin, last = 0, len(text)
    while begin < last:
        stop = text.find("\n", begin)
        stop = last if stop < 0 else stop
        written = text[begin:stop].removesuffix("\r")
        lines += [
            TextLine(start + begin + first, written[first:end])
            for first, end in _cuts(written, max(2, width))
        ]
        begin = stop + 1
    return lines


def _cuts(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Give the parts of a line that fit; the space at which one ends still belongs to it."""
    narrow = text.isascii() and "\t" not in text
    first = 0
    while True:
        fits = first + width if narrow else _fitting(text, first, width)
        if fits >= len(text):
            yield first, len(text)
            return
        space = max(text.rfind(" ", first, fits + 1), text.rfind("\t", first, fits))
        end = space + 1 if space > first else fits
        yield first, end
        first = end
        if first == len(text):
            return


def _fitting(text: str, first: int, width: int) -> int:
    """Give where the characters from `first` on do not fit any more; one always does."""
    left = width
    for place in range(first, len(text)):
        character = text[place]
        left -= TAB if character == "\t" else get_character_cell_size(character)
        if left < 0:
            return max(place, first + 1)
    return len(text)
