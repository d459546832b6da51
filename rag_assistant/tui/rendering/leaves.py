"""The blocks of a Markdown text that have words of their own, each with the signs before its lines.

They are read of the whole text at once, since what a line is may be told far above it; a leaf then
stands for itself, so that any part of the text can be laid out alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_assistant.text.blocks import Block, BlockKind
from rag_assistant.text.markdown import blocks
from rag_assistant.tui.rendering.shown_lines import ShownRun, ShownRuns

BAR = ShownRun("▎ ", style="$foreground 40%")
"""Before the lines of a quote, and of code."""

BULLET = "•"
_SIGN = "$foreground 60%"
_CONTAINERS = frozenset({BlockKind.QUOTE, BlockKind.LIST, BlockKind.ITEM, BlockKind.TABLE})
_APART = frozenset({BlockKind.HEADING, BlockKind.FENCE, BlockKind.RULE, BlockKind.FRONT_MATTER})
"""What has an empty line before it, whether or not it is written with one."""


@dataclass(frozen=True, slots=True)
class MarkdownLeaf:
    """A block without blocks in it; places count characters of the whole text.

    `first` stands before its first line, `rest` before the others. `gap` stands in the empty line
    above it, None where there is none. `row` counts the rows of its table from 0, -1 elsewhere.
    """

    block: Block
    first: ShownRuns = ()
    rest: ShownRuns = ()
    gap: ShownRuns | None = None
    row: int = -1


@dataclass(slots=True)
class _Open:
    """A container that is open; `sign` is that of an item, as long as nothing stands behind it."""

    block: Block
    sign: ShownRuns = ()
    rest: ShownRuns = ()
    rows: int = 0


def markdown_leaves(text: str) -> list[MarkdownLeaf]:
    """Give the leaves of a text, in order."""
    return list(_Reading(text).leaves(blocks(text)))


class _Reading:
    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[_Open] = []
        self._common = 0  # containers that the leaf before is in as well
        self._before: Block | None = None
        self._signs_end = 0

    def leaves(self, found: Sequence[Block]) -> Iterator[MarkdownLeaf]:
        """Go through the blocks, each of which comes before those in it."""
        for block in found:
            yield from self._close(block.depth)
            if block.kind in _CONTAINERS:
                self._open.append(self._opened(block))
            else:
                yield self._leaf(block)
        yield from self._close(0)

    def _close(self, depth: int) -> Iterator[MarkdownLeaf]:
        """Leave containers; an item that is left with nothing in it is an empty line."""
        while len(self._open) > depth:
            last = self._open[-1]
            if last.sign:
                start, end = last.block.start, last.block.end
                yield self._leaf(Block(BlockKind.PARAGRAPH, start, end, depth))
            self._open.pop()
        self._common = min(self._common, depth)

    def _opened(self, block: Block) -> _Open:
        if block.kind is BlockKind.QUOTE:
            return _Open(block, rest=(BAR,))
        if block.kind is not BlockKind.ITEM:
            return _Open(block)
        info = block.info
        at = self._text.find(info, max(block.start, self._signs_end))
        self._signs_end = at + len(info)
        shown = BULLET if len(info) == 1 else info
        sign = (ShownRun(shown, at, at + len(info), _SIGN), ShownRun(" "))
        return _Open(block, sign, (ShownRun(" " * (len(shown) + 1)),))

    def _leaf(self, block: Block) -> MarkdownLeaf:
        first: list[ShownRun] = []
        rest: list[ShownRun] = []
        row = -1
        for container in self._open:
            first += container.sign or container.rest
            rest += container.rest
            container.sign = ()
            if block.kind is BlockKind.ROW and container is self._open[-1]:
                row, container.rows = container.rows, container.rows + 1
        gap = self._gap(block, row)
        self._before, self._common = block, len(self._open)
        return MarkdownLeaf(block, tuple(first), tuple(rest), gap, row)

    def _gap(self, block: Block, row: int) -> ShownRuns | None:
        before = self._before
        if before is None or row > 0:
            return None
        apart = block.kind in _APART or before.kind in _APART or row == 0
        if not apart and "\n" not in self._text[before.end : block.start]:
            return None
        return tuple(run for one in self._open[: self._common] for run in one.rest if run is BAR)
