"""The text beside what was found, which begins where its best words can be seen."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Laid, LayoutBlock

BEST = "best"
"""The name by which blocks tell where the best words are, as a value of their style."""

ABOVE, ROOMY = 1, 8
"""Lines seen above the best words, where there are any, and lines of a screen that has room."""


class PreviewText(VerticalScroll):
    """Shows blocks; scrolled to the best words in them if that is wanted, however high it is."""

    # The lines are counted at the width that they have beside the scrollbar.
    DEFAULT_CSS = "PreviewText { height: 1fr; scrollbar-gutter: stable; }"

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._to_best = False

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="find-text")

    def show(self, blocks: tuple[LayoutBlock, ...], *, to_best: bool = False) -> None:
        """Show something else."""
        self._to_best = to_best
        self.query_one(LaidText).blocks = blocks
        self.call_after_refresh(self._scroll)

    def on_resize(self) -> None:
        """Keep the best words in view."""
        self.call_after_refresh(self._scroll)

    def _scroll(self) -> None:
        shown = self.query_one(LaidText)
        width, height = shown.content_size.width, self.size.height
        if not width or not height:
            return  # not laid out yet
        first = self._place(Laid(shown.blocks).content(width), height) if self._to_best else 0
        self.scroll_to(y=first, animate=False, force=True)

    def _place(self, content: Content, height: int) -> int:
        """Give the line to begin at, so that the best words are seen from their beginning."""
        spans = [
            span
            for span in content.spans
            if not isinstance(span.style, str) and BEST in span.style.meta
        ]
        if not spans:
            return 0
        first = content.plain.count("\n", 0, min(span.start for span in spans))
        last = content.plain.count("\n", 0, max(span.end for span in spans))
        return 0 if last < height else max(0, first - (ABOVE if height >= ROOMY else 0))
