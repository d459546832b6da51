"""The headings of a document beside its text, with the cursor on the one that is read."""

from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import one_line
from rag_assistant.tui.lists.pick_list import PickItem, PickList
from rag_assistant.tui.sources.reading import Outline


class OutlineList(PickList):
    """Shows headings; each is known by its number and the character that it begins at."""

    def show_outline(self, outline: Outline, at: int) -> None:
        """List headings, with the cursor on the last one that begins at or before a character."""
        lines = outline.lines
        keys = [f"{number} {line.start}" for number, line in enumerate(lines)]
        self.show(
            tuple(
                PickItem(Row(one_line("  " * line.depth + line.title)), key)
                for line, key in zip(lines, keys, strict=True)
            )
        )
        here = [key for line, key in zip(lines, keys, strict=True) if line.start <= at]
        if here:
            self.go_to(here[-1])

    @property
    def place(self) -> int | None:
        """The character at which the heading with the cursor begins."""
        return int(self.key.split()[1]) if self.key else None
