"""The conversation: questions with their answers, and what else there is to tell, in order.

It keeps to its end while an answer grows, until the person scrolls up.
"""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message

from rag_assistant.tui.exchange import Exchange
from rag_assistant.tui.exchange_blocks import MARGIN, QUIET, hint_lines
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.layout import Block, Indented, Text
from rag_assistant.tui.safe_widgets import plain

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
        Binding("s", "steps", "Show or hide the steps"),
        Binding("j", "scroll_down", "Down", show=False),
        Binding("k", "scroll_up", "Up", show=False),
        Binding("escape", "stop", "Stop, and back"),
        Binding("i", "leave", "Back to the question", show=False),
    ]

    class DigitPressed(Message):
        """The citation of this number is wanted."""

        def __init__(self, marker: int) -> None:
            super().__init__()
            self.marker = marker

    class Left(Message):
        """The person is done here; `stop` when the running answer is to stop, too."""

        def __init__(self, *, stop: bool) -> None:
            super().__init__()
            self.stop_wanted = stop

    def watch_virtual_size(self) -> None:
        """Keep to the end from when there is more than fits; until then begin at the top."""
        overflows = self.virtual_size.height > self.size.height
        if overflows != self.is_anchored:
            self.anchor(overflows)
            if not overflows:
                self.scroll_to(y=0, animate=False)

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
        """Show or hide the steps of the newest answer."""
        exchanges = self.query(Exchange)
        if exchanges:
            exchanges.last().expanded = not exchanges.last().expanded

    def action_stop(self) -> None:
        """Stop the running answer and go back to the question."""
        self.post_message(self.Left(stop=True))

    def action_leave(self) -> None:
        """Go back to the question."""
        self.post_message(self.Left(stop=False))
