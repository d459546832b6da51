"""A line at the bottom that asks for one value: a name, a path, a setting. A wrong one stays."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, ContentLine, joined, one_line, plain
from rag_assistant.tui.drawing.signs import BAD


class ValueBox(Input):
    """Where the value is written."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Done")]


class EditLine(Vertical):
    """Hidden until it is opened; `then` is called with what the person gives."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel"),
    ]

    class Closed(Message):
        """The line is closed, and the keys act elsewhere again."""

    def __init__(self) -> None:
        super().__init__(id="edit-line")
        self._then: Callable[[str], object] = str
        self.display = False

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="edit-label")
        yield ValueBox(compact=True, id="edit-value")
        yield ContentLine(id="edit-problem")

    def open(self, label: Content, value: str, then: Callable[[str], object]) -> None:
        """Ask for a value, beginning with one."""
        self._then = then
        self.query_one(LaidText).blocks = (Text(label),)
        self.complain("")
        written = self.query_one(Input)
        written.value = value
        written.cursor_position = len(value)
        self.display = True
        written.focus()

    def close(self) -> None:
        """Hide it again."""
        self.display = False
        self.post_message(self.Closed())

    def complain(self, reason: str) -> None:
        """Say why a value was not taken; it stays to be mended."""
        said = joined([plain("✗ ", BAD), one_line(reason)]) if reason else EMPTY
        problem = self.query_one("#edit-problem", ContentLine)
        problem.show(said)
        problem.display = bool(reason)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.display and event.input.has_focus:
            self.complain("")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._then(event.value)

    def action_cancel(self) -> None:
        """Give nothing."""
        self.close()
