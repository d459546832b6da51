"""Markdown that grows at its end, as answers do while they are written: what is settled is not
parsed again.

A block is settled once another has begun below it: nothing that follows belongs to it any more
(CommonMark 0.31, "Phase 1: block structure").
"""

from collections.abc import Mapping

from textual.content import Content

from rag_assistant.text.safe_text import clean
from rag_assistant.text.shown_markdown import markdown_parser
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.tui.drawing.safe_widgets import EMPTY
from rag_assistant.values.evidence import QuoteState

_PARSER = markdown_parser()


class GrowingMarkdown:
    """Gives the blocks of one text again and again; any other text begins anew.

    Each stands behind `margin`. Those that are settled are the same ones each time, which keep the
    lines that they were laid out in.
    """

    def __init__(self, margin: Content = EMPTY) -> None:
        self._margin = margin
        self._settled = ""
        self._blocks: list[LayoutBlock] = []
        self._marks: dict[int, QuoteState] = {}
        self._looked_at = 0

    def blocks(self, text: str, marks: Mapping[int, QuoteState]) -> list[LayoutBlock]:
        """Give the blocks of `text`, the same as `markdown_blocks` does."""
        if marks != self._marks or not text.startswith(self._settled):
            self._settled, self._blocks, self._marks = "", [], dict(marks)
            self._looked_at = 0
        rest = text[len(self._settled) :]
        # Whole lines alone tell what they are: a "2" may still become the "2." of the list above.
        whole = rest.rfind("\n") + 1
        begin = _last_block(rest[:whole]) if whole != self._looked_at else 0
        self._looked_at = whole - begin
        if begin:
            self._blocks = _below(self._blocks, self._made(rest[:begin], marks))
            self._settled += rest[:begin]
        return _below(self._blocks, self._made(rest[begin:], marks))

    def _made(self, text: str, marks: Mapping[int, QuoteState]) -> list[LayoutBlock]:
        return [Indented(block, self._margin) for block in markdown_blocks(text, marks)]


def _last_block(text: str) -> int:
    """Give the place where the last block begins: of those that stand in no other."""
    tokens = _PARSER.parse(clean(text))
    line = max((token.map[0] for token in tokens if token.map and not token.level), default=0)
    place = 0
    for _ in range(line):  # each line end is still one when it is clean
        place = text.index("\n", place) + 1
    return place


def _below(before: list[LayoutBlock], after: list[LayoutBlock]) -> list[LayoutBlock]:
    """Put blocks below others, after an empty line."""
    return [*before, Text(), *after] if before and after else [*before, *after]
