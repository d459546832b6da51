"""Blocks of text laid out for a width: hanging indents, rows with a right edge, tables.

One widget shows any number of blocks, which keeps a long conversation at one widget an answer.
Textual's own Markdown widget takes about thirty, and slows down with every one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from rich.segment import Segment
from textual.content import Content
from textual.css.styles import RulesMap
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

from rag_assistant.tui.drawing.marked_text import HIT, STRESSED
from rag_assistant.tui.drawing.safe_widgets import EMPTY, NEWLINE, joined, plain

LEAST_WIDTH = 4
"""Cells; deep nesting is not indented so far that less than this is left for the text."""


class LayoutBlock(Protocol):
    """Something that takes up whole lines."""

    def lines(self, width: int) -> list[Content]:
        """Give its lines, none wider than `width` cells."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """Text that is wrapped at words; one empty line where there is none."""

    content: Content = EMPTY

    def lines(self, width: int) -> list[Content]:
        """Wrap it."""
        return self.content.wrap(max(1, width)) or [EMPTY]


@dataclass(frozen=True, slots=True)
class Ended:
    """Text with something at its end that is not torn apart: on the last line if it fits there."""

    content: Content
    end: Content

    def lines(self, width: int) -> list[Content]:
        """Wrap the text, and put the end where there is room for it."""
        *lines, last = self.content.wrap(max(1, width)) or [EMPTY]
        if last.cell_length + 1 + self.end.cell_length <= width:
            return [*lines, joined([last, self.end], plain(" "))]
        return [*lines, last, *self.end.wrap(max(1, width))]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that keep their spaces; one too long goes on in the next."""

    content: Content

    def lines(self, width: int) -> list[Content]:
        """Cut it at line ends and at the width."""
        whole = self.content.expand_tabs(4).split(allow_blank=True)
        return list(chain.from_iterable(line.fold(max(2, width)) for line in whole))


@dataclass(frozen=True, slots=True)
class Indented:
    """A block behind a prefix: `first` on its first line, `rest` on the others."""

    block: LayoutBlock
    first: Content
    rest: Content | None = None

    def lines(self, width: int) -> list[Content]:
        """Lay the block out in what the prefix leaves."""
        rest = plain(" " * self.first.cell_length) if self.rest is None else self.rest
        left = width - max(self.first.cell_length, rest.cell_length)
        if left < LEAST_WIDTH:
            return self.block.lines(width)
        inner = self.block.lines(left)
        return [joined([rest if number else self.first, line]) for number, line in enumerate(inner)]


@dataclass(frozen=True, slots=True)
class Row:
    """One line: `left` cut off where it is too long, `right` at the right edge."""

    left: Content
    right: Content = EMPTY

    def lines(self, width: int) -> list[Content]:
        """Give the line."""
        right = self.right
        if not self.fits(width):
            right = right.truncate(max(1, width // 2), ellipsis=True)
        gap = 2 if right else 0
        left = self.left.truncate(max(1, width - right.cell_length - gap), ellipsis=True)
        space = width - left.cell_length - right.cell_length
        return [joined([left, plain(" " * space), right]) if right else left]

    def fits(self, width: int) -> bool:
        """Tell whether nothing of it would be cut off."""
        gap = 2 if self.right else 0
        return self.left.cell_length + gap + self.right.cell_length <= width


@dataclass(frozen=True, slots=True)
class Either:
    """The first of some rows, each shorter than the one before, that need not be cut off."""

    rows: tuple[Row, ...]

    def lines(self, width: int) -> list[Content]:
        """Give that row, or else the last."""
        *longer, last = self.rows
        return next((row for row in longer if row.fits(width)), last).lines(width)


@dataclass(frozen=True, slots=True)
class Divider:
    """A line across."""

    style: str = "$foreground 25%"

    def lines(self, width: int) -> list[Content]:
        """Give the line."""
        return [plain("─" * width, self.style)]


@dataclass(frozen=True, slots=True)
class Highlighter:
    """Words that are looked for, wherever their lines break; the `current` one is stressed."""

    pattern: re.Pattern[str]
    current: int = -1

    def marked(self, content: Content) -> Content:
        """Mark them."""
        for number, found in enumerate(self.pattern.finditer(content.plain)):
            style = STRESSED if number == self.current else HIT
            content = content.stylize(style, *found.span())
        return content


class Laid(Visual):
    """Blocks as Textual draws them, with the words marked that are `sought`.

    Blocks that are those of the layout `before` keep the lines that they had there.
    """

    def __init__(
        self,
        blocks: tuple[LayoutBlock, ...],
        sought: Highlighter | None = None,
        before: "Laid | None" = None,
    ) -> None:
        self.blocks = blocks
        self.sought = sought
        self._before = before
        self._width = -1
        self._each: list[list[Content]] = []
        self._lines: list[Content] = []

    def lines(self, width: int) -> list[Content]:
        """Give the lines that the blocks have at a width."""
        if width != self._width:
            known = self._before.known(width) if self._before else {}
            self._before = None
            self._each = [known.get(id(block)) or block.lines(width) for block in self.blocks]
            self._lines = list(chain.from_iterable(self._each))
            if self.sought and self._lines:
                marked = self.sought.marked(joined(self._lines, NEWLINE))
                self._lines = marked.split(allow_blank=True)
            self._width = width
        return self._lines

    def known(self, width: int) -> dict[int, list[Content]]:
        """Give the lines of each block, by its identity, as far as it was laid out for a width."""
        if width != self._width:
            return {}
        return {id(block): lines for block, lines in zip(self.blocks, self._each, strict=True)}

    def content(self, width: int) -> Content:
        """Give the blocks laid out for a width, as one content with its line ends."""
        return joined(self.lines(width), NEWLINE)

    def changed(self, before: "Laid", width: int) -> range:
        """Give the lines that are others than before, or are no more, from the first to the last.

        All of them where other words are sought.
        """
        now, then = self.lines(width), before.lines(width)
        most = max(len(now), len(then))
        if self.sought is not before.sought:
            return range(most)
        other = [at for at, pair in enumerate(zip(now, then, strict=False)) if _differ(*pair)]
        if len(now) != len(then):
            return range(min([*other, len(now), len(then)]), most)
        return range(other[0], other[-1] + 1) if other else range(0)

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        """Draw it."""
        lines = enumerate(self.lines(width)[:height])
        return [line_strip(line, number, style, options.get_style) for number, line in lines]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """Take all the width there is."""
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        """Count the lines."""
        return len(self.lines(width))


def selected(line: Content, number: int, selection: Selection, colours: Style) -> Content:
    """Give a line with what is selected of it in other colours."""
    if (chosen := selection.get_span(number)) is None:
        return line
    start, end = chosen
    return line.stylize(colours, start, len(line) if end < 0 else end)


def line_strip(
    line: Content, number: int, style: Style, parse_style: Callable[[str | Style], Style]
) -> Strip:
    """Draw a line, which is not wider than it may be, as the one of a number of what is shown."""
    segments, column = list[Segment](), 0
    for text, own in line.render(style, end="", parse_style=parse_style):
        segments.append(Segment(text, (style + own).rich_style_with_offset(column, number)))
        column += len(text)
    return Strip(segments, line.cell_length)


def _differ(now: Content, then: Content) -> bool:
    # Contents that differ in their styles alone are equal to Textual.
    return now is not then and (now != then or now.spans != then.spans)
