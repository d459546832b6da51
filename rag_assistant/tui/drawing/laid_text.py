"""A widget of blocks: one widget for any amount of text, which can be selected and clicked."""

import re

from textual.reactive import reactive
from textual.selection import Selection
from textual.widget import Widget

from rag_assistant.tui.drawing.layout import Highlighter, Laid, LayoutBlock


class LaidText(Widget):
    """Shows `blocks`, as high as they are."""

    DEFAULT_CSS = "LaidText { height: auto; width: 1fr; }"

    # Contents that differ in their styles alone are equal to Textual: each is drawn anew.
    blocks: reactive[tuple[LayoutBlock, ...]] = reactive((), layout=True, always_update=True)

    sought: reactive[Highlighter | None] = reactive(None, init=False)

    _laid: Laid | None = None

    def render(self) -> Laid:
        """Give the blocks to draw: the same as long as they are, which lays them out only once."""
        laid = self._laid
        if laid is None or laid.blocks is not self.blocks or laid.sought is not self.sought:
            laid = self._laid = Laid(self.blocks, self.sought)
        return laid

    def lines_with(self, pattern: re.Pattern[str], width: int) -> list[int]:
        """Give the lines on which words that are looked for begin, when it is laid out."""
        shown = self.render().content(width).plain
        return [shown.count("\n", 0, found.start()) for found in pattern.finditer(shown)]

    def count_lines(self, width: int) -> int:
        """Count its lines when it is laid out."""
        return self.render().content(width).plain.count("\n") + 1

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Give the selected text as it stands on the screen."""
        return selection.extract(self.render().content(self.content_size.width).plain), "\n"
