"""The dialog that asks which folder to add."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from rag_assistant.tui.exchange_blocks import QUIET
from rag_assistant.tui.safe_widgets import Line, plain

EXPLAINED = """Every file below it that can be read is indexed on this computer.
The files stay where they are and are never changed."""


class FolderDialog(ModalScreen[str]):
    """Asks for the path of a folder; gives an empty string when the person thinks better of it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel")]

    def __init__(self, draft: str = "") -> None:
        super().__init__()
        self._draft = draft

    def compose(self) -> ComposeResult:
        """Make the dialog."""
        with Vertical(id="folder-dialog"):
            yield Line(plain("Add a folder", "bold"))
            yield Line(plain(EXPLAINED, QUIET))
            yield Input(self._draft, placeholder="~/Documents/notes", id="folder", compact=True)
            yield Line(plain("Enter adds it   Esc goes back", QUIET))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give the path."""
        event.stop()
        self.dismiss(event.value.strip())

    def on_click(self, event: events.Click) -> None:
        """Go back on a click beside the dialog."""
        if event.widget is self:
            self.action_cancel()

    def action_cancel(self) -> None:
        """Give nothing."""
        self.dismiss("")
