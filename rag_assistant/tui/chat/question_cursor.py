"""The question of a column that keys act on, and going from one to the next."""

from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.folded_items import FoldedItem
from rag_assistant.tui.chat.folded_scroll import FoldedScroll
from rag_assistant.tui.drawing.laid_text import LaidText


class QuestionCursor:
    """Knows which question of `column` was chosen; `at` is none as long as none was."""

    def __init__(self, column: FoldedScroll) -> None:
        self.at: FoldedItem | None = None
        self._column = column

    @property
    def _questions(self) -> list[FoldedItem]:
        return [item for item in self._column.items if item.is_question]

    @property
    def chosen(self) -> Exchange | None:
        """The question that keys act on: the one chosen, or else the newest."""
        questions = self._questions
        item = self.at if self.at in questions else next(reversed(questions), None)
        widget = item.widget if item else None
        return widget if isinstance(widget, Exchange) else None

    def mark(self) -> None:
        """Mark the question that keys act on."""
        if chosen := self.chosen:
            chosen.chosen = True

    def leave(self) -> None:
        """Choose none any more."""
        self.at = None
        for exchange in self._column.query(Exchange):
            exchange.chosen = False

    def choose(self, item: FoldedItem) -> None:
        """Let keys act on a question that is mounted."""
        if item.is_question:
            self.at = item
            for exchange in self._column.query(Exchange):
                exchange.chosen = exchange is item.widget and self._column.has_focus

    def step(self, step: int) -> None:
        """Go on to the next question, or the one before, once this one was read to its edge."""
        chosen, column = self.chosen, self._column
        if chosen is None:
            return
        region, top, height = chosen.virtual_region, column.scroll_offset.y, column.size.height
        hidden = region.bottom - top - height if step > 0 else top - region.y
        in_view = region.y < top + height and region.bottom > top
        questions = self._questions
        here = next(place for place, item in enumerate(questions) if item.widget is chosen)
        if hidden > 0 and in_view:
            column.scroll_relative(y=step * min(hidden, max(1, height - 2)), animate=False)
        elif 0 <= here + step < len(questions):
            self._go_to(questions[here + step], from_below=step < 0)

    def _go_to(self, item: FoldedItem, *, from_below: bool) -> None:
        """Choose a question and bring it into view, its end first where one comes from below."""
        column = self._column
        widget, top, height = item.widget, column.scroll_offset.y, column.size.height
        region = widget.virtual_region if widget else None
        if region is None or region.y < top or region.bottom > top + height:
            shown = column.show(item)
            lines = shown.count_lines(column.size.width) if isinstance(shown, LaidText) else 0
            if from_below and lines > height:
                column.show(item, lines - height)
        self.choose(item)
