"""A widget of blocks: one widget for any amount of text, which can be selected and clicked."""

import re

from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from rag_assistant.tui.drawing.layout import Highlighter, Laid, LayoutBlock, line_strip, selected


class LaidText(Widget):
    """Shows `blocks`, as high as they are."""

    DEFAULT_CSS = "LaidText { height: auto; width: 1fr; }"

    # Contents that differ in their styles alone are equal to Textual: all are looked at.
    blocks: reactive[tuple[LayoutBlock, ...]] = reactive((), repaint=False, always_update=True)

    # With Textual's own, each change of its height has the whole screen laid out a second time.
    virtual_size: reactive[Size] = reactive(Size(0, 0), init=False, repaint=False)

    sought: reactive[Highlighter | None] = reactive(None, init=False)

    _laid: Laid | None = None

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._drawn: dict[int, tuple[Content, Strip]] = {}

    def watch_blocks(self) -> None:
        """Draw the lines that changed; only where there are more or fewer, the screen is laid out.

        Text that streams changes its last line, and has another one now and then.
        """
        before, width = self._laid, self.content_size.width
        if before is None or not width:
            self.refresh(layout=True)
            return
        now, height = self.render(), len(before.lines(width))
        if changed := now.changed(before, width):
            drawn = Region(0, changed.start, width, len(changed))
            self.refresh(drawn, layout=len(now.lines(width)) != height)

    def render(self) -> Laid:
        """Give the blocks to draw: the same as long as they are, which lays them out only once."""
        laid = self._laid
        if laid is None or laid.blocks is not self.blocks or laid.sought is not self.sought:
            laid = self._laid = Laid(self.blocks, self.sought, laid)
        return laid

    def render_line(self, y: int) -> Strip:
        """Draw a line when it is seen: most of a long answer is not."""
        width, style = self.size.width, self.visual_style
        lines, parse = self.render().lines(width), self.app.stylesheet.parse_style
        if y >= len(lines):
            return Strip.blank(width, style.rich_style)
        line = lines[y]
        if selection := self.text_selection:
            colours = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            return line_strip(selected(line, y, selection, colours), y, style, parse)
        drawn = self._drawn.get(y)
        if drawn is None or drawn[0] is not line:
            drawn = self._drawn[y] = line, line_strip(line, y, style, parse)
        return drawn[1]

    def notify_style_update(self) -> None:
        """Draw everything anew in other colours."""
        super().notify_style_update()
        self._drawn.clear()

    def lines_with(self, pattern: re.Pattern[str], width: int) -> list[int]:
        """Give the lines on which words that are looked for begin, when it is laid out."""
        shown = self._shown(width)
        return [shown.count("\n", 0, found.start()) for found in pattern.finditer(shown)]

    def count_lines(self, width: int) -> int:
        """Count its lines when it is laid out."""
        return len(self.render().lines(width))

    def _shown(self, width: int) -> str:
        return "\n".join(line.plain for line in self.render().lines(width))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Give the selected text as it stands on the screen."""
        return selection.extract(self._shown(self.content_size.width)), "\n"
