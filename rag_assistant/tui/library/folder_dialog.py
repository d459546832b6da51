"""The dialog that asks which folder to add."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from rag_assistant.tui.drawing.safe_widgets import ContentLine, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.library.folder_picker import FolderPicker

EXPLAINED = """Every file below it that can be read is indexed on this computer.
The files stay where they are and are never changed."""


class FolderDialog(ModalScreen[str]):
    """Asks for a folder; gives its path, or an empty string when the person thinks better of it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, draft: str = "") -> None:
        super().__init__()
        self._draft = draft

    def compose(self) -> ComposeResult:
        """Make the dialog."""
        with Vertical(id="folder-dialog"):
            yield ContentLine(plain("Add a folder", "bold"))
            yield ContentLine(plain(EXPLAINED, QUIET))
            yield FolderPicker(self._draft)
            yield KeyBar(id="folder-keys")

    def on_mount(self) -> None:
        """Begin in the path."""
        self.query_one(FolderPicker).to_field()

    @on(FolderPicker.Chosen)
    def _take(self, event: FolderPicker.Chosen) -> None:
        self.dismiss(str(event.folder))

    @on(FolderPicker.Left)
    def action_cancel(self) -> None:
        """Give nothing."""
        self.dismiss("")

    def on_click(self, event: events.Click) -> None:
        """Go back on a click beside the dialog."""
        if event.widget is self:
            self.action_cancel()
