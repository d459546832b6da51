"""The conversation: what its keys do with the question that is chosen, and with the whole of it."""

from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.message import Message

from rag_assistant.tui.chat.answer_copy import answer_text, with_sources
from rag_assistant.tui.chat.exchange import Deed, Exchange
from rag_assistant.tui.chat.exchange_column import ExchangeColumn
from rag_assistant.tui.chat.folded_scroll import FoldedItem
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.terminal.clipboard import Copied, copy_beside


class ConversationView(ExchangeColumn):
    """Exchanges and notices, with keys that act on the question that is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(digit), f"cite({digit})", "Open the citation of that number", show=False)
            for digit in range(1, 10)
        ),
        Binding("enter", "do('steps')", "Steps"),
        Binding("s", "do('steps')", "Steps", show=False),
        Binding("e", "do('edit')", "Edit and ask again"),
        Binding("r", "do('retry')", "Ask again"),
        Binding("y", "copy", "Copy"),
        Binding("Y", "copy_with_sources", "Copy with its sources", show=False),
        Binding("slash", "search", "Search"),
        Binding("n", "hit(1)", "Next hit", show=False),
        Binding("N", "hit(-1)", "Hit before", show=False),
        Binding("c", "do('go_on')", "Continue an answer that broke off", show=False),
        Binding("d", "details", "What an answer saw; details of an error", show=False),
        Binding("f", "do('failures')", "Files that could not be read", show=False),
        Binding("a", "do('compare')", "Ask again and compare the answers", show=False),
        Binding("w", "do('widen')", "Widen the scope and ask again", show=False),
        Binding("delete", "do('remove')", "Remove a queued question", show=False),
        Binding("j,down", "choose(1)", "Next question", show=False),
        Binding("k,up", "choose(-1)", "Question before", show=False),
        Binding("escape", "leave", "Back"),
        Binding("i", "leave", "To the question", show=False),
    ]

    class DigitPressed(Message):
        """The citation of this number is wanted."""

        def __init__(self, marker: int) -> None:
            super().__init__()
            self.marker = marker

    class Left(Message):
        """The person is done here."""

    class Typed(Message):
        """A letter was typed that means nothing here."""

    class QuestionWanted(Message):
        """Something is to be done with a question."""

        def __init__(self, exchange: Exchange, deed: Deed) -> None:
            super().__init__()
            self.exchange = exchange
            self.deed = deed

    class SearchWanted(Message):
        """Words are to be looked for."""

    @property
    def exchanges(self) -> list[Exchange]:
        """The questions that are mounted."""
        return list(self.query(Exchange))

    # The question that keys act on

    @property
    def chosen(self) -> Exchange | None:
        """The question that keys act on: the one chosen, or else the newest."""
        questions = [item for item in self.items if item.is_question]
        item = self.at if self.at in questions else next(reversed(questions), None)
        widget = item.widget if item else None
        return widget if isinstance(widget, Exchange) else None

    def on_focus(self) -> None:
        """Mark the question that keys act on."""
        if chosen := self.chosen:
            chosen.chosen = True

    def on_blur(self) -> None:
        """Take the mark away."""
        self.at = None
        for exchange in self.query(Exchange):
            exchange.chosen = False

    def on_key(self, event: events.Key) -> None:
        """Say where letters go that mean nothing here."""
        if event.is_printable and event.key not in self._bindings.key_to_bindings:
            self.post_message(self.Typed())

    def reached(self, item: FoldedItem) -> None:
        """Let keys act on the question that a search came to."""
        if item.is_question:
            self.choose(item)

    def choose(self, item: FoldedItem) -> None:
        """Let keys act on a question that is mounted."""
        self.at = item
        for exchange in self.query(Exchange):
            exchange.chosen = exchange is item.widget and self.has_focus

    def action_choose(self, step: int) -> None:
        """Go on to the next question, or the one before, once this one was read to its edge."""
        chosen = self.chosen
        if chosen is None:
            return
        region, top, height = chosen.virtual_region, self.scroll_offset.y, self.size.height
        hidden = region.bottom - top - height if step > 0 else top - region.y
        in_view = region.y < top + height and region.bottom > top
        questions = [item for item in self.items if item.is_question]
        here = next(place for place, item in enumerate(questions) if item.widget is chosen)
        if hidden > 0 and in_view:
            self.scroll_relative(y=step * min(hidden, max(1, height - 2)), animate=False)
        elif 0 <= here + step < len(questions):
            self._go_to_question(questions[here + step], from_below=step < 0)

    def _go_to_question(self, item: FoldedItem, *, from_below: bool) -> None:
        """Choose a question and bring it into view, its end first where one comes from below."""
        widget, top, height = item.widget, self.scroll_offset.y, self.size.height
        region = widget.virtual_region if widget else None
        if region is None or region.y < top or region.bottom > top + height:
            shown = self.show(item)
            lines = shown.count_lines(self.size.width) if isinstance(shown, LaidText) else 0
            if from_below and lines > height:
                self.show(item, lines - height)
        self.choose(item)

    # Keys

    def action_scroll_home(self) -> None:
        """Go to the first question."""
        if self.items:
            self.show(self.items[0])

    def action_scroll_end(self) -> None:
        """Go to the end, and keep to it."""
        if self.items:
            self.fold(len(self.items) - 1)
        self.scroll_end(animate=False)

    def action_page_up(self) -> None:
        """Go a page up, at once."""
        self.scroll_page_up(animate=False)

    def action_page_down(self) -> None:
        """Go a page down, at once."""
        self.scroll_page_down(animate=False)

    def action_cite(self, marker: int) -> None:
        """Open a citation by its number, or what comes nearest where nothing is cited."""
        chosen = self.chosen
        closest = chosen.state.closest if chosen and not chosen.state.citations else ()
        if marker <= len(closest):
            self.post_message(Exchange.ItemChosen(closest[marker - 1]))
        else:
            self.post_message(self.DigitPressed(marker))

    def action_do(self, deed: Deed) -> None:
        """Do something with the chosen question."""
        if chosen := self.chosen:
            self._do(chosen, deed)
        else:
            self.post_message(self.Typed())

    @on(Exchange.DeedChosen)
    def _do_clicked(self, event: Exchange.DeedChosen) -> None:
        event.stop()
        self._do(event.exchange, event.deed)

    def _do(self, exchange: Exchange, deed: Deed) -> None:
        match deed:
            case "steps" if exchange.state.steps:
                exchange.expanded = not exchange.expanded
            case "steps":
                self.post_message(self.Said("no steps were taken for it"))
            case "details":
                exchange.details = not exchange.details
            case _:
                self.post_message(self.QuestionWanted(exchange, deed))

    def action_details(self) -> None:
        """Show what an answer saw, or all of an error; take a question out of the queue."""
        phase = self.chosen.state.phase if self.chosen else None
        if phase in (Phase.FAILED, Phase.ANSWERED):
            self.action_do("details")
        elif phase is Phase.QUEUED:
            self.action_do("remove")
        else:
            self.post_message(self.Said("only an answer or an error has details"))

    def action_copy(self) -> None:
        """Copy what is selected, or else the chosen answer."""
        text = self.screen.get_selected_text()
        if not text and self.chosen:
            text = answer_text(self.chosen.state)
        self._copy(text or "")

    def action_copy_with_sources(self) -> None:
        """Copy the chosen answer, with a numbered line for each of its sources."""
        self._copy(with_sources(self.chosen.state) if self.chosen else "")

    def _copy(self, text: str) -> None:
        if text:
            copy_beside(self, text)
        else:
            self.post_message(self.Said("there is no answer to copy yet"))

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        event.stop()
        self.post_message(self.Said(event.remark))

    def action_search(self) -> None:
        """Look for words in the conversation."""
        self.post_message(self.SearchWanted())

    def action_leave(self) -> None:
        """Go back to the question; nothing is looked for any more."""
        self.search("")
        self.post_message(self.Left())
