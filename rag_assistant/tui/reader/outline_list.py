"""The parts of a document beside its text, with the cursor on the one that is read."""

from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import one_line
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.lists.pick_list import PickItem, PickList
from rag_assistant.values.outline import Outline, OutlineItem


class OutlineList(PickList):
    """Shows parts; each is known by its number and the character that it begins at."""

    def show_outline(self, outline: Outline, at: int) -> None:
        """List parts, with the cursor on the last one that begins at or before a character."""
        top = min((part.level for part in outline), default=1)
        keys = [f"{number} {part.start}" for number, part in enumerate(outline)]
        self.show(
            tuple(
                PickItem(_row(part, part.level - top), key)
                for part, key in zip(outline, keys, strict=True)
            )
        )
        here = [key for part, key in zip(outline, keys, strict=True) if part.start <= at]
        if here:
            self.go_to(here[-1])

    @property
    def place(self) -> int | None:
        """The character at which the part with the cursor begins."""
        return int(self.key.split()[1]) if self.key else None


def _row(part: OutlineItem, depth: int) -> Row:
    page = "" if part.page is None or part.kind == "page" else f"{part.page}"
    return Row(one_line("  " * depth + part.label), one_line(page, QUIET))
