"""The words of a block of Markdown as runs: its signs left out, what they mean shown as styles.

An address is shown behind the words of its link, and is followed by nothing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import pairwise

from rag_assistant.text.blocks import Span
from rag_assistant.text.inline_marks import Mark, Marked, marks_of
from rag_assistant.tui.rendering.shown_lines import ShownRun, ShownRuns, verbatim

ADDRESS = "$foreground 60%"
STYLES = {
    Mark.STRONG: "bold",
    Mark.EMPHASIS: "italic",
    Mark.CODE: "$text-secondary",
    Mark.LINK: "underline",
    Mark.IMAGE: "italic",
}

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_HARD_BREAK = re.compile(r" {2,}\r?\n")


def inline_lines(text: str, words: Sequence[Span], style: str = "") -> list[ShownRuns]:
    """Give the lines of a block whose own words stand at `words`, one span for each line there.

    Lines are joined to one but where the text breaks them by two spaces or a backslash.
    """
    block = _Block(text, words)
    lines: list[list[ShownRun]] = [[]]
    for run in block.runs(style):
        if run.text == "\n":
            lines.append([])
        else:
            lines[-1].append(run)
    return [tuple(line) for line in lines]


class _Block:
    """The lines of a block joined by line ends, with the place of each in the source."""

    def __init__(self, text: str, words: Sequence[Span]) -> None:
        self._text = text
        self._words = words
        self._joined = "\n".join(text[start:end] for start, end in words)
        self._starts: list[int] = []
        at = 0
        for start, end in words:
            self._starts.append(at)
            at += end - start + 1

    def runs(self, style: str) -> Iterator[ShownRun]:
        """Give the words, line ends as runs of their own."""
        marks = marks_of(self._joined)
        edges = {0, len(self._joined)}
        for mark in marks:
            edges.update((mark.start, mark.first, mark.last, mark.end))
        open_marks: list[Marked] = []
        number = 0
        for first, last in pairwise(sorted(edges)):
            while number < len(marks) and marks[number].start <= first:
                open_marks.append(marks[number])
                number += 1
            open_marks = [mark for mark in open_marks if first < mark.end]
            yield from self._between(first, last, open_marks, style)

    def _between(
        self, first: int, last: int, marks: Sequence[Marked], style: str
    ) -> Iterator[ShownRun]:
        """Give what stands between two edges of marks, some of which are open there."""
        for mark in marks:
            if mark.first <= first < mark.last:
                continue
            # Behind the words of a link stands its address: "](address)".
            if first >= mark.last and mark.mark in (Mark.LINK, Mark.IMAGE):
                yield from self._address(first, last)
            return
        styles = [STYLES[mark.mark] for mark in marks if mark.mark in STYLES]
        plain = any(mark.mark is Mark.CODE for mark in marks)
        yield from self._words_of(first, last, " ".join(filter(None, (style, *styles))), plain)

    def _address(self, first: int, last: int) -> Iterator[ShownRun]:
        opening = self._place(first) + 1  # behind the bracket
        yield ShownRun(" (", opening, opening + 1, ADDRESS)
        begin, stop = first + 2, last - 1
        for run in self._words_of(begin, stop, ADDRESS, True):
            yield ShownRun(" ", run.start, run.end, ADDRESS) if run.text == "\n" else run
        yield ShownRun(")", self._place(stop), self._place(stop) + 1, ADDRESS)

    def _words_of(
        self, first: int, last: int, style: str, verbatim_only: bool
    ) -> Iterator[ShownRun]:
        """Give words, which go over line ends and hold no mark."""
        at = first
        while at < last:
            line = self._joined.find("\n", at, last)
            stop = last if line < 0 else line
            is_broken = line > at and self._joined[line - 1] == "\\" and not verbatim_only
            start = self._place(at)
            end = start + stop - is_broken - at
            if verbatim_only:
                yield from verbatim(self._text, start, end, style)
            else:
                yield from self._line(start, end, style)
            if line >= 0:
                is_hard = is_broken or _HARD_BREAK.match(self._text, self._place(line))
                yield ShownRun("\n" if is_hard else " ", end, self._place(line + 1), style)
            at = stop + 1

    def _line(self, start: int, end: int, style: str) -> Iterator[ShownRun]:
        """Give words of one line, with what its entities stand for."""
        at = start
        for entity in _ENTITY.finditer(self._text, start, end):
            meant = unescape(entity[0])
            if meant != entity[0] and meant.isprintable():
                yield from verbatim(self._text, at, entity.start(), style)
                yield ShownRun(meant, entity.start(), entity.end(), style)
                at = entity.end()
        yield from verbatim(self._text, at, end, style)

    def _place(self, at: int) -> int:
        """Give the place in the source of a character of the joined lines."""
        line = bisect_right(self._starts, at) - 1
        start, end = self._words[line]
        return min(start + at - self._starts[line], end)
