"""A widget of blocks: one widget for any amount of text, which can be selected and clicked."""

from textual.reactive import reactive
from textual.selection import Selection
from textual.widget import Widget

from rag_assistant.tui.layout import Block, Laid


class LaidText(Widget):
    """Shows `blocks`, as high as they are."""

    DEFAULT_CSS = "LaidText { height: auto; width: 1fr; }"

    # Contents that differ in their styles alone are equal to Textual: each is drawn anew.
    blocks: reactive[tuple[Block, ...]] = reactive((), layout=True, always_update=True)

    def render(self) -> Laid:
        """Give the blocks to draw."""
        return Laid(self.blocks)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Give the selected text as it stands on the screen."""
        return selection.extract(Laid(self.blocks).content(self.content_size.width).plain), "\n"
