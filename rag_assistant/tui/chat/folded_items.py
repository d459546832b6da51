"""What a column that scrolls holds: items, mounted or folded, and gaps for the folded."""

from collections.abc import Callable
from dataclasses import dataclass

from textual.reactive import reactive
from textual.widget import Widget

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Indented, Text
from rag_assistant.tui.drawing.safe_widgets import plain


@dataclass(eq=False, slots=True)
class FoldedItem:
    """Something in the column: `make` gives the widget that shows it, `words` what it says.

    It is never folded while `stays` says so.
    """

    make: Callable[[], Widget]
    widget: Widget | None = None
    stays: Callable[[], bool] = bool
    words: Callable[[], str] = str
    is_question: bool = False


class Gap(LaidText):
    """Stands for `count` questions that are folded."""

    count: reactive[int] = reactive(0, init=False)

    def watch_count(self) -> None:
        """Say how many there are."""
        said = f"⋯ {self.count} more question{'' if self.count == 1 else 's'}"
        self.blocks = (Indented(Text(plain(said, "$foreground 60%")), plain("  ")),)
