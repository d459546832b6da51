"""How a line of a source is drawn: the words it was opened for highlighted, others marked."""

from bisect import bisect_right
from collections.abc import Sequence

from textual.content import Content

from rag_assistant.tui.drawing.marked_text import marked_text
from rag_assistant.tui.drawing.safe_widgets import plain
from rag_assistant.tui.drawing.text_lines import TAB, TextLine

HIGHLIGHT = "$background on $accent"
"""Dark on a strong colour, which stays visible where colours are off."""

FOUND = "reverse underline"

Span = tuple[int, int]
"""The first character of some words, and the one behind their last."""


def line_content(line: TextLine, span: Span, hits: Sequence[Span]) -> Content:
    """Draw a line, with the words of `span` highlighted and those of `hits`, in order, marked."""
    content = marked_text(line.text, _hits_in(line, hits), "", FOUND)
    for tab in reversed([n for n, letter in enumerate(line.text) if letter == "\t"]):
        content = content[:tab] + plain(" " * TAB) + content[tab + 1 :]
    # The space at which a line was broken is not seen, and not marked.
    end = line.start + len(line.text.rstrip())
    first, last = (line.column(min(max(at, line.start), end)) for at in span)
    return content.stylize_before(HIGHLIGHT, first, last) if first < last else content


def _hits_in(line: TextLine, hits: Sequence[Span]) -> list[Span]:
    first = bisect_right(hits, line.start, key=lambda hit: hit[1])
    found: list[Span] = []
    for start, end in hits[first:]:
        if start >= line.end:
            break
        found.append((max(start, line.start) - line.start, min(end, line.end) - line.start))
    return found
