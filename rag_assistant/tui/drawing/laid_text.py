"""A widget of blocks: one widget for any amount of text, which can be selected and clicked."""

import re

from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.selection import Selection
from textual.widget import Widget

from rag_assistant.tui.drawing.layout import Highlighter, Laid, LayoutBlock


class LaidText(Widget):
    """Shows `blocks`, as high as they are."""

    DEFAULT_CSS = "LaidText { height: auto; width: 1fr; }"

    # Contents that differ in their styles alone are equal to Textual: all are looked at.
    blocks: reactive[tuple[LayoutBlock, ...]] = reactive((), repaint=False, always_update=True)

    # With Textual's own, each change of its height has the whole screen laid out a second time.
    virtual_size: reactive[Size] = reactive(Size(0, 0), init=False, repaint=False)

    sought: reactive[Highlighter | None] = reactive(None, init=False)

    _laid: Laid | None = None

    def watch_blocks(self) -> None:
        """Draw the lines that changed; only where there are more or fewer, the screen is laid out.

        Text that streams changes its last line, and has another one now and then.
        """
        before, width = self._laid, self.content_size.width
        changed = self.render().changed(before, width) if before and width else None
        if changed is None:
            self.refresh(layout=True)
        elif changed:
            self.refresh(Region(0, changed.start, width, len(changed)))

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
