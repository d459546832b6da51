"""The box a question is typed into. It never locks and loses nothing that was typed."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea


class QuestionBox(TextArea):
    """A text of several lines; Enter sends it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "Send"),
        Binding("ctrl+j,shift+enter", "newline", "New line", show=False),
        Binding("escape", "stop", "Stop"),
    ]

    class Sent(Message):
        """A question was sent."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class StopWanted(Message):
        """The running answer is to stop."""

    def __init__(self) -> None:
        super().__init__(
            id="question",
            placeholder="Ask your documents…",
            compact=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
        )

    def on_key(self, event: events.Key) -> None:
        """Send on Enter.

        The binding cannot do this: TextArea takes Enter for a newline, and a binding with priority
        runs before the keys typed just before it have arrived here.
        """
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.action_send()

    def action_send(self) -> None:
        """Send what is written, if anything is."""
        written = self.text.strip()
        if written:
            self.clear()
            self.post_message(self.Sent(written))

    def take_back(self, written: str) -> None:
        """Put a question back that could not be taken, before what was typed since."""
        self.insert(f"{written} " if self.text else written, (0, 0))

    def action_newline(self) -> None:
        """Begin another line."""
        self.insert("\n")

    def action_stop(self) -> None:
        """Stop the running answer."""
        self.post_message(self.StopWanted())
