"""How a document is rendered: where its text may be cut in parts, and what each part looks like.

Each form is made of the text once; what it gives is of excerpts, which may be any of the text.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Protocol

from rag_assistant.text.blocks import CODE, Block, BlockKind, Span
from rag_assistant.tui.rendering.code_styles import Styled, language_of, styles_of
from rag_assistant.tui.rendering.inline_runs import inline_lines
from rag_assistant.tui.rendering.leaves import BAR, MarkdownLeaf, markdown_leaves
from rag_assistant.tui.rendering.parts import Part, RulePart, WordsPart, moved
from rag_assistant.tui.rendering.rows import RowPart, TableShape, shape_of
from rag_assistant.tui.rendering.shown_lines import ShownRun, ShownRuns, verbatim

QUIET = "$foreground 60%"
HEADINGS = {1: "bold $text-primary", 2: "bold $text-primary"}
LONGEST_LEAF = 16_000
"""Characters of a block that is not cut in two."""

_AS_WRITTEN = frozenset({BlockKind.HTML, BlockKind.DEFINITION})


class Form(Protocol):
    """How the text of a document is rendered; `remark` says why it is not, where that is so."""

    remark: str

    def block(self, at: int) -> Span | None:
        """Give the block that holds a character, with what follows it up to the next one.

        None where it is very long, or lines are all that there is.
        """
        ...

    def parts(self, start: int, text: str) -> tuple[Part, ...]:
        """Give the parts of an excerpt; places count from the beginning of the whole text."""
        ...


class PlainForm:
    """Text as it is written, line by line; `styles` has the parts of it that look otherwise."""

    def __init__(self, styles: Sequence[Styled] = (), remark: str = "") -> None:
        self._styles = styles
        self.remark = remark

    def block(self, at: int) -> Span | None:
        """Leave it to the lines."""
        return None

    def parts(self, start: int, text: str) -> tuple[Part, ...]:
        """Give a part for each line."""
        found: list[Part] = []
        for first, last, end in lines_of(text):
            runs = _styled(text, first, last, start, self._styles)
            found.append(WordsPart(start + first, start + end, (runs,)))
        return tuple(found)


class MarkdownForm:
    """Markdown: its leaves, and the columns of the tables that were seen so far."""

    remark = ""

    def __init__(self, text: str) -> None:
        self._leaves = markdown_leaves(text)
        self._starts = [leaf.block.start for leaf in self._leaves]
        self._length = len(text)
        self._shapes: dict[int, TableShape] = {}

    def block(self, at: int) -> Span | None:
        """Give the block of a character, if it is not very long."""
        number = bisect_right(self._starts, at)
        start = self._starts[number - 1] if number else 0
        end = self._starts[number] if number < len(self._starts) else self._length
        return (start, end) if end - start <= LONGEST_LEAF else None

    def parts(self, start: int, text: str) -> tuple[Part, ...]:
        """Give a part for each block, or what of it is in the excerpt."""
        end = start + len(text)
        first = max(0, bisect_right(self._starts, start) - 1)
        leaves = self._leaves[first : bisect_left(self._starts, end)]
        leaves = [leaf for leaf in leaves if leaf.block.end > start]
        found = []
        for number, leaf in enumerate(leaves):
            clipped = [
                (max(begin, start) - start, min(stop, end) - start)
                for begin, stop in leaf.block.words
                if stop >= start and begin <= end
            ]
            if leaf.row >= 0:
                found.append(self._row(leaf, text, start, number, leaves))
            else:
                found.append(_part_of(leaf, text, start, clipped))
        return tuple(found)

    def _row(
        self, leaf: MarkdownLeaf, text: str, start: int, number: int, leaves: Sequence[MarkdownLeaf]
    ) -> Part:
        """Give a row; the first ones of its table that are seen decide the columns of all."""
        head = leaf.row == 0
        cells = _cells(leaf, text, start, "bold" if head else "")
        top = number - leaf.row
        key = bisect_left(self._starts, leaf.block.start) - leaf.row
        shape = self._shapes.get(key)
        if shape is None:
            rows = [
                _cells(one, text, start, "")
                for place, one in enumerate(leaves)
                if one.row >= 0 and place - one.row == top
            ]
            shape = self._shapes[key] = shape_of(rows, 1 if top >= 0 else 0)
        block = leaf.block
        return RowPart(
            block.start, block.end, cells, shape, head, head, leaf.first, leaf.rest, leaf.gap
        )


def _cells(leaf: MarkdownLeaf, text: str, start: int, style: str) -> tuple[ShownRuns, ...]:
    rows = [inline_lines(text, [(a - start, b - start)], style)[0] for a, b in leaf.block.words]
    return tuple(moved(cell, start) for cell in rows)


def _part_of(leaf: MarkdownLeaf, text: str, start: int, words: Sequence[Span]) -> Part:
    """Give a block that is no row; `words` are those of it that the excerpt has, in its places."""
    block = leaf.block
    begin, end = block.start, block.end
    if block.kind is BlockKind.RULE:
        return RulePart(begin, end, leaf.first, leaf.gap)
    first, rest = leaf.first, leaf.rest
    if block.kind in CODE:
        written = _code(block, text, words)
        first, rest = (*first, BAR), (*rest, BAR)
    elif block.kind is BlockKind.FRONT_MATTER:
        written = [_front_matter(text, *span) for span in words]
        first = rest = (BAR,)
    elif block.kind in _AS_WRITTEN:
        written = [verbatim(text, *span, QUIET) for span in words]
    else:
        heading = HEADINGS.get(block.level, "bold") if block.level else ""
        written = inline_lines(text, words, heading) if words else [()]
    lines = tuple(moved(line, start) for line in written) or ((),)
    return WordsPart(max(begin, start), end, lines, first, rest, leaf.gap)


def _code(block: Block, text: str, words: Sequence[Span]) -> list[ShownRuns]:
    """Give lines of code in its colours, as far as the excerpt has it."""
    if not words:
        return []
    code = "\n".join(text[begin:stop] for begin, stop in words)
    language = language_of(block.info) if block.kind is BlockKind.FENCE else ""
    styles = styles_of(code, language)
    lines: list[ShownRuns] = []
    at = 0
    for begin, stop in words:
        lines.append(moved(_styled(code, at, at + stop - begin, 0, styles), begin - at))
        at += stop - begin + 1
    return lines


def _styled(text: str, first: int, last: int, start: int, styles: Sequence[Styled]) -> ShownRuns:
    """Give characters with their styles; `start` is the place of `text` among those of styles."""
    runs: list[ShownRun] = []
    at = first
    number = bisect_right(styles, start + first, key=lambda one: one.end)
    for one in styles[number:]:
        begin, stop = max(at, one.start - start), min(last, one.end - start)
        if begin >= last:
            break
        runs += verbatim(text, at, begin)
        runs += verbatim(text, begin, stop, one.style)
        at = stop
    runs += verbatim(text, at, last)
    return moved(runs, start)


def _front_matter(text: str, first: int, last: int) -> ShownRuns:
    """Give a line of front matter, its key told from its value."""
    colon = text.find(":", first, last)
    if colon < 0 or text[first : first + 1].isspace():
        return verbatim(text, first, last, QUIET)
    key = verbatim(text, first, colon + 1, f"bold {QUIET}")
    return (*key, *verbatim(text, colon + 1, last, QUIET))


def lines_of(text: str) -> list[tuple[int, int, int]]:
    """Give where each line begins, where its characters end, and where the next one begins."""
    found = []
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin)
        stop, behind = (len(text), len(text)) if end < 0 else (end, end + 1)
        found.append((begin, stop - text.endswith("\r", begin, stop), behind))
        begin = behind
    return found
