"""How a line of a source is drawn: the words it was opened for highlighted, those that were looked
for marked, and the one of these that the person is at otherwise than the others.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from rag_assistant.text.blocks import Span
from rag_assistant.tui.drawing.marked_text import HIT
from rag_assistant.tui.drawing.safe_widgets import joined, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.rendering.shown_lines import ShownLine

HIGHLIGHT = "$background on $accent"
"""Dark on a strong colour, which stays visible where colours are off."""

CURRENT = "bold underline $background on $primary"


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked in a text: `span` was opened, `hits` were found; the person is at `current`.

    Where there are `bright` words, the others are quiet.
    """

    span: Span = (0, 0)
    hits: Sequence[Span] = ()
    current: int = -1
    bright: Span | None = None

    @property
    def current_hit(self) -> Sequence[Span]:
        """The hit that the person is at, if there is one."""
        return self.hits[self.current : self.current + 1] if self.current >= 0 else ()


def line_content(line: ShownLine, marks: Marks) -> Content:
    """Draw a line with what is marked in it."""
    content = joined(plain(run.text, run.style) for run in line.runs)
    # The space at which a line was broken is not seen, and not marked.
    seen = len(line.text.rstrip())
    if marks.bright:
        first, last = marks.bright
        quiet = [(0, first), (last, max(last, line.end))]
    else:
        quiet = []
    for style, spans in (
        (QUIET, quiet),
        (HIT, _hits_in(line, marks.hits)),
        (HIGHLIGHT, [marks.span]),
        (CURRENT, marks.current_hit),
    ):
        for start, end in spans:
            for first, last in line.columns(start, end):
                if first < min(last, seen):
                    content = content.stylize(style, first, min(last, seen))
    return content


def _hits_in(line: ShownLine, hits: Sequence[Span]) -> Sequence[Span]:
    if not hits:
        return ()
    first = bisect_right(hits, line.start, key=_end)
    behind = line.end
    last = first
    while last < len(hits) and hits[last][0] < behind:
        last += 1
    return hits[first:last]


def _end(hit: Span) -> int:
    return hit[1]
