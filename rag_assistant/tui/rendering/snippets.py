"""A few words of a Markdown document in one line: what they mean without their signs."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from textual.content import Content

from rag_assistant.text.blocks import Span
from rag_assistant.text.markdown import is_markdown
from rag_assistant.tui.drawing.marked_text import HIT
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.rendering.forms import MarkdownForm
from rag_assistant.tui.rendering.shown_lines import ShownLine, ShownRun, ShownRuns

_BAR = re.compile(r" *\|[-: |]*|(?:(?! *\|).)+")
"""A bar between two cells, lines of dashes included; or what stands in a cell."""
_RULE = "─"
_WIDE = 10_000
"""Cells: as wide as no snippet is."""


def snippet_line(text: str, hits: Sequence[Span], style: str) -> Content:
    """Give a snippet in one line, the words at `hits` marked."""
    line = ShownLine(0, _in_one_line(text))
    content = joined(
        plain(run.text, run.style if "$" in run.style else f"{style} {run.style}")
        for run in line.runs
    )
    for start, end in hits:
        for first, last in line.columns(start, end):
            content = content.stylize(HIT, first, last)
    return content


def quote_line(quote: str, path: str, style: str) -> Content:
    """Give words of the document of a path in one line."""
    return snippet_line(quote, (), style) if is_markdown(path) else one_line(quote, style)


@lru_cache(maxsize=256)
def _in_one_line(text: str) -> ShownRuns:
    return tuple(_runs(text))


def _runs(text: str) -> Iterator[ShownRun]:
    """Give what stands for words, a space where a line or a cell ends."""
    apart = begun = False
    for part in MarkdownForm(text).parts(0, text):
        for line in part.lines(_WIDE):
            for run in _without_bars(line.runs):
                if run.end <= run.start or not run.text.strip(_RULE):
                    apart = True
                    continue
                if apart and begun:
                    yield ShownRun(" ")
                apart = run.text.isspace()
                if not apart:
                    begun = True
                    yield run
            apart = True


def _without_bars(runs: ShownRuns) -> Iterator[ShownRun]:
    """Part the cells of a table's rows, which are no table where its heads are not among them."""
    if not "".join(run.text for run in runs).startswith("|"):
        yield from runs
        return
    for run in runs:
        for part in _BAR.finditer(run.text):
            is_bar = not part[0].strip("-: |")
            yield ShownRun("") if is_bar else run.part(part.start(), part.end())
