"""The conversation: questions with their answers, and what else there is to tell, in order.

It keeps to its end while an answer grows, until the person scrolls up.
"""

from typing import ClassVar, Literal

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message

from rag_assistant.tui.exchange import Exchange
from rag_assistant.tui.exchange_blocks import MARGIN, QUIET, hint_lines
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.layout import Block, Indented, Text
from rag_assistant.tui.safe_widgets import plain

Deed = Literal["edit", "retry", "remove"]
"""What can be done with a question."""

FIRST_STEPS = [
    ("Ctrl+O", "add a folder: its files are indexed here and stay where they are"),
    ("F1", "all keys"),
    ("Ctrl+Q", "quit"),
]
HINTS = [
    ("Enter", "asks what you have written"),
    ("Ctrl+G", "opens the next source at the quoted words"),
    ("F1", "all keys"),
]


class Conversation(VerticalScroll):
    """Holds the exchanges and notices."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(digit), f"cite({digit})", "Open the citation of that number", show=False)
            for digit in range(1, 10)
        ),
        Binding("e", "edit", "Edit and ask again"),
        Binding("r", "retry", "Ask again"),
        Binding("d,delete", "remove", "Remove a queued question", show=False),
        Binding("s", "steps", "Steps"),
        Binding("j", "choose(1)", "Next question", show=False),
        Binding("k", "choose(-1)", "Question before", show=False),
        Binding("escape,i", "leave", "Back"),
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

    class Followed(Message):
        """The end of the conversation is in view, or there is new text below what is."""

        def __init__(self, *, at_end: bool) -> None:
            super().__init__()
            self.at_end = at_end

    @property
    def chosen(self) -> Exchange | None:
        """The question that keys act on: the one chosen, or else the newest."""
        exchanges = list(self.query(Exchange))
        marked = [exchange for exchange in exchanges if exchange.chosen]
        return next(iter(marked or exchanges[-1:]), None)

    def watch_virtual_size(self) -> None:
        """Keep to the end from when there is more than fits; until then begin at the top."""
        overflows = self.virtual_size.height > self.size.height
        if overflows != self.is_anchored:
            self.anchor(overflows)
            if not overflows:
                self.scroll_to(y=0, animate=False)
        self._tell_end()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell whether the end is in view."""
        super().watch_scroll_y(old_value, new_value)
        self._tell_end()

    def _tell_end(self) -> None:
        at_end = self.scroll_offset.y >= self.max_scroll_y - 1
        self.post_message(self.Followed(at_end=at_end))

    def on_focus(self) -> None:
        """Mark the question that keys act on."""
        if chosen := self.chosen:
            chosen.chosen = True

    def on_blur(self) -> None:
        """Take the mark away."""
        for exchange in self.query(Exchange):
            exchange.chosen = False

    def on_key(self, event: events.Key) -> None:
        """Say where letters go that mean nothing here."""
        if event.is_printable and event.key not in self._bindings.key_to_bindings:
            self.post_message(self.Typed())

    async def empty(self) -> None:
        """Begin anew."""
        await self.query("Exchange, .notice, #welcome").remove()

    def welcome(self, *, has_databases: bool) -> None:
        """Say what to do, as long as nothing was said."""
        found = self.query("#welcome")
        if self.query(Exchange) or self.query(".notice"):
            found.remove()
            return
        title = "Ask your documents." if has_databases else "There is no database yet."
        more = (
            "Every answer cites its sources, and every citation opens at the quoted words."
            if has_databases
            else "A database is a folder of yours, indexed for questions."
        )
        keys = hint_lines(HINTS if has_databases else FIRST_STEPS)
        blocks: tuple[Block, ...] = (
            Text(plain(title, "bold")),
            Text(plain(more, QUIET)),
            Text(),
            *keys,
        )
        if found:
            found.only_one(LaidText).blocks = blocks
            return
        widget = LaidText(id="welcome")
        widget.blocks = blocks
        self.mount(widget)

    def add(self, exchange: Exchange) -> None:
        """Show another question, and the end of the conversation."""
        self.query("#welcome").remove()
        self.mount(exchange)
        self.anchor(self.is_anchored)

    def notice(self, *lines: Content) -> None:
        """Show something that is no answer, in the place where it happened."""
        self.query("#welcome").remove()
        widget = LaidText(classes="notice")
        widget.blocks = tuple(Indented(Text(line), MARGIN) for line in lines)
        self.mount(widget)

    def action_cite(self, marker: int) -> None:
        """Open a citation by its number."""
        self.post_message(self.DigitPressed(marker))

    def action_steps(self) -> None:
        """Show or hide the steps of the chosen answer."""
        if chosen := self.chosen:
            chosen.expanded = not chosen.expanded

    def action_choose(self, step: int) -> None:
        """Choose the next question, or the one before."""
        exchanges = list(self.query(Exchange))
        if not exchanges or self.chosen is None:
            return
        place = exchanges.index(self.chosen) + step
        for number, exchange in enumerate(exchanges):
            exchange.chosen = number == min(max(place, 0), len(exchanges) - 1)
        self.scroll_to_widget(self.chosen, animate=False, top=True)

    def action_edit(self) -> None:
        """Put the chosen question back into the box."""
        self._want("edit")

    def action_retry(self) -> None:
        """Ask the chosen question again."""
        self._want("retry")

    def action_remove(self) -> None:
        """Take the chosen question out of the queue."""
        self._want("remove")

    def _want(self, deed: Deed) -> None:
        if chosen := self.chosen:
            self.post_message(self.QuestionWanted(chosen, deed))

    def action_leave(self) -> None:
        """Go back to the question."""
        self.post_message(self.Left())
