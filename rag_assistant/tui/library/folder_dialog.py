"""The dialog that asks which folder to add."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, ContentLine, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.library.folder_picker import FolderPicker
from rag_assistant.tui.library.folder_preview import FolderPreview

EXPLAINED = (
    "Every file below it that can be read is indexed on this computer. The files stay where they "
    "are and are never changed."
)


class FolderDialog(ModalScreen[str]):
    """Asks for a folder and shows what it holds; gives its path once the person says so.

    It gives an empty string when they think better of it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "index", "Index it"),
        Binding("o", "other", "Other folder"),
        Binding("s", "skipped", "Skipped: why"),
        Binding("escape", "cancel", "Cancel"),
    ]

    def __init__(self, library: Library, draft: str = "") -> None:
        super().__init__()
        self._library = library
        self._draft = draft

    def compose(self) -> ComposeResult:
        """Make the dialog."""
        with Vertical(id="folder-dialog"):
            yield ContentLine(plain("Add a folder", "bold"))
            yield ContentLine(plain(EXPLAINED, QUIET), id="folder-explained")
            yield FolderPicker(self._draft)
            with VerticalScroll(id="folder-body"):
                yield FolderPreview(self._library)
                yield LaidText(id="folder-skipped")
            yield LaidText(id="folder-remark")
            yield KeyBar(id="folder-keys")

    def on_mount(self) -> None:
        """Begin in the path."""
        self.action_other()

    @property
    def _preview(self) -> FolderPreview:
        return self.query_one(FolderPreview)

    @property
    def _picks(self) -> bool:
        return self.query_one(FolderPicker).display

    def action_other(self) -> None:
        """Ask for the path."""
        self._show(picks=True)
        self.query_one(FolderPicker).to_field()

    def _show(self, *, picks: bool) -> None:
        """Ask for the path, or show what is there."""
        self.query_one(FolderPicker).display = picks
        self.query_one("#folder-explained").display = picks
        self.query_one("#folder-body").display = not picks
        self.query_one("#folder-skipped").display = False
        self._remark(EMPTY)
        self.refresh_bindings()

    def _remark(self, said: Content) -> None:
        shown = self.query_one("#folder-remark", LaidText)
        shown.blocks = (Text(said),)
        shown.display = bool(said)

    @on(FolderPicker.Chosen)
    def _take(self, event: FolderPicker.Chosen) -> None:
        self._show(picks=False)
        self.query_one("#folder-body").focus()
        self._preview.look_through(event.folder)

    @on(FolderPreview.Moved)
    def _looked(self) -> None:
        self.refresh_bindings()

    def action_index(self) -> None:
        """Give the folder, unless nothing in it can be read."""
        if objection := self._preview.objection:
            self._remark(objection)
        else:
            self.dismiss(str(self._preview.folder))

    def action_skipped(self) -> None:
        """List what is not read, with the reasons, or hide it again."""
        listed = self.query_one("#folder-skipped", LaidText)
        listed.blocks = self._preview.skipped
        listed.display = not listed.display

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the letters to the path, as long as one is written."""
        if action == "cancel" or not self.is_mounted:
            return action == "cancel"
        return not self._picks and (action != "skipped" or bool(self._preview.skipped))

    @on(FolderPicker.Left)
    def action_cancel(self) -> None:
        """Give nothing."""
        self.dismiss("")

    def on_click(self, event: events.Click) -> None:
        """Go back on a click beside the dialog."""
        if event.widget is self:
            self.action_cancel()
